-- Those that have been given up. Answers for each: key, record, further links.

local found = {}
for _, member in ipairs(call('ZRANGE', DEAD, 0, -1)) do tell(found, sub(member, 17)) end
return found
