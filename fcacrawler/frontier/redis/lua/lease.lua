-- The best whose hosts may be fetched now. ARGV: worker, how many, floor (a rank), milliseconds of a lease, attempts at
-- most, fetches of a host at once, budget of responses (0: none; -1: what this part was granted of it), pages learned, up
-- to which one of the log, milliseconds for which seeds are waited for, hosts to pass over.
-- Answers the state of the crawl: leases, waiting, done, fetched, rank of the best that waits ('' if none), milliseconds
-- until the next host is free ('' if none is to be; no more than 20 while seeds are waited for), what has been left out
-- (rule, links, …) and for each lease: key, record, further links.

local worker, wanted, floor, term, most, at_once, budget = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local learned, up_to, seeds_wait, FIRST_REFUSED = ARGV[8], ARGV[9], tonumber(ARGV[10]), 11
local DEADLINES = P .. 'deadlines'
local SOON = 20  -- milliseconds: seeds may have been learned then
local time = now()
call('HSET', P .. 'workers', worker, string.format('%d %s %s', time, learned, up_to))
call('ZADD', DEADLINES, time + term, worker)

for _, silent in ipairs(call('ZRANGEBYSCORE', DEADLINES, '-inf', time)) do
  for _, key in ipairs(call('HKEYS', leases(silent))) do give_back(silent, key, 1, most, 0) end
  call('ZREM', DEADLINES, silent)
end
call('ZREMRANGEBYSCORE', PAUSES, '-inf', time)
for _, host in ipairs(call('ZRANGEBYSCORE', BUSY, '-inf', time, 'LIMIT', 0, 1000)) do
  move(host)
  call('ZREM', BUSY, host)
end
settled()

local counts = call('HMGET', P .. 'counts', 'leased', 'waiting', 'done', 'fetched')
for i = 1, 4 do counts[i] = tonumber(counts[i] or 0) end
local found, keys, taken, skip, left_out, room = {}, {}, {}, {}, {}, 1000
for i = FIRST_REFUSED, #ARGV do skip[ARGV[i]] = true end
local popped, at, last = {}, 1, nil  -- heads that are out of HEADS: member, 0, …; the last of them
local back = {}  -- what came after them on their hosts and is not later than the last
local rest, aside = {}, {}  -- what is put into HEADS again: 0, member, …; when no more are popped

local function after(id, other)
  local ms, n = string.match(id, '^(%d+)-(%d+)$')
  local other_ms, other_n = string.match(other, '^(%d+)-(%d+)$')
  return tonumber(ms) > tonumber(other_ms) or ms == other_ms and tonumber(n) > tonumber(other_n)
end

-- In the first moments of a crawl: is what ranks 1 being fetched, or has a worker not learned from all such pages whose
-- links it ranked by some? What they say decides where the crawl goes.
local function seeds_under_way()
  local begun = call('HGET', P .. 'counts', 'begun')
  if not begun or time >= begun + seeds_wait then return false end
  local told, last = call('HGETALL', P .. 'seeds'), '0-0'
  for i = 2, #told, 2 do
    if after(told[i], last) then last = told[i] end
  end
  for i = 1, #told, 2 do
    local learned = string.match(call('HGET', P .. 'workers', told[i]) or '', '%S+$')
    if learned and after(last, learned) then return true end
  end
  for _, name in ipairs(call('ZRANGE', DEADLINES, 0, -1)) do
    for _, lease in ipairs(call('HVALS', leases(name))) do
      if leased(lease) == SEED then return true end
    end
  end
end

