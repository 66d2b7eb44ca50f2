-- What has lain in the outbox for long: who was to deliver it is gone, or slow. ARGV: milliseconds, how many.
-- Answers for each: id, part, key, host, rank, record.

local answer = {}
for _, entry in ipairs(call('XRANGE', P .. 'outbox', '-', now() - ARGV[1], 'COUNT', ARGV[2])) do
  local n, fields = #answer, entry[2]
  answer[n + 1] = entry[1]
  for i = 1, 5 do answer[n + 1 + i] = fields[2 * i] end
end
return answer
