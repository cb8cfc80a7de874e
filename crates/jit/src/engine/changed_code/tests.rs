//! What changed code drops, and what it keeps.

use super::*;
use crate::Options;
use capvec_isa::{Ext, Op};
use capvec_sim::hart::{Agnostic, Hart};
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{config, word};
use capvec_sim::{Engine, Stop};
use std::sync::Arc;

/// A loop that stores a1 to a0, calls the code at a2, and ends with fence.i.
const LOOP: u64 = 0x1_0000;
/// The page of the called code, to which the loop also writes.
const CALLED: u64 = 0x2_0000;

fn hart() -> Hart {
    let add = word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (13, 13, 1));
    let main = [
        word(Op::Sw, |d| (d.rs1, d.rs2) = (10, 11)),
        word(Op::Jalr, |d| (d.rd, d.rs1) = (1, 12)),
        add,
        word(Op::FenceI, |_| ()),
        word(Op::Jal, |d| d.imm = -16),
    ];
    let called = [add, word(Op::Jal, |d| d.imm = 8), 0, add, word(Op::Jalr, |d| d.rs1 = 1)];
    let mem = Memory::new().expect("an address space");
    for (at, words) in [(LOOP, main), (CALLED, called)] {
        mem.map(at, PAGE, Perm(7)).expect("a page");
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        mem.write(at, &bytes).expect("it is writable");
    }
    let mut h = Hart::new(Arc::new(config(&[Ext::Zifencei], 128, Agnostic::Undisturbed)), mem);
    h.pc = LOOP;
    h.write_x(12, CALLED);
    h.write_x(10, CALLED + 2048);
    h
}

fn jit() -> Jit {
    let options = Options { hot_threshold: 8, code_bytes: 1 << 20, ..Options::default() };
    Jit::new(options, None, None).expect("a host that has a translator")
}

fn rounds(jit: &mut Jit, h: &mut Hart, rounds: u64) {
    assert_eq!(jit.run(h, rounds * 9), Stop::Budget);
}

/// Bytes of code that 200 more rounds add after everything has become hot.
fn added(h: &mut Hart) -> usize {
    let mut jit = jit();
    rounds(&mut jit, h, 200);
    let before = jit.backend.code.used();
    rounds(&mut jit, h, 200);
    jit.backend.code.used() - before
}

#[test]
fn a_fence_keeps_translations() {
    for data in [8, 2048] {
        let mut h = hart();
        // A word in the page of code that is never executed.
        h.write_x(10, CALLED + data);
        assert_eq!(added(&mut h), 0, "{data}");
        assert!(h.x(13) > 1000);
    }
}

#[test]
fn after_a_reset_hot_blocks_are_translated_at_once() {
    let mut h = hart();
    let mut jit = jit();
    let empty = jit.backend.code.used();
    rounds(&mut jit, &mut h, 200);
    let all = jit.backend.code.used();
    let mut space = jit.spaces.remove(&h.mem.id()).expect("the space has run");
    jit.reset(&mut space);
    jit.spaces.insert(h.mem.id(), space);
    assert_eq!(jit.backend.code.used(), empty);
    rounds(&mut jit, &mut h, 2);
    assert_eq!(jit.backend.code.used(), all);
}

#[test]
fn only_what_changed_is_translated_again() {
    let mut h = hart();
    h.write_x(10, CALLED + 2048);
    let mut jit = jit();
    rounds(&mut jit, &mut h, 200);
    let (all, sum) = (jit.backend.code.used(), h.x(13));
    // Changes the second of the two called blocks.
    let more = word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (13, 13, 100));
    h.mem.write(CALLED + 12, &more.to_le_bytes()).expect("it is writable");
    h.mem.code_changed();
    rounds(&mut jit, &mut h, 200);
    let again = jit.backend.code.used() - all;
    assert!(again > 0 && again < all * 3 / 4, "{again} bytes of {all}");
    assert!(h.x(13) - sum > 100 * 190, "{}", h.x(13));
}

/// A call and where it continues, both of which change again and again. The landing pads of the calls that were there before
/// are not linked any more.
#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "only x86-64 code has landing pads")]
fn landing_pads_are_forgotten_with_their_translations() {
    let mut h = hart();
    let mut jit = jit();
    for n in 0..100 {
        let store = word(Op::Sw, |d| (d.rs1, d.rs2, d.imm) = (10, 11, n % 2 * 4));
        let add = word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (13, 13, n));
        for (at, word) in [(LOOP, store), (LOOP + 8, add)] {
            h.mem.write(at, &word.to_le_bytes()).expect("it is writable");
        }
        h.mem.code_changed();
        rounds(&mut jit, &mut h, 20);
    }
    let space = jit.spaces.get_mut(&h.mem.id()).expect("the space has run");
    let continued = space.index.find(LOOP + 8).expect("it has run");
    let linked = space.blocks[continued as usize].incoming;
    let waiting: usize = space.waiting.values().map(|list| jit.backend.code.count(*list)).sum();
    assert!(jit.backend.code.edges() >= 200, "every change is translated");
    assert!(waiting + jit.backend.code.count(linked) < 10);
}
