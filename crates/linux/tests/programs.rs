//! Whole programs: the initial stack, system calls, counts and time, limits, determinism.

use crate::common::asm::Asm;
use crate::common::{self, FREQUENCY, nr, reg, run, run_with, words};
use capvec_isa::Op;
use capvec_linux::{Machine, Notice, Status};
use capvec_sim::Interpreter;
use capvec_sim::insn::Insn;
use capvec_sim::timing::{Dynamic, Plan, Seen, StaticCosts, Timing};

#[test]
fn a_program_writes_to_both_outputs_and_exits_with_its_code() {
    let mut a = Asm::default();
    let text = a.data(b"hello\n");
    a.call(nr::WRITE, &[1, text, 6]);
    a.mv(reg::S0, reg::A0);
    a.call(nr::WRITE, &[2, text, 5]);
    a.exit(42);
    let exit = run(&a);
    assert_eq!(exit.stdout, b"hello\n");
    assert_eq!(exit.stderr, b"hello");
    assert_eq!(exit.status, Status::Code(42));
    assert_eq!(exit.status.code(), 42);
}

#[test]
fn instructions_and_cycles_are_counted_exactly() {
    // A loop of 1000 rounds of two instructions; what surrounds it is counted by hand.
    let mut a = Asm::default();
    a.li(reg::T0, 1000);
    a.label("loop");
    a.op(Op::Addi, reg::T0, reg::T0, 0, -1);
    a.to(Op::Bne, 0, reg::T0, reg::ZERO, "loop");
    a.exit(0);
    let exit = run(&a);
    // li, the loop, li a0, li a7; an ecall that traps does not retire (Privileged ISA manual, 3.3.1).
    assert_eq!(exit.instret, 1 + 2000 + 2);
    assert_eq!(exit.cycles, exit.instret);
}

#[test]
fn the_stack_has_arguments_environment_and_auxiliary_vector() {
    // The program prints its stack from sp upwards, and this test parses it.
    let mut a = Asm::default();
    a.print(reg::SP);
    a.li(reg::A0, 1);
    a.mv(reg::A1, reg::SP);
    a.li(reg::T0, capvec_sim::mem::SPACE - 4096);
    a.op(Op::Sub, reg::A2, reg::T0, reg::SP, 0);
    a.ecall(nr::WRITE);
    a.exit(0);
    let exit = run_with(&a, |o| {
        o.argv = vec![b"/prog".to_vec(), b"".to_vec(), b"three words here".to_vec()];
        o.env = vec![b"A=1".to_vec(), b"B=".to_vec()];
    });
    let sp = u64::from_le_bytes(exit.stdout[..8].try_into().expect("eight bytes"));
    assert_eq!(sp % 16, 0, "the ABI's alignment");
    let stack = &exit.stdout[8..];
    let word =
        |i: usize| u64::from_le_bytes(stack[8 * i..8 * i + 8].try_into().expect("eight bytes"));
    let text = |at: u64| {
        let s = &stack[(at - sp) as usize..];
        String::from_utf8_lossy(&s[..s.iter().position(|b| *b == 0).expect("a NUL at the end")])
            .into_owned()
    };
    assert_eq!(word(0), 3);
    assert_eq!([text(word(1)), text(word(2)), text(word(3))], ["/prog", "", "three words here"]);
    assert_eq!(word(4), 0);
    assert_eq!([text(word(5)), text(word(6))], ["A=1", "B="]);
    assert_eq!(word(7), 0);
    let aux: Vec<(u64, u64)> =
        (8..).step_by(2).map(|i| (word(i), word(i + 1))).take_while(|p| p.0 != 0).collect();
    let get = |key| aux.iter().find(|p| p.0 == key).map(|p| p.1);
    // Keys from include/uapi/linux/auxvec.h.
    assert_eq!(get(6), Some(4096), "AT_PAGESZ");
    assert_eq!(get(9), Some(common::asm::CODE), "AT_ENTRY");
    assert_eq!(get(3), None.or(Some(0)), "AT_PHDR: the headers are not loaded");
    assert_eq!(get(5), Some(2), "AT_PHNUM");
    assert_eq!(get(23), Some(0), "AT_SECURE");
    let letters = "imafdcv".bytes().fold(0, |bits, c| bits | 1u64 << (c - b'a'));
    assert_eq!(get(16), Some(letters), "AT_HWCAP");
    assert_eq!(text(get(31).expect("AT_EXECFN")), "/prog");
    let random = get(25).expect("AT_RANDOM");
    assert_ne!(&stack[(random - sp) as usize..][..16], [0; 16]);
}

