-- A host could not be reached: nothing of it leaves any more. ARGV: host, why.

call('HSET', UNREACHED, ARGV[1], ARGV[2])
filled[UNREACHED] = true
move(ARGV[1])
return settled(1)
