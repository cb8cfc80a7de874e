//! The few figures at the top of the page.

use crate::labels;
use crate::other_record::OtherRecord;
use capvec_record::best::{SAME_TIME, best_rows, operation, spread};
use capvec_record::labels::Vlen;
use capvec_record::read::Loaded;
use capvec_record::view::meaning::{at_vlen, over_scalar};
use capvec_record::{Figure, Row, UNCHECKED};
use capvec_text::digits::{SPREAD, TIMES, WHOLE, size};
use capvec_text::escape::markup;
use std::collections::{HashMap, HashSet};

/// The set that is the base of ratios.
const SCALAR: &str = "scalar";
/// A ratio of times is shown with the spreads of both times if one of them exceeds this, in percent: `capvec bench` warns of such
/// spreads.
const NOTED: f64 = 2.0;
/// A ratio of times that vary by more than this, in percent, is shown as the largest only if there is no other.
const UNRELIABLE: f64 = SAME_TIME * 100.0;

struct Tile {
    figure: String,
    what: String,
}

fn count<'a>(rows: &[Figure<'a>], f: impl Fn(&'a Row) -> &'a str) -> usize {
    rows.iter().map(|r| f(r.row)).collect::<HashSet<_>>().len()
}

fn plural(n: usize, one: &str, many: &str) -> String {
    if n == 1 { one.into() } else { many.into() }
}

/// The row that tables show as the best of an operation, with its ratio over scalar, and the number of its record.
struct Shown<'a> {
    ratio: f64,
    number: usize,
    row: &'a Row,
    /// The spreads of the scalar set's times and of the row's own, in percent.
    spreads: [f64; 2],
}

impl Shown<'_> {
    fn spreads_more_than(&self, percent: f64) -> bool {
        self.spreads.iter().any(|s| *s > percent)
    }
}

fn shown(runs: &[Loaded]) -> Vec<Shown<'_>> {
    let mut all = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let rows = &run.record.rows;
        let figures: Vec<Figure> = run.record.figures().collect();
        let best = best_rows(&run.record).into_iter().filter_map(|i| figures.get(i).copied());
        let scalar: HashMap<_, &Row> =
            rows.iter().filter(|r| r.capset == SCALAR).map(|r| (operation(r), r)).collect();
        all.extend(best.filter(|r| r.is_shown()).filter_map(|Figure { row, derived }| {
            let percent = |r: &Row| spread(r) * 100.0;
            let first = scalar.get(&operation(row)).map_or(0.0, |r| percent(r));
            Some(Shown {
                ratio: derived.over_scalar()?,
                number,
                row,
                spreads: [first, percent(row)],
            })
        }));
    }
    all
}

/// The largest ratio over scalar that a table shows, with its case and set. A ratio of widely spread times is used only
/// if there is no reliable one.
fn largest(runs: &[Loaded]) -> Option<Tile> {
    let all = shown(runs);
    let most = |few: bool| {
        let wanted = all.iter().filter(|s| !few || !s.spreads_more_than(UNRELIABLE));
        wanted.max_by(|a, b| a.ratio.total_cmp(&b.ratio))
    };
    let rows = || runs.iter().flat_map(|run| &run.record.rows);
    if rows().all(|r| r.capset == SCALAR) {
        return None;
    }
    let found = most(true).filter(|s| s.row.capset != SCALAR).or_else(|| most(false))?;
    let left_out = most(false).is_some_and(|s| s.ratio > found.ratio);
    let Shown { ratio, number, row, spreads: [scalar, best] } = *found;
    // Where times vary, the smallest of the sets that cannot be distinguished is best, even if that is scalar itself.
    let timed = row.ns_per_op.is_some();
    if timed && row.capset == SCALAR && rows().any(|r| r.capset != SCALAR) {
        return Some(Tile {
            figure: "–".into(),
            what: "no set is faster than scalar by more than the spread of the times".into(),
        });
    }
    // Decryption may have a larger ratio, but only the CSV shows it.
    let decrypted = |r: &Row| r.bytes > 0 && r.direction == "dec";
    let of = match row.bytes {
        0 => format!(" {}", row.direction),
        _ if rows().any(|r| decrypted(r) && r.case == row.case) => " encryption".into(),
        _ => String::new(),
    };
    let mut among = String::new();
    if rows().any(decrypted) {
        among += ", decryption not counted";
    }
    if left_out {
        among += &format!(", among times that vary by at most {UNRELIABLE} %");
    }
    let mut what = format!(
        "largest {} over scalar{among}: {}{of} with {}{}",
        over_scalar(row.kind),
        row.algorithm,
        row.capset,
        place(runs, number, row)
    );
    if found.spreads_more_than(NOTED) {
        what += &format!(
            " (measured times vary: scalar by {} %, best by {} %)",
            SPREAD.text(scalar),
            SPREAD.text(best)
        );
    }
    Some(Tile { figure: format!("{}×", TIMES.text(ratio)), what })
}

