-- Still at work. ARGV: worker, milliseconds of a lease, then keys. Answers the keys that are not the worker's any more.

local lost, deadline = {}, now() + ARGV[2]
for i = 3, #ARGV do
  if owner(ARGV[i]) == ARGV[1] then
    call('ZADD', P .. 'leases', 'XX', deadline, ARGV[i])
  else
    lost[#lost + 1] = ARGV[i]
  end
end
return lost
