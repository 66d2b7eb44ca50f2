-- As if they had never been there. ARGV: keys.

for _, key in ipairs(ARGV) do
  local state, arrival = known(key)
  if state == 'W' then
    local host = host_of(key)
    dequeue(key, host, arrival)
    settle(host)
  elseif state == 'L' then
    local _, _, host = owner(key)
    end_lease(key)
    landed(host, 0)
  elseif state == 'D' then
    count('done', -1)
  elseif state == 'X' then
    call('ZREM', P .. 'dead', member(arrival, key))
    count('dead', -1)
  elseif state == 'E' then
    count('evicted', -1)
  end
  call('HDEL', P .. 'records', key)
  call('HDEL', bucket(key), key)
end
return #ARGV
