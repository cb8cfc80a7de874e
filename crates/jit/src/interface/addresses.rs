//! Finds which accesses of a trace lie close together, from how their addresses are computed, so that one permission
//! check covers many.
//!
//! A register's value is a root, which is an unknown value, plus an offset between two bounds: adding a constant
//! moves the bounds, and adding a small number, such as a masked one, widens them.

use crate::access::Access;
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use capvec_sim::mem::PAGE;

/// Maximum number of bytes from the lowest to the highest access that one permission check can cover.
pub const MAX_SPAN: i64 = PAGE as i64;

/// The symbolic address range of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange {
    /// Number of the root.
    pub root: u32,
    /// The least offset of the first byte from the root.
    pub low: i64,
    /// The greatest offset of the end from the root.
    pub high: i64,
    /// Permission bits in the table.
    pub need: u8,
    /// An x register that holds the root plus a known offset, and that offset.
    pub anchor: (u8, i64),
}

/// What an instruction does to the x registers.
#[derive(Clone, Copy)]
pub struct Effect {
    /// It calls a handler, which may write any register.
    pub call: bool,
    /// The register that it writes; 0 for none.
    pub write: u8,
    /// It is translated together with others, so that its result is not what it says, or is in no register.
    pub fused: bool,
    /// The result is this base plus the other operand.
    pub base: Option<u8>,
}

/// The root and offset bounds of a register's value.
#[derive(Clone, Copy)]
struct Value {
    root: u32,
    low: i64,
    high: i64,
}

/// Largest offset from a root that is tracked.
pub const MAX_OFFSET: i64 = 1 << 20;
/// Largest number that may be added as an unknown offset.
const MAX_INDEX: u64 = 2048;

struct Finder {
    values: [Value; 32],
    /// An upper bound of each register's value, unsigned.
    limits: [u64; 32],
    roots: u32,
}

/// The address range of each instruction whose access generated code performs.
pub fn addresses(
    insns: &[&Insn],
    effects: impl Iterator<Item = Effect>,
) -> Vec<Option<AddressRange>> {
    let value = Value { root: 0, low: 0, high: 0 };
    let mut f = Finder { values: [value; 32], limits: [u64::MAX; 32], roots: 0 };
    (0..32).for_each(|x| f.values[x] = f.root());
    f.limits[0] = 0;
    let mut addresses = Vec::with_capacity(insns.len());
    for (i, e) in insns.iter().zip(effects) {
        addresses.push(f.address(i, &e));
        f.pass(i, &e);
    }
    addresses
}

impl Finder {
    /// A value of which nothing is known.
    fn root(&mut self) -> Value {
        self.roots += 1;
        Value { root: self.roots, low: 0, high: 0 }
    }

    fn address(&mut self, i: &Insn, e: &Effect) -> Option<AddressRange> {
        let row = i.op().row();
        let (imm, size, need) = match Access::of(row.base) {
            Some(a) => (i.imm, a.size, a.need),
            // The access's length is not known here.
            None if row.class.is_vector() && !e.call => (0, 0, 0),
            None => return None,
        };
        let x = i.rs1 & 31;
        let v = self.values[x as usize];
        let near = if size == 0 { v.low == v.high } else { v.high - v.low + size <= MAX_SPAN };
        let (v, register) = match self.anchor(x).filter(|_| near) {
            Some(y) => (v, y),
            None => {
                self.values[x as usize] = self.root();
                (self.values[x as usize], x)
            }
        };
        let anchor = (register, self.values[register as usize].low);
        Some(AddressRange {
            root: v.root,
            low: v.low + imm,
            high: v.high + imm + size,
            need,
            anchor,
        })
    }

    /// A register, preferably `x`, that holds a known offset from the root of `x`.
    fn anchor(&self, x: u8) -> Option<u8> {
        let root = self.values[x as usize].root;
        let holds = |y: &u8| {
            let v = self.values[*y as usize];
            v.root == root && v.low == v.high
        };
        std::iter::once(x).chain(1..32).find(holds)
    }

    /// Updates the values after the instruction.
    fn pass(&mut self, i: &Insn, e: &Effect) {
        if e.call {
            (1..32).for_each(|x| self.values[x] = self.root());
            self.limits[1..].fill(u64::MAX);
        } else if (1..32).contains(&e.write) {
            let op = i.op().row().base;
            let (value, limit) = (self.value(op, i, e), self.limit(op, i));
            let fits =
                |v: &Value| v.low > -MAX_OFFSET && v.high < MAX_OFFSET && v.high - v.low < MAX_SPAN;
            let value = value.filter(fits).unwrap_or_else(|| self.root());
            (self.values[e.write as usize], self.limits[e.write as usize]) = (value, limit);
        }
    }

    fn value(&self, op: Op, i: &Insn, e: &Effect) -> Option<Value> {
        let of = |x: u8, low: i64, high: i64| {
            let v = self.values[x as usize & 31];
            Some(Value { root: v.root, low: v.low + low, high: v.high + high })
        };
        let small = |x: u8, shift: u32| {
            let limit = self.limits[x as usize & 31];
            (limit <= MAX_INDEX).then_some((limit << shift) as i64)
        };
        if let Some(base) = e.base {
            return of(base, 0, small(if base == i.rs1 { i.rs2 } else { i.rs1 }, 0)?);
        }
        if e.fused {
            return None;
        }
        match op {
            Op::Addi if i.rs1 > 0 => of(i.rs1, i.imm, i.imm),
            Op::Add => match (small(i.rs2, 0), small(i.rs1, 0)) {
                (Some(most), _) => of(i.rs1, 0, most),
                (None, Some(most)) => of(i.rs2, 0, most),
                _ => None,
            },
            Op::Sh1add => of(i.rs2, 0, small(i.rs1, 1)?),
            Op::Sh2add => of(i.rs2, 0, small(i.rs1, 2)?),
            Op::Sh3add => of(i.rs2, 0, small(i.rs1, 3)?),
            _ => None,
        }
    }

    fn limit(&self, op: Op, i: &Insn) -> u64 {
        let (a, b) = (self.limits[i.rs1 as usize & 31], self.limits[i.rs2 as usize & 31]);
        let imm = i.imm as u64;
        // Small enough to be the same number in 32 and 64 bits.
        let word = |v: u64| if v <= i32::MAX as u64 { v } else { u64::MAX };
        match op {
            Op::Andi if i.imm >= 0 => imm.min(a),
            Op::And => a.min(b),
            Op::Lbu => 0xff,
            Op::Lhu | Op::ZextH => 0xffff,
            Op::Srli => a >> (imm & 63),
            Op::Srliw if imm > 0 => (u32::MAX >> (imm & 31)) as u64,
            Op::Slli | Op::Slliw if a <= u16::MAX as u64 && imm < 16 => word(a << imm),
            Op::Add => word(a.saturating_add(b)),
            Op::Addi if i.imm >= 0 => word(a.saturating_add(imm)),
            Op::Sltu | Op::Sltiu | Op::Slt | Op::Slti => 1,
            _ => u64::MAX,
        }
    }
}
