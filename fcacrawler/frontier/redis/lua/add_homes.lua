-- The hosts that the crawl is to stay on. ARGV: those that are to be added. Answers all.

if ARGV[1] then call('SADD', P .. 'homes', unpack(ARGV)) end
return call('SMEMBERS', P .. 'homes')
