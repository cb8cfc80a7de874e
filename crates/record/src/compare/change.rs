//! One figure of a row, before and after.

use super::options::{Figure, Options};
use super::significance::{differ, too_far};
use crate::Row;
use serde::Serialize;

/// How a figure changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The same.
    Same,
    /// Less.
    Better,
    /// More, but not more than is allowed.
    Worse,
    /// More than is allowed.
    Regression,
    /// Another median, but within the noise of the clock, or of the layout of memory.
    Noise,
}

impl Verdict {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Regression => "regression",
            Verdict::Noise => "noise",
        }
    }
}

/// A figure before and after.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The figure.
    pub figure: Figure,
    /// Its old value.
    pub old: f64,
    /// Its new value.
    pub new: f64,
    /// The difference as a fraction of the old value.
    pub change: f64,
    /// Probability of such samples if nothing changed (Mann–Whitney, two-sided), where both records hold samples.
    pub p: Option<f64>,
    /// How it changed.
    pub verdict: Verdict,
}

/// The figures that both rows have.
pub(super) fn changes(old: &Row, new: &Row, options: &Options) -> Vec<Change> {
    let wanted =
        Figure::ALL.iter().filter(|f| options.figures.is_empty() || options.figures.contains(f));
    wanted.filter_map(|f| change(*f, old, new, options.fail_over)).collect()
}

/// Median absolute deviation of a row's times as a fraction of their median.
fn spread(row: &Row) -> f64 {
    row.mad_percent.unwrap_or(0.0) / 100.0
}

/// Whether every layout of one row takes longer than every layout of the other.
fn apart(old: &Row, new: &Row) -> bool {
    let (Some([a, b]), Some([c, d])) = (old.layouts(), new.layouts()) else { return false };
    b < c || d < a
}

fn change(figure: Figure, old: &Row, new: &Row, fail_over: Option<f64>) -> Option<Change> {
    let (a, b) = (figure.of(old)?, figure.of(new)?);
    let change = if a == b { 0.0 } else { b / a - 1.0 };
    let by_layout = figure == Figure::Cycles && old.layouts().is_some() && new.layouts().is_some();
    let varies = by_layout || figure == Figure::Time;
    let (p, real) = match figure {
        Figure::Time => {
            let p = differ(&old.samples, &new.samples);
            let far = || too_far(change, spread(old), spread(new));
            (p.value, p.real.unwrap_or_else(far))
        }
        Figure::Cycles if by_layout => {
            let p = differ(&old.cycles_by_layout, &new.cycles_by_layout);
            (p.value, p.real.unwrap_or_else(|| apart(old, new)))
        }
        // The CSV has two decimals of a count; comparing more would make a record differ from its own CSV.
        _ => (None, (a * 100.0).round() != (b * 100.0).round()),
    };
    let verdict = match (real, fail_over) {
        (false, _) if varies && a != b => Verdict::Noise,
        (false, _) => Verdict::Same,
        (true, _) if change < 0.0 => Verdict::Better,
        (true, Some(limit)) if change > limit => Verdict::Regression,
        (true, _) => Verdict::Worse,
    };
    Some(Change { figure, old: a, new: b, change, p, verdict })
}
