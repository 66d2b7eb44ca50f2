-- ARGV: key. Answers whether it is known.

local key = ARGV[1]
return { math.min(1, call('HEXISTS', RECORDS, key) + call('SISMEMBER', DONE, key) + call('SISMEMBER', EVICTED, key) + call('SISMEMBER', BEFORE, key)) }
