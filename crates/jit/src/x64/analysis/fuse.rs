//! Fuses several guest instructions into one host instruction: shifts whose values only one later instruction reads.
//!
//! Such a shift is deferred: no code is generated for it, and its reader takes the shift's source instead. Where code
//! leaves before the shifted value is dead, the exit materialises it (`Fused::live_at`).

use super::operands::Operands;
use crate::access::Access;
use capvec_isa::{Class, Op};
use capvec_sim::insn::Insn;

/// What an instruction is translated to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Itself.
    Plain,
    /// Nothing: the reader fuses it.
    Deferred,
    /// `x` rotated right by `by`, as a sign-extended word or as 64 bits.
    Rotate { word: bool, x: u8, by: u8 },
    /// The low `bits` of `x`, shifted left.
    ZeroExtend { x: u8, bits: u8, shift: u8 },
    /// The bits of `x`, or of its low word, from bit `by` on, under a mask.
    Field { word: bool, x: u8, by: u8, mask: i32 },
    /// `index` shifted left, plus `base`.
    Scaled { index: u8, base: u8, shift: u8 },
}

/// The forms of a trace's instructions.
pub struct Fused {
    forms: Vec<Form>,
    /// Deferred shifts: their positions, and the positions at which their results are overwritten.
    deferred: Vec<(usize, usize)>,
}

/// How far a shift may be from its reader, in instructions.
const MAX_DISTANCE: usize = 24;

impl Fused {
    /// No fusion.
    pub fn none(len: usize) -> Fused {
        Fused { forms: vec![Form::Plain; len], deferred: Vec::new() }
    }

    /// Fuses these instructions, which have these operands; `ends` are the last instructions of blocks.
    pub fn new(insns: &[&Insn], operands: &[Operands], ends: &[usize]) -> Fused {
        let mut f = Finder { insns, operands, ends, fused: Fused::none(insns.len()) };
        // Where each register was last written.
        let mut written = [None; 32];
        for at in 0..insns.len() {
            f.reader(at, &written);
            if operands[at].call {
                // A handler may write any register.
                written = [None; 32];
            }
            if operands[at].write > 0 {
                written[operands[at].write as usize] = Some(at);
            }
        }
        f.fused.deferred.sort_unstable();
        f.fused
    }

    /// The form of instruction `at`.
    pub fn form(&self, at: usize) -> Form {
        self.forms[at]
    }

    /// The operands of its form; `plain` are those of the instruction itself.
    pub fn operands(&self, at: usize, plain: Operands) -> Operands {
        let reads = match self.forms[at] {
            Form::Plain => return plain,
            Form::Deferred => return Operands::default(),
            Form::Rotate { x, .. } | Form::ZeroExtend { x, .. } | Form::Field { x, .. } => [x, 0],
            Form::Scaled { index, base, .. } => [index, base],
        };
        Operands { reads, ..plain }
    }

    /// The deferred shifts, in order, that an exit before instruction `at` must materialise.
    pub fn live_at(&self, at: usize) -> impl Iterator<Item = usize> {
        let until = self.deferred.partition_point(|(from, _)| *from < at);
        let open = self.deferred[..until].iter().filter(move |(_, to)| at <= *to);
        open.map(|(from, _)| *from)
    }
}

/// A shift by a constant.
#[derive(Clone, Copy)]
struct Shift {
    at: usize,
    x: u8,
    by: u8,
    left: bool,
    word: bool,
}

struct Finder<'a> {
    insns: &'a [&'a Insn],
    operands: &'a [Operands],
    ends: &'a [usize],
    fused: Fused,
}

