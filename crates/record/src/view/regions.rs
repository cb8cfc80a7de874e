//! What regions of the user's own code execute and cost.

use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{Evaluated, RegionRecord};
use capvec_text::digits::{COMPARED, share};

/// Most lines of each kind for a region.
const MOST: usize = 12;

const COSTS: &str = "\
entries: those of all runs, including known answers and warm-up calls. Instructions and cycles include called functions.
";
const PARTS: &str = "\
share: of the region's instructions. The vtype applies to vector instructions only.
";

/// The tables, if regions were counted.
pub(super) fn sections(record: &Evaluated) -> Vec<Section> {
    if record.regions.is_empty() {
        return Vec::new();
    }
    let axes = CoreColumns::of(record);
    let head = |rest: &[&str]| {
        let first = ["region".to_string()].into_iter().chain(axes.head());
        first.chain(rest.iter().map(|name| name.to_string())).collect()
    };
    let first = |r: &RegionRecord| {
        let mut cells = vec![r.region.clone()];
        cells.extend(axes.at(&r.core, r.vlen));
        cells.push(r.capset.clone());
        cells
    };
    let costs = Grid {
        head: head(&[
            "capability set",
            "entries",
            "insns",
            "cycles",
            "insns/entry",
            "cycles/entry",
        ]),
        body: record.regions.iter().map(|r| [first(r), costs(r)].concat()).collect(),
    };
    let lines = |r: &RegionRecord| -> Vec<Vec<String>> {
        parts(r).into_iter().map(|cells| [first(r), cells].concat()).collect()
    };
    let parts = Grid {
        head: head(&["capability set", "by", "what", "insns", "share"]),
        body: record.regions.iter().flat_map(lines).collect(),
    };
    vec![
        Section { title: "Regions", grid: costs, legend: COSTS.into() },
        Section { title: "What regions execute", grid: parts, legend: PARTS.into() },
    ]
}

fn costs(r: &RegionRecord) -> Vec<String> {
    let each = |n: u64| COMPARED.show((r.entries > 0).then(|| n as f64 / r.entries as f64));
    let all = [r.entries, r.retired, r.cycles].map(|n| n.to_string());
    all.into_iter().chain([each(r.retired), each(r.cycles)]).collect()
}

/// The most frequent of each kind, and the sum of the others.
fn parts(r: &RegionRecord) -> Vec<Vec<String>> {
    let counts = r.counts();
    let kinds = counts.chunk_by(|a, b| a.0 == b.0).flat_map(|kind| {
        // One more takes no more room than the sum of the others.
        let most = if kind.len() == MOST + 1 { MOST + 1 } else { MOST };
        let (shown, others) = kind.split_at(kind.len().min(most));
        let sum = others.iter().fold(0u64, |sum, (.., n)| sum.saturating_add(*n));
        let rest =
            (!others.is_empty()).then(|| (kind[0].0, format!("{} others", others.len()), sum));
        shown.iter().cloned().chain(rest).collect::<Vec<_>>()
    });
    let line = |(kind, name, n): (&str, String, u64)| {
        vec![kind.to_string(), name, n.to_string(), format!("{} %", share(n, r.retired))]
    };
    kinds.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VectorsRecord;
    use crate::testing::record;

    #[test]
    fn tables_and_csv_have_every_count() {
        let names = |n: u64| (0..n).map(|k| (format!("op{k:02}"), k + 1)).collect();
        let mut record = record();
        let rows = record.rows.clone();
        record.regions.push(RegionRecord {
            core: rows[0].core.clone(),
            vlen: rows[0].vlen,
            capset: "v".into(),
            region: "f".into(),
            entries: 2,
            retired: 105,
            cycles: 210,
            by_class: names(2),
            by_instruction: names(14),
            vectors: vec![VectorsRecord { sew: 32, lmul_log2: -1, vl: 4, retired: 9 }],
        });
        let record = record.evaluate().unwrap();
        let tables = sections(&record);
        assert_eq!(tables[0].grid.body, [["f", "v", "2", "105", "210", "52.50", "105.00"]]);
        let parts = &tables[1].grid.body;
        assert_eq!(parts.len(), 2 + 13 + 1);
        assert_eq!(parts[0], ["f", "v", "class", "op01", "2", "1.90 %"]);
        assert_eq!(parts[14], ["f", "v", "instruction", "2 others", "3", "2.86 %"]);
        assert_eq!(parts[15], ["f", "v", "SEW, LMUL, vl", "e32, mf2, vl 4", "9", "8.57 %"]);
        let csv = record.regions_csv().unwrap();
        assert_eq!(csv.lines().count(), 1 + 3 + 2 + 14 + 1);
        assert!(
            csv.lines().last().unwrap().ends_with(",v,f,\"SEW, LMUL, vl\",\"e32, mf2, vl 4\",9"),
            "{csv}"
        );
        let back: crate::Record = serde_json::from_str(&record.json().unwrap()).unwrap();
        assert_eq!(back.regions, record.regions);
    }
}
