//! A block as control passed through it: everything that a model observes, apart from the lower halves of addresses.

use capvec_isa::{Class, Op};
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::Seen;
use capvec_sim::vector::VType;

/// A counter that a program can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// `cycle`.
    Cycle,
    /// `instret`.
    Instret,
    /// `time`.
    Time,
}

impl Counter {
    /// The counter that a block reads: such an instruction is a block of its own.
    fn of(insns: &[Insn]) -> Option<Counter> {
        let [insn] = insns else { return None };
        if insn.op().row().class != Class::Csr {
            return None;
        }
        match insn.imm & 0xfff {
            0xc00 => Some(Counter::Cycle),
            0xc01 => Some(Counter::Time),
            0xc02 => Some(Counter::Instret),
            _ => None,
        }
    }
}

/// An instruction without the function that executes it: its operation, immediate, other operands, and whether it is unmasked.
type Operands = (Op, i64, [u8; 5], bool);

/// What identifies a block: its address, and its instructions.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key(u64, Box<[Operands]>);

impl Key {
    pub fn of(start: u64, insns: &[Insn]) -> Key {
        let operands = |i: &Insn| -> Operands {
            (i.op(), i.imm, [i.rd, i.rs1, i.rs2, i.rs3, i.aux()], i.vm())
        };
        Key(start, insns.iter().map(operands).collect())
    }
}

/// A block of instructions.
pub(super) struct Code {
    pub key: Key,
    pub insns: Box<[Insn]>,
    /// The counter that it reads.
    pub counter: Option<Counter>,
}

impl Code {
    pub fn new(key: Key, insns: &[Insn]) -> Code {
        Code { key, insns: insns.into(), counter: Counter::of(insns) }
    }

    /// Address of its first byte.
    pub fn start(&self) -> u64 {
        self.key.0
    }

    /// Address after its last byte.
    pub fn end(&self) -> u64 {
        self.insns.last().map_or(self.start(), |i| self.start() + 2 * i.offset as u64 + i.bytes())
    }
}

/// An access without the lower half of its address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    high: u32,
    pub size: u32,
    pub store: bool,
}

impl Shape {
    pub fn of(a: &Access) -> Shape {
        Shape { high: (a.addr >> 32) as u32, size: a.size, store: a.store }
    }

    /// The access, with the lower half of its address.
    #[inline(always)]
    pub fn at(self, low: u32) -> Access {
        let addr = u64::from(self.high) << 32 | u64::from(low);
        Access { addr, size: self.size, store: self.store }
    }
}

/// What was observed of an instruction with a dynamic cost, apart from its accesses.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Observed {
    /// Number of its accesses.
    pub accesses: u32,
    /// vl, and the fields of vtype, after it.
    pub vl: u64,
    vtype: (u32, i8, [bool; 3]),
}

impl Observed {
    pub fn new(seen: &Seen<'_>) -> Observed {
        let VType { sew, lmul, vta, vma, vill } = seen.vtype;
        let vtype = (sew, lmul, [vta, vma, vill]);
        Observed { accesses: seen.accesses.len() as u32, vl: seen.vl, vtype }
    }

    pub fn vtype(&self) -> VType {
        let (sew, lmul, [vta, vma, vill]) = self.vtype;
        VType { sew, lmul, vta, vma, vill }
    }
}

/// A block as control passed through it.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Passage {
    /// Index of the block.
    pub code: u32,
    /// Control came from the block just before it in memory.
    pub sequential: bool,
    /// Number of instructions that retired: fewer than all if one trapped.
    pub retired: u8,
    /// The instructions with a dynamic cost that were executed, in order.
    pub observed: Vec<Observed>,
    /// Their accesses, in order.
    pub accesses: Vec<Shape>,
}
