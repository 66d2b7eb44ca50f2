-- Links found. ARGV: evidence kept per URL, then for each: key, host, rank, and a record with all evidence that is new:
-- "epoch 0 depth generation", where the generation is the one that the sender thinks it has after this, the URL's line,
-- lines of evidence.
-- Answers, for each where the sender is wrong, since others found it too: key, record, further links ('' and '' if it
-- does not wait).

local most = tonumber(ARGV[1])
local keys, changed, records, further, queues = {}, {}, {}, {}, {}
for i = 2, #ARGV, 4 do keys[#keys + 1] = ARGV[i] end
local known, more = call('HMGET', RECORDS, unpack(keys)), call('HMGET', MORE, unpack(keys))
local done, evicted = call('SMISMEMBER', DONE, unpack(keys)), call('SMISMEMBER', EVICTED, unpack(keys))
local long_gone = CUT_ANEW and call('SMISMEMBER', BEFORE, unpack(keys)) or {}

-- Where the line ends that begins there.
local function line_end(lines, start)
  return string.find(lines, '\n', start, true)
end

local function has(lines, line)
  return string.find(lines, line, 1, true) ~= nil
end

-- What stands in `records` and `more` of a record with any number of links.
local function split(record)
  local second = line_end(record, line_end(record, 1) + 1)
  local third = second and line_end(record, second + 1)
  if not third then return record end
  return sub(record, 1, third - 1), sub(record, third) .. '\n'
end

-- Depth, generation, and the lines after these, between line breaks.
local function numbers(rest)
  local depth, generation, at = string.match(rest, '^(%d+) (%d+)()\n')
  if not depth then corrupt(RECORDS, rest) end
  return tonumber(depth), tonumber(generation), sub(rest, at) .. '\n'
end

-- Of the lines in `tail` the last `most - 1`.
local function latest(tail)
  local starts, at = {}, 1
  while at < #tail do
    starts[#starts + 1] = at
    at = line_end(tail, at + 1)
  end
  local few = starts[#starts - most + 2]
  return most == 1 and '\n' or few and sub(tail, few) or tail
end

-- Another push of the same URL: what stands in `records` after the attempts, what stands in `more`, and whether the
-- sender thought so.
local function joined(rest, further, news)
  local was, generation, first = numbers(rest)
  local depth, thought, found = numbers(news)
  local head, tail, at = first, further, line_end(found, 2)
  local next = line_end(found, at + 1)
  while next do
    local line = sub(found, at, next)
    if line_end(head, 2) == #head then
      head = head .. sub(line, 2)
    elseif not has(head, line) and not has(tail, line) then
      tail = tail .. sub(line, 2)
    end
    at, next = next, line_end(found, next + 1)
  end
  tail = latest(tail)
  local changes = depth < was or head ~= first or tail ~= further
  if changes then generation = generation + 1 end
  return math.min(was, depth) .. ' ' .. generation .. sub(head, 1, -2), tail, changes and generation == thought
end

-- A link to a URL that has a record; false: it does not wait.
local function again(n, key, host, rank, news)
  local before, _, attempts, rest = parts(known[n])
  touch(host)
  if call('ZREM', queue(host), before .. key) == 0 then return false end
  local place = rank .. sub(before, 9)
  local epoch, found = string.match(news, '^(%-?%d+) 0 ()')
  local after, tail, expected = joined(rest, more[n] or '\n', sub(news, found))
  after = whole(place, epoch, attempts, after)
  call('ZADD', queue(host), 0, place .. key)
  counts_above(before, -1)
  counts_above(place, 1)
  local i = #records
  records[i + 1], records[i + 2] = key, after
  if tail ~= (more[n] or '\n') then
    i = #further
    further[i + 1], further[i + 2] = key, tail
  end
  if not expected then
    i = #changed
    changed[i + 1], changed[i + 2], changed[i + 3] = key, after, tail
  end
  return true
end

local first, arrivals = tonumber(call('HGET', P .. 'counts', 'arrivals') or 0), 0
for n, key in ipairs(keys) do
  local i = 4 * n - 2
  local host, rank, record = ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  if not known[n] and done[n] == 0 and evicted[n] == 0 and long_gone[n] ~= 1 then
    arrivals = arrivals + 1
    local place = rank .. struct.pack('>I8', first + arrivals)
    local one, others = split(record)
    records[#records + 1], records[#records + 2] = key, place .. one
    if others then further[#further + 1], further[#further + 2] = key, others end
    local places = queues[host]
    if not places then
      places = {}
      queues[host] = places
    end
    places[#places + 1], places[#places + 2] = 0, place .. key
    counts_above(place, 1)
  elseif not known[n] or not again(n, key, host, rank, record) then
    local i = #changed
    changed[i + 1], changed[i + 2], changed[i + 3] = key, '', ''
  end
end
if records[1] then call('HSET', RECORDS, unpack(records)) end
if further[1] then call('HSET', MORE, unpack(further)) end
for host, places in pairs(queues) do
  touch(host)
  call('ZADD', queue(host), unpack(places))
end
count('arrivals', arrivals)
count('waiting', arrivals)
return settled(changed)
