//! The CSR `seed`: its rules (Cryptography Extensions Volume I, "Entropy Source"), and the tests of SP 800-90B behind it.

use crate::common;
use capvec_rtl::Source;
use capvec_rtl::model::Parameters as _;
use capvec_rtl::zkr::{Inputs, Model, Oscillator, Parameters};
use capvec_sim::testing::Rng;

const BIST: u32 = 0;
const WAIT: u32 = 1;
const ES16: u32 = 2;
const DEAD: u32 = 3;
/// Raw bits of the start-up test, and of a window of the adaptive proportion test.
const WINDOW: u32 = 1024;
/// Raw bits to a word.
const RAW: u32 = 128;

fn source() -> Source {
    Source::load(&["zkr"]).expect("the sources")
}

fn model() -> Option<Model> {
    let verilator = common::verilator()?;
    let model = Model::build(&verilator, &source(), Parameters, &common::directory());
    Some(model.expect("the model"))
}

/// Cutoffs for half a bit of min-entropy in a raw bit and one false alarm in 2^20 tests (SP 800-90B, 4.4.1 and 4.4.2).
fn cutoffs() -> (u32, u32) {
    let (entropy, alpha) = (0.5f64, 20.0f64);
    let repeats = 1 + (alpha / entropy).ceil() as u32;
    // The critical value of the binomial distribution: bits above it come less often than alpha.
    let (n, p) = (f64::from(WINDOW), 2f64.powf(-entropy));
    let mut log = n * p.ln();
    let mut tail = 0.0;
    let mut k = WINDOW;
    loop {
        tail += log.exp();
        if tail > 2f64.powf(-alpha) {
            return (repeats, k + 1);
        }
        log += (f64::from(k) / (n - f64::from(k) + 1.0)).ln() + ((1.0 - p) / p).ln();
        k -= 1;
    }
}

/// What the source must do, with all raw bits since the last restart at hand.
struct Rules {
    state: u32,
    word: u32,
    tested: Vec<bool>,
    collected: u32,
    crc: u32,
    cutoffs: (u32, u32),
}

impl Rules {
    fn new() -> Rules {
        let (state, cutoffs) = (BIST, cutoffs());
        Rules { state, word: 0, tested: Vec::new(), collected: 0, crc: 0, cutoffs }
    }

    fn alarms(&self) -> bool {
        let Some(last) = self.tested.last() else { return false };
        let run = self.tested.iter().rev().take_while(|b| *b == last).count() as u32;
        let begin = (self.tested.len() - 1) / WINDOW as usize * WINDOW as usize;
        let window = &self.tested[begin..];
        let same = window.iter().filter(|b| **b == window[0]).count() as u32;
        run >= self.cutoffs.0 || same >= self.cutoffs.1
    }

    fn seed(&self) -> u32 {
        self.state << 30 | self.word
    }

    /// A cycle.
    fn clock(&mut self, i: &Inputs) {
        let legal = i.write != 0 && (i.machine | i.allowed) != 0;
        let takes = i.access != 0 && legal;
        let raw = (i.raw_valid != 0 && self.state != DEAD).then_some(i.raw != 0);
        self.tested.extend(raw);
        let alarm = i.alarm != 0 || (raw.is_some() && self.alarms());
        let mut next = match self.state {
            BIST if raw.is_some() && self.tested.len().is_multiple_of(WINDOW as usize) => WAIT,
            ES16 if takes => WAIT,
            same => same,
        };
        if self.state == WAIT
            && let Some(bit) = raw
        {
            let feedback = self.crc >> 31 ^ u32::from(bit);
            self.crc = self.crc << 1 ^ if feedback != 0 { 0x04c1_1db7 } else { 0 };
            self.collected += 1;
            if self.collected == RAW {
                (self.word, self.collected, next) = (self.crc >> 16, 0, ES16);
                self.crc &= 0xffff;
            }
        }
        if alarm {
            next = if self.state == BIST { DEAD } else { BIST };
            self.tested.clear();
        }
        if i.fatal != 0 || self.state == DEAD {
            next = DEAD;
        }
        if next != ES16 {
            self.word = 0;
        }
        if next == BIST || next == DEAD {
            (self.collected, self.crc) = (0, 0);
        }
        self.state = next;
    }
}

/// A legal read of the CSR.
fn read() -> Inputs {
    Inputs { access: 1, write: 1, machine: 1, ..Inputs::default() }
}

/// Runs a cycle, and compares. Returns the CSR before it.
fn cycle(model: &mut Model, rules: &mut Rules, i: Inputs) -> u32 {
    let out = model.eval(&i);
    assert_eq!(out.seed, rules.seed(), "{i:?}");
    let illegal = i.access != 0 && (i.write == 0 || (i.machine | i.allowed) == 0);
    assert_eq!(out.illegal != 0, illegal, "{i:?}");
    model.clock();
    rules.clock(&i);
    out.seed
}

fn feed(model: &mut Model, rules: &mut Rules, bits: impl IntoIterator<Item = bool>) -> u32 {
    for bit in bits {
        cycle(model, rules, Inputs { raw_valid: 1, raw: u32::from(bit), ..Inputs::default() });
    }
    rules.seed() >> 30
}

#[test]
fn lint_is_clean() {
    let Some(verilator) = common::verilator() else { return };
    let lint = Parameters.design().lint(&verilator, &source(), &common::directory());
    lint.unwrap_or_else(|e| panic!("{e:#}"));
}

