-- A worker has gone. ARGV: worker.

return call('HDEL', P .. 'workers', ARGV[1])
