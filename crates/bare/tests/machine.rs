//! Programs on the bare hart: traps, modes, disabled units, the host-target interface, limits.

use capvec_bare::testing::{
    CODE, DATA, FROMHOST, SIGNATURE, TOHOST, exit, load_address, program, word,
};
use capvec_bare::{Bare, BareError, CommitLog, Image, Options, Outcome, Signature, signature};
use capvec_isa::{Isa, Op};
use capvec_sim::Cause;
use capvec_sim::csr::mseccfg;
use capvec_timing::Core;
use std::io::Write;
use std::sync::{Arc, Mutex};

const MSTATUS: i64 = 0x300;
const MTVEC: i64 = 0x305;
const MCOUNTEREN: i64 = 0x306;
const MEPC: i64 = 0x341;
const MCAUSE: i64 = 0x342;
const MTVAL: i64 = 0x343;
const MSECCFG: i64 = 0x747;
const CYCLE: i64 = 0xc00;

/// Collects output.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

pub struct Run {
    pub outcome: Outcome,
    console: String,
    log: String,
    pub machine: Bare,
    image: Image,
}

fn run(words: &[u32], max_insns: u64, logged: bool) -> Run {
    run_on(&Core::load("ideal").unwrap(), words, max_insns, logged)
}

pub fn run_on(core: &Core, words: &[u32], max_insns: u64, logged: bool) -> Run {
    let image = Image::parse(&program(words)).unwrap();
    let isa: Isa = "rv64gcv_zicntr_zkr_zicbom_zicboz".parse().unwrap();
    let (console, log) = (Sink::default(), Sink::default());
    let options = Options {
        config: Arc::new(core.hart(isa)),
        memory: 1 << 20,
        max_insns: Some(max_insns),
        timeout: None,
        interrupt: None,
        console: Box::new(console.clone()),
        log: logged.then(|| CommitLog::new(Box::new(log.clone()))),
    };
    let mut machine = Bare::new(&image, options).unwrap();
    let outcome = machine.run(core.engine(false).as_mut());
    machine.finish().unwrap();
    Run { outcome, console: console.text(), log: log.text(), machine, image }
}

/// Runs with and without a log, which must agree, and returns the logged run.
fn both(words: &[u32]) -> Run {
    let plain = run(words, 10_000, false);
    let logged = run(words, 10_000, true);
    assert_eq!(plain.outcome, logged.outcome);
    for r in 1..32 {
        assert_eq!(plain.machine.hart().x(r), logged.machine.hart().x(r), "x{r}");
    }
    logged
}

fn csrw(csr: i64, rs1: u8) -> u32 {
    word(Op::Csrrw, 0, rs1, 0, csr)
}

fn csrr(rd: u8, csr: i64) -> u32 {
    word(Op::Csrrs, rd, 0, 0, csr)
}

/// Code that sets mtvec, then runs `body`. The handler, at `CODE + 0x400`, saves cause, value and pc in x20 to x22 and ends
/// the program with code 7.
pub fn with_handler(body: &[u32]) -> Vec<u32> {
    let mut words = load_address(5, 0x8000_0400);
    words.push(csrw(MTVEC, 5));
    words.extend_from_slice(body);
    words.resize(0x100, word(Op::Addi, 0, 0, 0, 0));
    words.extend([csrr(20, MCAUSE), csrr(21, MTVAL), csrr(22, MEPC)]);
    words.extend(exit(7));
    words
}

/// Cause, value and pc in the handler of `with_handler`.
fn trapped(body: &[u32]) -> (u64, u64, u64) {
    let run = both(&with_handler(body));
    assert_eq!(run.outcome, Outcome::Exit(7));
    let h = run.machine.hart();
    (h.x(20), h.x(21), h.x(22))
}

/// Address of the body of `with_handler`.
const BODY: u64 = 0x8000_0014;

#[test]
fn a_program_ends_with_its_code() {
    assert_eq!(both(&exit(0)).outcome, Outcome::Exit(0));
    assert_eq!(both(&exit(5)).outcome, Outcome::Exit(5));
}

