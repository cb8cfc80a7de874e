# Objects, dictionaries, strings and integers of any length.
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def plus(self, other):
        return Point(self.x + other.x, self.y ^ other.y)


counts, at = {}, Point(0, 1)
for n in range(40000):
    at = at.plus(Point(n, n * 3))
    key = "k%d" % (at.x % 997)
    counts[key] = counts.get(key, 0) + 1
big = 1
for n in range(1, 700):
    big *= n
print(at.x, at.y, len(counts), sum(map(int, str(big))))
