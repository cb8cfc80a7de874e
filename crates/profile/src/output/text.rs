//! The summary for a terminal.

use super::flat::{Row, flat};
use crate::tree::{Count, Profile};
use std::fmt::Write;

fn share(part: u64, all: u64) -> f64 {
    100.0 * part as f64 / all.max(1) as f64
}

/// The file's name without its directories.
fn file(object: &str) -> &str {
    object.rsplit('/').next().unwrap_or_default()
}

fn row(out: &mut String, profile: &Profile, r: &Row, all: Count) {
    let f = &profile.functions[r.function as usize];
    let _ = writeln!(
        out,
        "{:>6.2} {:>6.2} {:>15} {:>15} {:>6.2} {:>15} {:>11}  {}{}",
        share(r.own.cycles, all.cycles),
        share(r.total.cycles, all.cycles),
        r.own.cycles,
        r.total.cycles,
        share(r.own.insns, all.insns),
        r.own.insns,
        r.calls,
        f.name,
        if f.name.contains(file(&f.object)) {
            String::new()
        } else {
            format!(" ({})", file(&f.object))
        },
    );
}

/// The functions with the most cycles of their own, at most `most` of them, and the totals.
pub fn summary(profile: &Profile, most: usize) -> String {
    let (all, rows) = (profile.total(), flat(profile));
    let mut out = String::from(
        "self % total %     self cycles    total cycles insn %      self insns       calls  function\n",
    );
    rows.iter().take(most).for_each(|r| row(&mut out, profile, r, all));
    let _ = writeln!(
        out,
        "{} functions, {} cycles, {} instructions",
        rows.len(),
        all.cycles,
        all.insns
    );
    if profile.merged {
        out.push_str(
            "There were too many call paths; the rarest are shown directly below their process.\n",
        );
    }
    out
}

/// All functions, and the call tree down to paths with a thousandth of the cycles.
pub fn tables(profile: &Profile) -> String {
    let mut out = summary(profile, usize::MAX);
    let (all, totals) = (profile.total(), profile.totals());
    out.push_str("\ntotal %    total cycles     self cycles  call path\n");
    let mut children = vec![Vec::new(); profile.nodes.len()];
    let mut roots = Vec::new();
    for (k, n) in profile.nodes.iter().enumerate() {
        match profile.is_root(k as u32) {
            true => roots.push(k),
            false => children[n.parent as usize].push(k),
        }
    }
    let mut open: Vec<(usize, usize)> = roots.iter().rev().map(|k| (*k, 0)).collect();
    while let Some((k, depth)) = open.pop() {
        if totals[k].cycles * 1000 < all.cycles {
            continue;
        }
        let n = &profile.nodes[k];
        let name = &profile.functions[n.function as usize].name;
        let percent = share(totals[k].cycles, all.cycles);
        let (total, own) = (totals[k].cycles, n.own.cycles);
        let _ = writeln!(out, "{percent:>7.2} {total:>15} {own:>15}  {:depth$}{name}", "");
        let mut below = std::mem::take(&mut children[k]);
        below.sort_by_key(|c| totals[*c].cycles);
        open.extend(below.into_iter().map(|c| (c, depth + 1)));
    }
    out
}
