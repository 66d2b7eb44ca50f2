-- For want of room the worst go, of equal ranks the latest. ARGV: how many. Answers their keys.

local tails = P .. 'merge'
call('DEL', tails)
local function add_tail(host)
  local worst = call('ZRANGE', queue(host), -1, -1)[1]
  if worst then call('ZADD', tails, 0, sub(worst, 1, 16) .. host) end
end
for _, host in ipairs(hosts()) do add_tail(host) end
local gone = {}
while #gone < tonumber(ARGV[1]) do
  local next = call('ZPOPMAX', tails)
  if not next[1] then break end
  local host = sub(next[1], 17)
  touch(host)
  local worst = call('ZPOPMAX', queue(host))[1]
  counts_above(worst, -1)
  gone[#gone + 1] = sub(worst, 17)
  add_tail(host)
end
call('DEL', tails)
if gone[1] then
  erase(gone)
  call('SADD', EVICTED, unpack(gone))
end
count('evicted', #gone)
count('waiting', -#gone)
return settled(gone)
