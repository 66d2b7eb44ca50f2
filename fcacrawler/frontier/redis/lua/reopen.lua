-- A worker is about to join. If it is the first, this is another run: hosts that could not be reached are asked again.

if call('ZCOUNT', P .. 'deadlines', '(' .. now(), '+inf') == 0 then
  local hosts = call('HKEYS', UNREACHED)
  call('DEL', UNREACHED)
  filled[UNREACHED] = false
  for _, host in ipairs(hosts) do move(host) end
end
return settled(1)
