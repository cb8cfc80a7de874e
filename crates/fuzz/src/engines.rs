//! The translating engine against the interpreter, in lockstep.

use capvec_jit::{Both, Options, Unsupported};
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{config, ext_sets};
use capvec_sim::{Engine, Hart, Memory, Stop};
use capvec_timing::Core;
use std::sync::Arc;

pub const CODE: u64 = 0x1_0000;
pub const DATA: u64 = 0x10_0000;
/// Maximum number of bytes of code.
pub const MAX_CODE: usize = 2 * PAGE as usize;
/// Instructions between returns to the run loop, in turn.
const BUDGETS: [u64; 4] = [3, 40, 500, 2000];
/// Maximum number of traps of a run; after each, the next instruction runs.
pub const TRAPS: usize = 64;

/// The first bytes select core, VLEN, and policy and extensions; the others are code, which runs with pages of every permission.
pub fn run(data: &[u8]) {
    let [core, vlen, policy, code @ ..] = data else { return };
    let cores: Vec<&str> = Core::names().collect();
    let name = cores[*core as usize % cores.len()];
    let Ok(core) = Core::load(name) else { panic!("{name} is built in") };
    let core = Core { vlen: 128 << (vlen % 4), ..core };
    let agnostic = if policy & 1 == 0 { Agnostic::Undisturbed } else { Agnostic::Ones };
    let options = Options { hot_threshold: policy >> 1 & 1, ..Options::default() };
    let other = match capvec_jit::engine(options, core.timing()) {
        // This host has no translating engine for the core to compare.
        Err(Unsupported::Processor | Unsupported::Cycles) => return,
        engine => engine.unwrap_or_else(|e| panic!("{e}")),
    };
    let mut both = Both::new(core.engine(false), other, |d| panic!("{d}"));
    let sets = ext_sets();
    let config = config(&sets[(policy >> 2) as usize % sets.len()], core.vlen, agnostic);
    execute(&mut both, &mut hart(config, &code[..code.len().min(MAX_CODE)]));
}

pub fn hart(config: Config, code: &[u8]) -> Hart {
    let mem = Memory::new().unwrap_or_else(|e| panic!("{e}"));
    let pages = [(CODE, 2, 5), (DATA, 2, 3), (DATA + 2 * PAGE, 1, 1), (DATA + 4 * PAGE, 1, 3)];
    for (at, count, perm) in pages {
        mem.map(at, count * PAGE, Perm(perm)).unwrap_or_else(|e| panic!("{e}"));
    }
    let written = mem.write_as(CODE, code, Perm::NONE);
    assert_eq!(written, Ok(()), "the pages are mapped");
    let mut h = Hart::new(Arc::new(config), mem);
    h.pc = CODE;
    for r in 1..32u64 {
        // Close to page boundaries, or random.
        let near = DATA + (r % 5) * PAGE - r;
        h.write_x(r as u8, if r % 3 == 0 { r.wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { near });
    }
    h
}

fn execute(both: &mut dyn Engine, h: &mut Hart) {
    for n in 0..TRAPS {
        if let Stop::Trap(_) = both.run(h, BUDGETS[n % BUDGETS.len()]) {
            let mut half = [0; 2];
            if h.mem.read_as(h.pc, &mut half, Perm::NONE).is_err() {
                return;
            }
            h.pc += if half[0] & 3 == 3 { 4 } else { 2 };
        }
    }
}
