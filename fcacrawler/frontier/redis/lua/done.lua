-- Fetches that are over. ARGV: worker, pages kept in the log, then for each: key, host ('' if unknown), 1 if there was a response,
-- milliseconds to leave the host alone, page ('' if there is none), 1 if it is relevant.
-- Of a lease that has expired meanwhile and waits again this is the end too; one that another holds is left to it.

local worker, kept = ARGV[1], ARGV[2]
local keys, names, left, over = {}, {}, {}, {}
for i = 3, #ARGV, 6 do keys[#keys + 1], names[#names + 1] = ARGV[i], ARGV[i + 1] end
local held = call('HMGET', leases(worker), unpack(keys))
look_out(names)

-- Of which host it was, if this is its end.
local function ends(n, key, host, pause)
  if held[n] then
    if host == '' then host = select(2, leased(held[n])) end
    landed(host, pause)
    left[#left + 1] = key
    return host
  end
  local record = call('HGET', RECORDS, key)
  return record and dequeue(key, host, (parts(record))) and host
end

for n, key in ipairs(keys) do
  local i = 6 * n - 3
  local responded, page = ARGV[i + 2], ARGV[i + 4]
  local host = ends(n, key, ARGV[i + 1], tonumber(ARGV[i + 3]))
  if host then
    if responded == '1' then
      uses('used', host, 1)
      uses('taken', host, 1)
    end
    over[#over + 1] = key
    count('fetched', tonumber(responded))
    if page ~= '' then
      local id = call('XADD', P .. 'log', 'MAXLEN', '~', kept, '*', 'w', worker, 'p', page)
      if IN_PARTS and ARGV[i + 5] == '1' then call('XADD', P .. 'relevant', 'MAXLEN', '~', kept, id, 'w', worker) end
      if held[n] and leased(held[n]) == SEED then call('HSET', P .. 'seeds', worker, id) end
    end
  end
end
if left[1] then count('leased', -call('HDEL', leases(worker), unpack(left))) end
if over[1] then
  erase(over)
  count('done', call('SADD', DONE, unpack(over)))
end
return settled(#ARGV)
