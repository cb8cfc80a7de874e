//! The cost of a call and of a byte: a line through figures for several sizes.
//!
//! Counts have no noise: a deviation from the line has a structural cause, such as another path for short messages, and
//! is proportional to the count. So the line minimises the sum of squares of *relative* deviations, Σ ((a + b·n − y) /
//! y)², which prevents the longest message from deciding the cost of a call alone. Vector paths work on strips of up to
//! a few hundred bytes, and some begin only after the first block: the line goes through the sizes of at least [`FROM`]
//! bytes if there are three, else through all.

use crate::best::groups;
use crate::derived::fit::{Fit, Line};
use crate::row::Row;
use std::hash::Hash;

/// Sizes below this are left out of a fit that has three others.
pub const FROM: usize = 256;
/// A line through fewer sizes would fit whatever was measured.
const FEWEST: usize = 3;

/// The line through points of (bytes, count), by least squares of relative deviations.
fn line(points: &[(f64, f64)]) -> Option<Line> {
    if points.iter().any(|(_, y)| *y <= 0.0) {
        return None;
    }
    // With u = 1/y and v = n/y: a·u + b·v = 1 on average.
    let scaled = || points.iter().map(|(n, y)| (1.0 / y, n / y));
    let sum = |f: fn((f64, f64)) -> f64| scaled().map(f).sum::<f64>();
    let (uu, uv, vv) = (sum(|p| p.0 * p.0), sum(|p| p.0 * p.1), sum(|p| p.1 * p.1));
    let (u, v) = (sum(|p| p.0), sum(|p| p.1));
    let determinant = uu * vv - uv * uv;
    if determinant <= uu * vv * 1e-12 {
        return None;
    }
    let per_call = (u * vv - v * uv) / determinant;
    let per_byte = (v * uu - u * uv) / determinant;
    let misfits = points.iter().map(|(n, y)| ((per_call + per_byte * n - y) / y).abs());
    let misfit = misfits.fold(0.0, f64::max);
    let finite = [per_call, per_byte, misfit].iter().all(|v| v.is_finite());
    finite.then_some(Line { per_call, per_byte, misfit })
}

/// The fits of all rows that differ in size only.
pub fn fits(rows: &[Row]) -> Vec<Fit> {
    let groups =
        groups(rows.iter(), |r| (place(r), r.case.clone(), r.direction.clone(), r.capset.clone()));
    groups.iter().filter_map(|g| fit(g)).collect()
}

/// The library and where it ran.
fn place(r: &Row) -> impl Hash + Eq + use<> {
    (r.subject.clone(), r.core.clone(), r.vlen)
}

fn fit(rows: &[&Row]) -> Option<Fit> {
    let mut rows: Vec<&Row> = rows.iter().copied().filter(|r| r.bytes > 0).collect();
    rows.sort_by_key(|r| r.bytes);
    rows.dedup_by_key(|r| r.bytes);
    let long = rows.iter().position(|r| r.bytes >= FROM).unwrap_or(rows.len());
    let used = if rows.len() - long >= FEWEST { rows.get(long..)? } else { &rows[..] };
    if used.len() < FEWEST {
        return None;
    }
    let through = |f: fn(&Row) -> Option<f64>| {
        let points: Option<Vec<_>> = used.iter().map(|r| Some((r.bytes as f64, f(r)?))).collect();
        line(&points?)
    };
    let (insns, cycles) = (through(|r| r.insns_per_op)?, through(|r| r.cycles_per_op)?);
    let half = cycles.per_call / cycles.per_byte;
    let first = used.first()?;
    Some(Fit {
        core: first.core.clone(),
        vlen: first.vlen,
        case: first.case.clone(),
        direction: first.direction.clone(),
        capset: first.capset.clone(),
        sizes: used.iter().map(|r| r.bytes).collect(),
        insns,
        cycles,
        half_speed_bytes: (half > 0.0 && half.is_finite()).then_some(half),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::row;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-6 * b.abs().max(1.0)
    }

    #[test]
    fn a_line_is_found_exactly() {
        let points: Vec<(f64, f64)> =
            [256.0, 1024.0, 16384.0].iter().map(|n| (*n, 310.0 + 1.53 * n)).collect();
        let l = line(&points).unwrap();
        assert!(close(l.per_call, 310.0) && close(l.per_byte, 1.53) && l.misfit < 1e-9, "{l:?}");
    }

    /// By hand, from the normal equations in u = 1/y = 1, 1/2, 1/4 and v = n/y = 0, 1/2, 1/2.
    #[test]
    fn misfits_count_in_proportion() {
        let l = line(&[(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)]).unwrap();
        assert!(close(l.per_call, 32.0 / 33.0) && close(l.per_byte, 14.0 / 11.0), "{l:?}");
        assert!(l.misfit > 0.02);
        assert_eq!(line(&[(5.0, 1.0), (5.0, 1.0), (5.0, 1.0)]), None);
        assert_eq!(line(&[(5.0, 0.0), (6.0, 1.0), (7.0, 1.0)]), None);
    }

    #[test]
    fn short_messages_are_left_out_if_three_others_remain() {
        let cost = |n: usize| if n < FROM { 1e6 } else { 100.0 + 2.0 * n as f64 };
        let rows = |sizes: &[usize]| -> Vec<Row> {
            sizes.iter().map(|n| row("sha256", "scalar", *n, cost(*n))).collect()
        };
        let all = fits(&rows(&[16, 64, 256, 1024, 8192, 16384]));
        assert_eq!(all[0].sizes, [256, 1024, 8192, 16384]);
        assert!(close(all[0].insns.per_call, 100.0) && close(all[0].insns.per_byte, 2.0));
        assert!(close(all[0].half_speed_bytes.unwrap(), 50.0));
        assert_eq!(fits(&rows(&[16, 256, 1024]))[0].sizes, [16, 256, 1024]);
        assert!(fits(&rows(&[16, 1024])).is_empty() && fits(&rows(&[16, 16, 16])).is_empty());
    }

    #[test]
    fn a_row_without_figures_gives_no_fit() {
        let mut rows: Vec<Row> =
            [256, 1024, 4096].iter().map(|n| row("sha256", "scalar", *n, *n as f64)).collect();
        assert_eq!(fits(&rows).len(), 1);
        rows[1].insns_per_op = None;
        assert!(fits(&rows).is_empty());
    }
}
