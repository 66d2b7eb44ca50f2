-- Links found. ARGV: evidence kept per URL, then for each: key, host, -rank, epoch, record: depth, the generation that
-- the sender thinks it has after this, head line, the evidence that is new.
-- Answers, for each where the sender is wrong, since others found it too: key, record ('' if it does not wait).

local most = tonumber(ARGV[1])
local changed, records, queues, arrivals = {}, {}, {}, 0

local function lines_of(record)
  local lines = {}
  for line in string.gmatch(record, '[^\n]+') do lines[#lines + 1] = line end
  local depth, generation = string.match(lines[1] or '', '^(%d+) (%d+)$')
  if not depth then error('CORRUPT ' .. RECORDS .. ' holds ' .. sub(record, 1, 40)) end
  return lines, tonumber(depth), tonumber(generation)
end

local function joined(record, news)
  local lines, was, generation = lines_of(record)
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

local first = call('HGET', P .. 'counts', 'arrivals') or 0
for i = 2, #ARGV, 5 do
  local key, host, score, epoch, record = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
  local arrival = string.format('%d', first + arrivals + 1)
  if call('HSETNX', bucket(key), key, 'W ' .. arrival .. ' 0 ' .. epoch) == 1 then
    arrivals = arrivals + 1
    records[#records + 1] = key
    records[#records + 1] = record
    local places = queues[host]
    if not places then
      places = {}
      queues[host] = places
    end
    places[#places + 1] = score
    places[#places + 1] = place(arrival, key)
    counts_above(score, 1)
  else
    local state, arrival, attempts = known(key)
    if state == 'W' and rerank(key, host, score, arrival, attempts, epoch) then
      local before = call('HGET', RECORDS, key)
      if not before then error('CORRUPT ' .. RECORDS .. ' lacks a URL that waits') end
      local after, expected = joined(before, record)
      if after ~= before then call('HSET', RECORDS, key, after) end
      if not expected then changed[#changed + 1] = key; changed[#changed + 1] = after end
    else
      changed[#changed + 1] = key
      changed[#changed + 1] = ''
    end
  end
end
if arrivals > 0 then
  call('HSET', RECORDS, unpack(records))
  for host, places in pairs(queues) do
    touch(host)
    call('ZADD', queue(host), unpack(places))
  end
  count('arrivals', arrivals)
  count('waiting', arrivals)
end
return settled(changed)
