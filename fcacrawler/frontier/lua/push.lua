-- Links found. ARGV: evidence kept per URL, then for each: key, host, rank, and what is to stand in `records`: "epoch 0
-- depth generation", where the generation is the one that the sender thinks it has after this, head line, the evidence
-- that is new.
-- Answers, for each where the sender is wrong, since others found it too: key, record ('' if it does not wait).

local most = tonumber(ARGV[1])
local keys, changed, records, queues = {}, {}, {}, {}
for i = 2, #ARGV, 4 do keys[#keys + 1] = ARGV[i] end
local known = call('HMGET', RECORDS, unpack(keys))
local done, evicted = call('SMISMEMBER', DONE, unpack(keys)), call('SMISMEMBER', EVICTED, unpack(keys))

local function lines_of(rest)
  local lines = {}
  for line in string.gmatch(rest, '[^\n]+') do lines[#lines + 1] = line end
  local depth, generation = string.match(lines[1] or '', '^(%d+) (%d+)$')
  if not depth then corrupt(RECORDS, rest) end
  return lines, tonumber(depth), tonumber(generation)
end

local function joined(rest, news)
  local lines, was, generation = lines_of(rest)
  local found, depth, thought = lines_of(news)
  local there, before = {}, table.concat(lines, '\n', 2)
  for i = 3, #lines do there[lines[i]] = true end
  for i = 3, #found do
    if not there[found[i]] then
      lines[#lines + 1] = found[i]
      there[found[i]] = true
    end
  end
  while #lines - 2 > most do table.remove(lines, 4) end  -- the first and the latest are kept
  local body = table.concat(lines, '\n', 2)
  if depth < was or body ~= before then generation = generation + 1 end
  return math.min(was, depth) .. ' ' .. generation .. '\n' .. body, generation == thought
end

-- A link to a URL that has a record; false: it does not wait.
local function again(key, host, rank, record, news)
  local before, _, attempts, rest = parts(record)
  touch(host)
  if call('ZREM', queue(host), before .. key) == 0 then return false end
  local place = rank .. sub(before, 9)
  local epoch, found = string.match(news, '^(%-?%d+) 0 (.*)$')
  local after, expected = joined(rest, found)
  after = whole(place, epoch, attempts, after)
  call('ZADD', queue(host), 0, place .. key)
  counts_above(before, -1)
  counts_above(place, 1)
  records[#records + 1], records[#records + 2] = key, after
  if not expected then changed[#changed + 1], changed[#changed + 2] = key, after end
  return true
end

local first, arrivals = tonumber(call('HGET', P .. 'counts', 'arrivals') or 0), 0
for n, key in ipairs(keys) do
  local i = 4 * n - 2
  local host, rank, record = ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  if not known[n] and done[n] == 0 and evicted[n] == 0 then
    arrivals = arrivals + 1
    local place = rank .. struct.pack('>I8', first + arrivals)
    records[#records + 1], records[#records + 2] = key, place .. record
    local places = queues[host]
    if not places then
      places = {}
      queues[host] = places
    end
    places[#places + 1], places[#places + 2] = 0, place .. key
    counts_above(place, 1)
  elseif not known[n] or not again(key, host, rank, known[n], record) then
    changed[#changed + 1], changed[#changed + 2] = key, ''
  end
end
if records[1] then call('HSET', RECORDS, unpack(records)) end
for host, places in pairs(queues) do
  touch(host)
  call('ZADD', queue(host), unpack(places))
end
count('arrivals', arrivals)
count('waiting', arrivals)
return settled(changed)
