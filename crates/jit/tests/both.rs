//! The lockstep mode reports nothing for engines that agree, and names the difference for engines that do not.

use crate::common::object;
use capvec_isa::{Ext, Op};
use capvec_jit::{Both, Difference};
use capvec_sim::engine::Histogram;
use capvec_sim::hart::Agnostic;
use capvec_sim::interp::Interpreter;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{config, word};
use capvec_sim::timing::Ideal;
use capvec_sim::{Cause, Engine, Hart, Memory, Stop};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

const CODE: u64 = 0x1_0000;
const DATA: u64 = 0x2_0000;

/// Interprets, and corrupts the state once.
struct Wrong(Interpreter<Ideal>, fn(&mut Hart));

impl Engine for Wrong {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        let before = h.instret;
        let stop = self.0.run(h, budget);
        if (before..h.instret).contains(&300) {
            (self.1)(h);
        }
        stop
    }

    fn forget(&mut self, space: u64) {
        self.0.forget(space);
    }

    fn switch(&mut self) {}

    fn change_space(&mut self) {}

    fn histogram(&self) -> Option<Histogram> {
        None
    }
}

fn interp() -> Interpreter<Ideal> {
    Interpreter::new(Ideal, false)
}

/// An endless loop that adds and stores.
fn hart() -> Hart {
    let mem = Memory::new().expect("address space");
    mem.map(CODE, PAGE, Perm(7)).expect("pages");
    mem.map(DATA, PAGE, Perm::RW).expect("pages");
    let code = [
        word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (11, 11, 1)),
        word(Op::Sd, |d| (d.rs1, d.rs2) = (10, 11)),
        word(Op::Jal, |d| d.imm = -8),
    ];
    let code: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
    mem.write(CODE, &code).expect("mapped memory");
    let mut h = Hart::new(Arc::new(config(&[], 128, Agnostic::Undisturbed)), mem);
    h.pc = CODE;
    h.write_x(10, DATA);
    h
}

fn differences(other: Box<dyn Engine>) -> Vec<Difference> {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let note = Rc::clone(&seen);
    let report = move |d: &Difference| note.borrow_mut().push(d.clone());
    let mut both = Both::new(Box::new(interp()), other, report);
    let mut h = hart();
    for n in 0..10 {
        assert_eq!(both.run(&mut h, 90), Stop::Budget);
        // A change such as a system call makes.
        h.write_x(12, n);
        h.mem.write(DATA + 64, &[n as u8]).expect("it is writable");
    }
    drop(both);
    Rc::try_unwrap(seen).expect("the only reference").into_inner()
}

fn wrong(what: fn(&mut Hart)) -> Vec<Difference> {
    differences(Box::new(Wrong(interp(), what)))
}

#[test]
fn equal_engines_do_not_differ() {
    assert_eq!(differences(Box::new(interp())), []);
}

#[cfg(translates)]
#[test]
fn the_translator_agrees() {
    let options = capvec_jit::Options { hot_threshold: 1, ..Default::default() };
    let jit = capvec_jit::engine(options, None).expect("a host that has a translator");
    assert_eq!(differences(jit), []);
}

/// Two addresses that alias the same memory alias it in both engines.
#[test]
fn shared_pages_are_shared_in_the_copy() {
    let object = object(2);
    let mut h = hart();
    for (at, offset) in [(DATA, PAGE), (DATA + 4 * PAGE, 0)] {
        let len = 2 * PAGE - offset;
        h.mem.map_shared(at, len, Perm::RW, &object, offset).expect("pages");
    }
    let load = word(Op::Ld, |d| (d.rd, d.rs1) = (12, 13));
    let again = word(Op::Jal, |d| d.imm = -12);
    h.mem
        .write(CODE + 8, &[load.to_le_bytes(), again.to_le_bytes()].concat())
        .expect("mapped memory");
    h.write_x(13, DATA + 5 * PAGE);
    let report = |d: &Difference| panic!("{d}");
    let mut both = Both::new(Box::new(interp()), Box::new(interp()), report);
    assert_eq!(both.run(&mut h, 90), Stop::Budget);
    assert!(h.x(12) > 10, "what was stored through the other address");
}

/// Both engines see what others write to shared pages that the program may only read.
#[test]
fn shared_pages_that_can_only_be_read_change() {
    let object = object(1);
    let mut h = hart();
    let at = DATA + 4 * PAGE;
    h.mem.map_shared(at, PAGE, Perm::R, &object, 0).expect("pages");
    let load = word(Op::Ld, |d| (d.rd, d.rs1) = (12, 13));
    let again = word(Op::Jal, |d| d.imm = -12);
    h.mem
        .write(CODE + 8, &[load.to_le_bytes(), again.to_le_bytes()].concat())
        .expect("mapped memory");
    h.write_x(13, at);
    let report = |d: &Difference| panic!("{d}");
    let mut both = Both::new(Box::new(interp()), Box::new(interp()), report);
    for n in 1..5 {
        rustix::io::pwrite(object.fd(), &[n], 0).expect("it is written");
        assert_eq!(both.run(&mut h, 90), Stop::Budget);
        assert_eq!(h.x(12), n as u64);
    }
}

