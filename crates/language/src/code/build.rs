//! Emits instructions, and folds those of constants.

use super::eval::eval;
use super::ranges::{self, Limits};
use super::{Code, Insn, MAX_INSNS, ones, words};
use std::collections::HashMap;

/// A value of bits: known, in a slot that is written once, or not there yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Const(u128),
    Slot(u32),
    Unset,
}

/// An operand and its width.
pub(crate) type Operand = (Item, u32);

/// Slots that belong together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub start: u32,
    pub len: u32,
    /// Not to be used for anything else: ports and constants.
    pub kept: bool,
}

#[derive(Default)]
pub(crate) struct Builder {
    pub code: Vec<Insn<u32>>,
    pub blocks: Vec<Block>,
    /// The block of each slot.
    pub owner: Vec<u32>,
    /// What slots hold from the start.
    pub initial: Vec<(u32, u64)>,
    pub reasons: Vec<String>,
    pub labels: u32,
    /// The ranges of the slots whose values have a narrower range than their width allows.
    limits: HashMap<u32, Limits>,
    consts: HashMap<(Vec<u128>, usize), u32>,
    /// Instructions so far, those of enclosing branches included.
    count: usize,
}

/// Maximum number of slots before they are shared.
const MAX_VIRTUAL: usize = 1 << 23;

impl Builder {
    /// Whether the program has become too long; nothing more is emitted then.
    pub fn full(&self) -> bool {
        self.count > MAX_INSNS || self.owner.len() > MAX_VIRTUAL
    }

    pub fn block(&mut self, len: usize, kept: bool) -> u32 {
        let start = self.owner.len() as u32;
        if len > MAX_VIRTUAL {
            return start;
        }
        self.owner.resize(self.owner.len() + len, self.blocks.len() as u32);
        self.blocks.push(Block { start, len: len as u32, kept });
        start
    }

    pub fn push(&mut self, insn: Insn<u32>) {
        self.count += 1;
        if !self.full() {
            self.code.push(insn);
        }
    }

    /// The slot of a constant, or of several in order.
    fn constants(&mut self, values: Vec<u128>, words: usize) -> u32 {
        if let Some(slot) = self.consts.get(&(values.clone(), words)) {
            return *slot;
        }
        let start = self.block(values.len() * words, true);
        for (n, value) in values.iter().enumerate() {
            let slot = start + (n * words) as u32;
            self.initial.push((slot, *value as u64));
            if words == 2 {
                self.initial.push((slot + 1, (value >> 64) as u64));
            }
        }
        self.consts.insert((values, words), start);
        start
    }

    fn slot(&mut self, (item, width): Operand) -> u32 {
        match item {
            Item::Slot(slot) => slot,
            Item::Const(value) => self.constants(vec![value], words(width)),
            Item::Unset => self.constants(vec![0], words(width)),
        }
    }

    /// The result of an instruction: a constant if its operands are.
    pub fn op(&mut self, code: Code, width: u32, y: u32, operands: &[Operand]) -> Item {
        let (x, y) = match code {
            Code::Eq
            | Code::Ne
            | Code::Less
            | Code::LessEqual
            | Code::SignedLess
            | Code::SignedLessEqual
            | Code::Clz
            | Code::Ctz
            | Code::Cpop => (operands[0].1 as u8, y as u8),
            _ => (width as u8, y as u8),
        };
        let value = |n: usize| match operands.get(n) {
            Some((Item::Const(value), _)) => Some(*value),
            Some(_) => None,
            None => Some(0),
        };
        if let (Some(a), Some(b), Some(c)) = (value(0), value(1), value(2)) {
            return Item::Const(eval(code, x, y, [a, b, c]));
        }
        if let Some(same) = identity(code, width, operands) {
            return same;
        }
        let limits: Vec<Limits> = operands.iter().map(|o| self.limits(*o)).collect();
        let Some(code) = ranges::cheapest(code, width, y.into(), &limits) else {
            return operands[0].0;
        };
        let result = ranges::result(code, width, y.into(), &limits);
        let item = self.selected(code, [x, y], width, operands);
        if let (Item::Slot(slot), true) = (item, result != Limits::of_width(width)) {
            self.limits.insert(slot, result);
        }
        item
    }

    /// Emits an operation, in the form that suits constant operands.
    fn selected(&mut self, code: Code, [x, y]: [u8; 2], width: u32, operands: &[Operand]) -> Item {
        let value = |n: usize| match operands.get(n) {
            Some((Item::Const(value), _)) => Some(*value),
            _ => None,
        };
        if matches!(code, Code::Div | Code::Rem) && value(1).is_some() {
            return self.emit(code, x, 1, width, operands);
        }
        if let (Code::Rotl, Some(n)) = (code, value(1)) {
            let n = (n % u128::from(width)) as u32;
            return self.emit(Code::RotlBy, x, n as u8, width, &operands[..1]);
        }
        if let (Code::Rotr, Some(n)) = (code, value(1)) {
            let n = (width - (n % u128::from(width)) as u32) % width;
            return self.op(Code::Rotl, width, 0, &[operands[0], (Item::Const(u128::from(n)), 8)]);
        }
        self.emit(code, x, y, width, operands)
    }

    fn emit(&mut self, code: Code, x: u8, y: u8, width: u32, operands: &[Operand]) -> Item {
        let d = self.block(words(width), false);
        let mut wide = u8::from(width > 64);
        let mut slots = [0; 3];
        for (n, operand) in operands.iter().enumerate() {
            slots[n] = self.slot(*operand);
            wide |= u8::from(operand.1 > 64) << (n + 1);
        }
        let [a, b, c] = slots;
        self.push(Insn { code, x, y, wide, d, a, b, c });
        Item::Slot(d)
    }

