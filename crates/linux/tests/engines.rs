//! What engines could do differently as a system sees it: code that changes, in one thread or between two, in mappings
//! that come and go; signals at any point. Output, counts and cycles are equal by every engine, on every core, with
//! every quantum.
#![cfg(target_arch = "x86_64")]

use crate::common::asm::Asm;
use crate::common::{self, config, nr, options, reg, root};
use capvec_isa::{Decoded, Op, encode};
use capvec_jit::{Both, Options};
use capvec_linux::{Machine, Status};
use capvec_sim::Engine;
use capvec_timing::Core;

/// Where programs put code, and another address of the same memory.
const PLACE: u64 = 0x4000_0000;
const ALIAS: u64 = 0x4100_0000;
/// MAP_FIXED | MAP_ANONYMOUS | MAP_PRIVATE, and MAP_FIXED | MAP_SHARED; permissions.
const PRIVATE: u64 = 0x32;
const SHARED: u64 = 0x11;
const RW: u64 = 3;
const RX: u64 = 5;
const RWX: u64 = 7;
const SIGSEGV: u64 = 11;
const SIGALRM: u64 = 14;
/// The offset of the program counter in a frame; the other registers follow (Linux, arch/riscv
/// include/uapi/asm/ucontext.h).
const FRAME_PC: i64 = 176;

/// Engines that must agree, by what they are called here.
const ENGINES: [&str; 4] = ["interp", "jit at once", "jit", "both"];

fn engine(name: &str, core: &Core) -> Box<dyn Engine> {
    let jit = |hot_threshold| {
        let options = Options { hot_threshold, code_bytes: 1 << 20, ..Options::default() };
        capvec_jit::engine(options, core.timing()).expect("a host that has a translator")
    };
    match name {
        "interp" => core.engine(false),
        "jit" => jit(3),
        "jit at once" => jit(0),
        _ => Box::new(Both::new(core.engine(false), jit(1), |d| panic!("{d}"))),
    }
}

/// Runs a program with all engines, on these cores and with these quanta; returns the output of the last run.
fn agree(a: &Asm, cores: &[&str], quanta: &[u64]) -> Vec<u64> {
    let dir = root(&[("prog", &a.elf())]);
    let mut printed = Vec::new();
    for name in cores {
        let core = Core { vlen: 256, ..Core::load(name).expect("it is built in") };
        for quantum in quanta {
            let observe = |engine_name: &str| {
                let mut o = options(dir.path(), config("rv64gcv_zvkned", 256));
                o.quantum = *quantum;
                let exit = Machine::new(o, engine(engine_name, &core)).expect("it loads").run();
                assert_eq!(exit.status, Status::Code(0), "{engine_name} {name} {quantum}");
                (common::words(&exit), exit.instret, exit.cycles)
            };
            let expected = observe(ENGINES[0]);
            for other in &ENGINES[1..] {
                assert_eq!(observe(other), expected, "{other}, {name}, quantum {quantum}");
            }
            printed = expected.0;
        }
    }
    printed
}

fn all_cores() -> Vec<&'static str> {
    Core::names().collect()
}

/// The word of `addi a0, a0, imm`.
fn add(imm: i64) -> u32 {
    let d = Decoded { rd: reg::A0, rs1: reg::A0, imm, ..Decoded::new(Op::Addi) };
    encode(&d).expect("an instruction")
}

/// The word of `ret`.
fn ret() -> u32 {
    encode(&Decoded { rs1: reg::RA, ..Decoded::new(Op::Jalr) }).expect("an instruction")
}

fn fence(a: &mut Asm) {
    a.push(Decoded::new(Op::FenceI));
}

/// Maps pages at `at`.
fn map(a: &mut Asm, at: u64, prot: u64) {
    a.call(nr::MMAP, &[at, 4096, prot, PRIVATE, u64::MAX, 0]);
}

/// Puts `addi a0, a0, imm; ret` at the address in `r`, with imm in t0; t0 to t2 change.
fn put_code(a: &mut Asm, r: u8) {
    a.op(Op::Slli, reg::T0, reg::T0, 0, 20);
    a.li(reg::T1, u64::from(add(0)));
    a.op(Op::Add, reg::T0, reg::T0, reg::T1, 0);
    a.op(Op::Sw, 0, r, reg::T0, 0);
    a.li(reg::T2, u64::from(ret()));
    a.op(Op::Sw, 0, r, reg::T2, 4);
}

