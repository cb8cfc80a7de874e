//! What a region executed.

use capvec_isa::Op;
use capvec_isa::row::Row;
use capvec_sim::vector::VType;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// SEW, the binary logarithm of LMUL, and vl.
pub type Lengths = (u32, i8, u64);

/// What a region executed.
#[derive(Clone, Debug)]
pub struct Counts {
    /// How often it was entered.
    pub entries: u64,
    /// Retired instructions.
    pub insns: u64,
    /// Cycles.
    pub cycles: u64,
    /// Retired instructions, by `Op`.
    pub by_op: Vec<u64>,
    /// Retired vector instructions that a vtype applies to, by SEW, LMUL and vl.
    pub vectors: BTreeMap<Lengths, u64>,
}

impl Default for Counts {
    fn default() -> Counts {
        let by_op = vec![0; Op::COUNT];
        Counts { entries: 0, insns: 0, cycles: 0, by_op, vectors: BTreeMap::new() }
    }
}

impl Counts {
    /// Retired instructions by latency class.
    pub fn by_class(&self) -> BTreeMap<String, u64> {
        self.by(|row| row.class.name())
    }

    /// Retired instructions by mnemonic.
    pub fn by_instruction(&self) -> BTreeMap<String, u64> {
        self.by(|row| row.name)
    }

    fn by(&self, name: impl Fn(&'static Row) -> &'static str) -> BTreeMap<String, u64> {
        let mut all = BTreeMap::new();
        for (op, n) in Op::all().zip(&self.by_op).filter(|(_, n)| **n > 0) {
            *all.entry(name(op.row()).to_string()).or_default() += n;
        }
        all
    }

    /// An instruction retires, which takes this number of static cycles.
    pub(super) fn retire(&mut self, op: Op, cycles: u64) {
        self.insns += 1;
        self.cycles += cycles;
        self.by_op[op as usize] += 1;
    }

    /// An instruction that was counted did not retire.
    pub(super) fn undo(&mut self, op: Op, cycles: u64) {
        self.insns -= 1;
        self.cycles -= cycles;
        self.by_op[op as usize] -= 1;
    }

    /// A vector instruction was executed with this vtype and vl.
    pub(super) fn vector(&mut self, vtype: VType, vl: u64) {
        *self.vectors.entry((vtype.sew, vtype.lmul, vl)).or_default() += 1;
    }
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        self.entries += other.entries;
        self.insns += other.insns;
        self.cycles += other.cycles;
        self.by_op.iter_mut().zip(&other.by_op).for_each(|(a, b)| *a += b);
        for (lengths, n) in &other.vectors {
            *self.vectors.entry(*lengths).or_default() += n;
        }
    }
}
