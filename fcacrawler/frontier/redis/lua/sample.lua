-- Some of the pages that other workers observed: the latest of those that are relevant, then the latest of the others. ARGV
-- as of learn.lua, answered likewise; the last page looked at is the last of all.

local log, most, after = P .. 'log', tonumber(ARGV[3]), '(' .. ARGV[2]
local last = call('XREVRANGE', log, '+', after, 'COUNT', 1)[1]
local answer = { last and last[1] or ARGV[2], (marks_until('+', ARGV[4])), 0 }
local heard, n = {}, 0

local function hear(stream)
  local pages = {}
  for _, entry in ipairs(call('XREVRANGE', stream, '+', after, 'COUNT', most)) do
    local id, fields = entry[1], entry[2]
    if n + #pages < most and fields[2] ~= ARGV[1] and not heard[id] then
      heard[id] = true
      pages[#pages + 1] = fields[4] or (call('XRANGE', log, id, id)[1] or { id, {} })[2][4]
    end
  end
  n = n + #pages
  for i = #pages, 1, -1 do answer[#answer + 1] = pages[i] end
end

hear(P .. 'relevant')
if n < most then hear(log) end
return answer
