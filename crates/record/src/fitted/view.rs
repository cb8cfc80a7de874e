//! Tables of a fit.

use super::{Fitted, Parameter, Row};
use crate::grid::{Grid, Section};
use crate::shown::Tables;
use anyhow::Result;
use capvec_text::digits::{PER_BYTE, PERCENT, RATIO};

const PARAMETERS: &str = "\
standard error: of the value, from the errors of the figures; –: the figures do not determine it, or are no more than the parameters.
";

const FIGURES: &str = "\
published: cycles per byte. before, after: errors of the predicted speed before and after the fit; positive: the model is too fast. left out: the error
if the parameters are fitted to the other figures alone, within the bounds; –: without this figure they are not determined.
";

const TRADES: &str = "\
correlation: of the estimates. From 0.95 on, the figures determine little but a combination of the two: fix one of them from another source, or
add figures in which they differ.
";

const SOURCES: &str = "\
source: tells figures of several boards or runs apart; the end of where each was published, which `--format json` has whole.
";

/// A value that is closer to a bound than this is at the bound: values are multiples of a tick.
const AT_BOUND: f64 = 1.0 / 64.0;

impl Tables for Fitted {
    /// A line for each parameter, for each pair that trades off, and for each figure.
    fn sections(&self) -> Result<Vec<Section>> {
        let head = ["parameter", "before", "fitted", "standard error", "bounds", "remark"];
        let grid = Grid::of(&head, self.parameters.iter().flat_map(parameter).collect());
        let mut sections = vec![Section { title: "Parameters", grid, legend: PARAMETERS.into() }];
        if !self.trades.is_empty() {
            let head = ["parameter", "trades off against", "correlation"];
            let line = |t: &super::Trade| {
                let [a, b] = t.parameters.clone();
                vec![a, b, RATIO.text(t.correlation)]
            };
            let grid = Grid::of(&head, self.trades.iter().map(line).collect());
            sections.push(Section {
                title: "Not determined separately",
                grid,
                legend: TRADES.into(),
            });
        }
        let head =
            ["case", "capability set", "bytes", "published", "before", "after", "left out", "fit"];
        let mut body: Vec<Vec<String>> = self.rows.iter().map(figure).collect();
        body.extend(self.mean("fitted", |r| !r.held_out));
        body.extend(self.mean("held out", |r| r.held_out));
        let (mut head, mut legend) = (head.to_vec(), FIGURES.to_string());
        let sources: Vec<&str> = self.rows.iter().map(|r| source(&self.rows, r)).collect();
        if sources.iter().any(|s| !s.is_empty()) {
            head.push("source");
            let of = |place: usize| sources.get(place).copied().unwrap_or_default().into();
            body.iter_mut().enumerate().for_each(|(place, cells)| cells.push(of(place)));
            legend += SOURCES;
        }
        let grid = Grid::of(&head, body);
        sections.push(Section { title: "Figures", grid, legend: legend.into() });
        Ok(sections)
    }
}

impl Fitted {
    /// The flags that give a core the fitted values.
    pub fn flags(&self) -> String {
        let flag = |(key, value): (&String, &f64)| format!("--set {key}={value}");
        let fitted = self.parameters.iter().filter(|p| p.has_effect || p.values != p.before);
        let all = fitted.flat_map(|p| p.keys.iter().zip(&p.values).map(flag));
        all.collect::<Vec<_>>().join(" ")
    }

    /// The mean of the errors, without their signs, of these figures.
    fn mean(&self, name: &str, of: impl Fn(&&Row) -> bool) -> Option<Vec<String>> {
        let rows: Vec<&Row> = self.rows.iter().filter(of).collect();
        let mean = |error: &dyn Fn(&Row) -> Option<f64>| {
            let all: Vec<f64> = rows.iter().filter_map(|r| error(r)).map(f64::abs).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            PERCENT.show((!all.is_empty()).then_some(mean))
        };
        (!rows.is_empty()).then(|| {
            vec![
                format!("mean of {} {name}", rows.len()),
                String::new(),
                String::new(),
                String::new(),
                mean(&|r| Some(r.error(r.before))),
                mean(&|r| Some(r.error(r.after))),
                mean(&|r| Some(r.error(r.left_out?))),
                String::new(),
            ]
        })
    }
}

