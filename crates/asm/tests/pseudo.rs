//! Pseudo-instructions, executed.

use capvec_asm::assemble;
use capvec_isa::{Ext, Isa};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{CODE, Rig, Rng, config};

/// x10 after these lines on a hart of this XLEN.
fn a0(text: &str, xlen: u8) -> u64 {
    let config = capvec_sim::Config { xlen, ..config(&[Ext::I], 128, Agnostic::Ones) };
    let code = assemble(text, CODE, Isa { xlen, exts: config.exts }).unwrap();
    let words: Vec<u32> =
        code.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    let mut rig = Rig::new(config);
    assert_eq!(rig.run(&words).cause, capvec_sim::Cause::Breakpoint);
    rig.h.x(10)
}

#[test]
fn li_loads_every_constant() {
    let mut rng = Rng::new("li");
    let edges = [
        0,
        1,
        -1,
        2047,
        2048,
        -2048,
        -2049,
        0x7fff_ffff,
        0x8000_0000,
        -0x8000_0000,
        0x7ff8_0000,
        i64::MIN,
        i64::MAX,
    ];
    let random = (0..500).map(|_| (rng.next() as i64) >> (rng.next() % 64));
    for value in edges.into_iter().chain(random.collect::<Vec<_>>()) {
        assert_eq!(a0(&format!("li a0, {value}"), 64), value as u64, "{value:#x}");
        if i64::from(value as i32) == value {
            assert_eq!(a0(&format!("li a0, {value}"), 32), value as u64, "{value:#x}");
        }
    }
    assert_eq!(a0("li a0, 0xdeadbeef", 32), 0xffff_ffff_dead_beef);
}

#[test]
fn labels_comments_and_branches() {
    let sum = "li a0, 0 # the sum\n li t0, 10\nagain: add a0, a0, t0; addi t0, t0, -1\n bnez t0, again\n j end\n li a0, 0\nend:";
    assert_eq!(a0(sum, 64), 55);
    assert_eq!(a0("la a0, here\nhere: nop", 64), CODE + 8);
    assert_eq!(a0("la a0, 0x10000", 64), CODE);
    assert_eq!(
        a0(
            "li t0, 5; neg t1, t0; not a0, t1; seqz t2, zero; add a0, a0, t2; snez t2, t0; add a0, a0, t2",
            64
        ),
        6
    );
}
