//! Code in mappings that are made, changed and removed.

use super::*;

#[test]
fn code_in_mappings_that_change() {
    let mut a = Asm::default();
    a.label("fault");
    // Prints the faulting address and the program counter.
    a.mv(reg::S2, reg::A2);
    a.op(Op::Ld, reg::S1, reg::A1, 0, 16);
    a.print(reg::S1);
    a.op(Op::Ld, reg::S1, reg::S2, 0, FRAME_PC);
    a.print(reg::S1);
    a.exit(0);
    a.label("start");
    a.handler(SIGSEGV, "fault", 0);
    a.li(reg::S0, PLACE);
    a.li(reg::S5, 5);
    a.li(reg::S2, 0);
    a.label("round");
    // The page is mapped anew where other code was; it is writable or executable, never both.
    map(&mut a, PLACE, RW);
    for more in [0, 64] {
        a.call(nr::MPROTECT, &[PLACE, 4096, RW]);
        a.op(Op::Addi, reg::T0, reg::S5, 0, more);
        put_code(&mut a, reg::S0);
        a.call(nr::MPROTECT, &[PLACE, 4096, RX]);
        for _ in 0..4 {
            a.mv(reg::A0, reg::S2);
            call(&mut a, reg::S0);
            a.mv(reg::S2, reg::A0);
        }
    }
    // A child process writes to its own copy.
    a.call(nr::CLONE, &[17, 0, 0, 0, 0]);
    a.to(Op::Bne, 0, reg::A0, reg::ZERO, "parent");
    a.call(nr::MPROTECT, &[PLACE, 4096, RWX]);
    a.li(reg::T0, 1000);
    put_code(&mut a, reg::S0);
    fence(&mut a);
    a.mv(reg::A0, reg::S2);
    call(&mut a, reg::S0);
    a.mv(reg::S2, reg::A0);
    a.print(reg::S2);
    a.exit(0);
    a.label("parent");
    a.call(nr::WAIT4, &[u64::MAX, 0, 0, 0]);
    a.mv(reg::A0, reg::S2);
    call(&mut a, reg::S0);
    a.mv(reg::S2, reg::A0);
    a.call(nr::MUNMAP, &[PLACE, 4096]);
    again(&mut a, reg::S5, "round");
    a.print(reg::S2);
    call(&mut a, reg::S0);
    let printed = agree(&a, &all_cores(), &[11, 100_000]);
    let (mut sum, mut expected) = (0, Vec::new());
    for n in (1..=5).rev() {
        sum += 4 * n + 4 * (n + 64);
        expected.push(sum + 1000);
        sum += n + 64;
    }
    expected.extend([sum, PLACE, PLACE]);
    assert_eq!(printed, expected);
}

/// Code that is written at one address and run at another, both mapping the same memory.
#[test]
fn code_that_is_written_through_another_address() {
    let mut a = Asm::default();
    let name = a.data(b"code\0");
    a.label("start");
    a.call(nr::MEMFD_CREATE, &[name, 0]);
    a.mv(reg::S3, reg::A0);
    a.li(reg::A1, 4096);
    a.ecall(nr::FTRUNCATE);
    map_memfd(&mut a, ALIAS, RW);
    map_memfd(&mut a, PLACE, RX);
    a.li(reg::S0, PLACE);
    a.li(reg::S4, ALIAS);
    a.li(reg::S1, 60);
    a.li(reg::S2, 0);
    a.label("round");
    a.mv(reg::T0, reg::S1);
    put_code(&mut a, reg::S4);
    fence(&mut a);
    a.mv(reg::A0, reg::S2);
    call(&mut a, reg::S0);
    call(&mut a, reg::S0);
    a.mv(reg::S2, reg::A0);
    again(&mut a, reg::S1, "round");
    a.print(reg::S2);
    a.exit(0);
    assert_eq!(agree(&a, &["ideal", "karu64"], &[9, 100_000]), [2 * (1..=60).sum::<u64>()]);
}

/// A function that begins in one page and ends in the next, which is written, unmapped and mapped anew. The first page
/// also holds data, which is written in each round.
#[test]
fn code_that_spans_two_pages() {
    const NEXT: u64 = PLACE + 4096;
    let mut a = Asm::default();
    a.label("start");
    map(&mut a, PLACE, RWX);
    map(&mut a, NEXT, RWX);
    // The function adds 1, jumps into the next page, and continues there.
    a.li(reg::S0, NEXT - 8);
    let jump = encode(&Decoded { imm: 4, ..Decoded::new(Op::Jal) }).expect("an instruction");
    for (offset, code) in [(0, add(1)), (4, jump)] {
        a.li(reg::T0, code.into());
        a.op(Op::Sw, 0, reg::S0, reg::T0, offset);
    }
    a.li(reg::S4, NEXT);
    a.li(reg::S1, 120);
    a.li(reg::S2, 0);
    a.label("round");
    a.mv(reg::T0, reg::S1);
    put_code(&mut a, reg::S4);
    a.op(Op::Sd, 0, reg::S0, reg::S1, -64);
    // Every fourth round removes the page and writes the code to a new one without a fence.i.
    a.op(Op::Andi, reg::T0, reg::S1, 0, 3);
    a.to(Op::Bne, 0, reg::T0, reg::ZERO, "same page");
    a.call(nr::MUNMAP, &[NEXT, 4096]);
    map(&mut a, NEXT, RWX);
    a.mv(reg::T0, reg::S1);
    put_code(&mut a, reg::S4);
    a.jump("call");
    a.label("same page");
    fence(&mut a);
    a.label("call");
    a.mv(reg::A0, reg::S2);
    for _ in 0..6 {
        call(&mut a, reg::S0);
        a.op(Op::Sd, 0, reg::S0, reg::A0, -64);
    }
    a.mv(reg::S2, reg::A0);
    again(&mut a, reg::S1, "round");
    a.print(reg::S2);
    a.exit(0);
    let sum = agree(&a, &["ideal", "karu64"], &[23, 100_000])[0];
    assert_eq!(sum, 6 * (1..=120).map(|n| n + 1).sum::<u64>());
}
