-- ARGV: floor as -rank. Answers above the floor, waiting, leases, done, dead, evicted. Another floor than the one
-- that is kept count of is counted once.

if tonumber(ARGV[1]) ~= FLOOR then
  local above = 0
  for _, host in ipairs(call('HKEYS', HEAD)) do
    above = above + call('ZCOUNT', P .. 'queue:' .. host, '-inf', '(' .. ARGV[1])
  end
  call('HSET', P .. 'about', 'floor', ARGV[1])
  call('HSET', P .. 'counts', 'above', above)
end
local counts = call('HMGET', P .. 'counts', 'above', 'waiting', 'done', 'dead', 'evicted')
for i = 1, 5 do counts[i] = tonumber(counts[i] or 0) end
return { counts[1], counts[2], call('ZCARD', P .. 'leases'), counts[3], counts[4], counts[5] }
