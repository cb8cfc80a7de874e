//! Executes a program once.

use super::operation::{One, narrow_once};
use super::{Memory, Slots, Store};
use crate::code::alloc::Final;
use crate::code::eval::eval;
use crate::code::{Code, Insn};

/// Why a run ended early: the number of the reason that `illegal` gives, or the fault of a load.
pub(super) enum Early<F> {
    Illegal(usize),
    Fault(F),
}

/// Executes a program that consists only of operations on at most 64 bits.
pub(super) fn compute(program: &Final, s: &mut Slots) {
    for i in &program.code {
        let operands = [i.a, i.b, i.c].map(|slot| s[usize::from(slot)]);
        s[usize::from(i.d)] = narrow_once(i, One(operands));
    }
}

pub(super) fn execute<M: Memory>(
    program: &Final,
    s: &mut Slots,
    memory: &mut M,
    stores: &mut Vec<Store>,
) -> Result<(), Early<M::Fault>> {
    let mut pc = 0;
    while let Some(i) = program.code.get(pc) {
        pc += 1;
        // Operations first: nearly all instructions are operations.
        if i.code < Code::Load {
            if i.wide == 0 {
                let operands = [i.a, i.b, i.c].map(|slot| s[usize::from(slot)]);
                s[usize::from(i.d)] = narrow_once(i, One(operands));
            } else {
                wide(i, s);
            }
            continue;
        }
        match i.code {
            Code::Load => {
                let from = i.b.wrapping_add(offset(i, s));
                copy(s, i.d, from, i.y);
            }
            Code::Store => {
                let to = i.d.wrapping_add(offset(i, s));
                copy(s, to, i.b, i.y);
            }
            Code::JumpIfZero if s[usize::from(i.a)] != 0 => {}
            Code::Jump | Code::JumpIfZero => pc = usize::from(i.b) << 16 | usize::from(i.c),
            Code::Fetch => {
                let address = s[usize::from(i.a)];
                s[usize::from(i.d)] = memory.load(address, i.x / 8).map_err(Early::Fault)?;
            }
            Code::Put => {
                let [address, value] = [i.a, i.b].map(|slot| s[usize::from(slot)]);
                stores.push(Store { address, bytes: i.x / 8, value });
            }
            _ => return Err(Early::Illegal(usize::from(i.c))),
        }
    }
    Ok(())
}

/// How many words precede the element that an instruction accesses.
fn offset(i: &Insn<u16>, s: &Slots) -> u16 {
    (s[usize::from(i.a)] as u16).wrapping_mul(u16::from(i.y))
}

/// Copies an element of `words` words.
fn copy(s: &mut Slots, to: u16, from: u16, words: u8) {
    for n in 0..u16::from(words) {
        s[usize::from(to.wrapping_add(n))] = s[usize::from(from.wrapping_add(n))];
    }
}

/// An operation with operands or a result of more than 64 bits.
#[inline(never)]
fn wide(i: &Insn<u16>, s: &mut Slots) {
    let mut n = 0;
    let operands = [i.a, i.b, i.c].map(|slot| {
        n += 1;
        let low = u128::from(s[usize::from(slot)]);
        let high = || u128::from(s[usize::from(slot.wrapping_add(1))]);
        if i.wide >> n & 1 == 1 { low | high() << 64 } else { low }
    });
    let result = eval(i.code, i.x, i.y, operands);
    s[usize::from(i.d)] = result as u64;
    if i.wide & 1 == 1 {
        s[usize::from(i.d.wrapping_add(1))] = (result >> 64) as u64;
    }
}
