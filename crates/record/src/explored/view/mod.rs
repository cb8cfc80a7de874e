//! Tables of an exploration.

mod area;
mod functions;
mod next;
mod summary;
#[cfg(test)]
mod tests;

use super::index::Index;
use super::{Explored, Point, Price};
use crate::grid::{Grid, Section};
use crate::shown::Tables;
use anyhow::Result;
use capvec_text::csv;
use capvec_text::digits::{PERCENT, RATIO, count, fields};

const GAINS: &str = "\
insns, cycles: of one operation; counts are exact, cycles are of the core model. gain: cycles without : with.
";

const LIMITS: &str = "\
share: the part of the remaining cycles that the new instructions take. limit: the gain if they took no time and no issue slot, which no
implementation can exceed.
";

const LATENCIES: &str = "\
The gain if each new instruction, or each of its element groups, takes this many cycles, in addition to what the core adds to
every instruction of its kind. core: at the core's own cost.
";

const VLENS: &str = "\
The gain at each VLEN, over the same VLEN without; – where the set needs a greater one or was not measured.
";

const RANKS: &str = "\
Geometric means over the cases. A mean of gains says nothing about a workload whose shares are not these.
";

/// The figures of one case without and with what was added.
#[derive(Clone, Copy)]
struct Pair {
    insns: [f64; 2],
    cycles: [f64; 2],
}

impl Pair {
    fn gain(self) -> Option<f64> {
        ratio(self.cycles)
    }

    fn fewer(self) -> Option<f64> {
        ratio(self.insns)
    }
}

fn ratio([a, b]: [f64; 2]) -> Option<f64> {
    (a > 0.0 && b > 0.0).then_some(a / b)
}

fn names(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| w.to_string()).collect()
}

/// Without a size, the bytes are not shown.
fn size(p: &Point) -> String {
    if p.bytes == 0 { "–".into() } else { p.bytes.to_string() }
}

/// What tables are made of.
struct View<'e> {
    e: &'e Explored,
    index: Index<'e>,
    vlens: Vec<u32>,
    latencies: Vec<u32>,
}

impl Tables for Explored {
    fn sections(&self) -> Result<Vec<Section>> {
        let (vlens, latencies) = (self.vlens(), self.latencies());
        let view = View { e: self, index: Index::of(self), vlens, latencies };
        let mut all = vec![view.gains()];
        if self.with.len() > 1 {
            all.push(view.ranks());
        }
        if !self.functions.is_empty() {
            all.extend([view.by_function(), view.next()]);
        }
        all.extend(view.by_area());
        if !view.latencies.is_empty() {
            all.push(view.by_latency());
        }
        if view.vlens.len() > 1 {
            all.push(view.by_vlen());
        }
        Ok(all)
    }
}

