-- Those that have been given up. Answers for each: key, record, -rank.

local found, dead = {}, call('ZRANGE', DEAD, 0, -1, 'WITHSCORES')
for i = 1, #dead, 2 do tell(found, sub(dead[i], 9), dead[i + 1]) end
return found
