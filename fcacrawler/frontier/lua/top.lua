-- The best that wait, best first, whatever their hosts. ARGV: how many.
-- Answers for each: key, record, -rank.

local n, found, merge = tonumber(ARGV[1]), {}, P .. 'merge'
local at = {}
call('DEL', merge)
for _, set in ipairs({ HEADS, PARKED }) do
  local heads = call('ZRANGE', set, 0, n - 1, 'WITHSCORES')
  for i = 1, #heads, 2 do call('ZADD', merge, heads[i + 1], heads[i]) end
end
while #found < 3 * n do
  local next = call('ZPOPMIN', merge)
  if not next[1] then break end
  local host = sub(next[1], 9)
  local i = at[host] or 0
  local here = call('ZRANGE', queue(host), i, i + 1, 'WITHSCORES')
  tell(found, sub(here[1], 9), here[2])
  at[host] = i + 1
  if here[3] then call('ZADD', merge, here[4], sub(here[3], 1, 8) .. host) end
end
call('DEL', merge)
return found
