//! Keccak-p\[1600\]. Each lane of the state is in a host register, whose halves belong to two element groups. So AVX-512 is
//! needed: for 32 registers, rotations and operations on three sources.

use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Asm, Reg, Rm, at};
use crate::x64::emit::Vectors;
use crate::x64::vector_plan::Operation;
use crate::x64::vector_plan::keccak::GROUP;
use capvec_sim::crypto::keccak::ROUND_CONSTANTS;
use capvec_sim::insn::Insn;
use iced_x86::Code;
use std::ops::Range;

const X: Wide = Wide::X;
const LANES: u8 = 25;
/// Column parities: five registers from here on.
const PARITY: u8 = LANES;
const TEMP: [V; 2] = [V(30), V(31)];
/// Points to a round constant, and after the last one.
const CONSTANT: Reg = Reg::RAX;
const END: Reg = Reg::RCX;

/// Ternary operations: the XOR of three sources, and a ^ !b & c.
const XOR3: u32 = 0x96;
const CHI: u32 = 0xd2;

/// Permutes the groups of vd with these rounds of Keccak-f\[1600\].
pub fn permute(t: &mut Vectors<'_, '_>, i: &Insn, op: &Operation, rounds: Range<u8>) {
    if rounds.is_empty() {
        return;
    }
    t.vregs.release(&mut t.out.a);
    let constant = |round: u8| ROUND_CONSTANTS.as_ptr() as u64 + 8 * round as u64;
    for from in (0..op.bytes).step_by(2 * GROUP as usize) {
        let first = i.rd as u32 * t.vlenb + from;
        let second = (op.bytes - from > GROUP).then_some(first + GROUP);
        for lane in 0..LANES {
            let m = t.memory(first + 8 * lane as u32);
            t.out.a.v_load_low(V(lane), m);
            if let Some(second) = second {
                let m = t.memory(second + 8 * lane as u32);
                t.out.a.v_load_high(V(lane), m);
            }
        }
        let a = &mut t.out.a;
        a.mov_imm(CONSTANT, constant(rounds.start));
        a.mov_imm(END, constant(rounds.end));
        let next = a.label();
        a.bind(next);
        theta(a);
        rho_and_pi(a);
        chi(a);
        a.v2(Code::EVEX_Vpbroadcastq_xmm_k1z_xmmm64, X, TEMP[0], Vm::M(at(CONSTANT, 0)));
        a.v3(Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64, X, V(0), V(0), Vm::R(TEMP[0]));
        a.imm(Code::Add_rm64_imm32, Rm::R(CONSTANT), 8);
        a.op2(Code::Cmp_r64_rm64, CONSTANT, Rm::R(END));
        a.jump(Code::Jne_rel32_64, next);
        for lane in 0..LANES {
            let m = t.memory(first + 8 * lane as u32);
            t.out.a.v_store_low(m, V(lane));
            if let Some(second) = second {
                let m = t.memory(second + 8 * lane as u32);
                t.out.a.v_store_high(m, V(lane));
            }
        }
    }
}

/// `d` = op(d, a, b).
fn ternary(asm: &mut Asm, d: V, a: V, b: V, op: u32) {
    asm.v3i(Code::EVEX_Vpternlogq_xmm_k1z_xmm_xmmm128b64_imm8, X, d, a, b, op);
}

/// `d` = `s` rotated left.
fn rotate(asm: &mut Asm, d: V, s: V, by: u32) {
    asm.v2i(Code::EVEX_Vprolq_xmm_k1z_xmmm128b64_imm8, X, d, s, by);
}

/// FIPS 202, algorithm 1.
fn theta(a: &mut Asm) {
    let parity = |x: u8| V(PARITY + x % 5);
    for x in 0..5 {
        a.v_mov(X, parity(x), Vm::R(V(x)));
        ternary(a, parity(x), V(x + 5), V(x + 10), XOR3);
        ternary(a, parity(x), V(x + 15), V(x + 20), XOR3);
    }
    for x in 0..5 {
        rotate(a, TEMP[0], parity(x + 1), 1);
        for y in 0..5 {
            ternary(a, V(x + 5 * y), parity(x + 4), TEMP[0], XOR3);
        }
    }
}

/// FIPS 202, algorithms 2 and 3: each lane of the walk replaces the next one. The last is replaced first, since its old
/// value is not needed any more.
fn rho_and_pi(a: &mut Asm) {
    let mut walk = [(1, 0); 25];
    for t in 0..24 {
        let (x, y) = walk[t];
        walk[t + 1] = (y, (2 * x + 3 * y) % 5);
    }
    let lane = |t: usize| V(walk[t].0 + 5 * walk[t].1);
    a.v_mov(X, TEMP[0], Vm::R(lane(0)));
    for t in (0..24).rev() {
        let from = if t == 0 { TEMP[0] } else { lane(t) };
        rotate(a, lane(t + 1), from, (t as u32 + 1) * (t as u32 + 2) / 2 % 64);
    }
}

/// FIPS 202, algorithm 4.
fn chi(a: &mut Asm) {
    for row in (0..LANES).step_by(5) {
        let lane = [V(row), V(row + 1), V(row + 2), V(row + 3), V(row + 4), TEMP[0], TEMP[1]];
        a.v_mov(X, lane[5], Vm::R(lane[0]));
        a.v_mov(X, lane[6], Vm::R(lane[1]));
        for x in 0..5 {
            ternary(a, lane[x], lane[x + 1], lane[x + 2], CHI);
        }
    }
}
