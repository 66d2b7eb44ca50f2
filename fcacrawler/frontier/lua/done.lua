-- Fetches that are over. ARGV: worker, pages kept in the log, then for each: key, host, 1 if there was a response,
-- milliseconds to leave the host alone, page ('' if there is none).
-- Of a lease that has expired meanwhile and waits again this is the end too; one that another holds is left to it.

local worker, kept = ARGV[1], ARGV[2]
for i = 3, #ARGV, 5 do
  local key, host, responded, pause, page = unpack(ARGV, i, i + 4)
  local state, arrival, attempts, epoch = known(key)
  local mine = owner(key) == worker
  if (state == 'L' and mine) or state == 'W' then
    if state == 'W' then dequeue(key, host, arrival) end
    set_known(key, 'D', arrival, attempts, epoch)
    call('HDEL', P .. 'records', key)
    count('done', 1)
    count('fetched', responded)
    if page ~= '' then call('XADD', P .. 'log', 'MAXLEN', '~', kept, '*', 'w', worker, 'p', page) end
  end
  if mine then
    end_lease(key)
    landed(host, tonumber(pause))
  else
    settle(host)
  end
end
return #ARGV
