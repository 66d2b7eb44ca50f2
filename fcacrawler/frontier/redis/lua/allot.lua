-- Of the budget of a crawl in parts, in one of them. ARGV: what has been granted to it, 1 if what it does not use goes back.
-- Answers what has been granted to it so far, what it has given back, and what it uses: responses and leases.

local counts = call('HMGET', P .. 'counts', 'granted', 'returned', 'fetched', 'leased')
for i = 1, 4 do counts[i] = tonumber(counts[i] or 0) end
local granted, returned, used = math.max(counts[1], ARGV[1]), counts[2], counts[3] + counts[4]
if ARGV[2] == '1' then returned = math.max(returned, granted - used) end
call('HSET', P .. 'counts', 'granted', granted, 'returned', returned)
return { granted, returned, used }
