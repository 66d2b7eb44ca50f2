-- What a worker holds. ARGV: worker, then keys. What else is leased to it has never reached it, and waits again.
-- Answers how many those were.

local held, lost = {}, 0
for i = 2, #ARGV do held[ARGV[i]] = true end
for _, key in ipairs(call('HKEYS', leases(ARGV[1]))) do
  if not held[key] then
    give_back(ARGV[1], key, 0, 0, 0)
    lost = lost + 1
  end
end
return settled(lost)
