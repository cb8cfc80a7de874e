//! Signals: faults, frames, vector state.

use crate::common::asm::Asm;
use crate::common::{self, config, machine, nr, options, reg, root, run, run_with, words};
use capvec_isa::{Decoded, Op};
use capvec_linux::{Exit, Status};

const SIGILL: u64 = 4;
const SIGSEGV: u64 = 11;
const SIGALRM: u64 = 14;
/// vtype: SEW 8, LMUL 8, agnostic neither; and SEW 32, LMUL 1/2, tail agnostic.
const E8_M8: i64 = 3;
const E32_MF2_TA: i64 = 0x57;

/// The instruction `vaesem.vv v2, v1` (Unprivileged ISA manual, "vaesem.[vv,vs]").
const VAESEM_VV: u32 = 0xa211_2177;

#[test]
fn an_illegal_instruction_says_what_would_make_it_legal() {
    let mut a = Asm::default();
    a.label("culprit");
    a.word(VAESEM_VV);
    let exit = run_with(&a, |o| o.config = config("rv64gcv", 128).into());
    assert_eq!(exit.status, Status::Signal(SIGILL as i32));
    assert_eq!(exit.status.code(), 132);
    let text = exit.notices[0].to_string();
    for part in ["/prog", "SIGILL", "0x11000", "77 21 11 a2", "vaesem.vv v2, v1", "zvkned"] {
        assert!(text.contains(part), "{part} in: {text}");
    }
    // A compressed one: two bytes.
    let mut a = Asm::default();
    a.word(0x0000_0085);
    let exit = run_with(&a, |o| o.config = config("rv64ima", 128).into());
    let text = exit.notices[0].to_string();
    assert!(text.contains("bytes 85 00") && text.contains("needs c"), "{text}");
}

#[test]
fn faults_are_explained() {
    for (address, word) in [(8u64, "nothing is mapped"), (common::asm::CODE, "r-x")] {
        let mut a = Asm::default();
        a.li(reg::T0, address);
        a.op(Op::Sd, 0, reg::T0, reg::ZERO, 0);
        let exit = run(&a);
        assert_eq!(exit.status.code(), 139);
        let text = exit.notices[0].to_string();
        assert!(
            text.contains(&format!("cannot write {address:#x}")) && text.contains(word),
            "{text}"
        );
    }
}

/// A handler that writes signal, code and address of its `siginfo_t`, and ends the process.
fn reporting(signals: &[u64]) -> Asm {
    let mut a = Asm::default();
    a.label("handler");
    a.mv(reg::S1, reg::A1);
    for (op, offset) in [(Op::Lw, 0), (Op::Lw, 8), (Op::Ld, 16)] {
        a.op(op, reg::S0, reg::S1, 0, offset);
        a.print(reg::S0);
    }
    a.exit(0);
    a.label("start");
    for s in signals {
        a.handler(*s, "handler", 0);
    }
    a
}

#[test]
fn handlers_get_the_signal_code_and_address() {
    // SEGV_MAPERR 1, SEGV_ACCERR 2, ILL_ILLOPC 1, TRAP_BRKPT 1 (include/uapi/asm-generic/siginfo.h).
    fn store(a: &mut Asm, at: u64) -> u64 {
        a.li(reg::T0, at);
        a.op(Op::Sb, 0, reg::T0, reg::ZERO, 0);
        at
    }
    type Fault = dyn Fn(&mut Asm) -> u64;
    let cases: [(&Fault, u64, u64); 5] = [
        (&|a| store(a, 0x5000), SIGSEGV, 1),
        (&|a| store(a, common::asm::CODE + 1), SIGSEGV, 2),
        (
            &|a| {
                a.op(Op::Jalr, reg::ZERO, reg::ZERO, 0, 0x40);
                0x40
            },
            SIGSEGV,
            1,
        ),
        (
            &|a| {
                a.word(0);
                a.here() - 4
            },
            SIGILL,
            1,
        ),
        (
            &|a| {
                a.push(Decoded::new(Op::Ebreak));
                a.here() - 4
            },
            5,
            1,
        ),
    ];
    for (fault, signal, code) in cases {
        let mut a = reporting(&[signal]);
        let address = fault(&mut a);
        let exit = run(&a);
        assert_eq!(words(&exit), [signal, code, address]);
    }
}

#[test]
fn a_fault_in_a_blocked_or_ignored_signal_ends_the_process() {
    let mut a = Asm::default();
    let ignore = a.data_words(&[1, 0, 0]);
    a.call(nr::SIGACTION, &[SIGSEGV, ignore, 0, 8]);
    a.op(Op::Sd, 0, reg::ZERO, reg::ZERO, 0);
    assert_eq!(run(&a).status, Status::Signal(SIGSEGV as i32));
    // The same within its own handler, where it is blocked.
    let mut a = Asm::default();
    a.label("handler");
    a.op(Op::Sd, 0, reg::ZERO, reg::ZERO, 0);
    a.label("start");
    a.handler(SIGSEGV, "handler", 0);
    a.op(Op::Sd, 0, reg::ZERO, reg::ZERO, 0);
    assert_eq!(run(&a).status, Status::Signal(SIGSEGV as i32));
}

