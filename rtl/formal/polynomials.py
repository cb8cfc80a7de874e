#!/usr/bin/env python3
"""Proves, for every input, that zvku_clmul computes the products of Zvbc and Zvkg, and zvku_sm3 the message expansion.

    polynomials.py NETLIST

The netlist is yosys's JSON of one of the two, in gates. SAT solvers do not finish on carry-less products of 128 bits. But
each bit of such a product is a polynomial over GF(2), a set of terms of which each is the product of a bit of vs2 and one of vd or vs1,
and the gates give it exactly.
"""
import json
import sys

ONE = frozenset([frozenset()])
ZERO = frozenset()


def times(a, b):
    """The product of two polynomials, as sets of terms; a term is the set of its variables."""
    result = set()
    for x in a:
        for y in b:
            result ^= {x | y}
    return frozenset(result)


GATES = {
    "$_AND_": lambda a, b: times(a, b),
    "$_OR_": lambda a, b: a ^ b ^ times(a, b),
    "$_XOR_": lambda a, b: a ^ b,
    "$_XNOR_": lambda a, b: a ^ b ^ ONE,
    "$_NOT_": lambda a: a ^ ONE,
    "$_MUX_": lambda s, a, b: a ^ times(s, a ^ b),
}


class Netlist:
    """Polynomials of a module's ports, with `fn` as its function."""

    def __init__(self, module, fn):
        self.ports = module["ports"]
        self.driver = {c["connections"]["Y"][0]: c for c in module["cells"].values()}
        self.known = {"0": ZERO, "1": ONE}
        for name in self.ports.keys() - {"fn_i", "vd_o"}:
            for i, net in enumerate(self.ports[name]["bits"]):
                self.known[net] = variable(name, i)
        for i, net in enumerate(self.ports["fn_i"]["bits"]):
            self.known[net] = ONE if fn >> i & 1 else ZERO

    def output(self):
        return [self.polynomial(net) for net in self.ports["vd_o"]["bits"]]

    def polynomial(self, net):
        stack = [net]
        while stack:
            cell = self.driver.get(stack[-1])
            if stack[-1] in self.known:
                stack.pop()
                continue
            pins = {pin: nets[0] for pin, nets in cell["connections"].items()}
            # A function's flag selects one of the inputs; the other one need not be a small polynomial.
            chosen = {ZERO: "A", ONE: "B"}.get(self.known.get(pins.get("S")))
            inputs = [pins[pin] for pin in (chosen or "SAB") if pin in pins]
            missing = [n for n in inputs if n not in self.known]
            if missing:
                stack.append(missing[0])
            elif chosen:
                self.known[stack.pop()] = self.known[inputs[0]]
            else:
                self.known[stack.pop()] = GATES[cell["type"]](*(self.known[n] for n in inputs))
        return self.known[net]


def variable(name, i):
    return frozenset([frozenset([(name, i)])])


def word(name, first, bits):
    return [variable(name, first + i) for i in range(bits)]


def carryless(a, b):
    """The product of two polynomials in x, from the coefficient of 1 on."""
    result = [ZERO] * (len(a) + len(b))
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            result[i + j] ^= times(p, q)
    return result


def block(bits):
    """A block of SP 800-38D: x_0 is the most significant bit of the first byte."""
    return [bits[8 * (i // 8) + 7 - i % 8] for i in range(128)]


def ghash(x, y):
    """The product of two blocks by SP 800-38D, section 6.3, Algorithm 1."""
    z, v = [ZERO] * 128, list(y)
    for bit in x:
        z = [p ^ times(bit, q) for p, q in zip(z, v)]
        last = v[127]
        v = [ZERO] + v[:127]
        for i in (0, 1, 2, 7):  # R is 11100001 and zeros
            v[i] ^= last
    return z


def products():
    """vclmul, vclmulh, vgmul and vghsh: the flags of each, and what it computes."""
    vd, vs2, vs1 = (word(name, 0, 128) for name in ("vd_i", "vs2_i", "vs1_i"))
    halves = [carryless(vs2[n:n + 64], vs1[n:n + 64]) for n in (0, 64)]
    yield 0b000, halves[0][:64] + halves[1][:64]
    yield 0b001, halves[0][64:] + halves[1][64:]
    yield 0b010, block(ghash(block(vd), block(vs2)))
    yield 0b110, block(ghash(block(xor(vd, vs1)), block(vs2)))


def xor(*words):
    result = list(words[0])
    for w in words[1:]:
        result = [a ^ b for a, b in zip(result, w)]
    return result


def left(x, by):
    """Rotation of a word, the least significant bit of which comes first."""
    return x[-by:] + x[:-by]


def expansion():
    """vsm3me: GB/T 32905-2016, section 5.3.2, formula (1); words are big-endian."""
    message = word("vs1_i", 0, 256) + word("vs2_i", 0, 256)
    swapped = [message[32 * (i // 32) + 8 * (3 - i // 8 % 4) + i % 8] for i in range(512)]
    w = [swapped[32 * i:32 * i + 32] for i in range(16)]
    for j in range(16, 24):
        x = xor(w[j - 16], w[j - 9], left(w[j - 3], 15))
        w.append(xor(x, left(x, 15), left(x, 23), left(w[j - 13], 7), w[j - 6]))
    yield 0b001, [w[16 + i // 32][8 * (3 - i // 8 % 4) + i % 8] for i in range(256)]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    checks = {"zvku_clmul": products, "zvku_sm3": expansion}
    for name, module in modules.items():
        for fn, want in checks[name]():
            got = Netlist(module, fn).output()
            wrong = [i for i, (a, b) in enumerate(zip(got, want, strict=True)) if a != b]
            if wrong:
                sys.exit(f"{name}, fn {fn:03b}: {len(wrong)} bits of the result differ, the first is {wrong[0]}")


if __name__ == "__main__":
    main()