/// Calls the address in `r`.
fn call(a: &mut Asm, r: u8) {
    a.op(Op::Jalr, reg::RA, r, 0, 0);
}

/// Counts `r` down to the label.
fn again(a: &mut Asm, r: u8, label: &'static str) {
    a.op(Op::Addi, r, r, 0, -1);
    a.to(Op::Bne, 0, r, reg::ZERO, label);
}

#[test]
fn code_that_changes_itself() {
    let mut a = Asm::default();
    a.label("start");
    map(&mut a, PLACE, RWX);
    a.li(reg::S0, PLACE);
    a.li(reg::S1, 400);
    a.li(reg::S2, 0);
    a.label("round");
    a.op(Op::Andi, reg::T0, reg::S1, 0, 0x3ff);
    put_code(&mut a, reg::S0);
    // In every fourth round old code may be run; which, must not depend on the engine.
    a.op(Op::Andi, reg::T0, reg::S1, 0, 3);
    a.to(Op::Beq, 0, reg::T0, reg::ZERO, "stale");
    fence(&mut a);
    a.label("stale");
    a.mv(reg::A0, reg::S2);
    for _ in 0..3 {
        call(&mut a, reg::S0);
    }
    a.mv(reg::S2, reg::A0);
    again(&mut a, reg::S1, "round");
    a.print(reg::S2);
    a.exit(0);
    let sum = agree(&a, &all_cores(), &[13, 100_000])[0];
    // Three times each number but multiples of four, for which the one before, 401 - 1 = 400 having none.
    let fresh: u64 = (1..=400).filter(|n| n % 4 != 0).sum();
    let stale: u64 = (1..400).filter(|n| n % 4 == 0).map(|n| n + 1).sum();
    assert!([fresh + stale, fresh + stale + 400].contains(&(sum / 3)), "{sum}");
}

/// One thread writes what the other runs: `turns` in turn, or whenever it likes.
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
fn a_thread_runs_what_another_writes() {
    let a = writer_and_runner(true, 150);
    let sum = agree(&a, &all_cores(), &[17, 1000])[0];
    assert_eq!(sum, 2 * (1..=150).sum::<u64>());
}

/// What is run when depends on the quantum then, but not on the engine.
#[test]
fn a_thread_runs_what_another_is_writing() {
    let a = writer_and_runner(false, 600);
    agree(&a, &["ideal", "karu64"], &[3, 29, 500]);
}