fn vector(op: Op, rd: u8, rs1: u8, rs2: u8, imm: i64) -> Decoded {
    Decoded { rd, rs1, rs2, rs3: rd, imm, ..Decoded::new(op) }
}

/// Byte `i` of the vector registers, as the program sets them.
fn pattern(i: usize, vlenb: usize) -> u8 {
    ((i % (8 * vlenb)) as u8).wrapping_add([0, 3, 7, 11][i / (8 * vlenb)])
}

/// Spins with vector state set until a timer's handler has run, then writes all vector registers, vl,
/// vtype and vcsr. The handler first writes the words of its frame's vector record, then does `extra`, then
/// overwrites all vector state.
fn interrupted(extra: impl Fn(&mut Asm)) -> Asm {
    let mut a = Asm::default();
    let flag = a.data_words(&[0]);
    let timer = a.data_words(&[0, 0, 0, 1000]);
    let action = a.data_words(&[0, 4, 0]);
    // After the frame there is room for the stores of the handler: at most 8 KiB for a group.
    let dump = common::asm::DATA + 0x2000;
    a.label("handler");
    a.mv(reg::S2, reg::A2);
    // Header, then vstart, vl, vtype, vcsr, vlenb: from byte 520 of the floating-point state on.
    for word in 0..6 {
        a.op(Op::Ld, reg::S0, reg::S2, 0, 176 + 256 + 520 + 8 * word);
        a.print(reg::S0);
    }
    extra(&mut a);
    a.push(vector(Op::Vsetvli, reg::T0, reg::ZERO, 0, E8_M8));
    for group in 0..4 {
        a.push(vector(Op::VmvVI, 8 * group, 0, 0, 5));
    }
    a.push(Decoded { rd: 0, rs1: 0, imm: 0xf, ..Decoded::new(Op::Csrrwi) });
    a.li(reg::T0, flag);
    a.li(reg::T1, 1);
    a.op(Op::Sd, 0, reg::T0, reg::T1, 0);
    a.op(Op::Jalr, reg::ZERO, reg::RA, 0, 0);
    a.label("start");
    // The handler's address is known only now.
    a.li(reg::T0, action);
    a.li(reg::T1, a.at("handler"));
    a.op(Op::Sd, 0, reg::T0, reg::T1, 0);
    a.call(nr::SIGACTION, &[SIGALRM, action, 0, 8]);
    a.call(nr::SETITIMER, &[0, timer, 0]);
    a.push(vector(Op::Vsetvli, reg::T0, reg::ZERO, 0, E8_M8));
    a.push(vector(Op::VidV, 0, 0, 0, 0));
    for (group, add) in [(1, 3), (2, 7), (3, 11)] {
        a.push(vector(Op::VaddVi, 8 * group, 0, 0, add));
    }
    a.push(Decoded { rd: reg::T0, rs1: 3, imm: E32_MF2_TA, ..Decoded::new(Op::Vsetivli) });
    a.push(Decoded { rd: 0, rs1: 5, imm: 0xf, ..Decoded::new(Op::Csrrwi) });
    a.li(reg::T1, flag);
    a.label("spin");
    a.op(Op::Ld, reg::T0, reg::T1, 0, 0);
    a.to(Op::Beq, 0, reg::T0, reg::ZERO, "spin");
    for (r, csr) in [(reg::S0, 0xc20), (reg::S1, 0xc21), (reg::S2, 0xf), (reg::S3, 0xc22)] {
        a.push(Decoded { rd: r, rs1: 0, imm: csr, ..Decoded::new(Op::Csrrs) });
    }
    a.li(reg::T0, dump);
    a.op(Op::Slli, reg::T2, reg::S3, 0, 3);
    for group in 0..4 {
        a.push(Decoded { rd: 8 * group, rs3: 8 * group, rs1: reg::T0, ..Decoded::new(Op::Vs8rV) });
        a.op(Op::Add, reg::T0, reg::T0, reg::T2, 0);
    }
    for r in [reg::S0, reg::S1, reg::S2] {
        a.print(r);
    }
    a.li(reg::A0, 1);
    a.li(reg::A1, dump);
    a.op(Op::Slli, reg::A2, reg::S3, 0, 5);
    a.ecall(nr::WRITE);
    a.exit(0);
    a
}

fn run_vlen(a: &Asm, vlen: u32) -> Exit {
    run_with(a, |o| o.config = config("rv64gcv", vlen).into())
}

