-- Other parts have these links now. ARGV: ids.

return call('XDEL', P .. 'outbox', unpack(ARGV))