    /// The range of a value.
    fn limits(&self, (item, width): Operand) -> Limits {
        match item {
            Item::Const(value) => Limits::of_constant(value),
            Item::Slot(slot) => self.limits.get(&slot).copied().unwrap_or(Limits::of_width(width)),
            Item::Unset => Limits::of_width(width),
        }
    }

    /// Copies a value into a slot.
    pub fn mov(&mut self, d: u32, item: Item, width: u32) {
        let a = self.slot((item, width));
        let wide = if width > 64 { 3 } else { 0 };
        self.push(Insn { code: Code::Mov, x: width as u8, y: 0, wide, d, a, b: 0, c: 0 });
    }

    /// Copies one of two values into a slot.
    pub fn select(&mut self, d: u32, cond: Item, from: [Item; 2], width: u32) {
        let a = self.slot((cond, 1));
        let [b, c] = from.map(|item| self.slot((item, width)));
        let wide = if width > 64 { 0b1101 } else { 0 };
        self.push(Insn { code: Code::Select, x: width as u8, y: 0, wide, d, a, b, c });
    }

    /// The block of these elements, which is made if they are not in one.
    fn gather(&mut self, items: &[Item], width: u32) -> u32 {
        let n = words(width);
        let constant =
            |item: &Item| if let Item::Const(value) = item { Some(*value) } else { None };
        if let Some(values) = items.iter().map(constant).collect::<Option<Vec<u128>>>() {
            return self.constants(values, n);
        }
        if let Some(Item::Slot(start)) = items.first() {
            let in_order = |(k, item): (usize, &Item)| *item == Item::Slot(start + (k * n) as u32);
            let block = self.blocks[self.owner[*start as usize] as usize];
            let fits = block.start == *start && block.len as usize == items.len() * n;
            if fits && items.iter().enumerate().all(in_order) {
                return *start;
            }
        }
        self.copy(items, width)
    }

    fn copy(&mut self, items: &[Item], width: u32) -> u32 {
        let n = words(width);
        let start = self.block(items.len() * n, false);
        for (k, item) in items.iter().enumerate() {
            self.mov(start + (k * n) as u32, *item, width);
        }
        start
    }

    /// The element at an index that is known to be within the array.
    pub fn load(&mut self, items: &[Item], width: u32, index: Operand) -> Item {
        let b = self.gather(items, width);
        let (a, d) = (self.slot(index), self.block(words(width), false));
        let wide = if width > 64 { 1 } else { 0 };
        self.push(Insn {
            code: Code::Load,
            x: width as u8,
            y: words(width) as u8,
            wide,
            d,
            a,
            b,
            c: 0,
        });
        Item::Slot(d)
    }

    /// The array with another element at an index that is known to be within it.
    pub fn store(&mut self, items: &[Item], width: u32, index: Operand, value: Item) -> Vec<Item> {
        let d = self.copy(items, width);
        let (a, b) = (self.slot(index), self.slot((value, width)));
        let n = words(width);
        let wide = if width > 64 { 4 } else { 0 };
        self.push(Insn { code: Code::Store, x: width as u8, y: n as u8, wide, d, a, b, c: 0 });
        (0..items.len()).map(|k| Item::Slot(d + (k * n) as u32)).collect()
    }

    /// So many bits of memory at this address.
    pub fn fetch(&mut self, address: Operand, width: u32) -> Item {
        let (a, d) = (self.slot(address), self.block(1, false));
        let code = Code::Fetch;
        self.push(Insn { code, x: width as u8, y: 0, wide: 0, d, a, b: 0, c: 0 });
        Item::Slot(d)
    }

    /// Memory at this address becomes the value, of at most 64 bits.
    pub fn put(&mut self, address: Operand, value: Operand) {
        let (a, b) = (self.slot(address), self.slot(value));
        let code = Code::Put;
        self.push(Insn { code, x: value.1 as u8, y: 0, wide: 0, d: 0, a, b, c: 0 });
    }

    pub fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels - 1
    }

    /// An instruction of control flow.
    pub fn control(&mut self, code: Code, a: Option<Operand>, c: u32) {
        let a = a.map_or(0, |a| self.slot(a));
        self.push(Insn { code, x: 1, y: 0, wide: 0, d: 0, a, b: 0, c });
    }

    pub fn reason(&mut self, why: &str) -> u32 {
        let known = self.reasons.iter().position(|r| r == why);
        known.unwrap_or_else(|| {
            self.reasons.push(why.into());
            self.reasons.len() - 1
        }) as u32
    }
}

/// The operand that an operation with a constant leaves as it is.
fn identity(code: Code, width: u32, operands: &[Operand]) -> Option<Item> {
    use Code::{Add, And, Or, Rotl, Rotr, Shl, Shr, Slice, Sra, Sub, Xor};
    let of = |n: usize| operands.get(n).map(|o| o.0);
    let (a, b) = (of(0)?, of(1));
    match code {
        Slice if operands[0].1 == width => Some(a),
        Add | Sub | Or | Xor | Shl | Shr | Sra | Rotl | Rotr if b == Some(Item::Const(0)) => {
            Some(a)
        }
        Add | Or | Xor if a == Item::Const(0) => b,
        And if b == Some(Item::Const(ones(width))) => Some(a),
        And if a == Item::Const(ones(width)) => b,
        _ => None,
    }
}
