//! Made-up events, in an image of a made-up file.

use capvec_profile::{Count, Profile, Recorder, Shared};
use capvec_sim::calls::{Area, Event, Follower, JUMP, Observer, RETURN};
use capvec_sim::hart::{Agnostic, Hart};
use capvec_sim::mem::Memory;
use capvec_sim::testing::config;
use object::write::{Object, StandardSection, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Where the object is mapped, and bytes of each of its functions.
const AT: u64 = 0x10_0000;
const SIZE: u64 = 0x100;
/// The functions, in order of their addresses.
const NAMES: [&str; 5] = ["main", "f", "g", "h", "f.cold"];

/// Address of a function.
fn address(name: &str) -> u64 {
    AT + NAMES.iter().position(|n| *n == name).expect("a function") as u64 * SIZE
}

/// A relocatable file: its sections are at address 0, as their offsets would be in a file without headers.
fn file() -> Vec<u8> {
    let mut o = Object::new(BinaryFormat::Elf, Architecture::Riscv64, Endianness::Little);
    let text = o.section_id(StandardSection::Text);
    o.append_section_data(text, &vec![0; SIZE as usize * NAMES.len()], 4);
    for (k, name) in NAMES.iter().enumerate() {
        o.add_symbol(Symbol {
            name: name.as_bytes().to_vec(),
            value: k as u64 * SIZE,
            size: SIZE,
            kind: SymbolKind::Text,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(text),
            flags: SymbolFlags::None,
        });
    }
    o.write().expect("an object")
}

/// A recorder with one thread, and a hart whose counters the test advances.
struct Run {
    shared: Shared,
    recorder: Rc<RefCell<Recorder>>,
    h: Hart,
}

impl Run {
    fn new() -> Run {
        let recorder = Rc::new(RefCell::new(Recorder::new(true)));
        let shared = Shared(Rc::clone(&recorder));
        let config = Arc::new(config(&[], 128, Agnostic::Undisturbed));
        let mut h = Hart::new(config, Memory::new().expect("an address space"));
        let path: Rc<[u8]> = b"/program".as_slice().into();
        let addresses = AT..AT + SIZE * NAMES.len() as u64;
        let areas = vec![Area { addresses, offset: 0, file: Some((path, 1)) }];
        recorder.borrow_mut().program(7, 7, "program");
        recorder.borrow_mut().image(h.mem.id(), areas, &|_| Some(file()));
        h.pc = address("main");
        h.write_x(2, 0x1000);
        recorder.borrow_mut().resume(7, &h);
        Run { shared, recorder, h }
    }

    /// Ten instructions of two cycles each, then this event.
    fn event(&mut self, to: u64, link: u64, sp: u64) {
        self.h.instret += 10;
        self.h.cycles += 20;
        let (instret, ticks) = (self.h.instret, self.h.cycles * 16);
        self.shared.take(&[Event { to, link, sp, instret, ticks }]);
        self.h.pc = to;
        self.h.write_x(2, sp);
    }

    fn call(&mut self, name: &str, ret: u64, sp: u64) {
        self.event(address(name), ret, sp);
    }

    /// The thread stops; it continues at this address with this stack pointer.
    fn stop(&mut self, pc: u64, sp: u64) {
        self.recorder.borrow_mut().pause(&self.h);
        self.h.pc = pc;
        self.h.write_x(2, sp);
        self.recorder.borrow_mut().resume(7, &self.h);
    }

    fn finish(&mut self) -> Vec<(String, u64)> {
        self.h.instret += 10;
        self.h.cycles += 20;
        self.recorder.borrow_mut().pause(&self.h);
        let profile = self.recorder.borrow_mut().finish();
        let total = Count { insns: self.h.instret, cycles: self.h.cycles };
        assert_eq!(profile.total(), total, "everything is attributed");
        paths(&profile)
    }
}

/// The instructions of the call paths that have some.
fn paths(profile: &Profile) -> Vec<(String, u64)> {
    let name = |n: &u32| {
        let function = profile.nodes[*n as usize].function;
        profile.functions[function as usize].name.clone()
    };
    let path = |k: u32| profile.path(k)[1..].iter().map(name).collect::<Vec<_>>().join(";");
    let nodes = profile.nodes.iter().enumerate().filter(|(_, n)| n.own.insns > 0);
    nodes.map(|(k, n)| (path(k as u32), n.own.insns)).collect()
}

fn expect(found: &[(String, u64)], expected: &[(&str, u64)]) {
    let expected: Vec<_> = expected.iter().map(|(path, n)| (path.to_string(), *n)).collect();
    assert_eq!(found, expected);
}

#[test]
fn calls_and_returns() {
    let mut r = Run::new();
    let (back, back_in_f) = (address("main") + 8, address("f") + 8);
    r.call("f", back, 0x1000);
    r.call("g", back_in_f, 0xff0);
    r.event(back_in_f, RETURN, 0xff0);
    r.event(back, RETURN, 0x1000);
    expect(&r.finish(), &[("main", 20), ("main;f", 20), ("main;f;g", 10)]);
}

/// A tail call replaces its function; a separate part of a function counts as the function; a jump within one stays in it.
#[test]
fn jumps() {
    let mut r = Run::new();
    let back = address("main") + 8;
    r.call("f", back, 0x1000);
    r.event(address("f.cold"), JUMP, 0x1000);
    r.event(address("f") + 4, JUMP, 0x1000);
    r.event(address("g"), JUMP, 0x1000);
    r.event(address("g") + 4, JUMP, 0xf00);
    r.event(back, RETURN, 0x1000);
    expect(&r.finish(), &[("main", 20), ("main;f", 30), ("main;g", 20)]);
}

/// longjmp from up to three calls further down, into the function that called setjmp: also where that is on the stack twice.
#[test]
fn longjmp() {
    for outer in ["main", "f"] {
        let mut r = Run::new();
        let after_setjmp = address(outer) + 0x20;
        r.call("f", address("main") + 8, 0x1000);
        r.call("g", address("f") + 8, 0xff0);
        r.call("h", address("g") + 8, 0xfe0);
        let sp = if outer == "main" { 0x1000 } else { 0xff0 };
        r.event(after_setjmp, RETURN, sp);
        let (main, f) = if outer == "main" { (20, 10) } else { (10, 20) };
        expect(&r.finish(), &[("main", main), ("main;f", f), ("main;f;g", 10), ("main;f;g;h", 10)]);
    }
    let mut r = Run::new();
    r.call("f", address("main") + 8, 0x1000);
    r.call("f", address("f") + 8, 0xff0);
    r.call("g", address("f") + 8, 0xfe0);
    r.event(address("f") + 0x20, RETURN, 0xff0);
    expect(&r.finish(), &[("main", 10), ("main;f", 20), ("main;f;f", 10), ("main;f;f;g", 10)]);
}

/// A signal interrupts f, its handler g calls h, and f continues; on the thread's stack, and on one of its own.
#[test]
fn signal_handlers() {
    for stack in [0xe00, 0x9000] {
        let mut r = Run::new();
        let back = address("main") + 8;
        r.call("f", back, 0x1000);
        r.h.instret += 5;
        r.stop(address("g"), stack);
        r.call("h", address("g") + 8, stack);
        r.event(address("g") + 8, RETURN, stack);
        r.h.instret += 7;
        r.stop(address("f") + 4, 0x1000);
        r.event(back, RETURN, 0x1000);
        expect(&r.finish(), &[("main", 20), ("main;f", 15), ("main;f;g", 17), ("main;f;g;h", 10)]);
    }
}

/// A million calls that never return do not make the tree deeper than its limit.
#[test]
fn endless_calls_are_bounded() {
    let mut r = Run::new();
    let event = |k: u64| Event {
        to: address(NAMES[k as usize % 4]),
        link: AT + k % 0x400 * 2 + 2,
        sp: 0x1000 - k % 3,
        instret: k,
        ticks: k * 16,
    };
    let events: Vec<Event> = (0..1_000_000).map(event).collect();
    r.shared.take(&events);
    (r.h.instret, r.h.cycles) = (999_999, 999_999);
    let found = r.finish();
    assert!(found.iter().all(|(path, _)| path.matches(';').count() <= 512));
}

/// Recursion that is deeper than what is remembered of it, and what its caller does afterwards.
#[test]
fn deep_recursion_returns_to_its_caller() {
    const CALLS: u64 = 200_000;
    let mut r = Run::new();
    let (top, back, back_in_f) = (1 << 30, address("main") + 8, address("f") + 8);
    r.call("f", back, top);
    for depth in 1..CALLS {
        r.call("f", back_in_f, top - 16 * depth);
    }
    for depth in (1..CALLS).rev() {
        r.event(back_in_f, RETURN, top - 16 * depth);
    }
    r.event(back, RETURN, top);
    r.call("g", address("main") + 16, top);
    let found = r.finish();
    let (of_f, rest): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(path, _)| path.ends_with(";f"));
    assert_eq!(of_f.iter().map(|(_, insns)| insns).sum::<u64>(), 10 * (2 * CALLS - 1));
    expect(&rest, &[("main", 20), ("main;g", 10)]);
}