#[test]
fn unknown_calls_are_reported_once_and_return_enosys() {
    let mut a = Asm::default();
    for number in [999, 117, 999] {
        a.call(number, &[]);
        a.mv(reg::S0, reg::A0);
        a.print(reg::S0);
    }
    a.exit(0);
    let exit = run(&a);
    assert_eq!(words(&exit), [-38i64 as u64; 3]);
    let reported: Vec<_> = exit
        .notices
        .iter()
        .map(|n| match n {
            Notice::UnknownCall { number, name } => (*number, *name),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(reported, [(999, None), (117, Some("ptrace"))]);
    assert!(exit.notices[1].to_string().contains("ptrace"));
}

#[test]
fn every_call_returns_efault_for_a_bad_pointer() {
    let bad = [0, 8, 0xffff, 1 << 38, u64::MAX, u64::MAX - 7];
    let mut a = Asm::default();
    for p in bad {
        for (number, args) in [
            (nr::WRITE, [1, p, 64]),
            (nr::CLOCK_GETTIME, [0, p, 0]),
            (nr::PIPE2, [p, 0, 0]),
            (nr::NANOSLEEP, [p, 0, 0]),
            (nr::GETRANDOM, [p, 16, 0]),
            (nr::EXECVE, [p, 0, 0]),
            (nr::HWPROBE, [p, 1, 0]),
        ] {
            a.call(number, &args);
            a.mv(reg::S0, reg::A0);
            a.print(reg::S0);
        }
    }
    a.exit(0);
    let exit = run(&a);
    assert_eq!(exit.status, Status::Code(0));
    let expected = vec![-14i64 as u64; 7 * bad.len()];
    assert_eq!(words(&exit), expected);
}

#[test]
fn clocks_advance_with_cycles_and_sleep() {
    let mut a = Asm::default();
    let time = a.data_words(&[0, 0]);
    let sleep = a.data_words(&[2, 500_000_000]);
    for _ in 0..2 {
        a.call(nr::CLOCK_GETTIME, &[1, time]);
        a.li(reg::T0, time);
        a.op(Op::Ld, reg::S0, reg::T0, 0, 0);
        a.op(Op::Ld, reg::S1, reg::T0, 0, 8);
        a.print(reg::S0);
        a.print(reg::S1);
        a.call(nr::NANOSLEEP, &[sleep, 0]);
    }
    a.call(nr::CLOCK_GETTIME, &[0, time]);
    a.li(reg::T0, time);
    a.op(Op::Ld, reg::S0, reg::T0, 0, 0);
    a.print(reg::S0);
    a.exit(0);
    let started = std::time::Instant::now();
    let exit = run(&a);
    let w = words(&exit);
    // Three instructions load the arguments and the number: a0, a1 (two), a7.
    let ns = 1_000_000_000 / FREQUENCY;
    assert_eq!(w[0], 0);
    assert!(w[1] > 0 && w[1] < 20 * ns, "{}", w[1]);
    assert_eq!(w[2], 2);
    assert!((500_000_000..500_002_000).contains(&w[3]), "{}", w[3]);
    assert_eq!(w[4], 1_767_225_600 + 5, "the start of virtual time plus two sleeps");
    assert!(exit.idle_cycles > 4 * FREQUENCY && exit.cycles < 1000);
    assert!((exit.seconds - 5.0).abs() < 1e-4, "{}", exit.seconds);
    assert!(started.elapsed().as_secs() < 4, "sleeping must take no host time");
}

#[test]
fn limits_end_the_run() {
    let mut a = Asm::default();
    a.label("loop");
    a.jump("loop");
    let exit = run_with(&a, |o| o.max_insns = Some(1_000_000));
    assert_eq!(exit.status, Status::InstructionLimit);
    assert!((1_000_000..1_000_100).contains(&exit.instret), "{}", exit.instret);
    assert_eq!(exit.status.code(), 124);
    let exit = run_with(&a, |o| {
        o.max_insns = None;
        o.timeout = Some(std::time::Duration::from_millis(50));
    });
    assert_eq!(exit.status, Status::TimeLimit);
    assert!(matches!(exit.notices[..], [Notice::Limit(_)]));
}

#[test]
fn a_wait_that_cannot_end_is_a_deadlock() {
    let mut a = Asm::default();
    let word = a.data_words(&[1]);
    a.call(nr::FUTEX, &[word, 128, 1, 0]);
    a.exit(0);
    let exit = run(&a);
    assert_eq!((exit.status, exit.status.code()), (Status::Deadlock, 125));
    let text = exit.notices[0].to_string();
    assert!(text.contains("thread 100") && text.contains("futex"), "{text}");
}

/// Two children write a byte each to a pipe after loops of different lengths; the parent prints random bytes, then the
/// children's bytes in the order of arrival.
fn busy() -> Asm {
    let mut a = Asm::default();
    let buffer = a.data(&[0; 16]);
    let fds = a.data_words(&[0]);
    let letters = a.data(b"LS");
    a.call(nr::PIPE2, &[fds, 0]);
    a.call(nr::GETRANDOM, &[buffer, 16, 0]);
    a.call(nr::WRITE, &[1, buffer, 16]);
    for (i, rounds, spin, parent) in [(0, 50_000, "spin1", "one"), (1, 30_000, "spin2", "two")] {
        a.call(nr::CLONE, &[17, 0, 0, 0, 0]);
        a.to(Op::Bne, 0, reg::A0, reg::ZERO, parent);
        a.li(reg::T0, rounds);
        a.label(spin);
        a.op(Op::Addi, reg::T0, reg::T0, 0, -1);
        a.to(Op::Bne, 0, reg::T0, reg::ZERO, spin);
        a.li(reg::T0, fds);
        a.op(Op::Lw, reg::A0, reg::T0, 0, 4);
        a.li(reg::A1, letters + i);
        a.li(reg::A2, 1);
        a.ecall(nr::WRITE);
        a.exit(0);
        a.label(parent);
    }
    for _ in 0..2 {
        a.li(reg::T0, fds);
        a.op(Op::Lw, reg::A0, reg::T0, 0, 0);
        a.li(reg::A1, buffer);
        a.li(reg::A2, 1);
        a.ecall(nr::READ);
        a.call(nr::WRITE, &[1, buffer, 1]);
        a.call(nr::WAIT4, &[u64::MAX, 0, 0, 0]);
    }
    a.exit(0);
    a
}

#[test]
fn runs_repeat_to_the_last_instruction() {
    let a = busy();
    let observe = |quantum, seed| {
        let e = run_with(&a, |o| (o.quantum, o.seed) = (quantum, seed));
        assert_eq!(e.status, Status::Code(0));
        (e.instret, e.cycles, e.idle_cycles, e.stdout, e.peak_memory)
    };
    let first = observe(1000, 1);
    assert_eq!(first, observe(1000, 1));
    assert_eq!(first.3[16..], *b"SL", "the shorter loop ends first when the children take turns");
    assert_ne!(first.3[..16], observe(1000, 2).3[..16], "another seed");
    let whole = observe(1_000_000, 1);
    assert_eq!(whole.3[16..], *b"LS", "without turns the first child ends first");
    assert_eq!(whole.0, first.0, "turns do not change what is executed");
}

/// A core on which each instruction takes as many cycles.
struct PerInstruction(u32);

impl Timing for PerInstruction {
    fn plan(&self, _: u64, insns: &[Insn]) -> Plan {
        let cumulative: Vec<u32> = (0..=insns.len() as u32).map(|n| n * self.0).collect();
        Plan { costs: StaticCosts::new(&cumulative, &[]), ..Plan::default() }
    }

    fn enter(&mut self, _: u64, _: u64, _: &Plan, _: bool) -> u64 {
        0
    }

    fn execute(&mut self, _: u64, _: Dynamic, _: &Insn, _: &Seen<'_>) -> u64 {
        0
    }
}

/// The quantum is in instructions, but the guest sees a time.
#[test]
fn the_interval_of_the_scheduler_is_a_time() {
    for (cycles, ns) in [(1, 2_000_000), (3, 6_000_000)] {
        let mut a = Asm::default();
        let at = a.data(&[0; 16]);
        a.li(reg::T0, 1_000_000);
        a.label("loop");
        a.op(Op::Addi, reg::T0, reg::T0, 0, -1);
        a.to(Op::Bne, 0, reg::T0, reg::ZERO, "loop");
        a.call(nr::SCHED_RR_GET_INTERVAL, &[0, at]);
        a.call(nr::WRITE, &[1, at, 16]);
        a.exit(0);
        let dir = common::root(&[("prog", &a.elf())]);
        let mut o = common::options(dir.path(), common::config("rv64gcv", 256));
        o.quantum = 200_000;
        let engine = Interpreter::new(PerInstruction(cycles), false);
        let exit = Machine::new(o, Box::new(engine)).expect("the program loads").run();
        assert_eq!(words(&exit), [0, ns], "{cycles}");
    }
}
