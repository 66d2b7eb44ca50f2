-- New ranks. ARGV: for each: key, host ('' if the sender does not know it), -rank, epoch. Answers the keys that do not wait.

local gone, hosts = {}, {}
for i = 1, #ARGV, 4 do
  local key, host, score, epoch = unpack(ARGV, i, i + 3)
  local state, arrival, attempts = known(key)
  if state == 'W' then
    if host == '' then host = host_of(key) end
    dequeue(key, host, arrival)
    enqueue(key, host, score, arrival, attempts, epoch)
    hosts[host] = true
  else
    gone[#gone + 1] = key
  end
end
for host in pairs(hosts) do settle(host) end
return gone
