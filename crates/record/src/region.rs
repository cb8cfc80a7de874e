//! What a region of the user's own code executed.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a region executed in all runs of one configuration: a function with all that it calls, or the code between two marks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct RegionRecord {
    /// The core, as rows name it.
    pub core: String,
    /// VLEN in bits.
    pub vlen: u32,
    /// The capability set.
    pub capset: String,
    /// The region's name.
    pub region: String,
    /// How often it was entered, also by warm-up calls and known answers.
    pub entries: u64,
    /// Retired instructions of all entries.
    pub retired: u64,
    /// Cycles of all entries.
    pub cycles: u64,
    /// Retired instructions by latency class.
    pub by_class: BTreeMap<String, u64>,
    /// Retired instructions by mnemonic.
    pub by_instruction: BTreeMap<String, u64>,
    /// Retired vector instructions that a vtype applies to, by SEW, LMUL and vl.
    pub vectors: Vec<VectorsRecord>,
}

/// Retired vector instructions of one SEW, LMUL and vl.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct VectorsRecord {
    /// SEW in bits.
    pub sew: u32,
    /// Binary logarithm of LMUL.
    pub lmul_log2: i8,
    /// vl.
    pub vl: u64,
    /// How many retired.
    pub retired: u64,
}

impl VectorsRecord {
    /// SEW, LMUL and vl, written as in assembly.
    pub fn lengths(&self) -> String {
        let (sign, log2) = if self.lmul_log2 < 0 {
            ("mf", -i32::from(self.lmul_log2))
        } else {
            ("m", self.lmul_log2.into())
        };
        let lmul = 1u64.checked_shl(log2 as u32).unwrap_or_default();
        format!("e{}, {sign}{lmul}, vl {}", self.sew, self.vl)
    }
}

impl RegionRecord {
    /// The counts by class, by instruction and by vector state: the kind, what was counted, and how often, the most frequent of each
    /// kind first.
    pub fn counts(&self) -> Vec<(&'static str, String, u64)> {
        let named = |counts: &BTreeMap<String, u64>| -> Vec<(String, u64)> {
            counts.iter().map(|(name, n)| (name.clone(), *n)).collect()
        };
        let vectors = self.vectors.iter().map(|v| (v.lengths(), v.retired)).collect();
        let kinds = [
            ("class", named(&self.by_class)),
            ("instruction", named(&self.by_instruction)),
            ("SEW, LMUL, vl", vectors),
        ];
        let sorted = kinds.into_iter().flat_map(|(kind, mut counts)| {
            counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
            counts.into_iter().map(move |(name, n)| (kind, name, n))
        });
        sorted.collect()
    }
}
