//! Where the compiler knows the range of a value, it generates faster code; the results must be the same.

use crate::support::{port, set, try_compile};
use capvec_language::{Direction, LANES, Type};

/// Runs a program on a and b of this width in lanes and alone, for all pairs of numbers, and compares its result r with `wanted`.
fn check(text: &str, width: u32, numbers: &[u64], wanted: impl Fn(u64, u64) -> u64) {
    let ty = Type::bits(width);
    let ports = [("a", Direction::In), ("b", Direction::In), ("r", Direction::Out)];
    let program = try_compile(text, &ports.map(|(name, direction)| port(name, ty, direction)))
        .unwrap_or_else(|e| panic!("{e}"));
    let (mut once, mut lanes) = (program.machine(), program.lanes());
    let pairs: Vec<[u64; 2]> =
        numbers.iter().flat_map(|a| numbers.iter().map(|b| [*a, *b])).collect();
    for part in pairs.chunks(LANES) {
        for (lane, pair) in part.iter().enumerate() {
            (0..2).for_each(|n| lanes.input(n)[0][lane] = pair[n]);
        }
        assert_eq!(lanes.run(part.len()), Ok(()));
        for (lane, [a, b]) in part.iter().enumerate() {
            set(&mut once, 0, u128::from(*a));
            set(&mut once, 1, u128::from(*b));
            assert_eq!(once.run(), Ok(()));
            let found = [once.output(2)[0], lanes.output(2)[0][lane]];
            assert_eq!(found, [wanted(*a, *b); 2], "{text} on {a:#x}, {b:#x}");
        }
    }
}

/// All numbers near the edges of a width, and some between.
fn edges(width: u32) -> Vec<u64> {
    let greatest = u64::MAX >> (64 - width);
    let near = |n: u64| (0..4).flat_map(move |d| [n.wrapping_sub(d), n.wrapping_add(d)]);
    let some = [0, greatest, greatest / 2, greatest / 3, greatest / 5 * 3, 3329, 13];
    let mut all: Vec<u64> = some.into_iter().flat_map(near).map(|n| n & greatest).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn sums_and_differences_of_remainders() {
    let all: Vec<u64> = (0..64).chain(edges(16)).collect();
    for q in [1u64, 2, 13, 3329, 0x7fff, 0x8000, 0x8001, 0xffff] {
        let m = |x: u64| x % q;
        let of =
            |rest: &str| format!("const Q: bits(16) = {q}; let x = a % Q; let y = b % Q; {rest}");
        check(&of("r = (x + y) % Q;"), 16, &all, |a, b| m(m(a) + m(b) & 0xffff));
        // The sum can be twice the divisor; then one subtraction would not be enough.
        check(&of("r = (x + y + 2) % Q;"), 16, &all, |a, b| m(m(a) + m(b) + 2 & 0xffff));
        check(&of("r = (x + Q - y) % Q;"), 16, &all, |a, b| {
            m((m(a) + q & 0xffff).wrapping_sub(m(b)) & 0xffff)
        });
        check(&of("r = (x - y) % Q;"), 16, &all, |a, b| m(m(a).wrapping_sub(m(b)) & 0xffff));
        check(&of("r = (x * y) % Q;"), 16, &all, |a, b| m(m(a) * m(b) & 0xffff));
        check(&of("r = (mulwide(x, y) % zext(Q, 32))[15..0];"), 16, &all, |a, b| m(m(a) * m(b)));
        check(&of("r = zext((x & 0xff)[7..0], 16) % Q;"), 16, &all, |a, _| m(m(a) & 0xff));
        check(&of("r = ((x + y)[11..4] ++ 0u8) % Q;"), 16, &all, |a, b| {
            m(((m(a) + m(b) & 0xffff) >> 4 & 0xff) << 8)
        });
    }
}

#[test]
fn remainders_by_large_numbers() {
    for width in [32, 63, 64] {
        let greatest = u64::MAX >> (64 - width);
        for q in [greatest, greatest - 1, greatest / 2, greatest / 2 + 1, greatest / 2 + 2] {
            let text = format!("r = a % {q:#x} ^ b;");
            check(&text, width, &edges(width), |a, b| a % q ^ b);
            let text = format!("r = (a % {q:#x} + b % {q:#x}) % {q:#x};");
            check(&text, width, &edges(width), |a, b| {
                let sum = u128::from(a % q) + u128::from(b % q) & u128::from(greatest);
                (sum % u128::from(q)) as u64
            });
        }
    }
}
