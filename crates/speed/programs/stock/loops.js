// Like the programs of the Octane suite: objects, floating point, typed arrays, strings and regular expressions.
class Body {
  constructor(x, v, m) { this.x = x; this.v = v; this.m = m; }
}
function bodies(rounds) {
  const all = [];
  for (let n = 0; n < 5; n++) all.push(new Body([n * 1.5, n * n, -n], [0, n / 8, 1 / (n + 1)], n + 0.5));
  for (let round = 0; round < rounds; round++) {
    for (const a of all) for (const b of all) {
      if (a === b) continue;
      const d = a.x.map((x, k) => x - b.x[k]);
      const r = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) + 0.01;
      for (let k = 0; k < 3; k++) a.v[k] -= d[k] * b.m * 0.001 / (r * r * r);
    }
    for (const a of all) for (let k = 0; k < 3; k++) a.x[k] += a.v[k] * 0.001;
  }
  return all[0].x[0];
}
function sieve(n) {
  const composite = new Uint8Array(n);
  let primes = 0;
  for (let k = 2; k < n; k++) {
    if (composite[k]) continue;
    primes++;
    for (let m = k * 2; m < n; m += k) composite[m] = 1;
  }
  return primes;
}
function tree(depth) { return depth ? { left: tree(depth - 1), right: tree(depth - 1) } : null; }
function count(t) { return t ? 1 + count(t.left) + count(t.right) : 0; }
function words() {
  let text = "", x = 1;
  for (let n = 0; n < 20000; n++) { x = (x * 31 + n) % 1000003; text += "w" + (x % 997) + " "; }
  const counts = new Map();
  for (const [word] of text.matchAll(/w\d+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts.size;
}
function mix(rounds) {
  let [a, b] = [1, 2];
  for (let n = 0; n < rounds; n++) { a = (Math.imul(a, 1664525) + b) | 0; b = (b << 7 | b >>> 25) ^ a; }
  return a;
}
let nodes = 0;
for (let n = 0; n < 4; n++) nodes += count(tree(14));
console.log(bodies(1000), sieve(400000), nodes, words(), mix(1000000));