impl Explored {
    pub(super) fn vlens(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.points.iter().map(|p| p.vlen).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(super) fn latencies(&self) -> Vec<u32> {
        let cycles = |p: &Point| match p.price {
            Price::Cycles(n) => Some(n),
            Price::Core | Price::Free => None,
        };
        let mut all: Vec<u32> = self.points.iter().filter_map(cycles).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The points, a line each.
    pub fn csv(&self) -> String {
        let head = "core,subject,base,with,vlen,price,case,direction,bytes,insns_per_op,cycles_per_op,answers\n";
        let line = |p: &Point| {
            let price = match p.price {
                Price::Core => "core".to_string(),
                Price::Free => "free".into(),
                Price::Cycles(n) => n.to_string(),
            };
            let figure = |v: f64| {
                if p.wrong.is_none() { fields::PER_OPERATION.text(v) } else { String::new() }
            };
            let fields = [
                self.core.clone(),
                self.subject.clone(),
                self.base.clone(),
                p.with.clone(),
                p.vlen.to_string(),
                price,
                p.case.clone(),
                p.direction.clone(),
                p.bytes.to_string(),
                figure(p.insns),
                figure(p.cycles),
                p.wrong.clone().unwrap_or_else(|| "pass".into()),
            ];
            fields.map(|f| csv::field(&f)).join(",") + "\n"
        };
        head.to_string() + &self.points.iter().map(line).collect::<String>()
    }
}

impl<'e> View<'e> {
    fn pair(&self, case: &Point, with: &str, vlen: u32, price: Price) -> Option<Pair> {
        let base = self.index.like(case, "", vlen, Price::Core)?;
        let with = self.index.like(case, with, vlen, price)?;
        Some(Pair { insns: [base.insns, with.insns], cycles: [base.cycles, with.cycles] })
    }

    /// Every line of a table: each case with each addition, and its first cells.
    fn lines(&self) -> impl Iterator<Item = (&'e Point, &'e str, Vec<String>)> {
        self.e.with.iter().flat_map(move |a| {
            self.e.bases().map(move |c| {
                let first = vec![a.name.clone(), c.case.clone(), c.direction.clone(), size(c)];
                (c, a.name.as_str(), first)
            })
        })
    }

    fn gains(&self) -> Section {
        let mut head = names(&["extensions", "case", "operation", "bytes"]);
        head.extend(names(&["insns without", "insns with", "fewer insns"]));
        head.extend(names(&["cycles without", "cycles with", "gain"]));
        if self.e.priced {
            head.extend(names(&["share", "limit"]));
        }
        let body = self.lines().map(|(case, with, mut cells)| {
            let pair = self.pair(case, with, self.e.vlen, Price::Core);
            cells.extend([0, 1].map(|i| count(pair.map(|p| p.insns[i]))));
            cells.push(RATIO.show(pair.and_then(Pair::fewer)));
            cells.extend([0, 1].map(|i| count(pair.map(|p| p.cycles[i]))));
            cells.push(RATIO.show(pair.and_then(Pair::gain)));
            if self.e.priced {
                let free = self.pair(case, with, self.e.vlen, Price::Free);
                let left = pair.zip(free).and_then(|(p, f)| ratio([f.cycles[1], p.cycles[1]]));
                let share = left.map(|l| 100.0 * (1.0 - l).max(0.0));
                cells.push(share.map_or(PERCENT.show(None), |s| format!("{} %", PERCENT.text(s))));
                cells.push(RATIO.show(free.and_then(Pair::gain)));
            }
            cells
        });
        let body = body.collect();
        let limits = if self.e.priced { LIMITS } else { "" };
        let legend = format!("{GAINS}{limits}{}{}", self.costs(), self.unused());
        Section { title: "What it buys", grid: Grid { head, body }, legend: legend.into() }
    }

    /// What the new instructions cost. Much of it is assumed, which decides how far the gains can be trusted.
    fn costs(&self) -> String {
        let mut all: Vec<&str> = Vec::new();
        for cost in self.e.with.iter().flat_map(|a| &a.costs) {
            // The costs of what was measured alone are repeated with what was measured together.
            if !all.contains(&cost.as_str()) {
                all.push(cost);
            }
        }
        if all.is_empty() {
            return String::new();
        }
        format!(
            "What the new instructions cost, apart from what the core adds: {}.\n",
            all.join("; ")
        )
    }

    /// Says which additions changed nothing: the library does not use them here.
    fn unused(&self) -> String {
        let same = |p: Pair| p.insns[0] == p.insns[1] && p.cycles[0] == p.cycles[1];
        let unchanged = |with: &str| {
            let mut pairs =
                self.e.bases().filter_map(|c| self.pair(c, with, self.e.vlen, Price::Core));
            self.e.bases().next().is_some() && pairs.all(same)
        };
        let names: Vec<&str> =
            self.e.with.iter().map(|a| a.name.as_str()).filter(|n| unchanged(n)).collect();
        if names.is_empty() {
            return String::new();
        }
        format!(
            "No case changed with {}: {} does not use it here.\n",
            names.join(", "),
            self.e.subject
        )
    }

    fn ranks(&self) -> Section {
        let mut head = names(&["extensions", "fewer insns", "gain"]);
        if self.e.priced {
            head.push("limit".into());
        }
        let mean = |with: &str, price, f: fn(Pair) -> Option<f64>| {
            let each = self.e.bases().filter_map(|c| f(self.pair(c, with, self.e.vlen, price)?));
            let logs: Vec<f64> = each.map(f64::ln).collect();
            (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
        };
        let mut lines: Vec<(Option<f64>, Vec<String>)> = (self.e.with.iter())
            .map(|a| {
                let gain = mean(&a.name, Price::Core, Pair::gain);
                let fewer = mean(&a.name, Price::Core, Pair::fewer);
                let mut cells = vec![a.name.clone(), RATIO.show(fewer), RATIO.show(gain)];
                if self.e.priced {
                    cells.push(RATIO.show(mean(&a.name, Price::Free, Pair::gain)));
                }
                (gain, cells)
            })
            .collect();
        lines.sort_by(|a, b| b.0.unwrap_or(0.0).total_cmp(&a.0.unwrap_or(0.0)));
        let body = lines.into_iter().map(|(_, cells)| cells).collect();
        let apart: String = self.e.apart.iter().map(|line| format!("{line}\n")).collect();
        let legend = format!("{RANKS}{apart}").into();
        Section { title: "Alone and together", grid: Grid { head, body }, legend }
    }

    fn by_latency(&self) -> Section {
        let mut head = names(&["extensions", "case", "operation", "bytes", "core"]);
        head.extend(
            self.latencies.iter().map(|n| format!("{n} cycle{}", if *n == 1 { "" } else { "s" })),
        );
        let body = self.lines().map(|(case, with, mut cells)| {
            let gain =
                |price| RATIO.show(self.pair(case, with, self.e.vlen, price).and_then(Pair::gain));
            cells.push(gain(Price::Core));
            cells.extend(self.latencies.iter().map(|n| gain(Price::Cycles(*n))));
            cells
        });
        let body = body.collect();
        Section { title: "By latency", grid: Grid { head, body }, legend: LATENCIES.into() }
    }

    fn by_vlen(&self) -> Section {
        let mut head = names(&["extensions", "case", "operation", "bytes"]);
        head.extend(self.vlens.iter().map(|v| format!("VLEN {v}")));
        let body = self.lines().map(|(case, with, mut cells)| {
            let gain = |v| RATIO.show(self.pair(case, with, v, Price::Core).and_then(Pair::gain));
            cells.extend(self.vlens.iter().copied().map(gain));
            cells
        });
        let body = body.collect();
        Section { title: "By VLEN", grid: Grid { head, body }, legend: VLENS.into() }
    }
}