#[test]
fn console_characters_are_printed_and_acknowledged() {
    let mut words = load_address(5, TOHOST);
    words.extend(load_address(7, FROMHOST));
    words.extend([word(Op::Addi, 6, 0, 0, 0x101), word(Op::Slli, 6, 6, 0, 48)]);
    for c in b"hi\n" {
        words.push(word(Op::Addi, 8, 6, 0, *c as i64));
        words.push(word(Op::Sd, 0, 5, 8, 0));
        // Waits for the acknowledgement, as real programs do.
        words.push(word(Op::Ld, 9, 7, 0, 0));
        words.push(word(Op::Beq, 0, 9, 0, -4));
        words.push(word(Op::Sd, 0, 7, 0, 0));
    }
    words.extend(exit(0));
    let run = both(&words);
    assert_eq!((run.outcome, run.console.as_str()), (Outcome::Exit(0), "hi\n"));
}

#[test]
fn write_calls_are_served_and_bad_pointers_refused() {
    // SYS_write(1, text, 1), with its words after the signature; the text is the low byte of the call's number.
    let call = SIGNATURE + 64;
    let mut words = load_address(10, call);
    words.extend([word(Op::Addi, 6, 0, 0, 64), word(Op::Sd, 0, 10, 6, 0)]);
    words.extend([word(Op::Addi, 6, 0, 0, 1), word(Op::Sd, 0, 10, 6, 8)]);
    words.extend([word(Op::Sd, 0, 10, 10, 16), word(Op::Addi, 6, 0, 0, 1)]);
    words.push(word(Op::Sd, 0, 10, 6, 24));
    words.extend(load_address(5, TOHOST));
    words.push(word(Op::Sd, 0, 5, 10, 0));
    words.push(word(Op::Ld, 11, 10, 0, 0));
    // Again, from an unmapped address.
    words.extend([word(Op::Addi, 6, 0, 0, 64), word(Op::Sd, 0, 10, 6, 0)]);
    words.extend([word(Op::Sd, 0, 10, 0, 16), word(Op::Sd, 0, 5, 10, 0)]);
    words.push(word(Op::Jal, 0, 0, 0, 4));
    words.push(word(Op::Ld, 12, 10, 0, 0));
    words.extend(exit(0));
    let run = run(&words, 10_000, true);
    assert_eq!((run.outcome, run.console.as_str()), (Outcome::Exit(0), "@"));
    assert_eq!(run.machine.hart().x(11), 1);
    assert_eq!(run.machine.hart().x(12) as i64, -14);
}

#[test]
fn traps_have_the_cause_the_value_and_the_address() {
    assert_eq!(trapped(&[word(Op::Ecall, 0, 0, 0, 0)]), (11, 0, BODY));
    assert_eq!(trapped(&[word(Op::Ebreak, 0, 0, 0, 0)]), (3, BODY, BODY));
    assert_eq!(trapped(&[0xffff_ffff]), (2, 0xffff_ffff, BODY));
    let mut load = load_address(6, 0x7000_0008);
    load.push(word(Op::Ld, 7, 6, 0, 0));
    assert_eq!(trapped(&load), (5, 0x7000_0008, BODY + 16));
    *load.last_mut().unwrap() = word(Op::Sd, 0, 6, 7, 0);
    assert_eq!(trapped(&load), (7, 0x7000_0008, BODY + 16));
    *load.last_mut().unwrap() = word(Op::Jalr, 0, 6, 0, 0);
    assert_eq!(trapped(&load), (1, 0x7000_0008, 0x7000_0008));
}

#[test]
fn user_mode_may_not_do_what_machine_mode_may() {
    // mret to user mode, at the next instruction.
    let enter = |then: &[u32]| {
        let mut words = load_address(6, BODY + 24);
        words.extend([csrw(MEPC, 6), word(Op::Mret, 0, 0, 0, 0)]);
        words.extend_from_slice(then);
        words
    };
    let at = BODY + 24;
    assert_eq!(trapped(&enter(&[word(Op::Ecall, 0, 0, 0, 0)])), (8, 0, at));
    for bad in
        [word(Op::Mret, 0, 0, 0, 0), word(Op::Wfi, 0, 0, 0, 0), csrr(7, MSTATUS), csrr(7, CYCLE)]
    {
        assert_eq!(trapped(&enter(&[bad])), (2, bad as u64, at));
    }
    let zero = word(Op::CboZero, 0, 5, 0, 0);
    assert_eq!(trapped(&enter(&[zero])), (2, zero as u64, at), "menvcfg.CBZE is 0 after reset");
    let seed = word(Op::Csrrw, 7, 0, 0, 0x15);
    assert_eq!(trapped(&enter(&[seed])), (2, seed as u64, at), "mseccfg.USEED is 0 after reset");
}

