-- New ranks. ARGV, host by host: host ('' if the sender does not know it), epoch, how many, then of each rank and key as
-- one. Answers the keys that do not wait.

local keys, ranks, records, gone, by_host = {}, {}, {}, {}, {}
local hosts_of, epochs, at = {}, {}, 1
while ARGV[at] do
  local last = at + 2 + tonumber(ARGV[at + 2])
  for i = at + 3, last do
    local n = #keys + 1
    keys[n], ranks[n], hosts_of[n], epochs[n] = sub(ARGV[i], 9), sub(ARGV[i], 1, 8), ARGV[at], ARGV[at + 1]
  end
  at = last + 1
end
for n, record in ipairs(call('HMGET', RECORDS, unpack(keys))) do
  if record then
    local before, _, attempts, rest = parts(record)
    local host = hosts_of[n]
    if host == '' then host = host_of(record) end
    local some = by_host[host] or { before = {}, after = {}, records = {} }
    by_host[host] = some
    local place, i = ranks[n] .. sub(before, 9), #some.before + 1
    some.before[i], some.after[i] = before .. keys[n], place .. keys[n]
    some.records[i] = whole(place, epochs[n], attempts, rest)
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