/// Pages that the system has zeroed read as zero in both engines.
#[test]
fn pages_that_are_discarded_are_zero_for_both() {
    let mut h = hart();
    h.mem.write(DATA, &[5]).expect("it is writable");
    assert!(h.mem.protect(DATA, PAGE, Perm::R));
    let load = word(Op::Ld, |d| (d.rd, d.rs1) = (12, 10));
    let again = word(Op::Jal, |d| d.imm = -4);
    h.mem.write(CODE, &[load.to_le_bytes(), again.to_le_bytes()].concat()).expect("mapped memory");
    let report = |d: &Difference| panic!("{d}");
    let mut both = Both::new(Box::new(interp()), Box::new(interp()), report);
    for expected in [5, 0] {
        assert_eq!(both.run(&mut h, 90), Stop::Budget);
        assert_eq!(h.x(12), expected);
        h.mem.discard(DATA, PAGE).expect("pages");
    }
}

/// Shared pages that nobody can access, also in a copy that is made anew since others have been mapped.
#[test]
fn inaccessible_shared_pages_keep_their_bytes() {
    let report = |d: &Difference| panic!("{d}");
    let mut both = Both::new(Box::new(interp()), Box::new(interp()), report);
    let (mut h, at) = (hart(), DATA + 16 * PAGE);
    h.mem.map_shared(at, PAGE, Perm::RW, &object(1), 0).expect("a page");
    h.mem.write(at + 16, &[19]).expect("it is writable");
    assert!(h.mem.protect(at, PAGE, Perm::NONE));
    assert_eq!(both.run(&mut h, 90), Stop::Budget);
    h.mem.map_shared(at + PAGE, PAGE, Perm::RW, &object(1), 0).expect("a page");
    assert_eq!(both.run(&mut h, 90), Stop::Budget);
    assert!(h.mem.protect(at, PAGE, Perm::R));
    assert_eq!(both.run(&mut h, 90), Stop::Budget);
}

/// Code that is written may take effect before the next fence.i or only then, but in both engines at the same time, whatever
/// is mapped meanwhile.
#[cfg(translates)]
#[test]
fn stale_code_is_the_same_for_both() {
    let options = capvec_jit::Options { hot_threshold: 1, ..Default::default() };
    let jit = capvec_jit::engine(options, None).expect("a host that has a translator");
    let report = |d: &Difference| panic!("{d}");
    let mut both = Both::new(Box::new(interp()), jit, report);
    let mut h = hart();
    let object = object(1);
    let far = |n: u64| DATA + (16 + n) * PAGE;
    let changes: [&dyn Fn(&Memory); 7] = [
        &|m| m.map(far(0), 3 * PAGE, Perm::RW).expect("pages"),
        &|m| assert!(m.protect(far(1), PAGE, Perm(7))),
        &|m| m.unmap(far(0), 2 * PAGE).expect("pages"),
        &|m| m.discard(far(2), PAGE).expect("pages"),
        &|m| m.map(far(2), PAGE, Perm::RW).expect("pages"),
        &|m| m.map_shared(far(4), PAGE, Perm::RW, &object, 0).expect("pages"),
        &|m| m.code_changed(),
    ];
    for (n, change) in (1..).zip(changes.into_iter().cycle().take(24)) {
        let new = word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (11, 11, n));
        h.mem.write(CODE, &new.to_le_bytes()).expect("it is writable");
        assert_eq!(both.run(&mut h, 90), Stop::Budget);
        change(&h.mem);
        h.mem.write(CODE + 64, &new.to_le_bytes()).expect("it is writable");
        assert_eq!(both.run(&mut h, 90), Stop::Budget);
    }
}

/// When the hart loses an extension, blocks that were decoded with it are decoded again.
#[test]
fn an_extension_that_the_hart_loses_is_lost_in_both_engines() {
    let report = |d: &Difference| panic!("{d}");
    let mut both = Both::new(Box::new(interp()), Box::new(interp()), report);
    let mut h = hart();
    h.config = Arc::new(config(&[Ext::M], 128, Agnostic::Undisturbed));
    let mul = word(Op::Mul, |d| (d.rd, d.rs1, d.rs2) = (12, 11, 11));
    h.mem.write(CODE, &mul.to_le_bytes()).expect("it is writable");
    assert_eq!(both.run(&mut h, 90), Stop::Budget);
    h.config = Arc::new(config(&[], 128, Agnostic::Undisturbed));
    h.mem.decoding_changed();
    assert!(matches!(both.run(&mut h, 90), Stop::Trap(trap) if trap.cause == Cause::Illegal));
}

#[test]
fn wrong_registers_are_named() {
    let seen = wrong(|h| h.write_x(20, 7));
    let first = seen.first().expect("a difference");
    assert_eq!(first.what, [("x20".into(), "0x0".into(), "0x7".into())]);
    assert!((200..=300).contains(&first.instret), "{first}");
}

#[test]
fn wrong_memory_is_named() {
    let seen = wrong(|h| h.mem.write(DATA + 100, &[9]).expect("it is writable"));
    let first = seen.first().expect("a difference");
    assert_eq!(first.what, [(format!("byte at {:#x}", DATA + 100), "0x0".into(), "0x9".into())]);
}

#[test]
fn wrong_counts_are_named() {
    let seen = wrong(|h| h.instret += 1);
    assert_eq!(seen.first().expect("a difference").what[0].0, "instret");
}
