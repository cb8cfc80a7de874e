//! Vector loads and stores.

use capvec_isa::{Ext, Op};
use capvec_sim::testing::{DATA, Rig, config, word};
use capvec_sim::{Cause, hart::Access, hart::Agnostic};

#[test]
fn unit_stride_copies_and_logs_one_access() {
    let mut rig = Rig::new(config(&[Ext::V], 256, Agnostic::Undisturbed));
    let bytes: Vec<u8> = (0..64).collect();
    rig.h.mem.write(DATA + 1, &bytes).unwrap();
    rig.h.write_x(6, DATA + 1);
    rig.h.write_x(7, DATA + 256);
    let words = [
        word(Op::Vsetivli, |d| (d.rs1, d.imm) = (13, 0x11)),
        word(Op::Vle32V, |d| (d.rd, d.rs1) = (2, 6)),
        word(Op::Vse32V, |d| (d.rs3, d.rs1) = (2, 7)),
        word(Op::Vs2rV, |d| (d.rs3, d.rs1) = (2, 6)),
    ];
    let (trap, accesses) = rig.run_observed(&words);
    assert_eq!(trap.cause, Cause::Breakpoint);
    let mut out = [0; 64];
    rig.h.mem.read(DATA + 256, &mut out).unwrap();
    assert_eq!(out[..52], bytes[..52]);
    assert_eq!(out[52..], [0; 12]);
    let expected = [
        Access { addr: DATA + 1, size: 52, store: false },
        Access { addr: DATA + 256, size: 52, store: true },
        Access { addr: DATA + 1, size: 64, store: true },
    ];
    assert_eq!(accesses, expected);
}
