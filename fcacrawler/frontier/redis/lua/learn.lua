-- Pages that other workers observed, and marks. ARGV: worker, id of the last page read, how many at most, how many marks have been heard.
-- Answers the id of the last page looked at, the marks after those, then the pages.

local answer = { ARGV[2], call('LRANGE', P .. 'marks', ARGV[4], -1) }
for _, entry in ipairs(call('XRANGE', P .. 'log', '(' .. ARGV[2], '+', 'COUNT', ARGV[3])) do
  answer[1] = entry[1]
  if entry[2][2] ~= ARGV[1] then answer[#answer + 1] = entry[2][4] end
end
return answer