#[test]
fn without_supervisor_mode_it_cannot_be_granted_the_seed() {
    let mut words = vec![word(Op::Addi, 6, 0, 0, -1), csrw(MSECCFG, 6), csrr(7, MSECCFG)];
    words.extend(exit(0));
    assert_eq!(both(&words).machine.hart().x(7), mseccfg::USEED);
}

#[test]
fn user_mode_may_read_counters_when_granted() {
    let mut body = vec![word(Op::Addi, 6, 0, 0, 1), csrw(MCOUNTEREN, 6)];
    body.extend(load_address(6, BODY + 8 + 24));
    body.extend([csrw(MEPC, 6), word(Op::Mret, 0, 0, 0, 0)]);
    body.extend([csrr(7, CYCLE), word(Op::Ecall, 0, 0, 0, 0)]);
    assert_eq!(trapped(&body), (8, 0, BODY + 36));
}

#[test]
fn instructions_of_a_unit_that_is_off_trap() {
    let fadd = word(Op::FmvDX, 1, 0, 0, 0);
    let vset = word(Op::Vsetvli, 7, 0, 0, 0xc0);
    for (insn, bits) in [(fadd, 3 << 13), (vset, 3 << 9)] {
        assert_eq!(trapped(&[insn]), (2, insn as u64, BODY));
        // The instruction that follows the CSR write in the same block sees its effect.
        let on = [word(Op::Lui, 6, 0, 0, bits & !0xfff), word(Op::Addi, 8, 0, 0, bits & 0x7ff)];
        let on = [on[0], on[1], word(Op::Or, 6, 6, 8, 0), word(Op::Csrrs, 0, 6, 0, MSTATUS)];
        let mut body = on.to_vec();
        body.extend([insn, csrr(9, MSTATUS)]);
        body.extend([word(Op::Csrrc, 0, 6, 0, MSTATUS), insn]);
        assert_eq!(trapped(&body), (2, insn as u64, BODY + 28), "on, then off again");
    }
}

#[test]
fn integer_vectors_need_no_floating_point_unit() {
    let on = [word(Op::Addi, 6, 0, 0, 0x600), word(Op::Csrrs, 0, 6, 0, MSTATUS)];
    let vset = word(Op::Vsetvli, 7, 0, 0, 0xd8);
    let high = word(Op::VmulhVv, 8, 16, 24, 0);
    let float = word(Op::VfaddVv, 8, 16, 24, 0);
    let body = [on[0], on[1], vset, high, float];
    assert_eq!(trapped(&body), (2, float as u64, BODY + 16), "FS is off, SEW is 64");
}

#[test]
fn minstret_continues_from_a_written_value() {
    let body = [
        word(Op::Addi, 6, 0, 0, 100),
        csrw(0xb02, 6),
        csrr(7, 0xb02),
        word(Op::Addi, 0, 0, 0, 0),
        csrr(8, 0xc02),
        word(Op::Ecall, 0, 0, 0, 0),
    ];
    let run = both(&with_handler(&body));
    assert_eq!((run.machine.hart().x(7), run.machine.hart().x(8)), (100, 102));
}

#[test]
fn a_hart_without_a_handler_is_stuck_and_endless_loops_end() {
    let run = both(&[word(Op::Ebreak, 0, 0, 0, 0)]);
    assert!(matches!(run.outcome, Outcome::Stuck(t, 0) if t.cause == Cause::InstructionPage));
    assert_eq!(both(&[word(Op::Jal, 0, 0, 0, 0)]).outcome, Outcome::Instructions);
    // A handler whose first instruction traps, whatever the cause.
    let mut words = vec![word(Op::Jal, 0, 0, 0, 8), word(Op::Ecall, 0, 0, 0, 0)];
    words.extend(load_address(5, CODE + 4));
    words.extend([csrw(MTVEC, 5), word(Op::Ecall, 0, 0, 0, 0)]);
    let run = both(&words);
    assert!(
        matches!(run.outcome, Outcome::Stuck(t, at) if t.cause == Cause::EcallM && at == CODE + 4)
    );
}

