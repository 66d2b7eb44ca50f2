-- Answers for each host that could not be reached: host, why, how many links wait there.

local answer = {}
local told = call('HGETALL', UNREACHED)
for i = 1, #told, 2 do
  local n = #answer
  answer[n + 1], answer[n + 2], answer[n + 3] = told[i], told[i + 1], call('ZCARD', queue(told[i]))
end
return answer
