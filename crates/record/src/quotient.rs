//! Quotients of figures.

/// No count, rate or ratio reaches this; sums and quotients of smaller ones stay finite.
const LIMIT: f64 = 1e18;

/// Whether a figure can have been measured.
pub(crate) fn possible(figure: f64) -> bool {
    (0.0..LIMIT).contains(&figure)
}

/// The quotient of two figures, if it is possible: records from elsewhere may contain zeros that no measurement gives.
pub(crate) fn quotient(figure: Option<f64>, over: Option<f64>) -> Option<f64> {
    figure.zip(over).map(|(figure, over)| figure / over).filter(|q| possible(*q))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_quotients_are_left_out() {
        assert_eq!(quotient(Some(3.0), Some(2.0)), Some(1.5));
        for (figure, over) in [(1.0, 0.0), (0.0, 0.0), (1e17, 1e-300)] {
            assert_eq!(quotient(Some(figure), Some(over)), None, "{figure} over {over}");
        }
        assert_eq!(quotient(None, Some(1.0)), None);
    }
}
