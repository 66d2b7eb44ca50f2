-- Leases given back unfinished. ARGV: worker, attempts at most, 1 if it counts as an attempt, then for each: key,
-- milliseconds to leave its host alone.

for i = 4, #ARGV, 2 do give_back(ARGV[1], ARGV[i], tonumber(ARGV[3]), tonumber(ARGV[2]), tonumber(ARGV[i + 1])) end
return settled(#ARGV)
