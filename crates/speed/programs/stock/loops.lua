-- Tables, closures, strings and floating point.
local counts, x, sum = {}, 0, 0.5
local function step(n) return (x * 31 + n) % 1000003 end
for n = 1, 700000 do
  x = step(n)
  local key = "k" .. x % 997
  counts[key] = (counts[key] or 0) + 1
  sum = sum * 0.999 + x / 7
end
print(x, #counts, sum)
