-- One crawl in Redis. Every key begins with KEYS[1], "fcacrawler:{crawl}:", so that all are in one hash slot.
--
--   about          HASH    program, version, crawl.topic, crawl.order …: whose keys these are; floor;
--                          told: what the crawl says of itself, as the last worker that joined was told
--   counts         HASH    arrivals, waiting, above (the floor), leased, done, fetched, dead, evicted; begun (ms)
--   records        HASH    url key → place, "epoch attempts " and record, with one link to it at most, while it waits, is
--                          leased or dead (see redis_records.py)
--   more           HASH    url key → further links to it, if there are any: a line each, between line breaks
--   done, evicted  SET     url key
--   before         SET     url key: done or evicted before the crawl was cut anew, and counted in another part (its host is
--                          not known)
--   queue:HOST     ZSET    place + url key: the best first, ties in order of arrival
--   heads, parked  ZSET    place of the host's best + host: of hosts that may be fetched now, that may not
--   shut           ZSET    place of the host's best + host: of hosts that could not be reached, from which nothing leaves
--   unreached      HASH    host → why it could not be reached
--   busy           ZSET    host by the time from when it may be fetched again (ms); +inf while fetches are under way
--   pauses         ZSET    host by the time until which it has been told to be left alone (ms), whoever asks earlier
--   out            HASH    host → how many fetches of it are under way
--   leases:WORKER  HASH    url key → rank + host
--   deadlines      ZSET    worker by the time at which it loses its leases, unless it has been here before (ms)
--   sites          HASH    host → site, where sites have a budget
--   used, taken    HASH    "host budget HOST", "site budget SITE" → responses and fetches under way, responses; where
--                          there are budgets
--   dead           ZSET    place + url key
--   homes          SET     host of a seed, where the crawl is to stay on the seeds' hosts or sites
--   log            STREAM  w (worker), p (page): the last pages observed, from which every worker learns
--   marks          LIST    what users say of pages, in order: the last id of the log at that time, " " and a line of JSON;
--                          marked: SET of these lines
--   forgotten      SET     digests of what is not to be fetched again, since a user wanted that
--   workers        HASH    worker → "time pages id": when it was here last (ms), how many pages of the log it has learned
--                          from, and up to which one
--   seeds          HASH    worker → id in the log of the last page that ranked 1 and was fetched by it
--
-- A crawl that is cut into parts has such keys for each of them (see cut.py), and for the whole under "{crawl}" `about`, with
--                  cut: how often it has been cut anew; cutting: into how many parts it is being cut; left: "parts cut"
--                  whose keys are to go; and
--   granted, returned HASH part → responses of the budget that it was granted, that it gave back: so also in its `counts`
-- and each part
--   relevant       STREAM  w (worker): of the pages in the log those that are relevant, by the same ids
--   outbox         STREAM  t (part), k, h, r, d (as push.lua takes them): links that other parts are to have; how many
--                          there were is `posted` in `counts`
--
-- What has a record and is in no queue is leased or dead. A place is 16 bytes, which are sorted as they stand (all scores
-- are 0, since writing and reading one costs more than all else that is done with it): 8 of the rank, the best first, and
-- 8 of the arrival. The only clock is Redis's. Commands take as many URLs or hosts as there are: a command costs more
-- than what it does for one of them. Lua hashes every character of every string that it makes: long ones only where they
-- are needed.

local P = KEYS[1]
local call, sub = redis.call, string.sub
local HEADS, PARKED, BUSY, PAUSES, RECORDS = P .. 'heads', P .. 'parked', P .. 'busy', P .. 'pauses', P .. 'records'
local MORE, OUT, DONE, EVICTED, DEAD = P .. 'more', P .. 'out', P .. 'done', P .. 'evicted', P .. 'dead'
local SHUT, UNREACHED, BEFORE = P .. 'shut', P .. 'unreached', P .. 'before'

local about = call('HMGET', P .. 'about', 'program', 'floor', 'crawl.host budget', 'crawl.site budget', 'fenced', 'cut', 'crawl.parts')
if about[1] ~= 'fcacrawler' or about[5] then
  return redis.error_reply('GONE there is no crawl of ours under ' .. P)