/// A line for each key.
fn parameter(p: &Parameter) -> Vec<Vec<String>> {
    let [low, high] = p.bounds;
    let first = p.values.first().copied().unwrap_or(0.0);
    let remark = match first {
        _ if !p.has_effect => "no fitted figure depends on it",
        v if v - low < AT_BOUND || high - v < AT_BOUND => "at a bound",
        _ => "",
    };
    let line = |(place, key): (usize, &String)| {
        let value = |all: &[f64]| all.get(place).map_or(String::new(), f64::to_string);
        let own = place == 0;
        vec![
            key.clone(),
            value(&p.before),
            value(&p.values),
            if own { RATIO.show(p.standard_error) } else { String::new() },
            if own { format!("{low} to {high}") } else { String::new() },
            if own { remark.into() } else { "keeps its ratio to the one above".into() },
        ]
    };
    p.keys.iter().enumerate().map(line).collect()
}

/// What tells this figure from others of the same key: the end of its source, or nothing where there is no other.
fn source<'a>(all: &[Row], r: &'a Row) -> &'a str {
    let same = |other: &&Row| (&other.case, &other.set, other.bytes) == (&r.case, &r.set, r.bytes);
    match all.iter().filter(same).count() {
        1 => "",
        _ => r.source.rsplit('/').next().unwrap_or_default(),
    }
}

fn figure(r: &Row) -> Vec<String> {
    vec![
        r.case.clone(),
        r.set.clone(),
        r.bytes.to_string(),
        PER_BYTE.text(r.published),
        PERCENT.change(r.error(r.before)),
        PERCENT.change(r.error(r.after)),
        match r.held_out {
            true => String::new(),
            false => r.left_out.map_or("–".into(), |p| PERCENT.change(r.error(p))),
        },
        if r.held_out { "held out".into() } else { "fit".into() },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_and_figure_has_a_line() {
        let row = |held_out, left_out| Row {
            case: "sm3".into(),
            set: "scalar".into(),
            bytes: 64,
            published: 10.0,
            before: 20.0,
            after: 8.0,
            left_out,
            held_out,
            source: format!("published/{}", if held_out { "b" } else { "a" }),
        };
        let fitted = Fitted {
            fitted: crate::fitted::VERSION,
            tool: "capvec".into(),
            version: "3".into(),
            c_build: None,
            core: "karu64".into(),
            core_digest: String::new(),
            parameters: vec![Parameter {
                keys: vec!["a".into(), "b".into()],
                before: vec![1.0, 8.0],
                values: vec![2.0, 16.0],
                bounds: [0.0, 2.0],
                standard_error: None,
                has_effect: true,
            }],
            trades: Vec::new(),
            rows: vec![row(false, Some(12.5)), row(true, None)],
            runs: 9,
        };
        let sections = fitted.sections().unwrap();
        assert_eq!(sections[0].grid.body[0], ["a", "1", "2", "–", "0 to 2", "at a bound"]);
        assert_eq!(sections[0].grid.body[1][..3], ["b", "8", "16"]);
        let figures = &sections[1].grid.body;
        // By hand: 10/20, 10/8 and 10/12.5 less one.
        assert_eq!(figures[0][4..], ["-50.0 %", "+25.0 %", "-20.0 %", "fit", "a"]);
        assert_eq!(figures[1][6..], ["", "held out", "b"]);
        assert_eq!(figures[2][0], "mean of 1 fitted");
        assert_eq!(figures[3][5..7], ["25.0", "–"]);
        // A figure that is alone needs no source.
        let one = Fitted { rows: vec![row(false, None)], ..fitted.clone() };
        assert_eq!(one.sections().unwrap()[1].grid.body[0].len(), 8);
        assert_eq!(fitted.flags(), "--set a=2 --set b=16");
    }
}
