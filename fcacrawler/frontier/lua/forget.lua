-- As if they had never been there. ARGV: keys.

local function holder(key)
  for _, worker in ipairs(call('ZRANGE', P .. 'deadlines', 0, -1)) do
    if call('HEXISTS', leases(worker), key) == 1 then return worker end
  end
end

for _, key in ipairs(ARGV) do
  local state, arrival = known(key)
  if state == 'W' then
    local worker = holder(key)
    if worker then give_back(worker, key, 0, 0, 0) end
    dequeue(key, host_of(key), arrival)
  elseif state == 'D' then
    count('done', -1)
  elseif state == 'X' then
    call('ZREM', P .. 'dead', place(arrival, key))
    count('dead', -1)
  elseif state == 'E' then
    count('evicted', -1)
  end
  call('HDEL', RECORDS, key)
  call('HDEL', bucket(key), key)
end
return settled(#ARGV)
