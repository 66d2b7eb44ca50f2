-- New ranks. ARGV: for each: key, host ('' if the sender does not know it), -rank, epoch. Answers the keys that do not wait.

local gone = {}
for i = 1, #ARGV, 4 do
  local key, host, score, epoch = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local state, arrival, attempts = known(key)
  if state ~= 'W' or not rerank(key, host ~= '' and host or host_of(key), score, arrival, attempts, epoch) then
    gone[#gone + 1] = key
  end
end
return settled(gone)
