-- Links found. ARGV: evidence kept per URL, then for each: key, host, the generation that the sender thinks its record
-- has after this, depth, head line, new evidence lines, -rank, epoch.
-- Answers, for each where the sender is wrong, since others found it too: key, record ('' if it does not wait).

local most = tonumber(ARGV[1])
local changed, hosts = {}, {}

local function lines_of(text)
  local lines = {}
  for line in string.gmatch(text, '[^\n]+') do lines[#lines + 1] = line end
  return lines
end

local function joined(record, depth, evidence)
  local lines = lines_of(record)
  local was, generation = string.match(lines[1] or '', '^(%d+) (%d+)$')
  if not was then error('CORRUPT ' .. P .. 'records holds ' .. string.sub(record, 1, 40)) end
  was, generation, depth = tonumber(was), tonumber(generation), tonumber(depth)
  local there = {}
  for i = 3, #lines do there[lines[i]] = true end
  for _, line in ipairs(lines_of(evidence)) do
    if not there[line] then
      lines[#lines + 1] = line
      there[line] = true
    end
  end
  while #lines - 2 > most do table.remove(lines, 4) end  -- the first and the latest are kept
  local body = table.concat(lines, '\n', 2)
  if depth < was or body ~= string.sub(record, #lines[1] + 2) then generation = generation + 1 end
  return string.format('%d %d\n', math.min(was, depth), generation) .. body, generation
end

for i = 2, #ARGV, 8 do
  local key, host, generation, depth, head, evidence, score, epoch = unpack(ARGV, i, i + 7)
  local state, arrival, attempts = known(key)
  if not state then
    arrival = call('HINCRBY', P .. 'counts', 'arrivals', 1)
    call('HSET', P .. 'records', key, depth .. ' 1\n' .. head .. (evidence ~= '' and '\n' .. evidence or ''))
    enqueue(key, host, score, arrival, 0, epoch)
    hosts[host] = true
  elseif state == 'W' then
    local record = call('HGET', P .. 'records', key)
    if not record then error('CORRUPT ' .. P .. 'records lacks a URL that waits') end
    local after, g = joined(record, depth, evidence)
    if after ~= record then call('HSET', P .. 'records', key, after) end
    if g ~= tonumber(generation) then changed[#changed + 1] = key; changed[#changed + 1] = after end
    dequeue(key, host, arrival)
    enqueue(key, host, score, arrival, attempts, epoch)
    hosts[host] = true
  else
    changed[#changed + 1] = key
    changed[#changed + 1] = ''
  end
end
for host in pairs(hosts) do settle(host) end
return changed
