//! Files with custom instructions.

use capvec_isa::{Decoded, Ext, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::config;
use capvec_sim::{Hart, Memory};
use std::sync::Arc;

const DATA: u64 = 0x10_0000;

/// Refuses a file, or makes its header and executes its instructions. Registering is left out, because what is registered
/// stays.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match capvec_custom::parse("fuzz.toml", text) {
        Ok(extension) => {
            assert!(extension.header().contains(extension.name()));
            execute(&extension, data.len() as u64);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Executes every instruction at two SEWs, masked and not, with addresses at the end of a page.
fn execute(extension: &capvec_custom::Extension, seed: u64) {
    let mem = Memory::new().unwrap_or_else(|e| panic!("{e}"));
    mem.map(DATA, PAGE, Perm::RW).unwrap_or_else(|e| panic!("{e}"));
    let mut h = Hart::new(Arc::new(config(&[Ext::V], 128, Agnostic::Ones)), mem);
    for r in 1..32 {
        h.write_x(r, DATA + PAGE - 64 + (seed ^ u64::from(r)) % 64);
    }
    for sew in [16, 64] {
        for vm in [true, false] {
            let registers =
                Decoded { rd: 8, rs1: 12, rs2: 16, rs3: 20, vm, ..Decoded::new(Op::VaddVv) };
            let insn = Insn::new(&registers, nothing, 0, 0);
            for semantics in extension.semantics() {
                (h.v.vl, h.v.vstart) = (8, 0);
                h.v.vtype.vill = false;
                (h.v.vtype.sew, h.v.vtype.lmul) = (sew, 2);
                let done = semantics(&mut h, &insn, true);
                assert_eq!(h.x(0), 0);
                assert!(done.is_err() || h.v.vstart == 0);
                h.accesses.clear();
            }
        }
    }
}

fn nothing(_: &mut Hart, _: &Insn) -> Exec {
    Ok(())
}
