-- The best whose hosts may be fetched now. ARGV: worker, how many, floor as -rank, milliseconds of a lease, attempts at
-- most, fetches of a host at once, budget of responses (0: none), pages learned, hosts to pass over.
-- Answers the state of the crawl: leases, waiting, done, fetched, -rank of the best that waits ('' if none), milliseconds
-- until the next host is free ('' if none is to be) and for each lease: key, record, -rank, epoch, arrival, attempts.

local worker, wanted, floor, term, most, at_once, budget = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]),
  tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local LEASES, OUT = P .. 'leases', P .. 'out'
local time = now()
call('HSET', P .. 'workers', worker, string.format('%d %s', time, ARGV[8]))

for _, key in ipairs(call('ZRANGEBYSCORE', LEASES, '-inf', time, 'LIMIT', 0, 100)) do
  if call('HEXISTS', P .. 'owners', key) == 1 then give_back(key, 1, most, 0) else call('ZREM', LEASES, key) end
end
call('ZREMRANGEBYSCORE', PAUSES, '-inf', time)
for _, host in ipairs(call('ZRANGEBYSCORE', BUSY, '-inf', time, 'LIMIT', 0, 1000)) do
  call('ZREM', BUSY, host)
  settle(host)
end

local leases = call('ZCARD', LEASES)
local fetched = tonumber(call('HGET', P .. 'counts', 'fetched') or 0)
local found, passed, skip = {}, 0, {}
for i = 9, #ARGV do skip[ARGV[i]] = true end
while #found < 6 * wanted and (budget == 0 or fetched + leases < budget) do
  local head = call('ZRANGE', HEADS, passed, passed, 'WITHSCORES')
  while head[1] and skip[string.sub(head[1], 9)] do
    passed = passed + 1
    head = call('ZRANGE', HEADS, passed, passed, 'WITHSCORES')
  end
  if not head[1] or tonumber(head[2]) >= floor then break end
  local host = string.sub(head[1], 9)
  local best = call('ZRANGE', P .. 'queue:' .. host, 0, 0)[1]
  if not best then error('CORRUPT ' .. P .. 'queue:' .. host .. ' is missing') end
  local key = string.sub(best, 9)
  local _, arrival, attempts, epoch = known(key)
  local score = dequeue(key, host, arrival)
  set_known(key, 'L', arrival, attempts, epoch)
  call('ZADD', LEASES, time + term, key)
  call('HSET', P .. 'owners', key, worker .. ' ' .. score .. ' ' .. host)
  if call('HINCRBY', OUT, host, 1) >= at_once then call('ZADD', BUSY, '+inf', host) end
  settle(host)
  for _, value in ipairs({ key, call('HGET', P .. 'records', key) or '', score, epoch, arrival, attempts }) do
    found[#found + 1] = value
  end
  leases = leases + 1
end

local best = call('ZRANGE', HEADS, 0, 0, 'WITHSCORES')[2]
local parked = call('ZRANGE', PARKED, 0, 0, 'WITHSCORES')[2]
if parked and (not best or tonumber(parked) < tonumber(best)) then best = parked end
local next = call('ZRANGE', BUSY, 0, 0, 'WITHSCORES')[2]
local wait = next and tonumber(next) < math.huge and math.max(0, next - time)
local counts = call('HMGET', P .. 'counts', 'waiting', 'done', 'fetched')
return { leases, tonumber(counts[1] or 0), tonumber(counts[2] or 0), tonumber(counts[3] or 0), best or '', wait or '',
  unpack(found) }
