//! The unit of a table's speeds: one for all of its columns, so that they can be compared at a glance.

use capvec_text::digits::{KILOBYTES, MEGABYTES};

/// From here on, a number of 1000 bytes per second takes seven digits.
const SEVEN_DIGITS: f64 = 1e6;
/// A smaller figure in its unit is hard to read: its zeros have to be counted.
const SMALLEST: f64 = 0.01;

/// A unit of speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedUnit {
    /// As heads of columns show it.
    pub name: &'static str,
    /// As legends explain it.
    pub meaning: &'static str,
    /// The unit in 1000 bytes per second.
    by: f64,
}

/// From the largest.
const UNITS: [SpeedUnit; 3] = [
    SpeedUnit { name: "GB/s", meaning: "GB/s (10^9 bytes/s)", by: 1e6 },
    SpeedUnit { name: "MB/s", meaning: "MB/s (10^6 bytes/s)", by: 1e3 },
    KILO,
];
const KILO: SpeedUnit = SpeedUnit { name: "kB/s", meaning: "kB/s (1000 bytes/s)", by: 1.0 };

impl SpeedUnit {
    /// For speeds in 1000 bytes per second: kB/s, or if that takes seven digits, the largest unit in which the slowest
    /// remains readable.
    pub fn of(speeds: impl Iterator<Item = Option<f64>>) -> SpeedUnit {
        let known = speeds.flatten().filter(|v| *v > 0.0 && v.is_finite());
        let (slowest, fastest) =
            known.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        if fastest < SEVEN_DIGITS {
            return KILO;
        }
        UNITS.into_iter().find(|unit| slowest >= SMALLEST * unit.by).unwrap_or(KILO)
    }

    /// Whether it is larger than kB/s.
    pub fn is_large(&self) -> bool {
        self.by > 1.0
    }

    /// The unit in 1000 bytes per second.
    pub fn by(&self) -> f64 {
        self.by
    }

    /// A speed in 1000 bytes per second as a cell: at least three significant digits and a decimal; four digits in
    /// units larger than kB/s.
    pub fn cell(&self, kbps: Option<f64>) -> String {
        let rule = if self.is_large() { MEGABYTES } else { KILOBYTES };
        rule.show(kbps.map(|v| v / self.by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_unit_of_at_most_six_digits_and_keeps_four() {
        let small = SpeedUnit::of([Some(999_999.0), None, Some(0.5)].into_iter());
        assert_eq!((small.name, small.cell(Some(212.24)).as_str()), ("kB/s", "212.2"));
        let large = SpeedUnit::of([Some(205_748.9), Some(12_627_673.2)].into_iter());
        let cells = [Some(12_627_673.2), Some(205_748.9), Some(25_772.3), Some(331.4), None];
        let shown = cells.map(|v| large.cell(v));
        assert_eq!(
            (large.name, shown),
            ("GB/s", ["12.63", "0.2057", "0.02577", "0.0003314", "–"].map(String::from))
        );
    }

    #[test]
    fn a_fast_row_leaves_slow_ones_readable() {
        let shown = |speeds: [f64; 2]| {
            let unit = SpeedUnit::of(speeds.iter().map(|v| Some(*v)));
            let [slow, fast] = speeds.map(|v| unit.cell(Some(v)));
            (unit.name, slow, fast)
        };
        let text = |name, slow: &str, fast: &str| (name, slow.to_string(), fast.to_string());
        assert_eq!(shown([10_012.3, 2e6]), text("GB/s", "0.01001", "2.000"));
        assert_eq!(shown([212.24, 12_627_673.2]), text("MB/s", "0.2122", "12627.7"));
        assert_eq!(shown([5.862, 2e6]), text("kB/s", "5.86", "2000000.0"));
        assert_eq!(shown([0.05862, 2e5]), text("kB/s", "0.0586", "200000.0"));
    }
}
