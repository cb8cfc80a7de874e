//! Code that one thread or process writes and another runs.

use super::*;

/// One thread writes the code that the other runs: in turn, or without waiting for each other.
fn writer_and_runner(in_turn: bool, rounds: u64) -> Asm {
    // CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM.
    const THREAD: u64 = 0x5_0f00;
    let mut a = Asm::default();
    let (written, run) = (a.data_words(&[0]), a.data_words(&[0, 0]));
    let stack = a.data(&[0; 256]) + 256;
    a.label("start");
    map(&mut a, PLACE, RWX);
    a.li(reg::S0, PLACE);
    a.li(reg::T0, 1);
    put_code(&mut a, reg::S0);
    fence(&mut a);
    a.li(reg::S3, written);
    a.li(reg::S4, run);
    a.li(reg::S1, rounds);
    a.call(nr::CLONE, &[THREAD, stack, 0, 0, 0]);
    a.to(Op::Beq, 0, reg::A0, reg::ZERO, "runner");

    a.label("write");
    a.op(Op::Andi, reg::T0, reg::S1, 0, 0x3ff);
    put_code(&mut a, reg::S0);
    fence(&mut a);
    a.op(Op::Sd, 0, reg::S3, reg::S1, 0);
    if in_turn {
        a.label("wait for runner");
        a.op(Op::Ld, reg::T0, reg::S4, 0, 0);
        a.to(Op::Bne, 0, reg::T0, reg::S1, "wait for runner");
    }
    again(&mut a, reg::S1, "write");
    a.label("wait for end");
    a.op(Op::Ld, reg::T0, reg::S4, 0, 0);
    a.op(Op::Addi, reg::T0, reg::T0, 0, -1);
    a.to(Op::Bne, 0, reg::T0, reg::ZERO, "wait for end");
    a.op(Op::Ld, reg::S2, reg::S4, 0, 8);
    a.print(reg::S2);
    a.exit(0);

    a.label("runner");
    a.li(reg::S2, 0);
    a.label("run");
    if in_turn {
        a.label("wait for writer");
        a.op(Op::Ld, reg::T0, reg::S3, 0, 0);
        a.to(Op::Bne, 0, reg::T0, reg::S1, "wait for writer");
    }
    fence(&mut a);
    a.mv(reg::A0, reg::S2);
    call(&mut a, reg::S0);
    call(&mut a, reg::S0);
    a.mv(reg::S2, reg::A0);
    a.op(Op::Sd, 0, reg::S4, reg::S2, 8);
    a.op(Op::Sd, 0, reg::S4, reg::S1, 0);
    again(&mut a, reg::S1, "run");
    a.call(nr::EXIT, &[0]);
    a
}

#[test]
fn a_thread_runs_code_that_another_has_written() {
    let a = writer_and_runner(true, 150);
    let sum = agree(&a, &all_cores(), &[17, 1000])[0];
    assert_eq!(sum, 2 * (1..=150).sum::<u64>());
}

/// Which code runs depends on the quantum here, but not on the engine.
#[test]
fn a_thread_runs_code_while_another_writes_it() {
    let a = writer_and_runner(false, 600);
    agree(&a, &["ideal", "karu64"], &[3, 29, 500]);
}

/// A process runs code that another has written to memory that both share.
#[test]
fn a_process_runs_code_that_another_has_written() {
    // Offsets in the shared memory: the round that was written, the round that was run, and the sum.
    const WRITTEN: i64 = 1024;
    const RUN: i64 = 1032;
    const SUM: i64 = 1040;
    let mut a = Asm::default();
    let name = a.data(b"code\0");
    a.label("start");
    a.call(nr::MEMFD_CREATE, &[name, 0]);
    a.mv(reg::S3, reg::A0);
    a.li(reg::A1, 4096);
    a.ecall(nr::FTRUNCATE);
    map_memfd(&mut a, ALIAS, RWX);
    a.li(reg::S0, ALIAS);
    a.li(reg::S1, 60);
    a.call(nr::CLONE, &[17, 0, 0, 0, 0]);
    a.to(Op::Beq, 0, reg::A0, reg::ZERO, "runner");
    a.label("write");
    a.mv(reg::T0, reg::S1);
    put_code(&mut a, reg::S0);
    a.op(Op::Sd, 0, reg::S0, reg::S1, WRITTEN);
    a.label("wait for runner");
    a.op(Op::Ld, reg::T0, reg::S0, 0, RUN);
    a.to(Op::Bne, 0, reg::T0, reg::S1, "wait for runner");
    again(&mut a, reg::S1, "write");
    a.call(nr::WAIT4, &[u64::MAX, 0, 0, 0]);
    a.op(Op::Ld, reg::S2, reg::S0, 0, SUM);
    a.print(reg::S2);
    a.exit(0);
    a.label("runner");
    a.li(reg::S2, 0);
    a.label("run");
    a.op(Op::Ld, reg::T0, reg::S0, 0, WRITTEN);
    a.to(Op::Bne, 0, reg::T0, reg::S1, "run");
    fence(&mut a);
    a.mv(reg::A0, reg::S2);
    call(&mut a, reg::S0);
    call(&mut a, reg::S0);
    a.mv(reg::S2, reg::A0);
    a.op(Op::Sd, 0, reg::S0, reg::S2, SUM);
    a.op(Op::Sd, 0, reg::S0, reg::S1, RUN);
    again(&mut a, reg::S1, "run");
    a.exit(0);
    assert_eq!(agree(&a, &["ideal", "karu64"], &[19, 1000]), [2 * (1..=60).sum::<u64>()]);
}

/// A child rewrites a function that its parent has made hot; the parent's stays as it is. A second child, which starts when the
/// first has ended, does the same with another function.
#[test]
fn a_child_rewrites_code_that_its_parent_runs() {
    const ROUNDS: u64 = 60;
    let mut a = Asm::default();
    a.label("start");
    map(&mut a, PLACE, RWX);
    a.li(reg::S0, PLACE);
    a.li(reg::S2, 0);
    a.li(reg::T0, 1);
    put_code(&mut a, reg::S0);
    fence(&mut a);
    for (own, calls, parent) in
        [(10, "parent calls", "parent"), (100, "parent calls again", "parent again")]
    {
        a.li(reg::S1, ROUNDS);
        a.mv(reg::A0, reg::S2);
        a.label(calls);
        call(&mut a, reg::S0);
        again(&mut a, reg::S1, calls);
        a.mv(reg::S2, reg::A0);
        a.call(nr::CLONE, &[17, 0, 0, 0, 0]);
        a.to(Op::Bne, 0, reg::A0, reg::ZERO, parent);
        // The child: its parent's function first, then its own.
        a.mv(reg::A0, reg::S2);
        call(&mut a, reg::S0);
        a.mv(reg::S2, reg::A0);
        a.li(reg::T0, own);
        put_code(&mut a, reg::S0);
        fence(&mut a);
        a.mv(reg::A0, reg::S2);
        for _ in 0..ROUNDS {
            call(&mut a, reg::S0);
        }
        a.mv(reg::S2, reg::A0);
        a.print(reg::S2);
        a.exit(0);
        a.label(parent);
        a.call(nr::WAIT4, &[u64::MAX, 0, 0, 0]);
    }
    a.print(reg::S2);
    a.exit(0);
    let expected = [ROUNDS + 1 + 10 * ROUNDS, 2 * ROUNDS + 1 + 100 * ROUNDS, 2 * ROUNDS];
    assert_eq!(agree(&a, &["ideal", "karu64"], &[19, 1000]), expected);
}
