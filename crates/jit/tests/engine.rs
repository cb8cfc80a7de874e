//! Cases that random programs do not reach: loops interrupted at every budget, self-modifying code, faults in the
//! middle of blocks, a full code buffer, several address spaces.
#![cfg(translates)]

use crate::common::{CODE, DATA, EAGER, Pair};
use capvec_isa::Op;
use capvec_jit::Options;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::word;
use capvec_sim::{Cause, Stop};

fn r(op: Op, rd: u8, rs1: u8, rs2: u8) -> u32 {
    word(op, |d| (d.rd, d.rs1, d.rs2) = (rd, rs1, rs2))
}

fn i(op: Op, rd: u8, rs1: u8, imm: i64) -> u32 {
    word(op, |d| (d.rd, d.rs1, d.imm) = (rd, rs1, imm))
}

/// Stores and branches.
fn s(op: Op, rs1: u8, rs2: u8, imm: i64) -> u32 {
    word(op, |d| (d.rs1, d.rs2, d.imm) = (rs1, rs2, imm))
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// A loop with a call, a return, a branch that alternates and a jump.
fn looping() -> Vec<u32> {
    vec![
        i(Op::Auipc, 6, 0, 0),
        i(Op::Addi, 12, 12, 1),
        i(Op::Jalr, 1, 6, 24),
        i(Op::Andi, 13, 12, 1),
        s(Op::Beq, 13, 0, -12),
        i(Op::Jal, 0, 0, -20),
        r(Op::Xor, 14, 14, 12),
        i(Op::Jalr, 0, 1, 0),
    ]
}

#[test]
fn every_budget_stops_at_the_same_place() {
    for hot_threshold in [0, 3] {
        let mut pair = Pair::new(128, Options { hot_threshold, ..EAGER });
        pair.load(&bytes(&looping()));
        for budget in 0..200 {
            assert_eq!(pair.run(budget), Stop::Budget, "budget {budget}");
        }
        assert!(pair.jit.1.instret >= (0..200).sum());
        let before = pair.jit.1.instret;
        pair.run(1_000_000);
        assert!(pair.jit.1.instret >= before + 1_000_000);
    }
}

/// Adds 1 to a0 fifty times; halfway, `sw` replaces the addition by one of 16.
fn changing(fence: u32) -> Vec<u32> {
    vec![
        i(Op::Auipc, 5, 0, 0),
        i(Op::Addi, 11, 0, 50),
        // The loop.
        i(Op::Addi, 10, 10, 1),
        i(Op::Addi, 11, 11, -1),
        s(Op::Bne, 11, 12, 12),
        s(Op::Sw, 5, 13, 8),
        fence,
        s(Op::Bne, 11, 0, -20),
        i(Op::Ebreak, 0, 0, 0),
    ]
}

#[test]
fn changes_of_code_take_effect_after_fence_i() {
    for hot_threshold in [0, 3, 30] {
        let mut pair = Pair::new(128, Options { hot_threshold, ..EAGER });
        for (fence, sum) in [(i(Op::FenceI, 0, 0, 0), 25 + 25 * 16), (r(Op::Add, 0, 0, 0), 50)] {
            pair.load(&bytes(&changing(fence)));
            let new = i(Op::Addi, 10, 10, 16) as u64;
            pair.both(|h| {
                h.write_x(10, 0);
                h.write_x(12, 25);
                h.write_x(13, new);
            });
            let Stop::Trap(trap) = pair.run(100_000) else { panic!("it ends") };
            assert_eq!(trap.cause, Cause::Breakpoint);
            assert_eq!(pair.jit.1.x(10), sum, "threshold {hot_threshold}");
        }
    }
}

#[test]
fn faults_within_a_block_are_precise() {
    let mut pair = Pair::new(128, EAGER);
    let code = [
        i(Op::Addi, 11, 11, 1),
        i(Op::Ld, 12, 10, 0),
        s(Op::Sd, 10, 11, 0),
        i(Op::Addi, 11, 11, 1),
        i(Op::Ebreak, 0, 0, 0),
    ];
    let last = DATA + 2 * PAGE;
    let cases = [
        // From writable memory into read-only memory, and beyond it.
        (last - 8, 4, Cause::Breakpoint, 0),
        (last - 7, 2, Cause::StorePage, last),
        (last, 2, Cause::StorePage, last),
        (last + PAGE - 7, 1, Cause::LoadPage, last + PAGE),
        (last + PAGE, 1, Cause::LoadPage, last + PAGE),
        (DATA - 1, 1, Cause::LoadPage, DATA - 1),
        // Past the address space, at page numbers that are too large, and across the end of the 64-bit addresses.
        (1 << 38, 1, Cause::LoadPage, 1 << 38),
        ((1 << 38) - 1, 1, Cause::LoadPage, (1 << 38) - 1),
        (1 << 63, 1, Cause::LoadPage, 1 << 63),
        (u64::MAX - 2, 1, Cause::LoadPage, u64::MAX - 2),
    ];
    pair.load(&bytes(&code));
    for (addr, retired, cause, tval) in cases {
        pair.both(|h| {
            h.pc = CODE;
            h.write_x(10, addr);
        });
        let before = pair.jit.1.instret;
        let Stop::Trap(trap) = pair.run(1000) else { panic!("it ends") };
        assert_eq!((trap.cause, trap.tval), (cause, tval), "at {addr:#x}");
        assert_eq!(pair.jit.1.instret - before, retired, "at {addr:#x}");
        assert_eq!(pair.jit.1.pc, CODE + 4 * retired, "at {addr:#x}");
        pair.compare_memory();
    }
}

/// The page after an area's last page has other permissions, so accesses near its end take the slow path, which must permit
/// those that stay in the page.
#[test]
fn the_last_page_can_be_used() {
    let mut pair = Pair::new(128, EAGER);
    let code = [
        s(Op::Sd, 10, 11, 0),
        i(Op::Lw, 12, 10, 4),
        s(Op::Sh, 10, 12, 2),
        i(Op::Lbu, 13, 10, 7),
        i(Op::Ebreak, 0, 0, 0),
    ];
    pair.load(&bytes(&code));
    for addr in [DATA + 2 * PAGE - 8, DATA + 4 * PAGE, DATA + 5 * PAGE - 8, DATA + PAGE - 4] {
        pair.both(|h| {
            h.pc = CODE;
            h.write_x(10, addr);
            h.write_x(11, 0x8877_6655_4433_2211);
        });
        let Stop::Trap(trap) = pair.run(1000) else { panic!("it ends") };
        assert_eq!(trap.cause, Cause::Breakpoint, "at {addr:#x}");
        assert_eq!(pair.jit.1.x(12), 0xffff_ffff_8877_6655);
        assert_eq!(pair.jit.1.x(13), 0x88);
        pair.compare_memory();
    }
}

#[test]
fn a_full_buffer_is_emptied() {
    // Smaller than the code of one round's blocks.
    let mut pair = Pair::new(128, Options { code_bytes: 8192, ..EAGER });
    let mut code: Vec<u32> = Vec::new();
    for _ in 0..250 {
        code.extend([i(Op::Addi, 10, 10, 3), r(Op::Add, 11, 11, 10), i(Op::Jal, 0, 0, 4)]);
    }
    code.push(i(Op::Jal, 0, 0, -3000));
    pair.load(&bytes(&code));
    for _ in 0..20 {
        assert_eq!(pair.run(777), Stop::Budget);
    }
    assert_eq!(pair.run(100_000), Stop::Budget);
}

/// The same addresses hold different code in two spaces; returns use the table of targets.
#[test]
fn spaces_are_kept_apart() {
    let mut a = Pair::new(128, EAGER);
    let mut b = Pair::new(128, EAGER);
    a.load(&bytes(&looping()));
    let mut other = looping();
    other[6] = r(Op::Sub, 14, 14, 12);
    b.load(&bytes(&other));
    for _ in 0..50 {
        a.run(100);
        std::mem::swap(&mut a.jit.0, &mut b.jit.0);
        b.run(100);
        std::mem::swap(&mut a.jit.0, &mut b.jit.0);
    }
    // The same engine runs both in turn.
    let mut engine = capvec_jit::engine(EAGER, None).expect("a host that has a translator");
    for budget in 1..100 {
        for pair in [&mut a, &mut b] {
            std::mem::swap(&mut pair.jit.0, &mut engine);
            pair.run(budget);
            std::mem::swap(&mut pair.jit.0, &mut engine);
        }
    }
}

/// Accesses from one base whose offsets are too far apart for one check are checked in parts.
#[test]
fn far_offsets_are_checked_separately() {
    let load = |op, offset| i(op, 12, 10, offset);
    let store = |op, offset| s(op, 10, 11, offset);
    let (page, below) = (DATA + 2 * PAGE, DATA + PAGE - 1 + 2048);
    let cases: [(&[u32], u64, Cause, u64); 3] = [
        // From the last byte of the first page, across the second, into the third, which is read-only.
        (&[store(Op::Sb, -2048), store(Op::Sd, 2047)], below, Cause::StorePage, page),
        // The page below is not mapped.
        (&[load(Op::Ld, 2047), load(Op::Lb, -2048)], DATA, Cause::LoadPage, DATA - 2048),
        // A store among loads.
        (
            &[
                load(Op::Lb, -2048),
                load(Op::Lb, 100),
                load(Op::Ld, 2047),
                load(Op::Lb, -2048),
                store(Op::Sd, 50),
            ],
            page,
            Cause::StorePage,
            page + 50,
        ),
    ];
    let mut pair = Pair::new(128, EAGER);
    for (code, base, cause, tval) in cases {
        pair.load(&bytes(code));
        pair.both(|h| h.write_x(10, base));
        let Stop::Trap(trap) = pair.run(1000) else { panic!("it ends") };
        assert_eq!((trap.cause, trap.tval), (cause, tval), "{code:x?}");
        assert_eq!(pair.jit.1.pc, CODE + 4 * (code.len() as u64 - 1), "{code:x?}");
        pair.compare_memory();
    }
}

/// Code entered at every half-word decodes to more blocks than are kept, and is modified without a fence.i meanwhile:
/// both engines must drop stale blocks at the same time.
#[test]
fn more_code_than_fits_is_decoded_again() {
    const FAR: u64 = 0x100_0000;
    // Blocks of 64 instructions, each entered once, until there is room for only a few hundred more.
    let entries = (4 << 20) / 72 - 700;
    let more = 64 * 1400;
    let mut pair = Pair::new(128, Options { hot_threshold: 1, ..EAGER });
    let (step, other) = (0x0505_u16, 0x0509_u16);
    let code: Vec<u8> = (0..entries + 128 + more).flat_map(|_| step.to_le_bytes()).collect();
    let len = (code.len() as u64).next_multiple_of(PAGE);
    pair.both(|h| {
        h.mem.map(FAR, len, Perm(7)).expect("code pages");
        h.mem.write(FAR, &code).expect("the code fits");
    });
    for n in 0..entries {
        let at = FAR + 2 * n;
        pair.both(|h| {
            if n % 5 == 0 {
                h.mem.write(at - at / 4 % 64 * 2, &other.to_le_bytes()).expect("it is writable");
            }
            h.pc = at;
        });
        assert_eq!(pair.run(64), Stop::Budget, "entry {n}");
    }
    // Within one run, more blocks than there is room for; then everything is decoded again.
    pair.both(|h| h.pc = FAR + 2 * (entries + 64));
    assert_eq!(pair.run(more), Stop::Budget);
    for n in 0..entries / 16 {
        pair.both(|h| h.pc = FAR + 32 * n);
        assert_eq!(pair.run(200), Stop::Budget, "entry {n} again");
    }
}
