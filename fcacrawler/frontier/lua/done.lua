-- Fetches that are over. ARGV: worker, pages kept in the log, then for each: key, host ('' if unknown), 1 if there was a response,
-- milliseconds to leave the host alone, page ('' if there is none).
-- Of a lease that has expired meanwhile and waits again this is the end too; one that another holds is left to it.

local worker, kept = ARGV[1], ARGV[2]

-- Of which host it was, if this is its end.
local function ends(key, host, pause)
  local lease = host == '' and call('HGET', leases(worker), key)
  if call('HDEL', leases(worker), key) == 1 then
    count('leased', -1)
    if lease then host = select(2, leased(lease)) end
    landed(host, pause)
    return host
  end
  local state, arrival = known(key)
  if state == 'W' then dequeue(key, host, arrival) end
  return state == 'W' and host
end

for i = 3, #ARGV, 5 do
  local key, responded, page = ARGV[i], ARGV[i + 2], ARGV[i + 4]
  local host = ends(key, ARGV[i + 1], tonumber(ARGV[i + 3]))
  if host then
    if responded == '1' then
      uses('used', host, 1)
      uses('taken', host, 1)
    end
    call('HSET', bucket(key), key, 'D')
    call('HDEL', RECORDS, key)
    count('done', 1)
    count('fetched', tonumber(responded))
    if page ~= '' then call('XADD', P .. 'log', 'MAXLEN', '~', kept, '*', 'w', worker, 'p', page) end
  end
end
return settled(#ARGV)