#[test]
fn vector_state_survives_a_handler() {
    let a = interrupted(|_| {});
    for vlen in [128, 256, 512, 1024] {
        let exit = run_vlen(&a, vlen);
        assert_eq!(exit.status, Status::Code(0), "{:?}", exit.notices);
        let vlenb = vlen as usize / 8;
        let w = |i: usize| u64::from_le_bytes(exit.stdout[8 * i..8 * i + 8].try_into().expect("8"));
        // RISCV_V_MAGIC, and the record's size: header, state, 32 registers.
        assert_eq!(w(0), (8 + 48 + 32 * vlenb as u64) << 32 | 0x5346_5457);
        let vl = 3.min(vlen as u64 / 32 / 2);
        assert_eq!([w(1), w(2), w(3), w(4), w(5)], [0, vl, E32_MF2_TA as u64, 5, vlenb as u64]);
        assert_eq!([w(6), w(7), w(8)], [vl, E32_MF2_TA as u64, 5], "after the handler");
        let regs = &exit.stdout[72..];
        assert_eq!(regs.len(), 32 * vlenb);
        let wrong = (0..regs.len()).find(|i| regs[*i] != pattern(*i, vlenb));
        assert_eq!(wrong, None, "VLEN {vlen}");
    }
}

#[test]
fn a_handler_can_change_the_vector_state_it_returns_to() {
    let a = interrupted(|a| {
        // `datap`, which follows the five words; its second byte.
        a.op(Op::Ld, reg::S1, reg::S2, 0, 176 + 256 + 520 + 8 + 40);
        a.li(reg::T0, 0x5a);
        a.op(Op::Sb, 0, reg::S1, reg::T0, 1);
        // And vl, to more than there are elements.
        a.li(reg::T0, 1000);
        a.op(Op::Sd, 0, reg::S2, reg::T0, 176 + 256 + 520 + 16);
    });
    let exit = run_vlen(&a, 256);
    assert_eq!(exit.stdout[72 + 1], 0x5a);
    assert_eq!(exit.stdout[72 + 2], 2);
    assert_eq!(exit.stdout[48], 4, "vl is at most VLMAX");
}

#[test]
fn frames_that_are_not_well_formed_are_refused() {
    let magic = 176 + 256 + 520;
    for (offset, value) in [(magic, 0x1234), (magic + 4, 8), (magic - 4, 1), (magic + 8 + 40, 8)] {
        let a = interrupted(|a| {
            a.li(reg::T0, value);
            a.op(if offset == magic + 48 { Op::Sd } else { Op::Sw }, 0, reg::S2, reg::T0, offset);
        });
        let exit = run_vlen(&a, 256);
        assert_eq!(exit.status, Status::Signal(SIGSEGV as i32), "at {offset}");
        assert!(exit.notices[0].to_string().contains("bad signal frame"), "{:?}", exit.notices);
    }
    // No frame at all.
    let mut a = Asm::default();
    a.li(reg::SP, 0x5000);
    a.ecall(nr::SIGRETURN);
    assert_eq!(run(&a).status, Status::Signal(SIGSEGV as i32));
}

#[test]
fn a_handler_without_stack_ends_the_process() {
    let mut a = reporting(&[SIGALRM, SIGSEGV]);
    a.li(reg::SP, 0x5000);
    a.call(nr::GETPID, &[]);
    a.li(reg::A1, SIGALRM);
    a.ecall(nr::KILL);
    let exit = run(&a);
    assert_eq!(exit.status, Status::Signal(SIGSEGV as i32));
    assert!(exit.notices[0].to_string().contains("no stack"), "{:?}", exit.notices);
}

#[test]
fn system_calls_overwrite_the_vector_registers() {
    let mut a = Asm::default();
    let dump = common::asm::DATA + 0x100;
    a.push(vector(Op::Vsetvli, reg::T0, reg::ZERO, 0, E8_M8));
    a.push(vector(Op::VmvVI, 16, 0, 0, 9));
    a.call(nr::GETPID, &[]);
    a.push(Decoded { rd: reg::S0, rs1: 0, imm: 0xc21, ..Decoded::new(Op::Csrrs) });
    a.li(reg::T0, dump);
    a.push(Decoded { rd: 16, rs3: 16, rs1: reg::T0, ..Decoded::new(Op::Vs8rV) });
    a.op(Op::Ld, reg::S1, reg::T0, 0, 0);
    a.print(reg::S0);
    a.print(reg::S1);
    a.exit(0);
    assert_eq!(words(&run(&a)), [1 << 63, u64::MAX]);
}

#[test]
fn a_program_can_be_kept_from_the_vector_unit() {
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
    let exit = machine(options(dir.path(), config("rv64gcv", 128))).expect("it loads").run();
    assert_eq!(words(&exit), [-1i64 as u64, 0, OFF], "EPERM while in use");
    assert_eq!(exit.status, Status::Signal(SIGILL as i32));
    // A hart without vectors knows nothing of it.
    let dir = root(&[("prog", &first.elf())]);
    let exit = machine(options(dir.path(), config("rv64gc", 128))).expect("it loads").run();
    assert_eq!(words(&exit), [-22i64 as u64; 2], "EINVAL");
}

#[test]
fn hwprobe_tells_the_extensions() {
    // Keys and bits of arch/riscv/include/uapi/asm/hwprobe.h.
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
    assert_eq!(w[10..16], [11, 0, 13, 0, 14, 0], "extensions of vendors");
    assert_eq!(w[16..], [u64::MAX, 0], "an unknown key");
}