/// A new process has its parent's path below a root of its own; a thread begins at its process.
#[test]
fn processes_and_threads() {
    let mut r = Run::new();
    r.call("f", address("main") + 8, 0x1000);
    r.recorder.borrow_mut().pause(&r.h);
    r.recorder.borrow_mut().cloned(7, 8, 7);
    r.recorder.borrow_mut().cloned(7, 9, 9);
    for tid in [8, 9] {
        r.h.pc = if tid == 8 { address("h") } else { address("f") + 4 };
        r.recorder.borrow_mut().resume(tid, &r.h);
        r.h.instret += 3;
        r.recorder.borrow_mut().pause(&r.h);
    }
    r.h.pc = address("f") + 4;
    r.recorder.borrow_mut().resume(7, &r.h);
    let profile = {
        r.h.instret += 1;
        r.recorder.borrow_mut().pause(&r.h);
        r.recorder.borrow_mut().finish()
    };
    let roots =
        |n: &u32| profile.functions[profile.nodes[*n as usize].function as usize].name.clone();
    let all: Vec<(String, u64)> = profile
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, n)| n.own.insns > 0)
        .map(|(k, n)| {
            (profile.path(k as u32).iter().map(roots).collect::<Vec<_>>().join(";"), n.own.insns)
        })
        .collect();
    expect(
        &all,
        &[
            ("program (7);main", 10),
            ("program (7);main;f", 1),
            ("program (9);main;f", 3),
            ("program (7);h", 3),
        ],
    );
}
