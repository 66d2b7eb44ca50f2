-- A worker has gone. ARGV: worker. What it has not given back waits again when it would have.

if call('EXISTS', leases(ARGV[1])) == 0 then call('ZREM', P .. 'deadlines', ARGV[1]) end
return call('HDEL', P .. 'workers', ARGV[1])
