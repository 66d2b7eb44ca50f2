-- Links out of a part that is cut anew. ARGV: for each: host, key, record, further links ('' if there are none), 1 if it
-- is dead. Those that are here came before.

for i = 1, #ARGV, 5 do
  local host, key, record, further, is_dead = unpack(ARGV, i, i + 4)
  if call('HSETNX', RECORDS, key, record) == 1 then
    local place = parts(record)
    if further ~= '' then call('HSET', MORE, key, further) end
    if is_dead == '1' then
      call('ZADD', DEAD, 0, place .. key)
      count('dead', 1)
    else
      touch(host)
      call('ZADD', queue(host), 0, place .. key)
      count('waiting', 1)
      counts_above(place, 1)
    end
  end
end
return settled(#ARGV)
