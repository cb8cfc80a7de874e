//! Whole programs on all engines, where engines could differ: code that changes, in one thread or in two, in mappings
//! that are made and removed; signals at any point. Every engine gives the same output, counts and cycles, on every
//! core, with every quantum.
#![cfg(target_arch = "x86_64")]

mod mappings;
mod shared;
mod signals;

use crate::common::asm::Asm;
use crate::common::{self, config, nr, options, reg, root};
use capvec_isa::{Decoded, Op, encode};
use capvec_jit::{Both, Kept, Options};
use capvec_linux::{Machine, Status};
use capvec_sim::Engine;
use capvec_timing::Core;

/// Where programs put code, and another address that maps the same memory.
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
/// The offset of the program counter in a signal frame; the other registers follow (Linux,
/// arch/riscv/include/uapi/asm/ucontext.h).
const FRAME_PC: i64 = 176;

/// The names that these tests give to the engines that must agree.
const ENGINES: [&str; 4] = ["interp", "jit at once", "jit", "both"];

fn engine(name: &str, core: &Core, kept: &Kept) -> Box<dyn Engine> {
    let jit = |hot_threshold| {
        let options = Options { hot_threshold, code_bytes: 1 << 20, ..Options::default() };
        let sharing = || capvec_jit::sharing(options, core.timing(), kept);
        // The first engine of a kind keeps nothing until it runs a second address space.
        drop(sharing());
        sharing().expect("a host that has a translator")
    };
    match name {
        "interp" => core.engine(false),
        "jit" => jit(3),
        "jit at once" => jit(0),
        _ => Box::new(Both::new(core.engine(false), jit(1), |d| panic!("{d}"))),
    }
}

/// Runs a program on all engines, with these cores and quanta; returns the output of the last run.
fn agree(a: &Asm, cores: &[&str], quanta: &[u64]) -> Vec<u64> {
    let dir = root(&[("prog", &a.elf())]);
    let mut printed = Vec::new();
    // Each engine also uses what those before it have translated.
    let kept = Kept::new(1 << 20);
    for name in cores {
        let core = Core { vlen: 256, ..Core::load(name).expect("a core that is built in") };
        for quantum in quanta {
            let observe = |engine_name: &str| {
                let mut o = options(dir.path(), config("rv64gcv_zvkned", 256));
                o.quantum = *quantum;
                let exit = Machine::new(o, engine(engine_name, &core, &kept))
                    .expect("the program loads")
                    .run();
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
    assert!(kept.reused() > 0, "no translation was used again");
    printed
}

/// A core of each kind: the sifive cores, the C908, the C910 and the Ascalon have no feature that these lack.
fn all_cores() -> Vec<&'static str> {
    let alike = ["ascalon-x", "sifive-p550", "sifive-u74", "thead-c908", "thead-c910"];
    Core::names().filter(|name| !alike.contains(name)).collect()
}

/// The instruction word `addi a0, a0, imm`.
fn add(imm: i64) -> u32 {
    let d = Decoded { rd: reg::A0, rs1: reg::A0, imm, ..Decoded::new(Op::Addi) };
    encode(&d).expect("an instruction")
}

/// The instruction word `ret`.
fn ret() -> u32 {
    encode(&Decoded { rs1: reg::RA, ..Decoded::new(Op::Jalr) }).expect("an instruction")
}

fn fence(a: &mut Asm) {
    a.push(Decoded::new(Op::FenceI));
}

/// Maps a page at `at`.
fn map(a: &mut Asm, at: u64, prot: u64) {
    a.call(nr::MMAP, &[at, 4096, prot, PRIVATE, u64::MAX, 0]);
}

/// Writes `addi a0, a0, imm; ret` to the address in `r`, with imm from t0; clobbers t0 to t2.
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

/// Decrements `r` and branches to the label unless it is zero.
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
    // In every fourth round old code may run; whether it does must not depend on the engine.
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
    // Each round adds its number three times. A round without a fence, whose number is a multiple of four, runs the
    // code of the round before, whose number is one higher; round 400 is the first and may run its own code or none.
    let fresh: u64 = (1..=400).filter(|n| n % 4 != 0).sum();
    let stale: u64 = (1..400).filter(|n| n % 4 == 0).map(|n| n + 1).sum();
    assert!([fresh + stale, fresh + stale + 400].contains(&(sum / 3)), "{sum}");
}

/// Maps the memfd in s3 at `at`, shared.
fn map_memfd(a: &mut Asm, at: u64, prot: u64) {
    for (r, v) in [(reg::A0, at), (reg::A1, 4096), (reg::A2, prot), (reg::A3, SHARED)] {
        a.li(r, v);
    }
    a.mv(reg::A4, reg::S3);
    a.li(reg::A5, 0);
    a.ecall(nr::MMAP);
}
