-- Leases given back unfinished. ARGV: worker, attempts at most, 1 if it counts as an attempt, then keys.

for i = 4, #ARGV do
  if owner(ARGV[i]) == ARGV[1] then give_back(ARGV[i], tonumber(ARGV[3]), tonumber(ARGV[2]), 0) end
end
return #ARGV
