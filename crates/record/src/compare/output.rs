//! A comparison as a table, CSV or Markdown.

use super::{Across, Apart, Change, Comparison, Key, Pair, Verdict};
use crate::grid::Grid;
use capvec_text::digits::{self, COMPARED, PROBABILITY};
use capvec_text::{csv, escape};
use std::collections::HashSet;
use std::fmt::Write;

/// If more rows than this cannot be compared, they are counted, not named.
const MOST: usize = 8;

/// What tells rows of the same case, size and set apart: columns that are left out where they do not differ.
const PLACES: [(&str, Part); 2] = [("core", |k| &k.core), ("subject", |k| &k.subject)];
/// A part of a key.
type Part = fn(&Key) -> &str;

/// In percent; only exactly zero is shown as zero.
fn percent(change: f64) -> String {
    let p = change * 100.0;
    if p == 0.0 {
        "0 %".into()
    } else if p.abs() < 0.005 {
        digits::SMALL_CHANGE.change(p)
    } else {
        digits::CHANGE.change(p)
    }
}

/// A VLEN, if known.
fn vlen(bits: u32) -> String {
    if bits > 0 { bits.to_string() } else { "–".into() }
}

impl Comparison {
    /// Whether this differs between rows, so that they are told apart by it.
    fn several(&self, of: Part) -> bool {
        let pairs = self.pairs.iter().map(|p| &p.key);
        let lists = [&self.only_old, &self.only_new].into_iter().flatten();
        let all: HashSet<&str> = pairs.chain(lists).map(of).collect();
        all.len() > 1
    }

    fn named(&self, k: &Key) -> String {
        let size = if k.bytes > 0 { format!(" {} bytes", k.bytes) } else { String::new() };
        let vlen = if k.vlen > 0 { format!(", VLEN {}", k.vlen) } else { String::new() };
        let place = PLACES.into_iter().filter(|(_, of)| self.several(*of));
        let place: String = place.map(|(_, of)| format!(", {}", of(k))).collect();
        format!("{} {}{size}{vlen}, {}{place}", k.case, k.direction, k.capset)
    }

    /// Figures with their verdicts, the largest growth first.
    fn lines(&self, all: bool) -> Vec<(&Pair, &Change)> {
        let shown = |c: &Change| all || !matches!(c.verdict, Verdict::Same | Verdict::Noise);
        let pairs = self.pairs.iter().flat_map(|p| p.changes.iter().map(move |c| (p, c)));
        let mut lines: Vec<_> = pairs.filter(|(_, c)| shown(c)).collect();
        if !all {
            lines.sort_by(|a, b| b.1.change.total_cmp(&a.1.change));
        }
        lines
    }

    fn grid(&self, all: bool) -> Grid {
        let head = [
            "case",
            "operation",
            "core",
            "subject",
            "VLEN",
            "bytes",
            "capability set",
            "figure",
            "old",
            "new",
            "change",
            "verdict",
        ];
        let line = |(p, c): (&Pair, &Change)| {
            let verdict = match c.p {
                Some(p) => format!("{} (p = {})", c.verdict.name(), PROBABILITY.text(p)),
                None => c.verdict.name().into(),
            };
            let k = &p.key;
            let what = [
                k.case.clone(),
                k.direction.clone(),
                k.core.clone(),
                k.subject.clone(),
                vlen(k.vlen),
                k.bytes.to_string(),
            ];
            let rest = [
                k.capset.clone(),
                c.figure.name().into(),
                COMPARED.show(Some(c.old)),
                COMPARED.show(Some(c.new)),
                percent(c.change),
                verdict,
            ];
            what.into_iter().chain(rest).collect()
        };
        let same: Vec<&str> =
            PLACES.into_iter().filter(|(_, of)| !self.several(*of)).map(|(name, _)| name).collect();
        Grid::of(&head, self.lines(all).into_iter().map(line).collect()).without(&same)
    }

    /// The number of figures by verdict, in one line.
    fn verdicts(&self) -> String {
        let verdicts =
            [Verdict::Regression, Verdict::Worse, Verdict::Better, Verdict::Noise, Verdict::Same];
        let counted = verdicts.map(|v| (self.count(v), v.name()));
        let parts = counted.iter().filter(|(n, _)| *n > 0).map(|(n, v)| format!("{n} {v}"));
        let limit = self.fail_over.map_or(String::new(), |l| {
            format!("; a regression is more than {}", percent(l).trim_start_matches('+'))
        });
        let missing = match (self.missing(), self.allow_missing) {
            (0, _) => String::new(),
            (n, true) => format!("; {n} missing or not comparable, which is allowed"),
            (n, false) => {
                format!("; {n} missing or not comparable, which fails without --allow-missing")
            }
        };
        format!(
            "{} rows compared, figures: {}{limit}{missing}",
            self.pairs.len(),
            parts.collect::<Vec<_>>().join(", ")
        )
    }