impl Finder<'_> {
    /// The shift that last wrote `x`, if it is near enough to fuse.
    fn shift(&self, x: u8, reader: usize, written: &[Option<usize>; 32]) -> Option<Shift> {
        let at = written[x as usize & 31].filter(|_| x > 0)?;
        let i = self.insns[at];
        let (left, word) = match i.op().row().base {
            Op::Slli => (true, false),
            Op::Srli => (false, false),
            Op::Slliw => (true, true),
            Op::Srliw => (false, true),
            _ => return None,
        };
        let fits = self.fused.forms[at] == Form::Plain && reader - at <= MAX_DISTANCE;
        (fits && i.rs1 > 0).then_some(Shift { at, x: i.rs1, by: i.imm as u8, left, word })
    }

    /// Tries to fuse shifts into instruction `at`.
    fn reader(&mut self, at: usize, written: &[Option<usize>; 32]) {
        let i = self.insns[at];
        if self.operands[at].write == 0 {
            return;
        }
        let op = i.op().row().base;
        if op == Op::Srli {
            if let Some(s) = self.shift(i.rs1, at, written) {
                self.zero_extend(at, s, i.imm as u8);
            }
            return;
        }
        if op == Op::Andi && i.imm >= 0 {
            if let Some(s) = self.shift(i.rs1, at, written) {
                self.field(at, s, i.imm as i32);
            }
            return;
        }
        if !matches!(op, Op::Or | Op::Xor | Op::Add) || i.rs1 == i.rs2 {
            return;
        }
        let (a, b) = (self.shift(i.rs1, at, written), self.shift(i.rs2, at, written));
        if let (Some(a), Some(b)) = (a, b)
            && self.rotate(at, a, b)
        {
            return;
        }
        if op == Op::Add {
            let scaled = |s: &Shift| s.left && !s.word && (1..=3).contains(&s.by);
            if let Some(s) = a.filter(scaled) {
                self.scaled(at, s, i.rs2);
            } else if let Some(s) = b.filter(scaled) {
                self.scaled(at, s, i.rs1);
            }
        }
    }

    /// Two shifts that together rotate.
    fn rotate(&mut self, at: usize, a: Shift, b: Shift) -> bool {
        let bits = if a.word { 32 } else { 64 };
        let opposite = a.left != b.left && a.word == b.word && a.by as u32 + b.by as u32 == bits;
        let (first, second) = if a.at < b.at { (a, b) } else { (b, a) };
        let in_place = |s: Shift| self.operands[s.at].write == s.x;
        if !opposite || a.x != b.x || a.by == 0 || b.by == 0 || in_place(first) {
            return false;
        }
        let (x, source_lost) = (a.x, in_place(second));
        // The source must still hold the value: only the second shift may overwrite it.
        let mut between = first.at + 1..at;
        if between.any(|k| self.operands[k].write == x && !(source_lost && k == second.at)) {
            return false;
        }
        let second_to = self.dead_at(second, at, None);
        if source_lost && second_to.is_none() {
            return false;
        }
        let first_to = self.dead_at(first, at, source_lost.then_some(second.at));
        for (s, to) in [(first, first_to), (second, second_to)] {
            if let Some(to) = to {
                self.defer(s, to);
            }
        }
        let by = if a.left { b.by } else { a.by };
        self.fused.forms[at] = Form::Rotate { word: a.word, x, by };
        true
    }

    /// A left shift, then a right shift.
    fn zero_extend(&mut self, at: usize, s: Shift, right: u8) {
        let bits = 64 - s.by;
        if s.left && !s.word && matches!(bits, 8 | 16 | 32) && right <= s.by {
            let form = Form::ZeroExtend { x: s.x, bits, shift: s.by - right };
            self.single(at, s, form);
        }
    }

    /// A right shift, then a mask under which a rotation gives the same bits.
    fn field(&mut self, at: usize, s: Shift, mask: i32) {
        let bits = if s.word { 32 } else { 64 };
        if !s.left && (mask as u64) < 1 << (bits - s.by as u32).min(31) {
            self.single(at, s, Form::Field { word: s.word, x: s.x, by: s.by, mask });
        }
    }

    fn scaled(&mut self, at: usize, s: Shift, base: u8) {
        // After a shift in place, `base` would no longer be the register that was shifted.
        if base > 0 && base != self.operands[s.at].write {
            self.single(at, s, Form::Scaled { index: s.x, base, shift: s.by });
        }
    }

    /// Fuses one shift into the reader.
    fn single(&mut self, at: usize, s: Shift, form: Form) {
        let in_place = self.operands[s.at].write == s.x;
        let source_intact = in_place || (s.at + 1..at).all(|k| self.operands[k].write != s.x);
        if let Some(to) = self.dead_at(s, at, None).filter(|_| source_intact) {
            self.defer(s, to);
            self.fused.forms[at] = form;
        }
    }

    fn defer(&mut self, s: Shift, to: usize) {
        self.fused.forms[s.at] = Form::Deferred;
        self.fused.deferred.push((s.at, to));
    }

    /// Where the shift's value is overwritten, provided that only instruction `reader` reads it and that every exit
    /// before that point can recompute it. `twin` is a shift that overwrites its source and is deferred too.
    fn dead_at(&self, s: Shift, reader: usize, twin: Option<usize>) -> Option<usize> {
        let x = self.operands[s.at].write;
        let mut source_lost = false;
        for k in s.at + 1..self.insns.len().min(s.at + 2 * MAX_DISTANCE) {
            let o = &self.operands[k];
            if o.call || (k != reader && o.reads.contains(&x)) {
                return None;
            }
            let row = self.insns[k].op().row();
            let (class, is_access) = (row.class, matches!(row.class, Class::Load | Class::Store));
            let end = self.ends.binary_search(&k).is_ok();
            // A handler that is called leaves without materialising anything.
            if is_access && (source_lost || Access::of(row.base).is_none()) || source_lost && end {
                return None;
            }
            if o.write == x {
                return (k >= reader).then_some(k);
            }
            if class == Class::Branch || !has_known_exits(class) || k + 1 == self.insns.len() {
                return None;
            }
            source_lost |= o.write == s.x && twin != Some(k);
            if source_lost && end {
                return None;
            }
        }
        None
    }
}

/// Classes whose exits are known.
fn has_known_exits(class: Class) -> bool {
    matches!(class, Class::Alu | Class::Mul | Class::Load | Class::Store | Class::Jump)
}
