//! What stands at the top of a page about an exploration.

use crate::explored::{Explored, Point};
use crate::shown::{Summary, command};
use capvec_text::digits::TIMES;

impl Summary for Explored {
    fn facts(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Core", self.core.clone()),
            ("Library", format!("{} ({})", self.subject, self.version)),
            ("Added to", self.base_text()),
            ("Command", command(&self.command)),
            ("Tool", self.tool.clone()),
        ]
    }

    fn warnings(&self) -> Vec<String> {
        let why = |p: &Point| p.wrong.clone().unwrap_or_default();
        let mut all: Vec<String> =
            self.wrong().map(|p| format!("{} with {}: {}", p.case, p.with, why(p))).collect();
        all.dedup();
        all
    }

    fn place(&self) -> Option<String> {
        Some(self.core.clone())
    }

    fn headline(&self, on: &str) -> Vec<(String, String)> {
        let own = self.own_gains();
        let least = own.iter().map(|(_, gain)| *gain).min_by(f64::total_cmp);
        let others = match least.filter(|_| own.len() > 1) {
            Some(least) => {
                format!("; the best of {}, the least is {}×", own.len(), TIMES.text(least))
            }
            None => String::new(),
        };
        let tile = |(p, gain): (&Point, f64)| {
            (
                format!("{}×", TIMES.text(gain)),
                format!("{} with {}{on}, modelled{others}", p.case, p.with),
            )
        };
        self.best().map(tile).into_iter().collect()
    }
}
