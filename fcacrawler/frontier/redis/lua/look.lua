-- How a part is, for those who think of going there, or whether the crawl is over. ARGV: milliseconds since when a worker
-- has been heard of that is at work here.
-- Answers leased, waiting, fetched; three that only rise, so that nothing comes and goes unseen (done, found, posted); what
-- is in the outbox; workers; the rank of the best that waits ('' if none).

local answer = call('HMGET', P .. 'counts', 'leased', 'waiting', 'fetched', 'done', 'arrivals', 'posted')
for i = 1, 6 do answer[i] = tonumber(answer[i] or 0) end
answer[7], answer[8], answer[9] = call('XLEN', P .. 'outbox'), 0, ''
for _, seen in ipairs(call('HVALS', P .. 'workers')) do
  if tonumber(string.match(seen, '^%d+')) > now() - ARGV[1] then answer[8] = answer[8] + 1 end
end
for _, set in ipairs({ HEADS, PARKED }) do
  local rank = sub(call('ZRANGE', set, 0, 0)[1] or '', 1, 8)
  local high, low = halves(rank .. string.rep('\255', 8))
  local best_high, best_low = halves(answer[9] .. string.rep('\255', 8))
  if rank ~= '' and (answer[9] == '' or high < best_high or high == best_high and low < best_low) then answer[9] = rank end
end
return answer
