//! Calls and returns: programs of functions that call each other, also recursively, and do not always return to where they were
//! called from. What the engine predicts about returns must never show.
#![cfg(translates)]

use crate::common::cores::random;
use crate::common::{CODE, DATA, EAGER, Pair};
use capvec_isa::Op;
use capvec_jit::Options;
use capvec_sim::debug::{Controls, Pause};
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::testing::{Rng, word};
use capvec_sim::{Hart, Stop};
use capvec_timing::Core;

const RA: u8 = 1;
const SP: u8 = 2;
const T0: u8 = 5;
/// Holds the address of a function for calls through a register.
const T1: u8 = 6;
/// How many more calls may be nested.
const DEPTH: u8 = 9;
/// The stack pointer of the main loop, and its depth.
const MAIN: [u8; 2] = [18, 19];
const NUMBERS: [u8; 6] = [10, 11, 12, 13, 20, 21];

/// Functions of a program, and words of each: the first is the main loop.
const FUNCTIONS: u64 = 30;
const WORDS: usize = 48;
const STACK: u64 = DATA + 2 * PAGE;

fn i(op: Op, rd: u8, rs1: u8, imm: i64) -> u32 {
    word(op, |d| (d.rd, d.rs1, d.imm) = (rd, rs1, imm))
}

fn s(op: Op, rs1: u8, rs2: u8, imm: i64) -> u32 {
    word(op, |d| (d.rs1, d.rs2, d.imm) = (rs1, rs2, imm))
}

/// A program under construction.
struct Program<'r> {
    rng: &'r mut Rng,
    words: Vec<u32>,
}

impl Program<'_> {
    fn push(&mut self, word: u32) {
        self.words.push(word);
    }

    /// A jump to a function.
    fn jump(&mut self, rd: u8, function: u64) {
        let here = 4 * self.words.len() as i64;
        let to = function as i64 * 4 * WORDS as i64;
        self.push(word(Op::Jal, |d| (d.rd, d.imm) = (rd, to - here)));
    }

    /// One to four instructions on numbers.
    fn compute(&mut self) {
        for _ in 0..=self.rng.below(4) {
            let [a, b, d] = [0; 3].map(|_| self.rng.pick(&NUMBERS));
            let op = self.rng.pick(&[Op::Add, Op::Xor, Op::Sltu]);
            self.push(word(op, |w| (w.rd, w.rs1, w.rs2) = (d, a, b)));
        }
    }

    /// A call of a random function, and an instruction that a return may skip.
    fn call(&mut self) {
        let callee = 1 + self.rng.below(FUNCTIONS - 1);
        match self.rng.below(8) {
            // Skips the call, depending on a number.
            0 => {
                let a = self.rng.pick(&NUMBERS);
                self.push(i(Op::Andi, T0, a, 1));
                self.push(s(Op::Bne, T0, 0, 8));
                self.jump(RA, callee);
            }
            1 => self.jump(T0, callee),
            // The address has been put there by another call.
            2 => self.push(i(Op::Jalr, RA, T1, 0)),
            3 => self.push(word(Op::Jal, |d| (d.rd, d.imm) = (RA, 4))),
            _ => self.jump(RA, callee),
        }
        self.push(i(Op::Addi, NUMBERS[0], NUMBERS[0], 1));
    }

    /// A function that calls up to three others.
    fn function(&mut self, number: u64) {
        // A return through t0 is a jump through a register.
        self.push(s(Op::Blt, 0, DEPTH, 8));
        self.push(i(Op::Jalr, 0, RA, 0));
        let frame = self.rng.pick(&[16, 16, 32]);
        self.push(i(Op::Addi, SP, SP, -frame));
        self.push(s(Op::Sd, SP, RA, 8));
        self.push(i(Op::Addi, DEPTH, DEPTH, -1));
        if self.rng.one_in(3) {
            self.push(i(Op::Auipc, T1, 0, 0));
            let next = self.words.len() as i64 - 1;
            let start = number as i64 * WORDS as i64;
            self.push(i(Op::Addi, T1, T1, 4 * (start - next)));
        }
        for _ in 0..self.rng.below(4) {
            self.compute();
            self.call();
        }
        self.compute();
        self.push(i(Op::Ld, RA, SP, 8));
        self.push(i(Op::Addi, SP, SP, frame));
        self.push(i(Op::Addi, DEPTH, DEPTH, 1));
        match self.rng.below(16) {
            0 => self.push(word(Op::Ecall, |_| ())),
            // Returns to the instruction after next.
            1 | 2 => self.push(i(Op::Addi, RA, RA, 4)),
            // Leaves all functions.
            3 => {
                self.push(i(Op::Addi, SP, MAIN[0], 0));
                self.push(i(Op::Addi, DEPTH, MAIN[1], 0));
                self.jump(0, 0);
            }
            4 => {
                self.push(i(Op::Addi, T0, RA, 0));
                self.push(i(Op::Jalr, 0, T0, 0));
            }
            5 => {
                let other = 1 + self.rng.below(FUNCTIONS - 1);
                self.jump(0, other);
            }
            // Returns ignore bit 0.
            6 => self.push(i(Op::Addi, RA, RA, 1)),
            // A return to the next instruction, before the one to the caller.
            7 => {
                self.push(i(Op::Auipc, RA, 0, 0));
                self.push(i(Op::Addi, RA, RA, 12));
                self.push(i(Op::Jalr, 0, RA, 0));
                self.push(i(Op::Ld, RA, SP, 8 - frame));
            }
            _ => {}
        }
        self.push(i(Op::Jalr, 0, RA, 0));
    }
}

