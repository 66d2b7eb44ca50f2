-- As if they had never been there. ARGV: keys.

local function holder(key)
  for _, worker in ipairs(call('ZRANGE', P .. 'deadlines', 0, -1)) do
    if call('HEXISTS', leases(worker), key) == 1 then return worker end
  end
end

for _, key in ipairs(ARGV) do
  local record = call('HGET', RECORDS, key)
  if record then
    local place, worker = parts(record), holder(key)
    if worker then give_back(worker, key, 0, 0, 0) end
    if call('ZREM', DEAD, place .. key) == 1 then
      count('dead', -1)
    else
      dequeue(key, host_of(record), place)
    end
    erase({ key })
  else
    count('done', -call('SREM', DONE, key))
    count('evicted', -call('SREM', EVICTED, key))
    call('SREM', BEFORE, key)
  end
end
return settled(#ARGV)
