-- Whose keys these are; they are ours from now on if they are nobody's. ARGV: name, value, … of `about`. Answers `about`.

local about = KEYS[1] .. 'about'
if redis.call('EXISTS', about) == 0 then redis.call('HSET', about, unpack(ARGV)) end
return redis.call('HGETALL', about)
