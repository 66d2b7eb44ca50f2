-- New ranks. ARGV: for each: key, host ('' if the sender does not know it), rank, epoch. Answers the keys that do not wait.

local keys, by_host, records, gone = {}, {}, {}, {}
for i = 1, #ARGV, 4 do keys[#keys + 1] = ARGV[i] end
for n, record in ipairs(call('HMGET', RECORDS, unpack(keys))) do
  if record then
    local before, _, attempts, rest = parts(record)
    local host = ARGV[4 * n - 2]
    if host == '' then host = host_of(record) end
    local some = by_host[host] or { before = {}, after = {}, records = {} }
    by_host[host] = some
    local place, i = ARGV[4 * n - 1] .. sub(before, 9), #some.before + 1
    some.before[i], some.after[i] = before .. keys[n], place .. keys[n]
    some.records[i] = whole(place, ARGV[4 * n], attempts, rest)
  else
    gone[#gone + 1] = keys[n]
  end
end
for host, some in pairs(by_host) do
  local left, come = {}, {}
  for i, waits in ipairs(call('ZMSCORE', queue(host), unpack(some.before))) do
    local before, after = some.before[i], some.after[i]
    local key = sub(after, 17)
    if waits then
      left[#left + 1] = before
      come[#come + 1], come[#come + 2] = 0, after
      records[#records + 1], records[#records + 2] = key, some.records[i]
      counts_above(before, -1)
      counts_above(after, 1)
    else
      gone[#gone + 1] = key
    end
  end
  if left[1] then
    touch(host)
    call('ZREM', queue(host), unpack(left))
    call('ZADD', queue(host), unpack(come))
  end
end
if records[1] then call('HSET', RECORDS, unpack(records)) end
return settled(gone)
