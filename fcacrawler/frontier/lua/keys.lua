-- One crawl in Redis. Every key begins with KEYS[1], "fcacrawler:{crawl}:", so that all are in one hash slot.
--
--   about          HASH    program, version, crawl.topic, crawl.order …: whose keys these are; floor
--   counts         HASH    arrivals, waiting, above (the floor), leased, done, fetched, dead, evicted; begun (ms)
--   known:0000…    HASH    url key → "state", for W and X "state arrival attempts epoch"; a bucket by the key's last
--                          two bytes, small enough to be packed
--   records        HASH    url key → record, while it waits, is leased or dead (see records.py)
--   queue:HOST     ZSET    arrival + url key by -rank: the best first, ties in order of arrival
--   heads, parked  ZSET    arrival + host by -rank of the host's best: of hosts that may be fetched now, that may not
--   busy           ZSET    host by the time from when it may be fetched again (ms); +inf while fetches are under way
--   pauses         ZSET    host by the time until which it has been told to be left alone (ms), whoever asks earlier
--   out            HASH    host → how many fetches of it are under way
--   leases:WORKER  HASH    url key → "-rank host"
--   deadlines      ZSET    worker by the time at which it loses its leases, unless it has been here before (ms)
--   sites          HASH    host → site, where sites have a budget
--   used, taken    HASH    "host budget HOST", "site budget SITE" → responses and fetches under way, responses; where
--                          there are budgets
--   dead           ZSET    arrival + url key by -rank
--   log            STREAM  w (worker), p (page): the last pages observed, from which every worker learns
--   workers        HASH    worker → "time pages": when it was here last (ms), how many pages of the log it has learned
--
-- States: W waits, or is leased if it is not in its queue; D done, X dead, E evicted. The only clock is Redis's.

local P = KEYS[1]
local call, sub = redis.call, string.sub
local HEADS, PARKED, BUSY, PAUSES, RECORDS = P .. 'heads', P .. 'parked', P .. 'busy', P .. 'pauses', P .. 'records'
local OUT = P .. 'out'

local about = call('HMGET', P .. 'about', 'program', 'floor', 'crawl.host budget', 'crawl.site budget')
if about[1] ~= 'fcacrawler' then
  return redis.error_reply('GONE there is no crawl of ours under ' .. P)
end
local FLOOR = tonumber(about[2]) or -math.huge  -- as -rank
local HOST_PAGES, SITE_PAGES = tonumber(about[3]), tonumber(about[4])
local counted, touched = {}, {}

local clock, last_key, last_bucket

local function now()
  if not clock then
    local t = call('TIME')
    clock = t[1] * 1000 + math.floor(t[2] / 1000)
  end
  return clock
end

local function bucket(key)
  if key ~= last_key then
    last_key, last_bucket = key, string.format('%sknown:%02x%02x', P, string.byte('\0' .. key, -2, -1))
  end
  return last_bucket
end

local function known(key)
  local value = call('HGET', bucket(key), key)
  if not value or value == 'D' or value == 'E' then return value or nil end
  local state, arrival, attempts, epoch = string.match(value, '^([WX]) (%d+) (%d+) (%-?%d+)$')
  if not state then error('CORRUPT ' .. bucket(key) .. ' holds ' .. sub(value, 1, 40)) end
  return state, arrival, tonumber(attempts), epoch
end

local function set_known(key, state, arrival, attempts, epoch)
  call('HSET', bucket(key), key, state .. ' ' .. arrival .. ' ' .. attempts .. ' ' .. epoch)
end

local function count(name, n)
  counted[name] = (counted[name] or 0) + n
end

local function place(arrival, rest)
  return struct.pack('>I8', arrival) .. rest
end

local function queue(host)
  return P .. 'queue:' .. host
end

local function leases(worker)
  return P .. 'leases:' .. worker
end

local filled = {}

-- Is there anything in this sorted set? What is there may go in the meantime, what comes is to be told here.
local function some(set)
  if filled[set] == nil then filled[set] = call('EXISTS', set) == 1 end
  return filled[set]
end

local function busy_till(host, time)
  call('ZADD', BUSY, time, host)
  filled[BUSY] = true
end

-- Before the host's queue changes, or whether it may be fetched.
local function touch(host)
  if not touched[host] then touched[host] = call('ZRANGE', queue(host), 0, 0)[1] or '' end
end

