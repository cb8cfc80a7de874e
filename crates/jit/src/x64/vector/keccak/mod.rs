//! Keccak-p\[1600\] in host registers. AVX-512 is needed: for 32 registers, rotations and operations on three sources.

mod one;
mod steps;
mod two;

use crate::x64::asm::Rm;
use crate::x64::emit::Vectors;
use crate::x64::runtime::constant::place;
use crate::x64::vector_plan::Operation;
use crate::x64::vector_plan::keccak::GROUP;
use capvec_sim::crypto::keccak::ROUND_CONSTANTS;
use capvec_sim::insn::Insn;
use iced_x86::Code;
use one::One;
use std::ops::Range;
use steps::{CONSTANT, State};
use two::Two;

/// The places of the tables that its code reads.
pub fn tables() -> [Range<u64>; 2] {
    [place(&ROUND_CONSTANTS), one::offsets_place()]
}

/// Permutes the groups of vd with these rounds of Keccak-f\[1600\].
pub fn permute(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, rounds: Range<u8>) {
    if rounds.is_empty() {
        return;
    }
    t.vregs.release(&mut t.out.a);
    for from in (0..op.bytes).step_by(2 * GROUP as usize) {
        let first = i.rd as u32 * t.vlenb + from;
        match op.bytes - from > GROUP {
            true => permute_in(t, &Two([first, first + GROUP]), &rounds),
            false => permute_in(t, &One(first), &rounds),
        }
    }
}

fn permute_in(t: &mut Vectors<'_, '_>, state: &impl State, rounds: &Range<u8>) {
    let constant = |round: u8| ROUND_CONSTANTS.as_ptr() as u64 + 8 * round as u64;
    state.load(t);
    let a = &mut t.out.a;
    state.prepare(a);
    a.mov_address(CONSTANT, constant(rounds.start));
    let next = a.label();
    a.bind(next);
    state.round(a);
    a.imm(Code::Add_rm64_imm32, Rm::R(CONSTANT), 8);
    // The constants lie so near each other that the low half of an address tells them apart.
    a.imm(Code::Cmp_rm32_imm32, Rm::R(CONSTANT), constant(rounds.end) as u32 as i32);
    a.jump(Code::Jne_rel32_64, next);
    state.store(t);
}
