-- This part is about to be cut anew: no worker may do anything here any more. ARGV: 1 if even though some are at it.
-- Answers those that are at it, if that is not wanted, and nothing is changed. Otherwise what was leased waits again.

local busy = ARGV[1] == '1' and {} or call('ZRANGEBYSCORE', P .. 'deadlines', '(' .. now(), '+inf')
if busy[1] then return busy end
for _, worker in ipairs(call('ZRANGE', P .. 'deadlines', 0, -1)) do
  for _, key in ipairs(call('HKEYS', leases(worker))) do give_back(worker, key, 1, math.huge, 0) end
end
call('HSET', P .. 'about', 'fenced', 1)
return settled(busy)