#[test]
fn the_status_goes_through_its_states() {
    let Some(mut model) = model() else { return };
    let mut rules = Rules::new();
    let mut noise = Oscillator::new(1);
    let mut next = |n: u32| (0..n).map(|_| noise.sample()).collect::<Vec<_>>();
    let (m, r) = (&mut model, &mut rules);
    assert_eq!(feed(m, r, next(WINDOW - 1)), BIST);
    assert_eq!(cycle(m, r, read()), BIST << 30, "no entropy in BIST");
    assert_eq!(feed(m, r, next(1)), WAIT);
    assert_eq!(cycle(m, r, read()), WAIT << 30);
    assert_eq!(feed(m, r, next(RAW)), ES16);
    // Illegal accesses take nothing; a legal one does.
    for (write, machine) in [(0, 1), (1, 0), (0, 0)] {
        cycle(m, r, Inputs { write, machine, ..read() });
    }
    let word = cycle(m, r, read());
    assert_eq!(word >> 30, ES16);
    assert_ne!(word & 0xffff, 0);
    assert_eq!(cycle(m, r, read()), WAIT << 30, "a word is read once");
    // An alarm drops what is there, and a self-test follows; another alarm during it is fatal.
    assert_eq!(feed(m, r, next(RAW)), ES16);
    cycle(m, r, Inputs { alarm: 1, ..Inputs::default() });
    assert_eq!(cycle(m, r, read()), BIST << 30);
    assert_eq!(feed(m, r, next(WINDOW)), WAIT);
    cycle(m, r, Inputs { alarm: 1, ..Inputs::default() });
    cycle(m, r, Inputs { alarm: 1, ..Inputs::default() });
    assert_eq!(feed(m, r, next(2 * WINDOW)), DEAD, "for good");
}

#[test]
fn a_source_that_fails_is_noticed() {
    let Some(mut model) = model() else { return };
    let m = &mut model;
    // Stuck from the start.
    let mut rules = Rules::new();
    assert_eq!(feed(m, &mut rules, vec![true; 40]), BIST);
    assert_eq!(feed(m, &mut rules, [true]), DEAD);
    // Stuck later: a self-test, which fails, too.
    m.reset();
    let mut rules = Rules::new();
    assert_eq!(feed(m, &mut rules, (0..WINDOW).map(|n| n % 2 == 0)), WAIT);
    assert_eq!(feed(m, &mut rules, vec![false; 41]), BIST);
    assert_eq!(feed(m, &mut rules, vec![false; 41]), DEAD);
    // Biased: three ones to a zero are within the bound of 793 of 1024 bits, four are not.
    let ones = |n: u32| (0..2048).map(move |k| k % n != n - 1);
    for (n, state) in [(4, ES16), (5, DEAD)] {
        m.reset();
        assert_eq!(feed(m, &mut Rules::new(), ones(n)), state, "one zero in {n} bits");
    }
    m.reset();
    let mut rules = Rules::new();
    cycle(m, &mut rules, Inputs { fatal: 1, ..Inputs::default() });
    assert_eq!(cycle(m, &mut rules, read()), DEAD << 30);
}

#[test]
fn random_accesses_and_alarms_follow_the_rules() {
    let Some(mut model) = model() else { return };
    let mut rng = Rng::new("random accesses and alarms");
    let mut seen = [0; 4];
    for _ in 0..20 {
        model.reset();
        let mut rules = Rules::new();
        let mut noise = Oscillator::new(rng.next());
        let mut stuck = 0;
        for _ in 0..4000 {
            stuck = match stuck {
                0 if rng.one_in(3000) => 60,
                0 => 0,
                n => n - 1,
            };
            let bit = noise.sample() || stuck > 0;
            let mut one = |in_: u64| u32::from(rng.one_in(in_));
            let i = Inputs {
                raw_valid: 1 - one(4),
                raw: bit.into(),
                alarm: one(1500),
                fatal: one(20_000),
                access: one(40),
                write: 1 - one(4),
                machine: one(2),
                allowed: one(2),
            };
            seen[(cycle(&mut model, &mut rules, i) >> 30) as usize] += 1;
        }
    }
    println!("cycles in BIST, WAIT, ES16 and DEAD: {seen:?}");
    assert!(seen.iter().all(|n| *n > 500), "{seen:?}");
}

/// The words of the oscillator look random; this finds a conditioner that is broken, not one that is weak.
#[test]
fn words_are_spread() {
    let Some(mut model) = model() else { return };
    let mut rules = Rules::new();
    let mut noise = Oscillator::new(7);
    let m = &mut model;
    assert_eq!(feed(m, &mut rules, (0..WINDOW).map(|_| noise.sample())), WAIT);
    let (mut ones, mut words) = (0, std::collections::BTreeSet::new());
    for _ in 0..256 {
        feed(m, &mut rules, (0..RAW).map(|_| noise.sample()));
        let word = cycle(m, &mut rules, read());
        assert_eq!(word >> 30, ES16);
        ones += (word & 0xffff).count_ones();
        words.insert(word);
    }
    // 4096 bits: the standard deviation is 32.
    assert!((1888..=2208).contains(&ones), "{ones} ones");
    assert!(words.len() > 250, "{} different words", words.len());
}
