-- What users say of pages. ARGV: lines. Those that have been told before are left out. Answers how many are new.

local new = 0
for _, line in ipairs(ARGV) do
  if call('SADD', P .. 'marked', line) == 1 then new = call('RPUSH', P .. 'marks', line) and new + 1 end
end
return new
