//! The CSR `seed`: its rules (Cryptography Extensions Volume I, "Entropy Source"), and the tests that SP 800-90B requires.

use crate::{common, hart};
use capvec_bare::Image;
use capvec_bare::testing::{CODE, exit, load_address, program, word};
use capvec_isa::Op;
use capvec_rtl::Source;
use capvec_rtl::hart::{Cosim, Ended};
use capvec_rtl::model::Parameters as _;
use capvec_rtl::zkr::{
    BIST, DEAD, ES16, Inputs, Model, Oscillator, Parameters, RAW, Rules, WAIT, WINDOW,
};
use capvec_sim::testing::Rng;

fn source() -> Source {
    common::source(&["zkr"])
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
    // One more than the critical value of the binomial distribution: so many equal bits have a probability of at most 2^-alpha.
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
    let mut rules = Rules::new(cutoffs());
    let mut noise = Oscillator::new(1);
    let mut next = |n: u32| (0..n).map(|_| noise.sample()).collect::<Vec<_>>();
    let (m, r) = (&mut model, &mut rules);
    assert_eq!(feed(m, r, next(WINDOW - 1)), BIST);
    assert_eq!(cycle(m, r, read()), BIST << 30, "no entropy in BIST");
    assert_eq!(feed(m, r, next(1)), WAIT);
    assert_eq!(cycle(m, r, read()), WAIT << 30);
    assert_eq!(feed(m, r, next(RAW)), ES16);
    // Illegal accesses do not consume the word; a legal one does.
    for (write, machine) in [(0, 1), (1, 0), (0, 0)] {
        cycle(m, r, Inputs { write, machine, ..read() });
    }
    let word = cycle(m, r, read());
    assert_eq!(word >> 30, ES16);
    assert_ne!(word & 0xffff, 0);
    assert_eq!(cycle(m, r, read()), WAIT << 30, "a word is read once");
    // An alarm discards the word, and a self-test follows; another alarm during it is fatal.
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
    let mut rules = Rules::new(cutoffs());
    assert_eq!(feed(m, &mut rules, vec![true; 40]), BIST);
    assert_eq!(feed(m, &mut rules, [true]), DEAD);
    // Stuck later: a self-test, which fails, too.
    m.reset();
    let mut rules = Rules::new(cutoffs());
    assert_eq!(feed(m, &mut rules, (0..WINDOW).map(|n| n % 2 == 0)), WAIT);
    assert_eq!(feed(m, &mut rules, vec![false; 41]), BIST);
    assert_eq!(feed(m, &mut rules, vec![false; 41]), DEAD);
    // Biased: three ones to a zero are within the bound of 793 of 1024 bits, four are not.
    let ones = |n: u32| (0..2048).map(move |k| k % n != n - 1);
    for (n, state) in [(4, ES16), (5, DEAD)] {
        m.reset();
        assert_eq!(feed(m, &mut Rules::new(cutoffs()), ones(n)), state, "one zero in {n} bits");
    }
    m.reset();
    let mut rules = Rules::new(cutoffs());
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
        let mut rules = Rules::new(cutoffs());
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
    let mut rules = Rules::new(cutoffs());
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

/// The tests of the entropy source by itself and in the core.
pub fn all() {
    the_status_goes_through_its_states();
    a_source_that_fails_is_noticed();
    random_accesses_and_alarms_follow_the_rules();
    words_are_spread();
    the_core_reads_entropy_and_enforces_the_rules();
    a_core_without_noise_says_so_for_good();
}

const SEED: i64 = 0x015;

/// Runs a program on the core, in lockstep with the simulator and with `Rules`. Its handler continues after the instruction that trapped;
/// an environment call from user mode sets mseccfg.USEED.
fn on_the_core(words: &[u32], stick_noise_at: u64) -> Option<Ended> {
    let csr = |op, rd, rs1, n| word(op, rd, rs1, 0, n);
    let handler = [
        // mcause 8 has bit 3, USEED is bit 8.
        csr(Op::Csrrs, 30, 0, 0x342),
        word(Op::Andi, 30, 30, 0, 8),
        word(Op::Slli, 30, 30, 0, 5),
        csr(Op::Csrrs, 0, 30, 0x747),
        csr(Op::Csrrs, 31, 0, 0x341),
        word(Op::Addi, 31, 31, 0, 4),
        csr(Op::Csrrw, 0, 31, 0x341),
        word(Op::Mret, 0, 0, 0, 0),
    ];
    let mut all = vec![word(Op::Jal, 0, 0, 0, 4 * (handler.len() as i64 + 1))];
    all.extend(handler);
    all.extend(load_address(5, CODE + 4));
    all.push(csr(Op::Csrrw, 0, 5, 0x305));
    all.extend(words);
    all.extend(exit(0));
    let image = Image::parse(&program(&all)).expect("a program");
    let mut cosim = Cosim::new(hart::model()?, &image, None).expect("memory");
    cosim.stick_noise_at(stick_noise_at);
    let ended = cosim.run(100_000).unwrap_or_else(|e| panic!("{e:#}"));
    assert_eq!(ended.code, Some(0));
    Some(ended)
}

/// Reads the CSR into x5 until its status is this one.
fn poll(status: u32) -> [u32; 4] {
    [
        word(Op::Csrrw, 5, 0, 0, SEED),
        word(Op::Srli, 6, 5, 0, 30),
        word(Op::Addi, 7, 0, 0, status.into()),
        word(Op::Bne, 0, 6, 7, -12),
    ]
}

#[test]
fn the_core_reads_entropy_and_enforces_the_rules() {
    let mut words = Vec::new();
    // Self-test, waiting, a word, and waiting again, in machine mode.
    for status in [BIST, WAIT, ES16, WAIT, ES16] {
        words.extend(poll(status));
    }
    // Two traps: neither form writes.
    words.push(word(Op::Csrrs, 5, 0, 0, SEED));
    words.push(word(Op::Csrrci, 5, 0, 0, SEED));
    // Any form that writes is legal; what it writes is ignored.
    words.push(word(Op::Csrrs, 5, 6, 0, SEED));
    words.push(word(Op::Csrrwi, 5, 31, 0, SEED));
    // In user mode, accesses to the CSR and to mseccfg trap before the environment call; after it, only the form that does not
    // write traps. mret continues in user mode, at the instruction after it.
    words.push(word(Op::Auipc, 8, 0, 0, 0));
    words.push(word(Op::Addi, 8, 8, 0, 16));
    words.push(word(Op::Csrrw, 0, 8, 0, 0x341));
    words.push(word(Op::Mret, 0, 0, 0, 0));
    words.push(word(Op::Csrrw, 5, 0, 0, SEED));
    words.push(word(Op::Csrrs, 5, 0, 0, 0x747));
    words.push(word(Op::Ecall, 0, 0, 0, 0));
    words.extend(poll(ES16));
    words.push(word(Op::Csrrc, 5, 0, 0, SEED));
    let Some(ended) = on_the_core(&words, u64::MAX) else { return };
    assert_eq!(ended.traps, 2 + 3 + 1);
}

#[test]
fn a_core_without_noise_says_so_for_good() {
    // Stuck from reset, or later: then a self-test follows, and fails.
    for (cycle, before) in [(0, vec![BIST]), (1500, vec![WAIT, BIST])] {
        let mut words: Vec<u32> = before.into_iter().flat_map(poll).collect();
        words.extend(poll(DEAD));
        words.extend(poll(DEAD));
        let Some(ended) = on_the_core(&words, cycle) else { return };
        assert_eq!(ended.traps, 0);
    }
}
