-- ARGV: key. Answers whether it is known.

return { known(ARGV[1]) and 1 or 0 }
