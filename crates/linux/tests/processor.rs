//! What a program can learn about the processor (hwprobe), and how it turns the vector unit on and off.

use crate::common::asm::{Asm, vector};
use crate::common::{config, machine, nr, options, reg, root, run, run_with, words};
use capvec_isa::Op;
use capvec_isa::capability::Misaligned;
use capvec_linux::Status;
use capvec_sim::hart::{Config, MustAlign};

/// vtype: SEW 8, LMUL 8, tail and mask undisturbed.
const E8_M8: i64 = 3;
/// SEW 64, LMUL 1.
const E64_M1: i64 = 0x18;
const SIGILL: u64 = 4;

/// A process may turn vectors on after off, but not off after on (Linux, Documentation/arch/riscv/vector.rst).
#[test]
fn a_process_may_turn_vectors_on_but_not_off() {
    const SET: u64 = 69;
    const GET: u64 = 70;
    let (off, on, next_off) = (1, 2, 1 << 2);
    let mut a = Asm::default();
    let path = a.data(b"/prog\0");
    let argv = a.data_words(&[path, 0]);
    a.op(Op::Ld, reg::S2, reg::SP, 0, 0);
    a.call(nr::PRCTL, &[SET, off]);
    a.mv(reg::S0, reg::A0);
    a.print(reg::S0);
    // The second program has two arguments.
    a.li(reg::T0, 2);
    a.to(Op::Beq, 0, reg::S2, reg::T0, "second");
    let both = a.data_words(&[path, path, 0]);
    a.call(nr::PRCTL, &[SET, next_off]);
    a.call(nr::EXECVE, &[path, both, argv + 8]);
    a.label("second");
    a.call(nr::PRCTL, &[SET, on]);
    a.mv(reg::S0, reg::A0);
    a.print(reg::S0);
    a.call(nr::PRCTL, &[GET]);
    a.mv(reg::S0, reg::A0);
    a.print(reg::S0);
    // vsetvli s0, zero, e8, m1, ta, ma
    a.word(0x0c00_7457);
    a.print(reg::S0);
    a.exit(0);
    let exit = run(&a);
    assert_eq!(exit.status, Status::Code(0), "{:?}", exit.notices);
    // EPERM for turning off; turning on succeeds; the state is on; VLMAX is VLEN / 8.
    assert_eq!(words(&exit), [-1i64 as u64, 0, 0, on, 32]);
}

#[test]
fn hwprobe_reports_misaligned_access_as_configured() {
    // Keys CPUPERF_0, MISALIGNED_SCALAR_PERF, MISALIGNED_VECTOR_PERF.
    let mut a = Asm::default();
    let pairs = a.data_words(&[5, 0, 9, 0, 10, 0]);
    a.call(nr::HWPROBE, &[pairs, 3, 0, 0, 0]);
    a.call(nr::WRITE, &[1, pairs, 48]);
    a.exit(0);
    for (configured, expected) in [
        ([Misaligned::Fast, Misaligned::Slow], [5, 3, 9, 3, 10, 2]),
        ([Misaligned::Emulated, Misaligned::Unsupported], [5, 1, 9, 1, 10, 4]),
    ] {
        assert_eq!(words(&run_with(&a, |o| o.misaligned = configured)), expected);
    }
}

/// BUS_ADRALN (include/uapi/asm-generic/siginfo.h), as Linux has it where nothing emulates misaligned accesses.
#[test]
fn misaligned_accesses_give_sigbus_on_harts_that_trap() {
    const SIGBUS: u64 = 7;
    for (op, must_align) in [
        (Op::Ld, MustAlign { scalar: true, vector: false }),
        (Op::Vle64V, MustAlign { scalar: false, vector: true }),
    ] {
        let mut handled = Asm::default();
        handled.label("handler");
        handled.mv(reg::S1, reg::A1);
        for (op, offset) in [(Op::Lw, 0), (Op::Lw, 8), (Op::Ld, 16)] {
            handled.op(op, reg::S0, reg::S1, 0, offset);
            handled.print(reg::S0);
        }
        handled.exit(0);
        handled.label("start");
        let mut ends = Asm::default();
        let config = Config { must_align, ..config("rv64gcv", 128) };
        let mut address = 0;
        for a in [&mut handled, &mut ends] {
            address = a.data_words(&[1, 2, 3]) + 4;
        }
        handled.handler(SIGBUS, "handler", 0);
        for a in [&mut handled, &mut ends] {
            a.li(reg::T0, address);
            a.push(vector(Op::Vsetivli, reg::ZERO, 1, 0, E64_M1));
            a.push(vector(op, 8, reg::T0, 0, 0));
            a.exit(3);
        }
        let on = |must: Option<MustAlign>, a: &Asm| {
            let must_align = must.unwrap_or_default();
            run_with(a, |o| o.config = Config { must_align, ..config.clone() }.into())
        };
        assert_eq!(words(&on(Some(must_align), &handled)), [SIGBUS, 1, address], "{op:?}");
        let exit = on(Some(must_align), &ends);
        assert_eq!(exit.status, Status::Signal(SIGBUS as i32));
        let text = exit.notices[0].to_string();
        let name = op.name();
        assert!(text.contains(&format!("misaligned access to {address:#x} ({name}")), "{text}");
        assert_eq!(on(None, &ends).status, Status::Code(3));
    }
}

