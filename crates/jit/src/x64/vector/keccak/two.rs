//! Two element groups at once: each lane of the state is in a host register, whose halves belong to the groups.

use super::steps::{CHI, CONSTANT, State, XOR3, rho_offset, rotate, ternary, walk};
use crate::x64::asm::vector::{V, Vm, Wide};
use crate::x64::asm::{Asm, at};
use crate::x64::emit::Vectors;
use iced_x86::Code;

const X: Wide = Wide::X;
const LANES: u8 = 25;
/// Column parities: five registers from here on.
const PARITY: u8 = LANES;
const TEMP: [V; 2] = [V(30), V(31)];

/// Two states in guest memory, at these offsets.
pub struct Two(pub [u32; 2]);

impl State for Two {
    fn load(&self, t: &mut Vectors<'_, '_>) {
        for lane in 0..LANES {
            let [first, second] = self.0.map(|group| t.memory(group + 8 * lane as u32));
            t.out.a.v_load_low(V(lane), first);
            t.out.a.v_load_high(V(lane), second);
        }
    }

    fn round(&self, a: &mut Asm) {
        theta(a);
        rho_and_pi(a);
        chi(a);
        a.v2(Code::EVEX_Vpbroadcastq_xmm_k1z_xmmm64, X, TEMP[0], Vm::M(at(CONSTANT, 0)));
        a.v3(Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64, X, V(0), V(0), Vm::R(TEMP[0]));
    }

    fn store(&self, t: &mut Vectors<'_, '_>) {
        for lane in 0..LANES {
            let [first, second] = self.0.map(|group| t.memory(group + 8 * lane as u32));
            t.out.a.v_store_low(first, V(lane));
            t.out.a.v_store_high(second, V(lane));
        }
    }
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
    let walk = walk();
    let lane = |t: usize| V(walk[t].0 + 5 * walk[t].1);
    a.v_mov(X, TEMP[0], Vm::R(lane(0)));
    for t in (0..24).rev() {
        let from = if t == 0 { TEMP[0] } else { lane(t) };
        rotate(a, lane(t + 1), from, rho_offset(t));
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
