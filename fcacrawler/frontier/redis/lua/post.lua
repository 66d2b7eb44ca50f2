-- Links whose hosts belong to other parts, until those have them. ARGV: for each: part, and what push.lua takes of it
-- (key, host, rank, record). Answers their ids.

local ids = {}
for i = 1, #ARGV, 5 do
  local to, key, host, rank, record = unpack(ARGV, i, i + 4)
  ids[#ids + 1] = call('XADD', P .. 'outbox', '*', 't', to, 'k', key, 'h', host, 'r', rank, 'd', record)
end
count('posted', #ids)
return settled(ids)