-- Those of which something waits.
local function hosts()
  local found = {}
  for _, set in ipairs({ HEADS, PARKED }) do
    for _, member in ipairs(call('ZRANGE', set, 0, -1)) do found[#found + 1] = sub(member, 9) end
  end
  return found
end

-- This is the host's best now, if there is one.
local function settle(host, best)
  if best[1] then
    call('ZADD', some(BUSY) and call('ZSCORE', BUSY, host) and PARKED or HEADS, best[2], sub(best[1], 1, 8) .. host)
  end
end

-- Before anything asks for the best, and at the end.
local function settled(answer)
  for host, before in pairs(touched) do
    if before ~= '' then
      before = sub(before, 1, 8) .. host
      call('ZREM', HEADS, before)
      call('ZREM', PARKED, before)
    end
    settle(host, call('ZRANGE', queue(host), 0, 0, 'WITHSCORES'))
  end
  for name, n in pairs(counted) do
    if n ~= 0 then call('HINCRBY', P .. 'counts', name, n) end
  end
  touched, counted = {}, {}
  return answer
end

local function counts_above(score, n)
  if tonumber(score) < FLOOR then count('above', n) end
end

-- It waits from now on.
local function enqueue(key, host, score, arrival, attempts, epoch)
  touch(host)
  call('ZADD', queue(host), score, place(arrival, key))
  set_known(key, 'W', arrival, attempts, epoch)
  count('waiting', 1)
  counts_above(score, 1)
end

-- It waits no longer. False: it did not, since it is leased.
local function dequeue(key, host, arrival)
  local member = place(arrival, key)
  local score = call('ZSCORE', queue(host), member)
  if not score then return false end
  touch(host)
  call('ZREM', queue(host), member)
  count('waiting', -1)
  counts_above(score, -1)
  return true
end

-- It waits, with another rank. False: it does not, since it is leased.
local function rerank(key, host, score, arrival, attempts, epoch)
  local member = place(arrival, key)
  local before = call('ZSCORE', queue(host), member)
  if not before then return false end
  touch(host)
  call('ZADD', queue(host), score, member)
  set_known(key, 'W', arrival, attempts, epoch)
  counts_above(before, -1)
  counts_above(score, 1)
  return true
end

-- The budgets that a response of the host counts against: rule, field, limit, and so on.
local function budgets(host)
  local found = {}
  if HOST_PAGES then found = { 'host budget', 'host budget ' .. host, HOST_PAGES } end
  if SITE_PAGES then
    local n, site = #found, call('HGET', P .. 'sites', host) or host
    found[n + 1], found[n + 2], found[n + 3] = 'site budget', 'site budget ' .. site, SITE_PAGES
  end
  return found
end

-- So many more in `used` or `taken`.
local function uses(which, host, n)
  local found = budgets(host)
  for i = 2, #found, 3 do
    if call('HINCRBY', P .. which, found[i], n) == 0 then call('HDEL', P .. which, found[i]) end
  end
end

-- The rule by which no more is to come from the host, by what is `used` or `taken`; nil if more may.
local function exhausted(which, host)
  local found = budgets(host)
  for i = 1, #found, 3 do
    if tonumber(call('HGET', P .. which, found[i + 1]) or 0) >= found[i + 2] then return found[i] end
  end
end

-- One fetch of the host is over; it is left alone for so many milliseconds, or for as long as it was said before.
local function landed(host, pause)
  if call('HINCRBY', OUT, host, -1) <= 0 then call('HDEL', OUT, host) end
  uses('used', host, -1)
  local time = now()
  local till = math.max(time + pause, tonumber(some(PAUSES) and call('ZSCORE', PAUSES, host) or 0))
  if till > time then
    touch(host)
    call('ZADD', PAUSES, till, host)
    filled[PAUSES] = true
    busy_till(host, till)
  elseif some(BUSY) and call('ZREM', BUSY, host) == 1 then
    touch(host)
  end
end

-- -rank and host, from what stands in leases:WORKER.
local function leased(value)
  local score, host = string.match(value, '^(%S+) (.*)$')
  if not score then error('CORRUPT ' .. P .. 'leases holds ' .. sub(value, 1, 40)) end
  return score, host
end

-- A leased URL is given back: it waits again or, after too many attempts, is dead.
local function give_back(worker, key, more, most, pause)
  local lease = call('HGET', leases(worker), key)
  if not lease then return end
  local score, host = leased(lease)
  local _, arrival, attempts, epoch = known(key)
  call('HDEL', leases(worker), key)
  count('leased', -1)
  attempts = attempts + more
  if more > 0 and attempts >= most then
    set_known(key, 'X', arrival, attempts, epoch)
    call('ZADD', P .. 'dead', score, place(arrival, key))
    count('dead', 1)
  else
    enqueue(key, host, score, arrival, attempts, epoch)
  end
  landed(host, pause)
end

-- Of what waits or is dead.
local function host_of(key)
  local record = call('HGET', RECORDS, key)
  local good, head = pcall(cjson.decode, record and string.match(record, '^%d+ %d+\n([^\n]+)') or '')
  local host = good and type(head) == 'table' and (head[2] or string.match(head[1] or '', '^[^/]*://([^/]*)'))
  if type(host) ~= 'string' then error('CORRUPT ' .. RECORDS .. ' lacks or mistells a URL') end
  return host
end

-- What is answered of one that is known.
local function tell(answer, key, score, epoch, arrival, attempts)
  local n = #answer
  answer[n + 1], answer[n + 2], answer[n + 3] = key, call('HGET', RECORDS, key) or '', score
  answer[n + 4], answer[n + 5], answer[n + 6] = epoch, arrival, attempts
end
