//! The few figures at the top.

use crate::data::best_rows;
use crate::html::escape;
use crate::load::Loaded;
use capvec_bench::record::Row;
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

/// The largest speed-up, and what it is of.
fn largest(runs: &[Loaded]) -> Option<Tile> {
    // Of sets that are as fast, the smallest is named.
    let rows = runs
        .iter()
        .flat_map(|run| best_rows(run).into_iter().filter_map(|i| run.record.rows.get(i)));
    let with = rows.filter_map(|r| Some((r.speedup?, r)));
    let (speedup, row) = with.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let of = if row.bytes > 0 { String::new() } else { format!(" {}", row.direction) };
    Some(Tile {
        figure: format!("{speedup:.1}×"),
        what: format!("largest speed-up over scalar: {}{of} with {}", row.algorithm, row.capset),
    })
}

/// Predictions beside published figures: the worst of them.
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

fn tiles(runs: &[Loaded]) -> Vec<Tile> {
    let rows: Vec<&Row> = runs.iter().flat_map(|r| &r.record.rows).collect();
    let rows =
        if rows.is_empty() { runs.iter().flat_map(|r| &r.record.speed).collect() } else { rows };
    let right = rows.iter().filter(|r| r.passed()).count();
    let sets = count(&rows, |r| &r.capset);
    let cases = count(&rows, |r| &r.case);
    let mut tiles = Vec::new();
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

/// The few figures at the top.
pub fn summary(runs: &[Loaded]) -> String {
    let tile = |t: Tile| {
        format!(
            "<li><strong>{}</strong> <span>{}</span></li>\n",
            escape(&t.figure),
            escape(&t.what)
        )
    };
    let tiles: String = tiles(runs).into_iter().map(tile).collect();
    format!("<ul class=\"tiles\">\n{tiles}</ul>\n")
}
