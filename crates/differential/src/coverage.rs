//! What a campaign compared, by instruction of the table and by vtype.

use crate::case::Program;
use capvec_isa::op::OPS;
use capvec_isa::row::{Row, Slot};
use capvec_isa::{Ext, Op, decode};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The row of the table for a word, with all extensions enabled.
pub fn row(word: u32) -> Option<&'static Row> {
    decode(word, 64, Ext::ratified().collect()).ok().map(|d| d.op.row())
}

/// Whether the row can be compared: RV64 user mode, no draft, and not `ecall`, which calls the system.
fn comparable(op: Op) -> bool {
    let ratified = op.row().exts.iter().any(|e| e.info().draft.is_none());
    op.row().xlen != 32 && op.row().base != Op::Ecall && ratified
}

/// Programs on which both sides agree completely, and what they contained.
#[derive(Default)]
pub struct Coverage {
    /// Programs, each of which runs from several states.
    pub programs: u64,
    /// Programs times states.
    pub runs: u64,
    /// Instructions executed on both sides and compared, trapped ones included.
    pub instructions: u64,
    /// Instructions among them that are illegal.
    pub illegal: u64,
    /// Signals on both sides.
    pub signals: u64,
    /// Number of comparisons by row.
    rows: BTreeMap<&'static str, u64>,
    /// Vector instructions compared, by vtype (of the first run) and whether masked.
    vtypes: BTreeMap<(u8, bool), u64>,
    /// Rows with the SEW and LMUL that they ran under.
    shapes: BTreeSet<(&'static str, u8)>,
}

impl Coverage {
    /// Counts a program on which both sides agree, with its signals.
    pub fn count(&mut self, program: &Program, signals: u64) {
        let runs = program.runs();
        self.programs += 1;
        self.runs += runs;
        self.instructions += program.instructions();
        self.signals += signals;
        for (&word, &vtype) in program.words.iter().zip(program.vtypes.iter()) {
            let Some(row) = row(word) else {
                self.illegal += runs;
                continue;
            };
            *self.rows.entry(row.name).or_default() += runs;
            if row.class.is_vector() {
                let vm = row.fields.iter().find(|f| f.slot == Slot::Vm);
                let masked = vm.is_some_and(|f| f.get(word) == 0);
                *self.vtypes.entry((vtype, masked)).or_default() += runs;
                if vtype != u8::MAX {
                    self.shapes.insert((row.name, vtype & 63));
                }
            }
        }
    }

    /// Rows that could have been compared but were not.
    pub fn missing(&self) -> Vec<&'static str> {
        let met = |op: &&Op| comparable(**op) && !self.rows.contains_key(op.name());
        OPS.iter().filter(met).map(|op| op.name()).collect()
    }

    /// A table by extension: rows, rows compared, and the least and the total number of comparisons.
    pub fn by_extension(&self) -> String {
        let mut exts: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
        for op in OPS.iter().filter(|op| comparable(**op)) {
            let ext = op.row().exts.iter().next().map_or("", Ext::name);
            let times = self.rows.get(op.name()).copied().unwrap_or(0);
            exts.entry(ext).or_default().push((times, op.name()));
        }
        let mut out = format!(
            "{:>12} {:>5} {:>9} {:>12} {:>12}  the least\n",
            "extension", "rows", "compared", "instructions", "least"
        );
        for (ext, rows) in exts {
            let compared = rows.iter().filter(|r| r.0 > 0).count();
            let all: u64 = rows.iter().map(|r| r.0).sum();
            let (least, name) = rows.iter().min().copied().unwrap_or_default();
            let _ = writeln!(
                out,
                "{ext:>12} {:>5} {compared:>9} {all:>12} {least:>12}  {name}",
                rows.len()
            );
        }
        out
    }

    /// A table of the comparisons of each row, as CSV.
    pub fn by_row(&self) -> String {
        let mut out = String::from("instruction,compared\n");
        for op in OPS.iter().filter(|op| comparable(**op)) {
            let times = self.rows.get(op.name()).copied().unwrap_or(0);
            let _ = writeln!(out, "{},{times}", op.name());
        }
        out
    }

    /// Tables of vector instructions by SEW and LMUL, and by mask and policy.
    pub fn by_vtype(&self) -> String {
        const LMULS: [(u8, &str); 7] =
            [(5, "mf8"), (6, "mf4"), (7, "mf2"), (0, "m1"), (1, "m2"), (2, "m4"), (3, "m8")];
        let sum = |which: &dyn Fn(u8, bool) -> bool| -> u64 {
            self.vtypes.iter().filter(|((t, m), _)| which(*t, *m)).map(|(_, n)| n).sum()
        };
        let mut out = format!("{:>12}", "vector");
        LMULS.iter().for_each(|(_, name)| _ = write!(out, " {name:>11}"));
        out.push('\n');
        for sew in 0..4 {
            let _ = write!(out, "{:>12}", format!("e{}", 8 << sew));
            for (lmul, _) in LMULS {
                let _ = write!(out, " {:>11}", sum(&|t, _| t & 63 == sew << 3 | lmul));
            }
            out.push('\n');
        }
        let _ = writeln!(out, "{:>12} {:>11}", "vill", sum(&|t, _| t == u8::MAX));
        let _ = writeln!(out, "{:>12} {:>11} {:>11}", "", "unmasked", "masked");
        for (policy, name) in [(0, "tu, mu"), (1, "ta, mu"), (2, "tu, ma"), (3, "ta, ma")] {
            let of = |masked| sum(&|t, m| t != u8::MAX && t >> 6 == policy && m == masked);
            let _ = writeln!(out, "{name:>12} {:>11} {:>11}", of(false), of(true));
        }
        let _ = writeln!(out, "{} combinations of vector row, SEW and LMUL", self.shapes.len());
        out
    }
}
