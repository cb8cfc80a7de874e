//! Regions as text and as JSON.

use super::Region;
use capvec_text::digits::{COMPARED, share};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Most lines of each breakdown of a region.
const MOST: usize = 12;

/// A table of regions, followed by what each executed.
pub fn text(regions: &[Region]) -> String {
    let width =
        regions.iter().map(|r| r.name.chars().count()).max().unwrap_or(0).max("region".len());
    let mut out = format!(
        "{:<width$} {:>10} {:>15} {:>15} {:>12} {:>12}\n",
        "region", "entries", "instructions", "cycles", "insns each", "cycles each"
    );
    for Region { name, counts: c } in regions {
        let each = |n: u64| COMPARED.show((c.entries > 0).then(|| n as f64 / c.entries as f64));
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{name:<width$} {:>10} {:>15} {:>15} {:>12} {:>12}",
            c.entries,
            c.insns,
            c.cycles,
            each(c.insns),
            each(c.cycles)
        );
    }
    regions.iter().for_each(|r| details(&mut out, r));
    out
}

fn details(out: &mut String, region: &Region) {
    let c = &region.counts;
    if c.by_op.iter().all(|n| *n == 0) {
        return;
    }
    breakdown(out, &format!("{} by class", region.name), c.by_class(), c.insns);
    breakdown(out, &format!("{} by instruction", region.name), c.by_instruction(), c.insns);
    let vectors: BTreeMap<String, u64> = c.vectors.iter().map(|(l, n)| (lengths(l), *n)).collect();
    breakdown(out, &format!("{} by SEW, LMUL and vl", region.name), vectors, c.insns);
}

/// As assembly writes a vtype.
fn lengths((sew, lmul, vl): &(u32, i8, u64)) -> String {
    let lmul = if *lmul < 0 { format!("mf{}", 1 << -lmul) } else { format!("m{}", 1 << lmul) };
    format!("e{sew}, {lmul}, vl {vl}")
}

/// The largest counts, largest first.
fn breakdown(out: &mut String, title: &str, counts: BTreeMap<String, u64>, total: u64) {
    if counts.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}:");
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    // One more takes no more room than the sum of the others.
    let most = if rows.len() == MOST + 1 { MOST + 1 } else { MOST };
    for (name, n) in rows.iter().take(most) {
        let _ = writeln!(out, "  {name:<24}{n:>15} {:>6} %", share(*n, total));
    }
    if rows.len() > most {
        let rest: u64 = rows[most..].iter().map(|(_, n)| n).sum();
        let name = format!("{} others", rows.len() - most);
        let _ = writeln!(out, "  {name:<24}{rest:>15} {:>6} %", share(rest, total));
    }
}

/// The regions as JSON, with all counts.
pub fn json(regions: &[Region]) -> Value {
    let region = |r: &Region| {
        let c = &r.counts;
        let vectors: Vec<Value> = (c.vectors.iter())
            .map(|((sew, lmul, vl), n)| json!({ "sew": sew, "lmul_log2": lmul, "vl": vl, "retired": n }))
            .collect();
        json!({
            "region": r.name,
            "entries": c.entries,
            "retired": c.insns,
            "cycles": c.cycles,
            "by_class": c.by_class(),
            "by_instruction": c.by_instruction(),
            "vectors": vectors,
        })
    };
    regions.iter().map(region).collect()
}
