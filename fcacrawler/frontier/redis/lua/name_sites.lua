-- Which sites hosts belong to, where sites have a budget. ARGV: host, site, and so on.

return call('HSET', P .. 'sites', unpack(ARGV))
