-- One crawl in Redis. Every key begins with KEYS[1], "fcacrawler:{crawl}:", so that all are in one hash slot.
--
--   about          HASH    program, version, floor, crawl.topic, crawl.order: whose keys these are
--   counts         HASH    arrivals, waiting, above (the floor), done, fetched, dead, evicted
--   known:0000…    HASH    url key → "state arrival attempts epoch"; a bucket by hash, small enough to be packed
--   records        HASH    url key → record, while it waits, is leased or dead (see records.py)
--   queue:HOST     ZSET    arrival + url key by -rank: the best first, ties in order of arrival
--   heads, parked  ZSET    arrival + host by -rank of the host's best: of hosts that may be fetched now, that may not
--   head           HASH    host → its member in heads or parked
--   busy           ZSET    host by the time from when it may be fetched again (ms); +inf while fetches are under way
--   pauses         ZSET    host by the time until which it has been told to be left alone (ms), whoever asks earlier
--   out            HASH    host → how many fetches of it are under way
--   leases         ZSET    url key by deadline (ms)
--   owners         HASH    url key → "worker -rank host"
--   dead           ZSET    arrival + url key by -rank
--   log            STREAM  w (worker), p (page): the last pages observed, from which every worker learns
--   workers        HASH    worker → "time pages": when it was here last (ms), how many pages of the log it has learned
--
-- States: W waits, L leased, D done, X dead, E evicted. The only clock is Redis's.

local P = KEYS[1]
local call = redis.call
local HEADS, PARKED, HEAD, BUSY, PAUSES = P .. 'heads', P .. 'parked', P .. 'head', P .. 'busy', P .. 'pauses'

local about = call('HMGET', P .. 'about', 'program', 'floor')
if about[1] ~= 'fcacrawler' then
  return redis.error_reply('GONE there is no crawl of ours under ' .. P)
end
local FLOOR = tonumber(about[2]) or -math.huge  -- as -rank

local function now()
  local t = call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

local function bucket(key)
  return P .. 'known:' .. string.sub(redis.sha1hex(key), 1, 4)
end

local function known(key)
  local value = call('HGET', bucket(key), key)
  if not value then return nil end
  local state, arrival, attempts, epoch = string.match(value, '^([WLDXE]) (%d+) (%d+) (%-?%d+)$')
  if not state then error('CORRUPT ' .. bucket(key) .. ' holds ' .. string.sub(value, 1, 40)) end
  return state, tonumber(arrival), tonumber(attempts), epoch
end

local function set_known(key, state, arrival, attempts, epoch)
  call('HSET', bucket(key), key, string.format('%s %d %d %s', state, arrival, attempts, epoch))
end

local function count(name, n)
  call('HINCRBY', P .. 'counts', name, n)
end

local function member(arrival, rest)
  return struct.pack('>I8', arrival) .. rest
end

-- The host's best has changed, or whether it may be fetched.
local function settle(host)
  local before = call('HGET', HEAD, host)
  local best = call('ZRANGE', P .. 'queue:' .. host, 0, 0, 'WITHSCORES')
  local after = best[1] and string.sub(best[1], 1, 8) .. host
  if before then
    call('ZREM', HEADS, before)
    call('ZREM', PARKED, before)
  end
  if after then
    call('ZADD', call('ZSCORE', BUSY, host) and PARKED or HEADS, best[2], after)
    if after ~= before then call('HSET', HEAD, host, after) end
  elseif before then
    call('HDEL', HEAD, host)
  end
end

-- It waits with this score from now on. settle(host) is to follow.
local function enqueue(key, host, score, arrival, attempts, epoch)
  call('ZADD', P .. 'queue:' .. host, score, member(arrival, key))
  set_known(key, 'W', arrival, attempts, epoch)
  count('waiting', 1)
  if tonumber(score) < FLOOR then count('above', 1) end
end

-- It waits no longer. settle(host) is to follow.
local function dequeue(key, host, arrival)
  local place = member(arrival, key)
  local score = call('ZSCORE', P .. 'queue:' .. host, place)
  if not score then error('CORRUPT ' .. P .. 'queue:' .. host .. ' lacks a URL that waits') end
  call('ZREM', P .. 'queue:' .. host, place)
  count('waiting', -1)
  if tonumber(score) < FLOOR then count('above', -1) end
  return score
end

-- One fetch of the host is over; it is left alone for so many milliseconds, or for as long as it was said before.
local function landed(host, pause)
  if call('HINCRBY', P .. 'out', host, -1) <= 0 then call('HDEL', P .. 'out', host) end
  local time = now()
  local till = math.max(time + pause, tonumber(call('ZSCORE', PAUSES, host) or 0))
  if till > time then
    call('ZADD', PAUSES, till, host)
    call('ZADD', BUSY, till, host)
  else
    call('ZREM', BUSY, host)
  end
  settle(host)
end

local function owner(key)
  local value = call('HGET', P .. 'owners', key)
  if not value then return nil end
  local worker, score, host = string.match(value, '^(%S+) (%S+) (.*)$')
  if not worker then error('CORRUPT ' .. P .. 'owners holds ' .. string.sub(value, 1, 40)) end
  return worker, score, host
end

local function end_lease(key)
  call('ZREM', P .. 'leases', key)
  call('HDEL', P .. 'owners', key)
end

-- A leased URL is given back: it waits again or, after too many attempts, is dead.
local function give_back(key, counted, most, pause)
  local _, score, host = owner(key)
  local state, arrival, attempts, epoch = known(key)
  end_lease(key)
  if state ~= 'L' then return end
  attempts = attempts + counted
  if counted > 0 and attempts >= most then
    set_known(key, 'X', arrival, attempts, epoch)
    call('ZADD', P .. 'dead', score, member(arrival, key))
    count('dead', 1)
  else
    enqueue(key, host, score, arrival, attempts, epoch)
  end
  landed(host, pause)
end

-- Of what waits, is leased or dead.
local function host_of(key)
  local record = call('HGET', P .. 'records', key)
  local head = record and string.match(record, '^%d+ %d+\n(%b[])')
  local good, fields = pcall(cjson.decode, head or '')
  if not good or type(fields[2]) ~= 'string' then error('CORRUPT ' .. P .. 'records lacks or mistells a URL') end
  return fields[2]
end
