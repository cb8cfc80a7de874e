//! A run that was recorded with one model, replayed through all others: the cycles are those of a run with that model.

use crate::small_programs::{hart, params, r};
use capvec_isa::Op;
use capvec_sim::testing::{DATA, Rng, word};
use capvec_sim::{Cause, Engine, Interpreter, Stop};
use capvec_timing::replay::{Counter, Recording, Replay, Resolution, engine};
use capvec_timing::{Core, FirstOrder, Model, Params};
use std::sync::Arc;

/// More than the test records.
const ROOM: usize = 1 << 20;
/// Iterations of the program.
const ITERATIONS: u64 = 200;
/// Where it stores what it reads.
const READS: u64 = DATA + 0x8000;

/// Each iteration of the loop reads `cycle` twice and stores it, loads with many strides and at odd addresses, branches on data, and
/// has instructions that trap: a load, and one that traps unless vl is a multiple of 4.
fn program() -> Vec<u32> {
    let cycle = |rd| r(Op::Csrrs, rd, 0, 0, 0xc00);
    let body = vec![
        cycle(7),
        word(Op::Vsetvli, |d| (d.rd, d.rs1, d.imm) = (17, 11, 0xd1)),
        r(Op::Mul, 6, 5, 11, 0),
        r(Op::Andi, 13, 6, 0, 0x7f8),
        r(Op::Add, 13, 13, 10, 0),
        r(Op::Ld, 5, 13, 0, 3),
        word(Op::Vle32V, |d| (d.rd, d.rs1) = (2, 13)),
        word(Op::Vlse32V, |d| (d.rd, d.rs1, d.rs2) = (4, 10, 11)),
        r(Op::VaddVv, 6, 2, 4, 0),
        word(Op::Vse32V, |d| (d.rs3, d.rs1) = (6, 13)),
        word(Op::VaesemVs, |d| (d.rd, d.rs2) = (8, 2)),
        r(Op::Andi, 14, 6, 0, 16),
        r(Op::Beq, 0, 14, 0, 8),
        r(Op::Divu, 15, 6, 11, 0),
        // Nothing is mapped at 0.
        r(Op::Ld, 16, 0, 0, 0),
        cycle(8),
        r(Op::Sd, 0, 12, 7, 0),
        r(Op::Sd, 0, 12, 8, 8),
        r(Op::Addi, 12, 12, 0, 16),
        r(Op::Addi, 5, 5, 0, 7),
        r(Op::Addi, 11, 11, 0, -1),
    ];
    let back = r(Op::Bne, 0, 11, 0, -4 * body.len() as i64);
    let start = r(Op::Addi, 11, 0, 0, ITERATIONS as i64);
    [vec![start], body, vec![back, 0x0010_0073]].concat()
}

/// What the program reads, with this value in x5, run in pieces between which the hart sometimes switches to another context or
/// address space.
fn run(mut engine: Box<dyn Engine>, x5: u64) -> Vec<u64> {
    let (mut h, mut rng) = (hart(&program()), Rng::new("replay"));
    h.write_x(5, x5);
    h.write_x(12, READS);
    engine.change_space();
    loop {
        match engine.run(&mut h, 1 + rng.below(300)) {
            Stop::Trap(t) if t.cause == Cause::Breakpoint => break,
            Stop::Trap(_) => h.pc += 4,
            _ => {}
        }
        match rng.below(20) {
            0 => engine.switch(),
            1 => engine.change_space(),
            _ => {}
        }
    }
    (0..2 * ITERATIONS).map(|k| h.mem.load::<u64>(READS + 8 * k).unwrap()).collect()
}

fn real(p: &Params, x5: u64) -> Vec<u64> {
    run(Box::new(Interpreter::new(FirstOrder::new(p.clone(), 256), false)), x5)
}

fn recorded(p: &Params, room: usize, x5: u64) -> (Vec<u64>, Recording) {
    let place = Arc::default();
    let engine = engine(FirstOrder::new(p.clone(), 256), room, Arc::clone(&place));
    let reads = run(engine, x5);
    let recording = std::mem::take(&mut *place.lock().unwrap());
    (reads, recording)
}

/// The differences between consecutive reads.
fn differences(reads: &[u64]) -> Vec<u64> {
    reads.windows(2).map(|w| w[1] - w[0]).collect()
}

/// The parameters of the shipped cores, and some with misaligned accesses emulated.
fn all_params() -> Vec<(String, Params)> {
    let of = |name: &str| match Core::load(name).unwrap().model {
        Model::FirstOrder(p) => Some((name.to_string(), *p)),
        Model::Ideal => None,
    };
    let mut all: Vec<_> =
        Core::names().filter_map(of).filter(|(_, p)| p.vector.is_some()).collect();
    let mut emulated = params("ux900");
    emulated.data.emulated = 16 * 100;
    emulated.vector.as_mut().unwrap().emulated = Some([16 * 200, 16 * 20]);
    all.push(("ux900, misaligned accesses emulated".into(), emulated));
    all
}

#[test]
fn a_replay_has_the_cycles_of_a_run() {
    let all = all_params();
    let first = recorded(&all[0].1, ROOM, 1);
    for (name, p) in &all {
        let (reads, recording) = recorded(p, ROOM, 1);
        let expected = real(p, 1);
        assert_eq!(reads, expected, "{name}: recording changes nothing");
        assert_eq!(recording.same(&first.1), [true], "{name}: the same path");
        let model = || FirstOrder::new(p.clone(), 256);
        let resolution = Resolution::new(&first.1, model());
        let mut replay = Replay::new(&resolution, model());
        // A replay can be repeated: what came before leaves nothing.
        for _ in 0..2 {
            assert_eq!(differences(&replay.cycles(0)), differences(&expected), "{name}");
        }
    }
}

#[test]
fn a_recording_says_what_was_read() {
    let (_, recording) = recorded(&params("karu64"), ROOM, 1);
    let [process] = &recording.processes[..] else { panic!("one process") };
    assert_eq!(process.reads, vec![Counter::Cycle; 2 * ITERATIONS as usize]);
    assert!(process.whole && process.calls.is_empty());
}

#[test]
fn a_run_without_room_is_not_whole() {
    let p = params("karu64");
    let whole = recorded(&p, ROOM, 1).1;
    let short = recorded(&p, 1000, 1).1;
    assert!(!short.processes[0].whole);
    assert_eq!(short.same(&whole), [false]);
}

#[test]
fn another_path_is_not_the_same() {
    let p = params("karu64");
    assert_eq!(recorded(&p, ROOM, 1).1.same(&recorded(&p, ROOM, 2).1), [false]);
}
