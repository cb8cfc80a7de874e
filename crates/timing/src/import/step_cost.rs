//! What each step costs, from the cycles at several LMUL.

use super::classes::Steps;

/// Ticks in a cycle.
const TICKS: f64 = 16.0;

/// The cost of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// What a step is: `beat`, `element`, `group` or `register-pair`.
    pub per: &'static str,
    /// Cycles of the first step.
    pub first: f64,
    /// Cycles of each further one.
    pub next: f64,
    /// The greatest relative deviation from the cycles of the table.
    pub misfit: f64,
}

/// A point: LMUL, cycles.
pub type Point = (u32, f64);

/// The cost that fits the points best. Where a step is a register, it may also be a pair of registers, as for permutations:
/// the fit decides which of the two it is.
pub fn cost(points: &[Point], vlen: u32, steps: Steps, sew: u32) -> Option<Cost> {
    let count = |lmul: u32| match steps {
        Steps::Register => lmul,
        Steps::Element => (lmul * vlen / sew.max(1)).max(1),
        Steps::Group(bits) => (lmul * vlen / bits).max(1),
    };
    let per = match steps {
        Steps::Register => "beat",
        Steps::Element => "element",
        Steps::Group(_) => "group",
    };
    let linear = line(points, per, |lmul| f64::from(count(lmul)))?;
    if steps != Steps::Register {
        return Some(linear);
    }
    let pairs = line(points, "register-pair", |lmul| f64::from(lmul * lmul))?;
    // Registers are the simpler model, so pairs must fit more than twice as well.
    Some(if pairs.misfit < linear.misfit / 2.0 { pairs } else { linear })
}

/// first + next · (steps − 1), by least squares of relative deviations, in whole ticks and not below zero.
fn line(points: &[Point], per: &'static str, steps: impl Fn(u32) -> f64) -> Option<Cost> {
    let points: Vec<(f64, f64)> =
        points.iter().map(|(lmul, cycles)| (steps(*lmul) - 1.0, *cycles)).collect();
    let (steps_less_one, own) = *points.first()?;
    // With u = 1/y and v = n/y: first·u + next·v = 1 on average.
    let sum = |f: fn(f64, f64) -> f64| points.iter().map(|(n, y)| f(1.0 / y, n / y)).sum::<f64>();
    let (uu, uv, vv) = (sum(|u, _| u * u), sum(|u, v| u * v), sum(|_, v| v * v));
    let (u, v) = (sum(|u, _| u), sum(|_, v| v));
    let determinant = uu * vv - uv * uv;
    let (first, next) = match determinant > uu * vv * 1e-9 {
        true => ((u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant),
        // One point: steps cost the same.
        false => (own / (steps_less_one + 1.0), own / (steps_less_one + 1.0)),
    };
    let tick = |v: f64| (v * TICKS).round().max(0.0) / TICKS;
    // No step is free, and no cost falls with the number of steps.
    let (first, next) = if first <= 0.0 { (v / vv, v / vv) } else { (first, next) };
    let (first, next) = (tick(first).max(1.0 / TICKS), tick(next));
    let misfit = points.iter().map(|(n, y)| ((first + next * n - y) / y).abs()).fold(0.0, f64::max);
    Some(Cost { per, first, next, misfit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cycles: [f64; 4], steps: Steps) -> Cost {
        let points: Vec<Point> = [1, 2, 4, 8].into_iter().zip(cycles).collect();
        cost(&points, 256, steps, 64).unwrap()
    }

    /// The X60's vadd, vrgather and vlse64 as rvv-bench prints them.
    #[test]
    fn costs_follow_from_the_cycles() {
        let plain = of([1.0, 2.0, 4.0, 8.0], Steps::Register);
        assert_eq!((plain.per, plain.first, plain.next), ("beat", 1.0, 1.0));
        let gather = of([4.0, 16.0, 64.0, 256.0], Steps::Register);
        assert_eq!((gather.per, gather.first, gather.next), ("register-pair", 4.0, 4.0));
        // 4 elements of 64 bits in a register.
        let strided = of([2.0, 4.0, 8.0, 16.0], Steps::Element);
        assert_eq!((strided.per, strided.first, strided.next), ("element", 0.5, 0.5));
        let aes = of([1.0, 2.0, 4.0, 8.0], Steps::Group(128));
        assert_eq!((aes.per, aes.first, aes.next), ("group", 0.5, 0.5));
        assert!([plain, gather, strided, aes].iter().all(|c| c.misfit == 0.0));
    }

    #[test]
    fn one_point_and_odd_points_have_a_cost() {
        let one = cost(&[(4, 8.0)], 256, Steps::Register, 64).unwrap();
        assert_eq!((one.first, one.next), (2.0, 2.0));
        assert_eq!(cost(&[], 256, Steps::Register, 64), None);
        let falling = of([8.0, 4.0, 2.0, 1.0], Steps::Register);
        assert!(falling.first > 0.0 && falling.next >= 0.0 && falling.misfit > 0.5);
    }
}
