//! Memory: limits, and shared mappings.

use crate::common::asm::Asm;
use crate::common::{nr, reg, run, run_with, words};
use capvec_isa::Op;

#[test]
fn memory_is_limited() {
    let mut a = Asm::default();
    // PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS.
    for len in [1 << 20, 64 << 20, 8 << 20] {
        a.call(nr::MMAP, &[0, len, 3, 0x22, u64::MAX, 0]);
        a.mv(reg::S0, reg::A0);
        a.print(reg::S0);
    }
    a.exit(0);
    let exit = run_with(&a, |o| o.memory = 16 << 20);
    let w = words(&exit);
    assert!(w[0] < 1 << 38 && w[2] < w[0]);
    assert_eq!(w[1], -12i64 as u64, "ENOMEM");
    assert!((9 << 20..16 << 20).contains(&exit.peak_memory), "{}", exit.peak_memory);
}

/// Code that is rewritten takes effect after a system call that synchronises it, and not after another.
#[test]
fn system_calls_synchronise_code() {
    const GETPID: (u64, u64) = (172, 0);
    const FLUSH_ICACHE: (u64, u64) = (259, 0);
    const MEMBARRIER: u64 = 283;
    const PRIVATE_EXPEDITED: u64 = 8;
    const SYNC_CORE: u64 = 32;
    // addi a0, zero, n; ret
    let code = |n: u64| 0x8067 << 32 | n << 20 | 0x513;
    for (call, expected) in [
        (GETPID, 1),
        (FLUSH_ICACHE, 2),
        ((MEMBARRIER, PRIVATE_EXPEDITED), 1),
        ((MEMBARRIER, SYNC_CORE), 2),
    ] {
        let mut a = Asm::default();
        // PROT_READ|PROT_WRITE|PROT_EXEC, MAP_PRIVATE|MAP_ANONYMOUS.
        a.call(nr::MMAP, &[0, 4096, 7, 0x22, u64::MAX, 0]);
        a.mv(reg::S0, reg::A0);
        for n in [1, 2] {
            a.li(reg::T0, code(n));
            a.op(Op::Sd, 0, reg::S0, reg::T0, 0);
            if n == 2 {
                a.call(call.0, &[call.1, 0, 0]);
            }
            a.op(Op::Jalr, reg::RA, reg::S0, 0, 0);
        }
        a.mv(reg::S1, reg::A0);
        a.print(reg::S1);
        a.exit(0);
        assert_eq!(words(&run(&a)), [expected], "{call:?}");
    }
}

/// A file's pages are charged once, however often they are mapped.
#[test]
fn shared_mappings_are_charged_by_the_pages_of_their_file() {
    const MB: u64 = 1 << 20;
    let mut a = Asm::default();
    let name = a.data(b"x\0");
    a.call(nr::MEMFD_CREATE, &[name, 0]);
    a.mv(reg::S0, reg::A0);
    let map = |a: &mut Asm, len, offset| {
        for (r, v) in [(reg::A0, 0), (reg::A1, len), (reg::A2, 3), (reg::A3, 1), (reg::A5, offset)]
        {
            a.li(r, v);
        }
        a.mv(reg::A4, reg::S0);
        a.ecall(nr::MMAP);
        a.mv(reg::S1, reg::A0);
        a.print(reg::S1);
    };
    map(&mut a, MB, 0);
    // The same pages again, and others far into the file.
    map(&mut a, MB, 0);
    map(&mut a, MB, 1 << 40);
    map(&mut a, 15 * MB, MB);
    map(&mut a, 12 * MB, 0);
    a.exit(0);
    let exit = run_with(&a, |o| o.memory = 16 * MB);
    let got: Vec<bool> = words(&exit).iter().map(|w| (*w as i64) > 0).collect();
    assert_eq!(got, [true, true, true, false, true], "{:x?}", words(&exit));
}

/// The new pages of a shared mapping that has grown can be used; they once crashed the simulator.
#[test]
fn shared_mappings_can_grow() {
    let mut a = Asm::default();
    // PROT_READ|PROT_WRITE, MAP_SHARED|MAP_ANONYMOUS; MREMAP_MAYMOVE.
    a.call(nr::MMAP, &[0, 4096, 3, 0x21, u64::MAX, 0]);
    a.li(reg::A1, 4096);
    a.li(reg::A2, 1 << 20);
    a.li(reg::A3, 1);
    a.ecall(nr::MREMAP);
    a.li(reg::T0, (1 << 20) - 8);
    a.op(Op::Add, reg::T0, reg::T0, reg::A0, 0);
    a.li(reg::T1, 77);
    a.op(Op::Sd, 0, reg::T0, reg::T1, 0);
    a.op(Op::Ld, reg::S0, reg::T0, 0, 0);
    a.print(reg::S0);
    a.exit(0);
    assert_eq!(words(&run(&a)), [77]);
}