#[test]
fn code_in_mappings_that_change() {
    let mut a = Asm::default();
    a.label("fault");
    // The address of the fault, and where it happened.
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
    // Mapped anew where other code was; written when it may not run, run when it may not be written.
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
    // A process of its own writes to its own copy.
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

/// Written at one address, run at another, of which both are one memory.
#[test]
fn code_that_is_written_at_another_address() {
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

/// Maps the memfd in s3 as shared at `at`.
fn map_memfd(a: &mut Asm, at: u64, prot: u64) {
    for (r, v) in [(reg::A0, at), (reg::A1, 4096), (reg::A2, prot), (reg::A3, SHARED)] {
        a.li(r, v);
    }
    a.mv(reg::A4, reg::S3);
    a.li(reg::A5, 0);
    a.ecall(nr::MMAP);
}

/// A process runs what another writes, in memory that both share.
#[test]
fn a_process_runs_what_another_writes() {
    // Where the memory has the round that was written, the round that was run, and the sum.
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

/// A function that begins in one page and ends in the next, which is written, unmapped and mapped anew. The first page
/// has data, which is written in each round.
#[test]
fn code_that_lies_in_two_pages() {
    const NEXT: u64 = PLACE + 4096;
    let mut a = Asm::default();
    a.label("start");
    map(&mut a, PLACE, RWX);
    map(&mut a, NEXT, RWX);
    // The function adds 1, jumps into the next page, and goes on there.
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
    // Every fourth round has the page removed, and the code comes back without a fence.i.
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

/// A loop of all kinds of instructions, and a timer whose handler adds up all of its frame: integer, floating-point and
/// vector registers, vl, vtype, vstart and pc of where it came.
fn interrupted(signals: u64) -> Asm {
    let vector = |op, rd, rs1, rs2| Decoded { rd, rs1, rs2, rs3: rd, ..Decoded::new(op) };
    let mut a = Asm::default();
    let state = a.data_words(&[0, 0]);
    // Longer than the handler takes on any core, in microseconds.
    let timer = a.data_words(&[0, 97, 0, 97]);
    let numbers = a.data(&(0..8192).map(|n| (n * n >> 3) as u8).collect::<Vec<_>>());
    a.label("handler");
    a.li(reg::T0, state);
    a.op(Op::Ld, reg::T1, reg::T0, 0, 0);
    a.li(reg::T2, 31);
    // mcontext, headers and the vector record of 32 registers of 32 bytes.
    a.op(Op::Addi, reg::A3, reg::A2, 0, FRAME_PC);
    a.li(reg::A4, (256 + 528 + 64 + 1024) / 8);
    a.label("add up");
    a.op(Op::Ld, reg::T3, reg::A3, 0, 0);
    a.op(Op::Mul, reg::T1, reg::T1, reg::T2, 0);
    a.op(Op::Add, reg::T1, reg::T1, reg::T3, 0);
    a.op(Op::Addi, reg::A3, reg::A3, 0, 8);
    again(&mut a, reg::A4, "add up");
    a.op(Op::Sd, 0, reg::T0, reg::T1, 0);
    a.op(Op::Ld, reg::T3, reg::T0, 0, 8);
    a.op(Op::Addi, reg::T3, reg::T3, 0, 1);
    a.op(Op::Sd, 0, reg::T0, reg::T3, 8);
    // What the program had in vector registers is gone, unless it comes back.
    a.push(Decoded { rd: reg::T0, imm: 0xd3, ..Decoded::new(Op::Vsetvli) });
    a.push(Decoded { rd: 8, imm: 3, ..Decoded::new(Op::VmvVI) });
    a.op(Op::Jalr, reg::ZERO, reg::RA, 0, 0);

    a.label("start");
    a.handler(SIGALRM, "handler", 0);
    a.call(nr::SETITIMER, &[0, timer, 0]);
    a.li(reg::S0, numbers);
    a.li(reg::S1, state);
    a.li(reg::S2, signals);
    a.li(reg::S3, 12345);
    a.label("loop");
    a.op(Op::Andi, reg::S4, reg::S3, 0, 1023);
    a.op(Op::Add, reg::S4, reg::S4, reg::S0, 0);
    // SEW 32, LMUL 2, agnostic tail; fewer elements than there are.
    a.op(Op::Andi, reg::T0, reg::S3, 0, 15);
    a.push(Decoded { rd: reg::T0, rs1: reg::T0, imm: 0x51, ..Decoded::new(Op::Vsetvli) });
    a.push(vector(Op::Vle32V, 8, reg::S4, 0));
    a.push(vector(Op::VaddVv, 10, 8, 12));
    a.push(vector(Op::VmulVv, 12, 10, 8));
    a.op(Op::Fld, 3, reg::S4, 0, 5);
    a.op(Op::Ld, reg::T1, reg::S4, 0, 3);
    a.push(vector(Op::Vse32V, 12, reg::S4, 0));
    // SEW 32, LMUL 1: AES rounds of whole groups.
    a.push(Decoded { rd: 0, rs1: 8, imm: 0x50, ..Decoded::new(Op::Vsetivli) });
    for _ in 0..6 {
        a.push(vector(Op::VaesemVv, 14, 0, 12));
    }
    a.push(vector(Op::VxorVv, 12, 12, 14));
    a.op(Op::Sd, 0, reg::S4, reg::T1, 2041);
    a.op(Op::Slli, reg::T2, reg::S3, 0, 13);
    a.op(Op::Xor, reg::S3, reg::S3, reg::T2, 0);
    a.op(Op::Srli, reg::T2, reg::S3, 0, 7);
    a.op(Op::Xor, reg::S3, reg::S3, reg::T2, 0);
    a.op(Op::Ld, reg::T0, reg::S1, 0, 8);
    a.to(Op::Bltu, 0, reg::T0, reg::S2, "loop");
    a.op(Op::Ld, reg::S4, reg::S1, 0, 0);
    a.print(reg::S3);
    a.print(reg::S4);
    a.exit(0);
    a
}

#[test]
fn signals_at_any_point_have_the_precise_state() {
    agree(&interrupted(40), &all_cores(), &[37, 100_000]);
    agree(&interrupted(4), &["ideal"], &[1, 2, 3]);
}
