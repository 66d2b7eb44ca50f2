-- ARGV: floor, a rank. Answers above the floor, waiting, leases, done, dead, evicted. Another floor than the one
-- that is kept count of is counted once.

if ARGV[1] ~= FLOOR then
  local above = 0
  for _, host in ipairs(hosts()) do
    above = above + call('ZLEXCOUNT', queue(host), '-', '(' .. ARGV[1])
  end
  call('HSET', P .. 'about', 'floor', ARGV[1])
  call('HSET', P .. 'counts', 'above', above)
end
local counts = call('HMGET', P .. 'counts', 'above', 'waiting', 'leased', 'done', 'dead', 'evicted')
for i = 1, 6 do counts[i] = tonumber(counts[i] or 0) end
return counts
