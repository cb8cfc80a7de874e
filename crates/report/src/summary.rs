//! The few figures at the top of the page.

use crate::found::Found;
use crate::html::escape;
use crate::labels;
use capvec_record::Row;
use capvec_record::labels::Vlen;
use capvec_record::read::Loaded;
use capvec_record::view::best::best_rows;
use capvec_record::view::digits::size;
use capvec_record::view::meaning::{at_vlen, over_scalar};
use std::collections::HashSet;

struct Tile {
    figure: String,
    what: String,
}

fn count<'a>(rows: &[&'a Row], f: impl Fn(&'a Row) -> &'a str) -> usize {
    rows.iter().map(|r| f(r)).collect::<HashSet<_>>().len()
}

fn plural(n: usize, one: &str, many: &str) -> String {
    if n == 1 { one.into() } else { many.into() }
}

/// The largest ratio over scalar that a table shows, with its case and set.
fn largest(runs: &[Loaded]) -> Option<Tile> {
    let rows = runs.iter().enumerate().flat_map(|(number, run)| {
        let rows = &run.record.rows;
        let found = best_rows(&run.record).into_iter().filter_map(|i| rows.get(i));
        found.filter(|r| r.is_shown()).map(move |r| (number, r))
    });
    let with = rows.filter_map(|(number, r)| Some((r.over_scalar()?, number, r)));
    let (ratio, number, row) = with.max_by(|a, b| a.0.total_cmp(&b.0))?;
    // Where times spread, the smallest of the sets that cannot be told apart is best, even if that is scalar itself.
    let is_scalar = |r: &Row| r.capset == "scalar";
    let timed = row.ns_per_op.is_some();
    if timed
        && is_scalar(row)
        && runs.iter().flat_map(|run| &run.record.rows).any(|r| !is_scalar(r))
    {
        return Some(Tile {
            figure: "–".into(),
            what: "no set is faster than scalar by more than times spread".into(),
        });
    }
    // Decryption may have a larger ratio, but only the CSV has it: so the card says that it is of encryption.
    let decrypted = |r: &&Row| r.case == row.case && r.bytes > 0 && r.direction == "dec";
    let of = match row.bytes {
        0 => format!(" {}", row.direction),
        _ if runs.iter().flat_map(|run| &run.record.rows).any(|r| decrypted(&r)) => {
            " encryption".into()
        }
        _ => String::new(),
    };
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
    place += &label.filter(|l| !l.is_empty()).map_or(String::new(), |l| format!(", {l}"));
    Some(Tile {
        figure: format!("{ratio:.1}×"),
        what: format!(
            "largest {} over scalar: {}{of} with {}{place}",
            over_scalar(row.kind),
            row.algorithm,
            row.capset
        ),
    })
}

/// The prediction that differs most from its published figure.
fn predicted(rows: &[&Row]) -> Option<Tile> {
    let ratios: Vec<f64> = rows.iter().filter_map(|r| r.ratio).collect();
    let worst = ratios.iter().copied().max_by(|a, b| {
        let off = |r: &f64| if *r > 0.0 { r.ln().abs() } else { f64::INFINITY };
        off(a).total_cmp(&off(b))
    })?;
    Some(Tile {
        figure: format!("{:+.0} %", (worst - 1.0) * 100.0),
        what: format!(
            "largest difference of {} from {}",
            plural(ratios.len(), "a prediction", &format!("{} predictions", ratios.len())),
            plural(ratios.len(), "a published figure", "published figures")
        ),
    })
}

fn tiles(runs: &[Loaded], found: &[Found]) -> Vec<Tile> {
    let rows: Vec<&Row> = runs.iter().flat_map(|r| &r.record.rows).collect();
    let rows =
        if rows.is_empty() { runs.iter().flat_map(|r| &r.record.speed).collect() } else { rows };
    let right = rows.iter().filter(|r| r.passed()).count();
    let sets = count(&rows, |r| &r.capset);
    let cases = count(&rows, |r| &r.case);
    let of = |(figure, what)| Tile { figure, what };
    let mut tiles: Vec<Tile> = found.iter().flat_map(Found::tiles).map(of).collect();
    if rows.is_empty() {
        return tiles;
    }
    tiles.extend(largest(runs));
    tiles.extend(predicted(&rows));
    tiles.push(Tile {
        figure: format!("{right} of {}", rows.len()),
        what: "figures stand on right answers".into(),
    });
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
pub fn summary(runs: &[Loaded], found: &[Found]) -> String {
    let tile = |t: Tile| {
        format!(
            "<li><strong>{}</strong> <span>{}</span></li>\n",
            escape(&t.figure),
            escape(&t.what)
        )
    };
    let tiles: String = tiles(runs, found).into_iter().map(tile).collect();
    format!("<ul class=\"tiles\">\n{tiles}</ul>\n")
}
