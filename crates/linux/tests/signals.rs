//! Signals: faults, frames, vector state.

use crate::common::asm::{Asm, vector};
use crate::common::{self, config, nr, reg, run, run_with, words};
use capvec_isa::{Decoded, Op};
use capvec_linux::{Exit, Status};

const SIGILL: u64 = 4;
const SIGSEGV: u64 = 11;
const SIGALRM: u64 = 14;
/// vtype: SEW 8, LMUL 8, tail and mask undisturbed; and SEW 32, LMUL 1/2, tail agnostic.
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
    // A compressed instruction has two bytes.
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
fn a_fault_whose_signal_is_blocked_or_ignored_ends_the_process() {
    let mut a = Asm::default();
    let ignore = a.data_words(&[1, 0, 0]);
    a.call(nr::SIGACTION, &[SIGSEGV, ignore, 0, 8]);
    a.op(Op::Sd, 0, reg::ZERO, reg::ZERO, 0);
    assert_eq!(run(&a).status, Status::Signal(SIGSEGV as i32));
    // A fault within its own handler, where the signal is blocked.
    let mut a = Asm::default();
    a.label("handler");
    a.op(Op::Sd, 0, reg::ZERO, reg::ZERO, 0);
    a.label("start");
    a.handler(SIGSEGV, "handler", 0);
    a.op(Op::Sd, 0, reg::ZERO, reg::ZERO, 0);
    assert_eq!(run(&a).status, Status::Signal(SIGSEGV as i32));
}

/// The value that the program gives to byte `i` of the vector registers.
fn pattern(i: usize, vlenb: usize) -> u8 {
    ((i % (8 * vlenb)) as u8).wrapping_add([0, 3, 7, 11][i / (8 * vlenb)])
}

/// Prints vl, vtype and vcsr, then all vector registers.
fn print_vector_state(a: &mut Asm) {
    // After the program's data, with room for four groups of registers, of at most 8 KiB each.
    let dump = common::asm::DATA + 0x2000;
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
}

/// Sets vector state, spins until a timer's handler has run, then prints all vector registers, vl, vtype and vcsr. The
/// handler first prints the words of its frame's vector record, then does `extra`, then overwrites all vector state.
fn interrupted(extra: impl Fn(&mut Asm)) -> Asm {
    let mut a = Asm::default();
    let flag = a.data_words(&[0]);
    let timer = a.data_words(&[0, 0, 0, 1000]);
    let action = a.data_words(&[0, 4, 0]);
    a.label("handler");
    a.mv(reg::S2, reg::A2);
    // The header, then vstart, vl, vtype, vcsr and vlenb; they begin at byte 520 of the floating-point state.
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
    // The action was reserved before its handler had an address.
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
    print_vector_state(&mut a);
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
        let w = |i: usize| {
            u64::from_le_bytes(exit.stdout[8 * i..8 * i + 8].try_into().expect("eight bytes"))
        };
        // RISCV_V_MAGIC, and the size of the record: header, state, 32 registers.
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
        // The second byte of what `datap`, the word after those five, points to.
        a.op(Op::Ld, reg::S1, reg::S2, 0, 176 + 256 + 520 + 8 + 40);
        a.li(reg::T0, 0x5a);
        a.op(Op::Sb, 0, reg::S1, reg::T0, 1);
        // vl larger than VLMAX.
        a.li(reg::T0, 1000);
        a.op(Op::Sd, 0, reg::S2, reg::T0, 176 + 256 + 520 + 16);
    });
    let exit = run_vlen(&a, 256);
    assert_eq!(exit.stdout[72 + 1], 0x5a);
    assert_eq!(exit.stdout[72 + 2], 2);
    assert_eq!(exit.stdout[48], 4, "vl is at most VLMAX");
}

#[test]
fn malformed_frames_are_refused() {
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
fn a_handler_without_a_stack_ends_the_process() {
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
