-- The best that wait, best first, whatever their hosts. ARGV: how many.
-- Answers for each: key, record, further links.

local n, found, merge = tonumber(ARGV[1]), {}, P .. 'merge'
local at = {}
call('DEL', merge)
for _, set in ipairs({ HEADS, PARKED, SHUT }) do
  for _, head in ipairs(call('ZRANGE', set, 0, n - 1)) do call('ZADD', merge, 0, head) end
end
while #found < 3 * n do
  local next = call('ZPOPMIN', merge)
  if not next[1] then break end
  local host = sub(next[1], 17)
  local i = at[host] or 0
  local here = call('ZRANGE', queue(host), i, i + 1)
  tell(found, sub(here[1], 17))
  at[host] = i + 1
  if here[2] then call('ZADD', merge, 0, sub(here[2], 1, 16) .. host) end
end
call('DEL', merge)
return found