end
local HOST_PAGES, SITE_PAGES = tonumber(about[3]), tonumber(about[4])
local CUT_ANEW = about[6]  -- so that there may be something in `before`
local IN_PARTS = about[7]
local counted, touched, moved = {}, {}, {}

local function halves(rank)
  return struct.unpack('>I4I4', rank)
end

local FLOOR = about[2] or string.rep('\0', 8)  -- a rank, above which nothing is at first
local HIGH, LOW = halves(FLOOR)
local SEED = string.char(64, 15) .. string.rep('\255', 6)  -- the rank of a seed, 1

local clock

local function now()
  if not clock then
    local t = call('TIME')
    clock = t[1] * 1000 + math.floor(t[2] / 1000)
  end
  return clock
end

local function corrupt(where, what)
  error('CORRUPT ' .. where .. ' holds ' .. string.gsub(sub(what or 'nothing', 1, 40), '[^ -~]', '?'))
end

-- Of the marks after the first so many the lines of those that were said when the log ended at this entry or before it ('+':
-- all), and at which entry the next was said, if there is one.
local function marks_until(id, heard)
  local lines, ms, n = {}, string.match(id, '(%d+)-(%d+)')
  ms, n = tonumber(ms), tonumber(n)
  for _, mark in ipairs(call('LRANGE', P .. 'marks', heard, -1)) do
    local at_ms, at_n, line = string.match(mark, '^(%d+)-(%d+) (.*)$')
    local later = tonumber(at_ms) - (ms or 0)
    if ms and (later > 0 or (later == 0 and tonumber(at_n) > n)) then return lines, at_ms .. '-' .. at_n end
    lines[#lines + 1] = line
  end
  return lines
end

-- Place, epoch, attempts and the rest of what stands in `records`. (A pattern looks at every character it matches: this
-- one at few.)
local function parts(record)
  local epoch, attempts, at = string.match(record or '', '^(%-?%d+) (%d+) ()%d+ %d+\n.', 17)
  if not epoch or string.byte(record, 9) ~= 0 then corrupt(RECORDS, record) end
  return sub(record, 1, 16), epoch, tonumber(attempts), sub(record, at)
end

local function whole(place, epoch, attempts, rest)
  return place .. epoch .. ' ' .. attempts .. ' ' .. rest
end

local function count(name, n)
  counted[name] = (counted[name] or 0) + n
end

-- So many more above the floor, if this place is.
local function counts_above(place, n)
  local high, low = halves(place)
  if high < HIGH or high == HIGH and low < LOW then count('above', n) end
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

-- Before the host's queue changes.
local function touch(host)
  if not touched[host] then touched[host] = call('ZRANGE', queue(host), 0, 0)[1] or '' end
end

-- Before it changes whether the host may be fetched.
local function move(host)
  touch(host)
  moved[host] = true
end

local function busy_till(host, time)
  call('ZADD', BUSY, time, host)
  filled[BUSY] = true
end

-- Those of which something waits.
local function hosts()
  local found = {}
  for _, set in ipairs({ HEADS, PARKED, SHUT }) do
    for _, member in ipairs(call('ZRANGE', set, 0, -1)) do found[#found + 1] = sub(member, 17) end
  end
  return found
end

local out, flown = {}, {}

-- How many fetches of these hosts are under way.
local function look_out(found)
  for i, n in ipairs(call('HMGET', OUT, unpack(found))) do
    if not flown[found[i]] then out[found[i]] = tonumber(n or 0) end
  end
end

-- So many more. Answers how many there are now.
local function fly(host, n)
  if not out[host] then look_out({ host }) end
  out[host] = out[host] + n
  flown[host] = true
  return out[host]
end

local function settle_out()
  local set, gone = {}, {}
  for host in pairs(flown) do
    if out[host] > 0 then
      set[#set + 1], set[#set + 2] = host, out[host]
    else
      gone[#gone + 1] = host
    end
  end
  if set[1] then call('HSET', OUT, unpack(set)) end
  if gone[1] then call('HDEL', OUT, unpack(gone)) end
  flown = {}
end

-- The best of hosts may have changed, and where they belong.
local function settle_heads()
  local names, bests, gone, heads, parked, out_of_reach = {}, {}, {}, {}, {}, {}
  for host, before in pairs(touched) do
    local best = call('ZRANGE', queue(host), 0, 0)[1] or ''
    if moved[host] or best ~= before then
      if before ~= '' then gone[#gone + 1] = sub(before, 1, 16) .. host end
      if best ~= '' then
        names[#names + 1], bests[#bests + 1] = host, sub(best, 1, 16) .. host
      end
    end
  end
  local busy = names[1] and some(BUSY) and call('ZMSCORE', BUSY, unpack(names)) or {}
  local shut = names[1] and some(UNREACHED) and call('HMGET', UNREACHED, unpack(names)) or {}
  for i, head in ipairs(bests) do
    local set = shut[i] and out_of_reach or busy[i] and parked or heads
    set[#set + 1], set[#set + 2] = 0, head
  end
  if gone[1] then
    call('ZREM', HEADS, unpack(gone))
    call('ZREM', PARKED, unpack(gone))
    if some(SHUT) then call('ZREM', SHUT, unpack(gone)) end
  end
  if out_of_reach[1] then
    call('ZADD', SHUT, unpack(out_of_reach))
    filled[SHUT] = true
  end
  if heads[1] then call('ZADD', HEADS, unpack(heads)) end
  if parked[1] then call('ZADD', PARKED, unpack(parked)) end
  touched, moved = {}, {}
end

-- Before anything asks for the best, and at the end.
local function settled(answer)
  settle_out()
  settle_heads()
  for name, n in pairs(counted) do
    if n ~= 0 then call('HINCRBY', P .. 'counts', name, n) end
  end
  counted = {}
  return answer
end

-- It waits no longer. False: it did not, since it is leased or dead.
local function dequeue(key, host, place)
  touch(host)
  if call('ZREM', queue(host), place .. key) == 0 then return false end
  count('waiting', -1)
  counts_above(place, -1)
  return true
end

local NONE = {}

-- The budgets that a response of the host counts against: rule, field, limit, and so on.
local function budgets(host)
  local found = NONE
  if HOST_PAGES then found = { 'host budget', 'host budget ' .. host, HOST_PAGES } end
  if SITE_PAGES then
    if not HOST_PAGES then found = {} end
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
  fly(host, -1)
  uses('used', host, -1)
  local time = now()
  local till = math.max(time + pause, tonumber(some(PAUSES) and call('ZSCORE', PAUSES, host) or 0))
  if till > time then
    move(host)
    call('ZADD', PAUSES, till, host)
    filled[PAUSES] = true
    busy_till(host, till)
  elseif some(BUSY) and call('ZREM', BUSY, host) == 1 then
    move(host)
  end
end

-- Rank and host, from what stands in leases:WORKER.
local function leased(value)
  if #value < 9 then corrupt(P .. 'leases', value) end
  return sub(value, 1, 8), sub(value, 9)
end

-- A leased URL is given back: it waits again or, after too many attempts, is dead.
local function give_back(worker, key, more, most, pause)
  local lease = call('HGET', leases(worker), key)
  if not lease then return end
  local _, host = leased(lease)
  local place, epoch, attempts, rest = parts(call('HGET', RECORDS, key))
  attempts = attempts + more
  call('HDEL', leases(worker), key)
  count('leased', -1)
  if more > 0 then call('HSET', RECORDS, key, whole(place, epoch, attempts, rest)) end
  if more > 0 and attempts >= most then
    call('ZADD', DEAD, 0, place .. key)
    count('dead', 1)
  else
    touch(host)
    call('ZADD', queue(host), 0, place .. key)
    count('waiting', 1)
    counts_above(place, 1)
  end
  landed(host, pause)
end

-- Of what has a record.
local function host_of(record)
  local _, _, _, rest = parts(record)
  local good, head = pcall(cjson.decode, string.match(rest, '\n([^\n]+)') or '')
  local host = good and type(head) == 'table' and (head[2] or string.match(head[1] or '', '^[^/]*://([^/]*)'))
  if type(host) ~= 'string' then corrupt(RECORDS, record) end
  return host
end

-- What is answered of one that waits, is leased or dead: key, record, further links.
local function tell(answer, key)
  local n = #answer
  answer[n + 1], answer[n + 2], answer[n + 3] = key, call('HGET', RECORDS, key) or '', call('HGET', MORE, key) or ''
end

-- Nothing is to be known of these but their keys.
local function erase(keys)
  call('HDEL', RECORDS, unpack(keys))
  call('HDEL', MORE, unpack(keys))
end
