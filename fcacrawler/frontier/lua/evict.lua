-- For want of room the worst go, of equal ranks the latest. ARGV: how many. Answers their keys.

local tails = P .. 'merge'
call('DEL', tails)
for _, host in ipairs(call('HKEYS', HEAD)) do
  local worst = call('ZRANGE', P .. 'queue:' .. host, -1, -1, 'WITHSCORES')
  call('ZADD', tails, worst[2], string.sub(worst[1], 1, 8) .. host)
end
local gone, hosts = {}, {}
while #gone < tonumber(ARGV[1]) do
  local next = call('ZPOPMAX', tails)
  if not next[1] then break end
  local host = string.sub(next[1], 9)
  local key = string.sub(call('ZRANGE', P .. 'queue:' .. host, -1, -1)[1], 9)
  local _, arrival, attempts, epoch = known(key)
  dequeue(key, host, arrival)
  set_known(key, 'E', arrival, attempts, epoch)
  call('HDEL', P .. 'records', key)
  hosts[host], gone[#gone + 1] = true, key
  local worst = call('ZRANGE', P .. 'queue:' .. host, -1, -1, 'WITHSCORES')
  if worst[1] then call('ZADD', tails, worst[2], string.sub(worst[1], 1, 8) .. host) end
end
call('DEL', tails)
count('evicted', #gone)
for host in pairs(hosts) do settle(host) end
return gone
