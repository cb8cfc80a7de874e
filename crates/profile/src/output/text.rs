//! The summary for a terminal.

use super::flat::{Row, flat};
use crate::tree::{Count, Profile};
use capvec_text::digits::share;
use std::fmt::Write;

/// The file's name without its directories.
fn file(object: &str) -> &str {
    object.rsplit('/').next().unwrap_or_default()
}

fn row(out: &mut String, profile: &Profile, r: &Row, all: Count) {
    let f = &profile.functions[r.function as usize];
    let object = file(&f.object);
    // Roots have no file. The names of code without a function have it: [file], [vdso], file+0x40.
    let whole = if object.starts_with('[') { object.to_string() } else { format!("[{object}]") };
    let named = object.is_empty() || f.name == whole || f.name.starts_with(&format!("{object}+0x"));
    let _ = writeln!(
        out,
        "{:>6} {:>6} {:>15} {:>15} {:>6} {:>15} {:>11}  {}{}",
        share(r.own.cycles, all.cycles),
        share(r.total.cycles, all.cycles),
        r.own.cycles,
        r.total.cycles,
        share(r.own.insns, all.insns),
        r.own.insns,
        r.calls,
        f.name,
        if named { String::new() } else { format!(" ({object})") },
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
            "There were too many call paths; later ones are shown directly below their process.\n",
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
        let _ = writeln!(out, "{percent:>7} {total:>15} {own:>15}  {:depth$}{name}", "");
        let mut below = std::mem::take(&mut children[k]);
        below.sort_by_key(|c| totals[*c].cycles);
        open.extend(below.into_iter().map(|c| (c, depth + 1)));
    }
    out
}