#[test]
fn the_mode_decides_whether_an_instruction_at_an_address_traps() {
    // CODE + 4 is both the handler and, entered in user mode by mret, the instruction that traps there.
    let over = 4 + 4 * (1 + exit(7).len() as i64);
    let mut words = vec![word(Op::Jal, 0, 0, 0, over), csrr(20, MCAUSE)];
    words.extend(exit(7));
    words.extend(load_address(5, CODE + 4));
    words.extend([csrw(MTVEC, 5), csrw(MEPC, 5), word(Op::Mret, 0, 0, 0, 0)]);
    let run = both(&words);
    assert_eq!((run.outcome, run.machine.hart().x(20)), (Outcome::Exit(7), 2));
}

#[test]
fn a_line_of_the_signature_begins_with_its_highest_byte() {
    let mut words = load_address(6, SIGNATURE);
    words.extend([word(Op::Addi, 7, 0, 0, 0x123), word(Op::Sw, 0, 6, 7, 4)]);
    words.extend(exit(0));
    let run = both(&words);
    let text = |granularity, end: &str| {
        let what = Signature { begin: "begin_signature".into(), end: end.into(), granularity };
        signature(&run.image, &run.machine.hart().mem, &what)
    };
    let zeros = "00000000\n".repeat(6);
    assert_eq!(text(4, "end_signature").unwrap(), format!("00000000\n00000123\n{zeros}"));
    let first = "00000000000000000000012300000000\n";
    assert_eq!(text(16, "end_signature").unwrap(), format!("{first}{}\n", "0".repeat(32)));
    assert_eq!(text(16, "0x80002088").unwrap(), first, "padded with zeros");
    assert!(matches!(text(4, "nowhere"), Err(BareError::Symbol(_))));
    assert!(matches!(text(4, "0x80001000"), Err(BareError::Signature { .. })));
}

/// riscv-isa-sim's format (`execute.cc`): numbers at full width, then written registers, then memory accesses.
#[test]
fn the_log_has_spikes_format() {
    let mut words = load_address(6, DATA + 0x800);
    words.extend([word(Op::Addi, 7, 0, 0, -2), word(Op::Sh, 0, 6, 7, 2), word(Op::Lw, 8, 6, 0, 0)]);
    words.push(csrw(0x340, 7));
    // Sets FS and VS to Initial and MPP to user mode, writes both parts of vcsr, then returns to user mode.
    words.extend(load_address(9, 0x2200));
    words.extend([csrw(0x300, 9), csrw(0x00f, 8), csrw(0x341, 8)]);
    words.push(0x3020_0073);
    let run = run(&words, 17, true);
    let lines: Vec<&str> = run.log.lines().collect();
    assert_eq!(lines[0], "core   0: 3 0x0000000080000000 (0x80003337) x6  0xffffffff80003000");
    assert_eq!(
        lines[5],
        "core   0: 3 0x0000000080000014 (0x00731123) mem 0x0000000080002802 0xfffe"
    );
    assert_eq!(
        lines[6],
        "core   0: 3 0x0000000080000018 (0x00032403) x8  0xfffffffffffe0000 mem 0x0000000080002800"
    );
    assert_eq!(
        lines[7],
        "core   0: 3 0x000000008000001c (0x34039073) c832_mscratch 0xfffffffffffffffe"
    );
    let written = |n: usize| lines[n].split_once(") ").expect("a written register").1;
    assert_eq!(written(13), "c9_vxsat 0x0000000000000000 c10_vxrm 0x0000000000000000");
    // MPIE is set, MPP is user mode; FS and VS read as dirty.
    let mpie = 0x8000_0002_0000_6680u64;
    assert_eq!(written(15), format!("c768_mstatus {mpie:#018x}"));
}