#[test]
fn a_process_may_deny_vectors_to_the_next_program() {
    const SET_CONTROL: u64 = 69;
    const GET_CONTROL: u64 = 70;
    const OFF: u64 = 1;
    const OFF_NEXT: u64 = OFF << 2;
    let mut second = Asm::default();
    second.call(nr::PRCTL, &[GET_CONTROL]);
    second.mv(reg::S0, reg::A0);
    second.print(reg::S0);
    second.push(vector(Op::Vsetvli, reg::T0, reg::ZERO, 0, E8_M8));
    second.exit(0);
    let mut first = Asm::default();
    let path = first.data(b"/second\0");
    for control in [OFF, OFF_NEXT] {
        first.call(nr::PRCTL, &[SET_CONTROL, control]);
        first.mv(reg::S0, reg::A0);
        first.print(reg::S0);
    }
    first.push(vector(Op::Vsetvli, reg::T0, reg::ZERO, 0, E8_M8));
    first.call(nr::EXECVE, &[path, 0, 0]);
    let dir = root(&[("prog", &first.elf()), ("second", &second.elf())]);
    let exit =
        machine(options(dir.path(), config("rv64gcv", 128))).expect("the program loads").run();
    assert_eq!(words(&exit), [-1i64 as u64, 0, OFF], "EPERM while in use");
    assert_eq!(exit.status, Status::Signal(SIGILL as i32));
    // On a hart without vectors the calls are invalid.
    let dir = root(&[("prog", &first.elf())]);
    let exit =
        machine(options(dir.path(), config("rv64gc", 128))).expect("the program loads").run();
    assert_eq!(words(&exit), [-22i64 as u64; 2], "EINVAL");
}

#[test]
fn hwprobe_reports_the_extensions() {
    // Keys and bits from arch/riscv/include/uapi/asm/hwprobe.h.
    let mut a = Asm::default();
    let keys = [4, 3, 6, 7, 8, 11, 13, 14, 99];
    let pairs = a.data_words(&keys.iter().flat_map(|k| [*k, 0xbad]).collect::<Vec<u64>>());
    a.call(nr::HWPROBE, &[pairs, keys.len() as u64, 0, 0, 0]);
    a.call(nr::WRITE, &[1, pairs, 16 * keys.len() as u64]);
    a.exit(0);
    let isa = "rv64gcv_zba_zicboz_zvkned_zvkg_zicond_zihintntl";
    let exit = run_with(&a, |o| o.config = config(isa, 128).into());
    // F and D, C, V, Zba, Zicboz, Zvkg, Zvkned, Zihintntl, Zicond, Zve32x to Zve64d, Zca, Zcd, Zaamo, Zalrsc.
    let bits = [0, 1, 2, 3, 6, 20, 21, 29, 35, 37, 38, 39, 40, 41, 43, 45, 56, 57];
    let value = bits.iter().fold(0u64, |v, b| v | 1 << b);
    let w = words(&exit);
    assert_eq!(w[..2], [4, value], "{:#x}", w[1] ^ value);
    assert_eq!(w[2..10], [3, 1, 6, 64, 7, (1 << 38) - 1, 8, 10_000_000]);
    assert_eq!(w[10..16], [11, 0, 13, 0, 14, 0], "vendor extensions");
    assert_eq!(w[16..], [u64::MAX, 0], "an unknown key");
}
