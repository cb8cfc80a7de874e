//! Tables of predictions.

use super::{Predicted, Prediction};
use crate::grid::{Grid, Section};
use crate::shown::Tables;
use anyhow::Result;
use capvec_text::csv;
use capvec_text::digits::{self, PER_BYTE, PERCENT};

const ROWS: &str = "\
published, predicted: cycles per byte, from `openssl speed` on silicon and on the model. error: of the predicted speed; positive: the model is
too fast. fit: parameters were fitted to the figure.
";

const NOT_PREDICTED: &str = "\
–: not predicted, since Debian's OpenSSL has other code; `--c-build` predicts figures of C, `--measured` those of kernels (docs/silicon.md).
";

const SOURCES: &str = "\
source: tells figures of several boards or runs apart; the end of where each was published, which `--format csv` has whole.
";

const LAYOUTS: &str = "\
layouts: the errors in the random layouts of memory with the most and the least cycles; predicted and error are of the median.
";

const CORES: &str = "\
Errors of what was not fitted, in percent, without their signs. outside: figures whose error exceeds 15 % (8 kB and more, in-order cores), 25 %
(out-of-order cores) or 30 % (shorter messages).
";

const OUTSIDE: &str = "\
Figures that are further off than that, fitted ones included. They stay in the tables above.
";

fn percent(v: Option<f64>) -> String {
    v.map_or("–".into(), |v| PERCENT.change(v))
}

/// The errors of the slowest and the fastest layout.
fn range(p: &Prediction) -> String {
    p.error_range().map_or(String::new(), |[least, most]| {
        format!("{} to {}", PERCENT.change(most), PERCENT.change(least))
    })
}

/// What tells this figure from others of the same key: the end of its source, or nothing where there is no other.
fn source(all: &[Prediction], p: &Prediction) -> String {
    let key = |p: &Prediction| (p.core.clone(), p.case.clone(), p.set.clone(), p.bytes);
    let several = all.iter().filter(|other| key(other) == key(p)).count() > 1;
    let end = p.source.rsplit('/').next().unwrap_or_default();
    if several { end.into() } else { String::new() }
}

impl Tables for Predicted {
    /// A line per figure, and a line per core.
    fn sections(&self) -> Result<Vec<Section>> {
        let mut sections = vec![
            self.figures(),
            Section {
                title: "By core",
                grid: Grid::of(&["core", "figures", "mean", "worst", "outside"], self.cores()),
                legend: CORES.into(),
            },
        ];
        sections.extend(self.outside());
        Ok(sections)
    }
}

impl Predicted {
    /// Whether figures have to be told apart by their sources.
    fn has_sources(&self) -> bool {
        self.rows.iter().any(|p| !source(&self.rows, p).is_empty())
    }

    /// A line for each figure.
    fn figures(&self) -> Section {
        let layouts = self.rows.iter().any(|p| p.range.is_some());
        let sources = self.has_sources();
        let row = |p: &Prediction| {
            let mut cells = vec![
                p.core.clone(),
                p.case.clone(),
                p.set.clone(),
                p.bytes.to_string(),
                PER_BYTE.text(p.published),
                PER_BYTE.show(p.predicted),
                percent(p.error()),
                if p.fitted { "fit".into() } else { String::new() },
                p.why.clone().unwrap_or_else(|| p.program.clone()),
            ];
            if layouts {
                cells.insert(7, range(p));
            }
            if sources {
                cells.push(source(&self.rows, p));
            }
            cells
        };
        let mut head = vec![
            "core",
            "case",
            "capability set",
            "bytes",
            "published",
            "predicted",
            "error",
            "fit",
            "program",
        ];
        if layouts {
            head.insert(7, "layouts");
        }
        if sources {
            head.push("source");
        }
        let dashes = self.rows.iter().any(|p| p.predicted.is_none());
        let legend: String =
            [(true, ROWS), (layouts, LAYOUTS), (dashes, NOT_PREDICTED), (sources, SOURCES)]
                .into_iter()
                .filter_map(|(is, text)| is.then_some(text))
                .collect();
        let grid = Grid::of(&head, self.rows.iter().map(row).collect());
        Section { title: "Predictions", grid, legend: legend.into() }
    }

