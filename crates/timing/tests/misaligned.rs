//! The cost of emulating misaligned accesses: cycles more than on the same core that carries them out.

use capvec_isa::{Ext, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::{Memory, PAGE, Perm};
use capvec_sim::testing::{CODE, DATA, DATA_LEN, config, word};
use capvec_sim::{Cause, Hart, Stop};
use capvec_timing::{Core, Setting};
use std::sync::Arc;

/// karu64 with these settings.
fn core(settings: &[(&str, &str)]) -> Core {
    let setting = |(key, value): &(&str, &str)| Setting {
        key: format!("misaligned.{key}"),
        value: (*value).into(),
    };
    let settings: Vec<Setting> = settings.iter().map(setting).collect();
    Core::load("karu64").unwrap().with(&settings).unwrap()
}

/// Cycles of an instruction after `vsetivli zero, 4, e32, m1`, at `DATA` plus `offset` with a stride of `stride`.
fn cycles(core: &Core, access: u32, offset: u64, stride: u64) -> u64 {
    let mem = Memory::new().unwrap();
    mem.map(CODE, PAGE, Perm(Perm::R.0 | Perm::X.0)).unwrap();
    mem.map(DATA, DATA_LEN, Perm::RW).unwrap();
    let vset = word(Op::Vsetivli, |d| (d.rs1, d.imm) = (4, 0x10));
    let words = [vset, access, 0x0010_0073];
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write_as(CODE, &bytes, Perm::NONE).unwrap();
    let mut h = Hart::new(Arc::new(config(&[Ext::V], 256, Agnostic::Undisturbed)), mem);
    h.pc = CODE;
    h.write_x(10, DATA + offset);
    h.write_x(11, stride);
    let stop = core.engine(false).run(&mut h, u64::MAX);
    assert!(matches!(stop, Stop::Trap(t) if t.cause == Cause::Breakpoint), "{stop:?}");
    h.cycles
}

#[test]
fn a_scalar_access_costs_its_emulation() {
    let (done, emulated) = (core(&[]), core(&[("scalar", "slow"), ("scalar_cycles", "700")]));
    for (op, size) in [(Op::Lhu, 2), (Op::Lw, 4), (Op::Ld, 8), (Op::Sd, 8)] {
        let access = word(op, |d| (d.rd, d.rs1, d.rs2) = (5, 10, 6));
        for offset in 0..16 {
            let [a, b] = [&done, &emulated].map(|core| cycles(core, access, offset, 0));
            if offset % size == 0 {
                assert_eq!(a, b, "{op:?} at {offset}");
            } else if offset % 8 + size <= 8 {
                assert_eq!(b, a + 700, "{op:?} at {offset}");
            } else {
                // The emulation replaces the 9.5 cycles of an access that crosses the data path;
                // the half cycle may add up with another one.
                assert!((a + 690..=a + 691).contains(&b), "{op:?} at {offset}: {a} {b}");
            }
        }
    }
}

/// The trap handler, not the vector unit, executes the instruction, so only the cost of the emulation depends on how many
/// elements are misaligned.
#[test]
fn a_vector_instruction_costs_its_misaligned_elements() {
    let costs = |first: &str| {
        core(&[("vector", "slow"), ("vector_cycles", first), ("element_cycles", "10")])
    };
    let (low, high) = (costs("200"), costs("500"));
    let unit = word(Op::Vle32V, |d| (d.rd, d.rs1) = (8, 10));
    let strided = word(Op::Vlse32V, |d| (d.rd, d.rs1, d.rs2) = (8, 10, 11));
    // Of four elements, all are misaligned; with a stride of six bytes, the second and the fourth.
    let all = cycles(&low, unit, 2, 0);
    assert_eq!(cycles(&high, unit, 2, 0), all + 300);
    assert_eq!(cycles(&low, strided, 0, 6), all - 2 * 10);
    assert_eq!(cycles(&low, strided, 2, 4), all);
    // Aligned accesses cost as much as on a core without emulation, and bytes are always aligned.
    let done = core(&[]);
    let bytes = word(Op::Vle8V, |d| (d.rd, d.rs1) = (8, 10));
    for (access, offset) in [(unit, 4), (strided, 8), (bytes, 1)] {
        assert_eq!(cycles(&low, access, offset, 8), cycles(&done, access, offset, 8));
    }
}
