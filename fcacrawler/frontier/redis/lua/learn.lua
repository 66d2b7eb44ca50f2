-- Pages that other workers observed, and marks. ARGV: worker, id of the last page read, how many at most, how many marks have been heard.
-- Answers the id of the last page looked at, the marks that were said before the next page, whether there is more, and the
-- pages up to the next mark.

local most = tonumber(ARGV[3])
local marks, next_at = marks_until(ARGV[2], ARGV[4])
local entries = call('XRANGE', P .. 'log', '(' .. ARGV[2], next_at or '+', 'COUNT', most)
local all = #entries < most
local answer = { all and next_at or ARGV[2], marks, (next_at or not all) and 1 or 0 }
for _, entry in ipairs(entries) do
  if not (all and next_at) then answer[1] = entry[1] end
  if entry[2][2] ~= ARGV[1] then answer[#answer + 1] = entry[2][4] end
end
return answer
