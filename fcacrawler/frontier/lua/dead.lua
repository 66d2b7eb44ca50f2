-- Those that have been given up. Answers for each: key, record, -rank, epoch, arrival, attempts.

local found, dead = {}, call('ZRANGE', P .. 'dead', 0, -1, 'WITHSCORES')
for i = 1, #dead, 2 do
  local key = string.sub(dead[i], 9)
  local _, arrival, attempts, epoch = known(key)
  for _, value in ipairs({ key, call('HGET', P .. 'records', key) or '', dead[i + 1], epoch, arrival, attempts }) do
    found[#found + 1] = value
  end
end
return found