    /// The properties in which the records may differ; empty if there are none.
    fn heading(&self) -> String {
        let one = |a: &Across| format!("{} {} → {}", a.dimension.name(), a.old, a.new);
        match self.across.as_slice() {
            [] => String::new(),
            all => {
                format!("compared across {}", all.iter().map(one).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Everything else, one line for each remark.
    fn remarks(&self) -> Vec<String> {
        let broken = self.pairs.iter().filter_map(|p| Some((p, p.broken.as_ref()?)));
        let mut said: Vec<String> =
            broken.map(|(p, what)| format!("wrong now: {}: {what}", self.named(&p.key))).collect();
        let mut list = |what: &str, rows: Vec<String>| {
            said.extend(rows.iter().take(MOST).map(|r| format!("{what}: {r}")));
            if rows.len() > MOST {
                said.push(format!("{what}: {} more", rows.len() - MOST));
            }
        };
        let apart = |a: &Apart| format!("{}: {}", self.named(&a.key), a.why);
        list("not comparable", self.not_comparable.iter().map(apart).collect());
        list("no figure now", self.without_figure.iter().map(|k| self.named(k)).collect());
        list("only in the old record", self.only_old.iter().map(|k| self.named(k)).collect());
        list("only in the new record", self.only_new.iter().map(|k| self.named(k)).collect());
        said.extend(self.notes.iter().cloned());
        said
    }

    /// For a terminal, folded to `width`, or for a file. `all` includes figures that are the same.
    pub fn text(&self, all: bool, width: Option<u16>) -> String {
        let grid = self.grid(all);
        let mut out = String::new();
        if !self.across.is_empty() {
            out += &format!("{}\n\n", escape::line(&self.heading()));
        }
        if !grid.body.is_empty() {
            out += &grid.text(width);
            out.push('\n');
        }
        out += &self.verdicts();
        out.push('\n');
        self.remarks().iter().for_each(|r| out += &format!("{}\n", escape::line(r)));
        out
    }

    /// For a pull request.
    pub fn markdown(&self, all: bool) -> String {
        let grid = self.grid(all);
        // Without --fail-over nothing fails, but a worse figure removes the check mark.
        let mark = match (self.failed(), self.count(Verdict::Worse)) {
            (true, _) => "❌",
            (false, 1..) => "⚠️",
            (false, 0) => "✅",
        };
        // Records are untrusted: their text must not become markup.
        let quiet = |r: &str| escape::line(r).replace(['`', '<', '>', '[', '|'], " ");
        let across = match self.heading() {
            none if none.is_empty() => none,
            heading => format!(": {}", quiet(&heading)),
        };
        let mut out = format!("### {mark} capvec compare{across}\n\n{}\n", self.verdicts());
        if !grid.body.is_empty() {
            out += &format!("\n{}", grid.markdown());
        }
        let remarks = self.remarks();
        if !remarks.is_empty() {
            out.push('\n');
            remarks.iter().for_each(|r| {
                let _ = writeln!(out, "- {}", quiet(r));
            });
        }
        out
    }

    /// One line for each figure, in the order of the new record.
    pub fn csv(&self) -> String {
        let mut head =
            "case,direction,bytes,vlen,capset,figure,old,new,change_percent,p,verdict,core,subject"
                .to_string();
        // The columns of the records, the same in every line.
        let mut across = String::new();
        for a in &self.across {
            let name = a.dimension.name();
            head += &format!(",old_{name},new_{name}");
            across += &format!(",{},{}", csv::field(&a.old), csv::field(&a.new));
        }
        let mut out = head + "\n";
        for (p, c) in self.lines(true) {
            let k = &p.key;
            let fields = [
                csv::field(&k.case),
                csv::field(&k.direction),
                k.bytes.to_string(),
                k.vlen.to_string(),
                csv::field(&k.capset),
                c.figure.name().into(),
                c.old.to_string(),
                c.new.to_string(),
                digits::fields::CHANGE.text(c.change * 100.0),
                digits::fields::PROBABILITY.field(c.p),
                c.verdict.name().into(),
                csv::field(&k.core),
                csv::field(&k.subject),
            ];
            out += &(fields.join(",") + &across + "\n");
        }
        out
    }
}