/// Size, VLEN and record of a row, where they differ.
fn place(runs: &[Loaded], number: usize, row: &Row) -> String {
    let all = || runs.iter().flat_map(|run| &run.record.rows).filter(|r| r.is_shown());
    let mut place = String::new();
    if all().any(|r| r.bytes > 0 && r.bytes != row.bytes) && row.bytes > 0 {
        place += &format!(", {}", size(row.bytes));
    }
    let labels = labels(runs);
    if !labels.has_vlen() && all().any(|r| r.vlen != row.vlen) {
        place += &at_vlen(row.vlen);
    }
    let label = runs.get(number).map(|run| labels.row(number, &run.record, row, Vlen::Row));
    place + &label.filter(|l| !l.is_empty()).map_or(String::new(), |l| format!(", {l}"))
}

/// The prediction that differs most from its published figure.
fn predicted(rows: &[Figure]) -> Option<Tile> {
    let ratios: Vec<f64> = rows.iter().filter_map(|r| r.derived.ratio).collect();
    let worst = ratios.iter().copied().max_by(|a, b| {
        let off = |r: &f64| if *r > 0.0 { r.ln().abs() } else { f64::INFINITY };
        off(a).total_cmp(&off(b))
    })?;
    // Adding zero makes a negative zero positive.
    let percent = ((worst - 1.0) * 100.0).round() + 0.0;
    Some(Tile {
        figure: WHOLE.change(percent),
        what: format!(
            "largest difference of {} from {}",
            plural(ratios.len(), "a prediction", &format!("{} predictions", ratios.len())),
            plural(ratios.len(), "a published figure", "published figures")
        ),
    })
}

/// How many answers were right, of those that were checked.
fn answers(rows: &[Figure]) -> Tile {
    let right = rows.iter().filter(|r| r.is_right()).count();
    let unchecked = rows.iter().filter(|r| r.answers == UNCHECKED).count();
    let (figure, what) = match rows.len() - unchecked {
        0 => (0, "figures have known answers"),
        _ => (right, "figures have right answers"),
    };
    Tile { figure: format!("{figure} of {}", rows.len()), what: what.into() }
}

fn tiles(runs: &[Loaded], others: &[OtherRecord]) -> Vec<Tile> {
    let rows: Vec<Figure> = runs.iter().flat_map(|r| r.record.figures()).collect();
    let rows = match rows.is_empty() {
        true => runs.iter().flat_map(|r| r.record.speed_figures()).collect(),
        false => rows,
    };
    let sets = count(&rows, |r| &r.capset);
    let cases = count(&rows, |r| &r.case);
    let of = |(figure, what)| Tile { figure, what };
    let tiles_of = |other: &OtherRecord| other.tiles(other.is_ambiguous(others));
    let mut tiles: Vec<Tile> = others.iter().flat_map(tiles_of).map(of).collect();
    if rows.is_empty() {
        return tiles;
    }
    tiles.extend(largest(runs));
    tiles.extend(predicted(&rows));
    tiles.push(answers(&rows));
    tiles.push(Tile {
        figure: format!("{cases} × {sets}"),
        what: format!(
            "{} × capability {}",
            plural(cases, "case", "cases"),
            plural(sets, "set", "sets")
        ),
    });
    tiles
}

/// The few figures at the top of the page.
pub fn summary(runs: &[Loaded], others: &[OtherRecord]) -> String {
    let tile = |t: Tile| {
        format!(
            "<li><strong>{}</strong> <span>{}</span></li>\n",
            markup(&t.figure),
            markup(&t.what)
        )
    };
    let tiles: String = tiles(runs, others).into_iter().map(tile).collect();
    format!("<ul class=\"tiles\">\n{tiles}</ul>\n")
}
