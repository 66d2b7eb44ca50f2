-- New ranks. ARGV: for each: key, host ('' if the sender does not know it), -rank, epoch. Answers the keys that do not wait.

local keys, by_host, records, gone = {}, {}, {}, {}
for i = 1, #ARGV, 4 do keys[#keys + 1] = ARGV[i] end
for n, record in ipairs(call('HMGET', RECORDS, unpack(keys))) do
  if record then
    local arrival, _, attempts, rest = parts(record)
    local host = ARGV[4 * n - 2]
    if host == '' then host = host_of(record) end
    local some = by_host[host] or { members = {}, scores = {}, records = {} }
    by_host[host] = some
    some.members[#some.members + 1] = arrival .. keys[n]
    some.scores[#some.scores + 1] = ARGV[4 * n - 1]
    some.records[#some.records + 1] = whole(arrival, ARGV[4 * n], attempts, rest)
  else
    gone[#gone + 1] = keys[n]
  end
end
for host, some in pairs(by_host) do
  local places = {}
  for i, before in ipairs(call('ZMSCORE', queue(host), unpack(some.members))) do
    local score, key = some.scores[i], sub(some.members[i], 9)
    if before then
      places[#places + 1], places[#places + 2] = score, some.members[i]
      records[#records + 1], records[#records + 2] = key, some.records[i]
      counts_above(before, -1)
      counts_above(score, 1)
    else
      gone[#gone + 1] = key
    end
  end
  if places[1] then
    touch(host)
    call('ZADD', queue(host), unpack(places))
  end
end
if records[1] then call('HSET', RECORDS, unpack(records)) end
return settled(gone)
