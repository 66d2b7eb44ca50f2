-- Those that have been given up. Answers for each: key, record, -rank, epoch, arrival, attempts.

local found, dead = {}, call('ZRANGE', P .. 'dead', 0, -1, 'WITHSCORES')
for i = 1, #dead, 2 do
  local key = sub(dead[i], 9)
  local _, arrival, attempts, epoch = known(key)
  tell(found, key, dead[i + 1], epoch, arrival, attempts)
end
return found