local function put_back()
  for i = at, #popped, 2 do rest[#rest + 1], rest[#rest + 2] = 0, popped[i] end
  for _, head in ipairs(back) do rest[#rest + 1], rest[#rest + 2] = 0, head end
  if rest[1] then call('ZADD', HEADS, unpack(rest)) end
  popped, at, back, rest = {}, 1, {}, {}
end

-- Is this place or rank before that one? (Redis's Lua compares strings as its locale says.)
local function earlier(place, other)
  for i = 1, #other, 4 do
    local a, b = struct.unpack('>I4', place, i), struct.unpack('>I4', other, i)
    if a ~= b then return a < b end
  end
  return false
end

-- The best head; nil: there is none. Several are popped together.
local function next_head()
  if at > #popped then
    put_back()
    popped = call('ZPOPMIN', HEADS, wanted - #keys)
    if not popped[1] then return end
    last = sub(popped[#popped - 1], 1, 16)
    local names = {}
    for i = 1, #popped, 2 do names[#names + 1] = sub(popped[i], 17) end
    look_out(names)
  end
  local best
  for i, head in ipairs(back) do
    if earlier(head, sub(best and back[best] or popped[at], 1, 16)) then best = i end
  end
  if best then return table.remove(back, best) end
  at = at + 2
  return popped[at - 2]
end

-- What comes after a host's best.
local function follow(host, line, busy)
  local best = call('ZRANGE', line, 0, 0)[1]
  if not best then return end
  local head = sub(best, 1, 16) .. host
  if busy then
    call('ZADD', PARKED, 0, head)
  elseif earlier(head, last) then
    back[#back + 1] = head
  else
    rest[#rest + 1], rest[#rest + 2] = 0, head
  end
end

-- The best of a host is the worker's.
local function take(host)
  local line = queue(host)
  local best = call('ZPOPMIN', line)[1]
  if not best then error('CORRUPT ' .. line .. ' is missing') end
  local n, key = #keys, sub(best, 17)
  uses('used', host, 1)
  counts_above(best, -1)
  keys[n + 1] = key
  taken[2 * n + 1], taken[2 * n + 2] = key, sub(best, 1, 8) .. host
  local busy = fly(host, 1) >= at_once
  if busy then busy_till(host, '+inf') end
  follow(host, line, busy)
end

-- Nothing more is to come from a host: what waits there is done, some at a time.
local function leave_out(host, rule)
  local gone, over = call('ZPOPMIN', queue(host), room), {}
  for i = 1, #gone, 2 do
    over[#over + 1] = sub(gone[i], 17)
    counts_above(gone[i], -1)
  end
  local n = #over
  erase(over)
  call('SADD', DONE, unpack(over))
  count('waiting', -n)
  count('done', n)
  counts[2], counts[3], room = counts[2] - n, counts[3] + n, room - n
  left_out[#left_out + 1], left_out[#left_out + 2] = rule, n
  follow(host, queue(host), false)
end

if counts[1] + counts[3] == 0 then call('HSET', P .. 'counts', 'begun', time) end
local waited = wanted > 0 and seeds_under_way()
if waited then
  local above = string.char(64, 16) .. string.rep('\0', 6)  -- only what ranks 1 is above this
  if earlier(above, floor) then floor = above end
end
if budget < 0 then
  local allotted = call('HMGET', P .. 'counts', 'granted', 'returned')
  budget = (allotted[1] or 0) - (allotted[2] or 0)
  if budget == 0 then wanted = 0 end
end
if budget > 0 then wanted = math.min(wanted, budget - counts[4] - counts[1]) end
while #keys < wanted do
  local head = next_head()
  if not head then break end
  local host, enough = sub(head, 17), not earlier(head, floor)
  local rule = not enough and room > 0 and exhausted('taken', host)
  if enough or not rule and (skip[host] or exhausted('used', host)) then
    aside[#aside + 1], aside[#aside + 2] = 0, head
    if enough then break end
  else
    (rule and leave_out or take)(host, rule)
  end
end
put_back()
if aside[1] then call('ZADD', HEADS, unpack(aside)) end
if keys[1] then
  counts[1], counts[2] = counts[1] + #keys, counts[2] - #keys
  call('HSET', leases(worker), unpack(taken))
  count('leased', #keys)
  count('waiting', -#keys)
  local records, more = call('HMGET', RECORDS, unpack(keys)), call('HMGET', MORE, unpack(keys))
  for n, key in ipairs(keys) do
    found[3 * n - 2], found[3 * n - 1], found[3 * n] = key, records[n] or '', more[n] or ''
  end
end

local best, parked = call('ZRANGE', HEADS, 0, 0)[1], call('ZRANGE', PARKED, 0, 0)[1]
if parked and (not best or earlier(parked, sub(best, 1, 16))) then best = parked end
local next = call('ZRANGE', BUSY, 0, 0, 'WITHSCORES')[2]
local wait = next and tonumber(next) < math.huge and math.max(0, next - time)
if waited then wait = math.min(wait or SOON, SOON) end
return settled({ counts[1], counts[2], counts[3], counts[4], best and sub(best, 1, 8) or '', wait or '', left_out, unpack(found) })
