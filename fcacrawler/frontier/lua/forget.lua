-- As if they had never been there. ARGV: keys.

for _, key in ipairs(ARGV) do
  local state, arrival, _, _, worker = known(key)
  if state == 'L' then
    give_back(worker, key, 0, 0, 0)
    state = 'W'
  end
  if state == 'W' then
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
