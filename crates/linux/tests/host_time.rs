//! No guest keeps the host busy: sleeps beyond the end of its clock, and instructions that take long.

use crate::common::asm::Asm;
use crate::common::{config, nr, options, reg, root, run};
use capvec_isa::Op;
use capvec_linux::{Exit, Machine, Options, Status};
use capvec_sim::hart::Hart;
use capvec_sim::{Engine, Interpreter, Stop, engine::Histogram, timing::Ideal};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

/// Sleeps beyond the end of the clock, with a timer whose second expiry is beyond it too.
#[test]
fn the_end_of_the_clock_is_never_reached() {
    const LONG: u64 = 1 << 61;
    let mut a = Asm::default();
    let action = a.data_words(&[1, 0, 0]);
    let timer = a.data_words(&[LONG, 0, 1, 0]);
    let (short, long) = (a.data_words(&[2, 0]), a.data_words(&[6_000_000_000, 0]));
    // SIGALRM is ignored.
    a.call(nr::SIGACTION, &[14, action, 0, 8]);
    a.call(nr::SETITIMER, &[0, timer, 0]);
    a.call(nr::NANOSLEEP, &[short, 0]);
    for _ in 0..4 {
        a.call(nr::NANOSLEEP, &[long, 0]);
    }
    a.exit(0);
    assert_eq!(run(&a).status, Status::Deadlock);
}

/// An engine that records the largest budget of instructions that it was given.
struct Observed(Interpreter<Ideal>, Rc<Cell<u64>>);

impl Engine for Observed {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        self.1.set(self.1.get().max(budget));
        self.0.run(h, budget)
    }

    fn forget(&mut self, space: u64) {
        self.0.forget(space);
    }

    fn switch(&mut self) {
        self.0.switch();
    }

    fn change_space(&mut self) {
        self.0.change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        self.0.histogram()
    }
}

/// Runs a loop of `count` rounds; returns the largest budget of a run of the engine, and how the program ended.
fn observed(count: u64, vlen: u32, set: impl FnOnce(&mut Options)) -> (u64, Exit) {
    let mut a = Asm::default();
    a.li(reg::T0, count);
    a.label("loop");
    a.op(Op::Addi, reg::T0, reg::T0, 0, -1);
    a.to(Op::Bne, 0, reg::T0, reg::ZERO, "loop");
    a.exit(0);
    let dir = root(&[("prog", &a.elf())]);
    let most = Rc::new(Cell::new(0));
    let engine = Observed(Interpreter::new(Ideal, false), Rc::clone(&most));
    let mut o = options(dir.path(), config("rv64gcv", vlen));
    set(&mut o);
    let exit = Machine::new(o, Box::new(engine)).expect("the program loads").run();
    (most.get(), exit)
}

/// An instruction may take milliseconds at the largest VLEN, so the time limit is checked between parts of a quantum.
/// This does not change what the program does.
#[test]
fn longer_vectors_make_the_time_limit_be_checked_more_often() {
    let (long, long_exit) = observed(150_000, 65536, |_| {});
    let (short, short_exit) = observed(150_000, 128, |_| {});
    assert!(long <= 64 && short > 10_000, "{long} {short}");
    assert_eq!((long_exit.status, short_exit.status), (Status::Code(0), Status::Code(0)));
    assert_eq!(long_exit.instret, short_exit.instret);
}

/// With long instructions, a run exceeds the time limit by at most a part of a quantum.
#[test]
fn the_time_limit_ends_a_run_in_the_middle_of_a_quantum() {
    let o = |o: &mut Options| {
        o.quantum = u64::MAX;
        o.timeout = Some(Duration::from_millis(50));
    };
    let (most, exit) = observed(1 << 40, 65536, o);
    assert_eq!(exit.status, Status::TimeLimit);
    assert!(most <= 64 && exit.instret < 1 << 40, "{most} {exit:?}");
}
