-- Pages that other workers observed. ARGV: worker, id of the last one read, how many at most.
-- Answers the id of the last one looked at, then the pages.

local answer = { ARGV[2] }
for _, entry in ipairs(call('XRANGE', P .. 'log', '(' .. ARGV[2], '+', 'COUNT', ARGV[3])) do
  answer[1] = entry[1]
  if entry[2][2] ~= ARGV[1] then answer[#answer + 1] = entry[2][4] end
end
return answer
