# Objects, hashes and strings.
class Point
  attr_reader :x, :y

  def initialize(x, y)
    @x, @y = x, y
  end

  def plus(other)
    Point.new(@x + other.x, @y ^ other.y)
  end
end

counts, at = Hash.new(0), Point.new(0, 1)
50_000.times do |n|
  at = at.plus(Point.new(n, n * 3))
  counts["k#{at.x % 997}"] += 1
end
puts at.x, at.y, counts.size
