-- Of the budget of a crawl in parts, in what is common to them. Numbers only rise, so that it does no harm to say them
-- twice. ARGV: budget, parts, part, what it knows to have been granted to it, what it has given back, what it would have.
-- Answers what has been granted to it. What is free is given in ever smaller lots.

local P, call = KEYS[1], redis.call
local budget, parts, part, granted, back, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])

local function raise(hash, to)
  local known = tonumber(call('HGET', P .. hash, part) or 0)
  if to > known then call('HSET', P .. hash, part, to) end
  return math.max(to, known)
end

local function sum(hash)
  local n = 0
  for _, value in ipairs(call('HVALS', P .. hash)) do n = n + value end
  return n
end

granted = raise('granted', granted)
raise('returned', back)
local free = budget - sum('granted') + sum('returned')
if wanted > granted and free > 0 then
  granted = raise('granted', granted + math.min(free, math.max(wanted - granted, math.floor(free / (2 * parts)))))
end
return granted
