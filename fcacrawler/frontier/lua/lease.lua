-- The best whose hosts may be fetched now. ARGV: worker, how many, floor as -rank, milliseconds of a lease, attempts at
-- most, fetches of a host at once, budget of responses (0: none), pages learned, milliseconds for which seeds are
-- waited for, hosts to pass over.
-- Answers the state of the crawl: leases, waiting, done, fetched, -rank of the best that waits ('' if none), milliseconds
-- until the next host is free ('' if none is to be), what has been left out (rule, links, …) and for each lease: key,
-- record, -rank, epoch, arrival, attempts.

local worker, wanted, floor, term, most, at_once, budget = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]),
  tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local DEADLINES = P .. 'deadlines'
local time = now()
call('HSET', P .. 'workers', worker, string.format('%d %s', time, ARGV[8]))
call('ZADD', DEADLINES, time + term, worker)

for _, silent in ipairs(call('ZRANGEBYSCORE', DEADLINES, '-inf', time)) do
  for _, key in ipairs(call('HKEYS', leases(silent))) do give_back(silent, key, 1, most, 0) end
  call('ZREM', DEADLINES, silent)
end
call('ZREMRANGEBYSCORE', PAUSES, '-inf', time)
for _, host in ipairs(call('ZRANGEBYSCORE', BUSY, '-inf', time, 'LIMIT', 0, 1000)) do
  touch(host)
  call('ZREM', BUSY, host)
end
settled()

local counts = call('HMGET', P .. 'counts', 'leased', 'waiting', 'done', 'fetched')
for i = 1, 4 do counts[i] = tonumber(counts[i] or 0) end
local found, keys, taken, passed, skip, left_out, room = {}, {}, {}, {}, {}, {}, 1000
for i = 10, #ARGV do skip[ARGV[i]] = true end

-- Is what ranks 1 being fetched, in the first moments of a crawl? What it says decides where the crawl goes.
local function seeds_under_way()
  local begun = call('HGET', P .. 'counts', 'begun')
  if not begun or time >= begun + tonumber(ARGV[9]) then return false end
  for _, name in ipairs(call('ZRANGE', DEADLINES, 0, -1)) do
    for _, lease in ipairs(call('HVALS', leases(name))) do
      if tonumber((leased(lease))) == -1 then return true end
    end
  end
end

-- The best of a host is the worker's.
local function take(host)
  local best = call('ZPOPMIN', queue(host))
  if not best[1] then error('CORRUPT ' .. queue(host) .. ' is missing') end
  local key, score = sub(best[1], 9), best[2]
  local state, arrival, attempts, epoch = known(key)
  if state ~= 'W' then error('CORRUPT ' .. queue(host) .. ' holds a URL that does not wait') end
  if call('HINCRBY', OUT, host, 1) >= at_once then busy_till(host, '+inf') end
  uses('used', host, 1)
  counts_above(score, -1)
  counts[1], counts[2] = counts[1] + 1, counts[2] - 1
  local n = #keys
  keys[n + 1] = key
  taken[2 * n + 1], taken[2 * n + 2] = key, score .. ' ' .. host
  found[6 * n + 1], found[6 * n + 3], found[6 * n + 4] = key, score, epoch
  found[6 * n + 5], found[6 * n + 6] = arrival, attempts
end

-- Nothing more is to come from a host: what waits there is done, some at a time.
local function leave_out(host, rule)
  local gone = call('ZPOPMIN', queue(host), room)
  local n = #gone / 2
  for i = 1, #gone, 2 do
    local key = sub(gone[i], 9)
    call('HSET', bucket(key), key, 'D')
    call('HDEL', RECORDS, key)
    counts_above(gone[i + 1], -1)
  end
  count('waiting', -n)
  count('done', n)
  counts[2], counts[3], room = counts[2] - n, counts[3] + n, room - n
  left_out[#left_out + 1] = rule
  left_out[#left_out + 1] = n
end

if counts[1] + counts[3] == 0 then call('HSET', P .. 'counts', 'begun', time) end
if wanted > 0 and seeds_under_way() then floor = math.min(floor, -1 + 1e-9) end
while #keys < wanted and (budget == 0 or counts[4] + counts[1] < budget) do
  local head = call('ZPOPMIN', HEADS)
  if not head[1] then break end
  local host, enough = sub(head[1], 9), tonumber(head[2]) >= floor
  local rule = not enough and room > 0 and exhausted('taken', host)
  if enough or not rule and (skip[host] or exhausted('used', host)) then
    passed[#passed + 1] = head[2]
    passed[#passed + 1] = head[1]
    if enough then break end
  else
    (rule and leave_out or take)(host, rule)
    settle(host, call('ZRANGE', queue(host), 0, 0, 'WITHSCORES'))
  end
end
if passed[1] then call('ZADD', HEADS, unpack(passed)) end
if keys[1] then
  call('HSET', leases(worker), unpack(taken))
  count('leased', #keys)
  count('waiting', -#keys)
  for n, record in ipairs(call('HMGET', RECORDS, unpack(keys))) do found[6 * n - 4] = record or '' end
end

local best = call('ZRANGE', HEADS, 0, 0, 'WITHSCORES')[2]
local parked = call('ZRANGE', PARKED, 0, 0, 'WITHSCORES')[2]
if parked and (not best or tonumber(parked) < tonumber(best)) then best = parked end
local next = call('ZRANGE', BUSY, 0, 0, 'WITHSCORES')[2]
local wait = next and tonumber(next) < math.huge and math.max(0, next - time)
return settled({ counts[1], counts[2], counts[3], counts[4], best or '', wait or '', left_out, unpack(found) })
