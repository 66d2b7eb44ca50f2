-- What users say of pages. ARGV: lines. Those that have been told before are left out; the others are kept with the last entry
-- of the log, so that all workers hear them at the same place among the pages. Answers how many are new.

local last, new = call('XREVRANGE', P .. 'log', '+', '-', 'COUNT', 1)[1], 0
for _, line in ipairs(ARGV) do
  if call('SADD', P .. 'marked', line) == 1 then
    new = new + 1
    call('RPUSH', P .. 'marks', (last and last[1] or '0-0') .. ' ' .. line)
  end
end
return new
