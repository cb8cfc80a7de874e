//! Whether one row is faster than another, and the evidence.

use crate::rounds::is_noisy;
use capvec_record::view::speed_unit::SpeedUnit;
use capvec_record::{Kind, Row};
use capvec_text::digits::EVIDENCE;

/// Exact counts and modelled cycles whose relative difference is below this belong to the same path.
const SAME_EXACT: f64 = 0.02;
/// Times must differ by more than this.
const SAME_TIMED: f64 = 0.05;
/// And by more than this where they vary widely: a busy sibling thread slows a processor for longer than a round
/// takes.
const SAME_NOISY: f64 = 0.3;

/// Code is only called slow if other code on the same target is this many times as fast. The model of karu64 deviates
/// from published figures by up to 13 % (docs/models.md), so a ratio of two figures deviates by a factor of up to 1.3.
/// A larger ratio is more than the choice of loops explains.
pub const MUCH_FASTER: f64 = 1.5;

/// How many times as fast the first row is; `None` if they cannot be distinguished.
pub fn faster(fast: &Row, slow: &Row) -> Option<f64> {
    let factor = fast.rate()? / slow.rate().filter(|r| *r > 0.0)?;
    let least = match fast.kind {
        Kind::Real if is_noisy(fast) || is_noisy(slow) => SAME_NOISY,
        Kind::Real => SAME_TIMED,
        Kind::Modelled | Kind::Emulated => SAME_EXACT,
    };
    (factor > 1.0 + least).then_some(factor)
}

/// A row's figure with its unit, as text.
pub fn figure(row: &Row, unit: SpeedUnit) -> String {
    let number = |v: f64| EVIDENCE.text(v);
    let speed = |v: f64| {
        let cell = if unit.is_large() { unit.cell(Some(v)) } else { number(v) };
        format!("{cell} {}", unit.name)
    };
    match (row.kind, row.kbps(), row.insns_per_byte()) {
        (Kind::Emulated, _, Some(n)) => format!("{} instructions/byte", number(n)),
        (_, Some(k), Some(n)) if row.kind == Kind::Modelled => {
            format!("{} modelled, {} instructions/byte", speed(k), number(n))
        }
        (Kind::Real, Some(k), _) if row.samples.len() > 1 => {
            format!("{}, the fastest of {} samples", speed(k), row.samples.len())
        }
        (_, Some(k), _) => speed(k),
        _ => row.rate().map_or("no figure".into(), |r| format!("{} operations/s", number(r))),
    }
}
