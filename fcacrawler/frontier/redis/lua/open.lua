-- Whose keys these are; they are ours from now on if they are nobody's. ARGV: what the crawl says of itself ('': nothing), then name, value, …
-- of `about`. Answers `about`.

local about = KEYS[1] .. 'about'
if redis.call('EXISTS', about) == 0 then redis.call('HSET', about, unpack(ARGV, 2)) end
if ARGV[1] ~= '' then redis.call('HSET', about, 'told', ARGV[1]) end
return redis.call('HGETALL', about)