    /// A line for each core with figures that were not fitted, and one for all of several cores.
    fn cores(&self) -> Vec<Vec<String>> {
        let mut names: Vec<&str> = self.rows.iter().map(|p| p.core.as_str()).collect();
        names.dedup();
        let several = names.len() > 1;
        let line = |name: Option<&str>| {
            let own = |p: &&Prediction| name.is_none_or(|name| p.core == name);
            let all = self.rows.iter().filter(|p| !p.fitted).filter(own);
            let rows: Vec<&Prediction> = all.filter(|p| p.predicted.is_some()).collect();
            let errors: Vec<f64> = rows.iter().filter_map(|p| p.error()).map(f64::abs).collect();
            let mean = errors.iter().sum::<f64>() / errors.len() as f64;
            let worst = errors.iter().copied().fold(0.0, f64::max);
            let figure = |v: f64| PERCENT.show((!errors.is_empty()).then_some(v));
            vec![
                name.unwrap_or("all").to_string(),
                errors.len().to_string(),
                figure(mean),
                figure(worst),
                rows.iter().filter(|p| p.is_outside()).count().to_string(),
            ]
        };
        names.into_iter().map(Some).chain(several.then_some(None)).map(line).collect()
    }

    /// A line for each figure whose error exceeds the limit, with the reason; nothing without such figures.
    fn outside(&self) -> Option<Section> {
        let sources = self.has_sources();
        let line = |p: &Prediction| {
            let mut cells = vec![
                p.core.clone(),
                p.case.clone(),
                p.set.clone(),
                p.bytes.to_string(),
                percent(p.error()),
                p.reason.clone().unwrap_or_else(|| "not known".into()),
            ];
            if sources {
                cells.push(source(&self.rows, p));
            }
            cells
        };
        let body: Vec<_> = self.rows.iter().filter(|p| p.is_outside()).map(line).collect();
        let mut head = vec!["core", "case", "capability set", "bytes", "error", "reason"];
        if sources {
            head.push("source");
        }
        let grid = Grid::of(&head, body);
        let some = !grid.body.is_empty();
        some.then(|| Section { title: "Outside the limits", grid, legend: OUTSIDE.into() })
    }

    /// A line per figure.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "core,case,set,bytes,published_cycles_per_byte,predicted_cycles_per_byte,error_percent,fitted,program,source,\
             layouts,least_cycles_per_byte,most_cycles_per_byte,reason\n",
        );
        for p in &self.rows {
            let fields = [
                p.core.clone(),
                p.case.clone(),
                p.set.clone(),
                p.bytes.to_string(),
                digits::fields::PER_BYTE.text(p.published),
                digits::fields::PER_BYTE.field(p.predicted),
                digits::fields::CHANGE.field(p.error()),
                p.fitted.to_string(),
                p.program.clone(),
                p.source.clone(),
                p.layouts.to_string(),
                digits::fields::PER_BYTE.field(p.range.map(|[least, _]| least)),
                digits::fields::PER_BYTE.field(p.range.map(|[_, most]| most)),
                p.reason.clone().unwrap_or_default(),
            ];
            text += &(fields.map(|f| csv::field(&f)).join(",") + "\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: usize, source: &str, predicted: Option<f64>) -> Prediction {
        Prediction {
            core: "u".into(),
            out_of_order: false,
            case: "aes-128-cbc".into(),
            set: "scalar".into(),
            bytes,
            published: 10.0,
            predicted,
            range: None,
            layouts: 1,
            why: None,
            reason: None,
            fitted: false,
            program: "p".into(),
            source: source.into(),
        }
    }

    fn sections(rows: Vec<Prediction>) -> Vec<Section> {
        let head = |s: &str| s.to_string();
        Predicted {
            predicted: super::super::VERSION,
            tool: head("t"),
            version: head("3"),
            c_build: None,
            rows,
        }
        .sections()
        .unwrap()
    }

    /// Two boards with the same core have figures of the same key.
    #[test]
    fn equal_keys_are_told_apart_by_their_sources() {
        let rows = || vec![of(16, "logs/a.txt:1", Some(5.0)), of(16, "logs/b.txt:2", Some(5.0))];
        let two = sections([rows(), vec![of(64, "logs/a.txt:1", Some(10.0))]].concat());
        let ends =
            |s: &Section| s.grid.body.iter().map(|r| r.last().unwrap().clone()).collect::<Vec<_>>();
        assert_eq!(ends(&two[0]), ["a.txt:1", "b.txt:2", ""]);
        assert_eq!(
            (two[2].title, ends(&two[2])),
            ("Outside the limits", vec!["a.txt:1".into(), "b.txt:2".into()])
        );
        let one = sections(vec![of(16, "logs/a.txt:1", Some(10.0))]);
        assert_eq!((one.len(), ends(&one[0])), (2, vec!["p".to_string()]));
    }

    #[test]
    fn a_dash_is_explained_where_there_is_one() {
        let explained = |predicted| sections(vec![of(16, "a", predicted)])[0].legend.contains("–:");
        assert!(explained(None) && !explained(Some(10.0)));
    }
}
