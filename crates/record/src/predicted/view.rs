//! Tables of predictions.

use super::{Predicted, Prediction};
use crate::grid::{Grid, Section};
use crate::shown::Tables;
use anyhow::Result;
use capvec_text::csv;
use capvec_text::digits::{self, PER_BYTE, PERCENT};

const ROWS: &str = "\
published, predicted: cycles per byte, from `openssl speed` on silicon and on the model. error: of the predicted speed; positive: the model is
too fast. fit: parameters were fitted to the figure. –: not predicted, since
Debian's OpenSSL has other code; `--c-build` predicts figures of C.
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

impl Tables for Predicted {
    /// A line per figure, and a line per core.
    fn sections(&self) -> Result<Vec<Section>> {
        let layouts = self.rows.iter().any(|p| p.range.is_some());
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
        let rows = Grid::of(&head, self.rows.iter().map(row).collect());
        let head = ["core", "figures", "mean", "worst", "outside"];
        let cores = Grid::of(&head, self.cores());
        let mut sections = vec![
            Section {
                title: "Predictions",
                grid: rows,
                legend: format!("{ROWS}{}", if layouts { LAYOUTS } else { "" }).into(),
            },
            Section { title: "By core", grid: cores, legend: CORES.into() },
        ];
        let outside = self.outside();
        if !outside.is_empty() {
            let head = ["core", "case", "capability set", "bytes", "error", "reason"];
            let grid = Grid::of(&head, outside);
            sections.push(Section { title: "Outside the limits", grid, legend: OUTSIDE.into() });
        }
        Ok(sections)
    }
}

impl Predicted {
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

    /// A line for each figure whose error exceeds the limit, with the reason.
    fn outside(&self) -> Vec<Vec<String>> {
        let line = |p: &Prediction| {
            vec![
                p.core.clone(),
                p.case.clone(),
                p.set.clone(),
                p.bytes.to_string(),
                percent(p.error()),
                p.reason.clone().unwrap_or_else(|| "not known".into()),
            ]
        };
        self.rows.iter().filter(|p| p.is_outside()).map(line).collect()
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