/// The word of `recursive` where calls continue.
const CONTINUED: u64 = 8;

/// A function that calls itself as often as a1 says, without a stack, and then returns as often: a2 counts.
fn recursive() -> Vec<u32> {
    const COUNT: u8 = 12;
    const DEEPEST: u8 = 11;
    vec![
        i(Op::Addi, COUNT, DEEPEST, 0),
        word(Op::Jal, |d| (d.rd, d.imm) = (RA, 8)),
        word(Op::Jal, |d| d.imm = -8),
        // The function. All return addresses are the same but for that of the first call, which is kept in t1.
        s(Op::Bne, COUNT, DEEPEST, 8),
        i(Op::Addi, T1, RA, 0),
        i(Op::Addi, COUNT, COUNT, -1),
        s(Op::Beq, COUNT, 0, 8),
        word(Op::Jal, |d| (d.rd, d.imm) = (RA, -16)),
        // Calls continue here.
        i(Op::Addi, COUNT, COUNT, 1),
        s(Op::Beq, COUNT, DEEPEST, 12),
        i(Op::Auipc, RA, 0, 0),
        i(Op::Jalr, 0, RA, -8),
        i(Op::Addi, RA, T1, 0),
        i(Op::Jalr, 0, RA, 0),
    ]
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// A random program.
fn program(rng: &mut Rng) -> Vec<u8> {
    let mut p = Program { rng, words: Vec::new() };
    p.call();
    p.compute();
    p.jump(0, 0);
    for number in 1..FUNCTIONS {
        p.words.resize(number as usize * WORDS, 0);
        p.function(number);
        assert!(p.words.len() <= (number as usize + 1) * WORDS);
    }
    bytes(&p.words)
}

/// The main loop starts, at this address.
fn start(h: &mut Hart, code: u64) {
    let registers = [(SP, STACK), (MAIN[0], STACK), (DEPTH, 40), (MAIN[1], 40)];
    registers.iter().for_each(|(x, v)| h.write_x(*x, *v));
    h.write_x(T1, code + 4 * WORDS as u64);
    h.pc = code;
}

/// Runs random programs with random budgets.
fn compare(name: &str, pair: Pair, programs: u64) {
    compare_at(CODE, name, pair, programs);
}

/// The same, with the programs at this address.
fn compare_at(at: u64, name: &str, mut pair: Pair, programs: u64) {
    let mut rng = Rng::new(name);
    for _ in 0..programs {
        let code = program(&mut rng);
        pair.load_at(at, &code);
        pair.both(|h| start(h, at));
        for _ in 0..30 {
            let budget = match rng.below(4) {
                0 => rng.below(40),
                _ => rng.below(4000),
            };
            if let Stop::Trap(_) = pair.run(budget) {
                pair.both(|h| h.pc += 4);
            }
            match rng.below(16) {
                0 => pair.switch(rng.one_in(2)),
                // Another instruction, perhaps where a call is going to continue.
                1 => {
                    let word = at + 4 * rng.below(FUNCTIONS * WORDS as u64);
                    let new = i(Op::Addi, NUMBERS[3], NUMBERS[3], 7).to_le_bytes();
                    pair.both(|h| {
                        h.mem.write_as(word, &new, Perm::NONE).expect("it is mapped");
                        h.mem.code_changed();
                    });
                }
                2 => pair.both(|h| start(h, at)),
                _ => {}
            }
        }
        pair.compare_memory();
    }
}

#[test]
fn functions_without_a_model() {
    for hot_threshold in [0, 1, 4, 20] {
        let pair = Pair::new(128, Options { hot_threshold, ..EAGER });
        compare(&format!("functions_without_a_model {hot_threshold}"), pair, 60);
    }
}

#[test]
fn functions_on_random_cores() {
    let mut rng = Rng::new("functions_on_random_cores");
    for n in 0..40 {
        let core = Core { vlen: 128, ..random(&mut rng) };
        let options = Options { hot_threshold: rng.below(8) as u8, ..EAGER };
        compare(&format!("functions_on_random_cores {n}"), Pair::of(&core, options), 6);
    }
}

#[test]
fn functions_in_a_small_buffer() {
    let options = Options { hot_threshold: 1, code_bytes: 64 << 10, ..EAGER };
    compare("functions_in_a_small_buffer", Pair::on("karu64", 128, options), 60);
}

/// Functions of two address spaces at the same addresses, on one engine.
#[test]
fn functions_in_two_spaces() {
    let options = Options { hot_threshold: 2, ..EAGER };
    let mut rng = Rng::new("functions_in_two_spaces");
    for _ in 0..30 {
        let (mut a, mut b) = (Pair::new(128, options), Pair::new(128, options));
        for pair in [&mut a, &mut b] {
            pair.load(&program(&mut rng));
            pair.both(|h| start(h, CODE));
        }
        for _ in 0..40 {
            let budget = rng.below(1000);
            if let Stop::Trap(_) = a.run(budget) {
                a.both(|h| h.pc += 4);
            }
            std::mem::swap(&mut a.jit.0, &mut b.jit.0);
            std::mem::swap(&mut a, &mut b);
        }
    }
}

/// Return addresses that need more than 31 bits.
#[test]
fn functions_at_high_addresses() {
    for core in ["ideal", "karu64"] {
        for at in [0x7fff_f000, 0x30_0000_0000] {
            let mut pair = Pair::on(core, 128, Options { hot_threshold: 1, ..EAGER });
            pair.both(|h| h.mem.map(at, 2 * PAGE, Perm(7)).expect("pages of code"));
            compare_at(at, &format!("functions_at_high_addresses {core} {at:#x}"), pair, 60);
        }
    }
}

/// More nested calls than frames are kept for, in runs of different lengths.
#[test]
fn deep_recursion() {
    for (depth, budget) in
        [(100, 1 << 20), (70_000, 1 << 22), (400_000, 1 << 22), (400_000, 12_345)]
    {
        for (core, count) in [("ideal", false), ("karu64", false), ("karu64", true)] {
            let options = Options { hot_threshold: 4, count, ..EAGER };
            let mut pair = Pair::on(core, 128, options);
            pair.load(&bytes(&recursive()));
            pair.both(|h| h.write_x(11, depth));
            let runs = 8 * depth / budget + 3;
            (0..runs).for_each(|_| assert_eq!(pair.run(budget), Stop::Budget));
            pair.compare_histograms();
        }
    }
}

/// A breakpoint where calls continue that have already been made.
#[test]
fn breakpoints_in_callers() {
    for core in ["ideal", "karu64"] {
        let mut pair = Pair::on(core, 128, Options { hot_threshold: 0, ..EAGER });
        pair.load(&bytes(&recursive()));
        pair.both(|h| h.write_x(11, 1000));
        // Everything is translated, and then half of the calls are made.
        for budget in [20_000, 2000] {
            assert_eq!(pair.run(budget), Stop::Budget);
        }
        let mut controls = Controls::default();
        controls.breakpoints.insert(CODE + 4 * CONTINUED);
        for engine in [&mut pair.interp.0, &mut pair.jit.0] {
            assert!(engine.debug(&controls));
        }
        for _ in 0..3 {
            assert_eq!(pair.run(100_000), Stop::Paused(Pause::Breakpoint));
            assert_eq!(pair.interp.1.pc, CODE + 4 * CONTINUED);
        }
        for engine in [&mut pair.interp.0, &mut pair.jit.0] {
            assert!(engine.debug(&Controls::default()));
        }
        assert_eq!(pair.run(20_000), Stop::Budget);
    }
}
