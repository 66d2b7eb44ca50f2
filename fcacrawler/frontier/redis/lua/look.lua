-- How a part is, for those who think of going there, or whether the crawl is over. ARGV: milliseconds since when a worker
-- has been heard of that is at work here, worker, fetches of a host at once.
-- Answers leased, waiting, fetched; three that only rise, so that nothing comes and goes unseen (done, found, posted); what
-- is in the outbox; workers; the rank of the best that waits; the rank of what there is for this worker if the others
-- take the best of hosts that are free ('' if none).

local answer = call('HMGET', P .. 'counts', 'leased', 'waiting', 'fetched', 'done', 'arrivals', 'posted')
for i = 1, 6 do answer[i] = tonumber(answer[i] or 0) end
local others, since = 0, now() - ARGV[1]
local told = call('HGETALL', P .. 'workers')
answer[7], answer[8], answer[9] = call('XLEN', P .. 'outbox'), 0, ''
for i = 1, #told, 2 do
  if tonumber(string.match(told[i + 1], '^%d+')) > since then
    answer[8] = answer[8] + 1
    if told[i] ~= ARGV[2] then others = others + 1 end
  end
end
for _, set in ipairs({ HEADS, PARKED }) do
  local rank = sub(call('ZRANGE', set, 0, 0)[1] or '', 1, 8)
  local high, low = halves(rank .. string.rep('\255', 8))
  local best_high, best_low = halves(answer[9] .. string.rep('\255', 8))
  if rank ~= '' and (answer[9] == '' or high < best_high or high == best_high and low < best_low) then answer[9] = rank end
end
others = math.floor(others / ARGV[3])
answer[10] = sub(call('ZRANGE', HEADS, others, others)[1] or '', 1, 8)
return answer
