//! The unit of a table's speeds: one for all of its columns, so that they can be compared at a glance.

use crate::view::digits::{fixed, significant};

/// From here on 1000 bytes per second take seven digits.
const SEVEN_DIGITS: f64 = 1e6;

/// A unit of speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// As heads of columns have it.
    pub name: &'static str,
    /// As legends explain it.
    pub meaning: &'static str,
    /// So many times 1000 bytes per second.
    by: f64,
}

impl Unit {
    /// For speeds in 1000 bytes per second.
    pub fn of(speeds: impl Iterator<Item = Option<f64>>) -> Unit {
        match speeds.flatten().any(|v| v >= SEVEN_DIGITS) {
            true => Unit { name: "GB/s", meaning: "GB/s (10^9 bytes/s)", by: 1e6 },
            false => Unit { name: "kB/s", meaning: "kB/s (1000 bytes/s)", by: 1.0 },
        }
    }

    /// Whether it is another than kB/s.
    pub fn is_large(&self) -> bool {
        self.by > 1.0
    }

    /// The same as a cell: a decimal, and in GB/s four significant digits.
    pub fn cell(&self, kbps: Option<f64>) -> String {
        let v = kbps.map(|v| v / self.by);
        if self.is_large() { significant(v, 4, 9) } else { fixed(v, 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_unit_of_at_most_six_digits_and_keeps_four() {
        let small = Unit::of([Some(999_999.0), None, Some(0.5)].into_iter());
        assert_eq!((small.name, small.cell(Some(212.24)).as_str()), ("kB/s", "212.2"));
        let large = Unit::of([Some(205_748.9), Some(12_627_673.2)].into_iter());
        let cells = [Some(12_627_673.2), Some(205_748.9), Some(25_772.3), Some(331.4), None];
        let shown = cells.map(|v| large.cell(v));
        assert_eq!(
            (large.name, shown),
            ("GB/s", ["12.63", "0.2057", "0.02577", "0.0003314", "–"].map(String::from))
        );
    }
}
