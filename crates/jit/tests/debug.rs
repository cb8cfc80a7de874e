//! Runs that are paused for a debugger: where they pause, and that pauses change nothing else.
#![cfg(translates)]

use crate::common::campaign::{LENGTH, campaign};
use crate::common::programs::{all, program, scalar};
use crate::common::{CODE, DATA, EAGER, Pair, cores, counted};
use capvec_isa::Op;
use capvec_jit::Options;
use capvec_sim::debug::{Controls, Pause, Watch, WatchKind};
use capvec_sim::engine::Histogram;
use capvec_sim::testing::{Rng, word};
use capvec_sim::{Engine, Hart, Stop};
use capvec_timing::Core;

/// An engine that is paused at random, and continued each time.
struct Paused {
    inner: Box<dyn Engine>,
    rng: Rng,
    pauses: u64,
}

fn controls(rng: &mut Rng) -> Controls {
    let mut c = Controls { step: rng.one_in(4), ..Controls::default() };
    for _ in 0..rng.below(4) {
        c.breakpoints.insert(CODE + 2 * rng.below(LENGTH * 2));
    }
    if rng.one_in(4) {
        let start = DATA + rng.below(256);
        let kind = rng.pick(&[WatchKind::Write, WatchKind::Read, WatchKind::Access]);
        c.watches.push(Watch { addresses: start..start + 1 + rng.below(64), kind });
    }
    c
}

impl Engine for Paused {
    fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        // Without a debugger, at least one block runs.
        let mut left = budget.max(1);
        let until = h.instret + left;
        let mut controls = Controls::default();
        loop {
            if self.rng.one_in(3) {
                controls = self::controls(&mut self.rng);
                assert!(self.inner.debug(&controls));
            }
            let before = h.instret;
            match self.inner.run(h, left) {
                Stop::Paused(pause) => {
                    self.pauses += 1;
                    match pause {
                        Pause::Breakpoint => assert!(controls.breakpoints.contains(&h.pc)),
                        Pause::Step => assert!(controls.step && h.instret == before + 1),
                        Pause::Watch(at, kind) => {
                            let watch = &controls.watches[0];
                            assert!(watch.addresses.contains(&at) && watch.kind == kind);
                        }
                    }
                }
                stop => {
                    self.inner.debug(&Controls::default());
                    return stop;
                }
            }
            left = until.saturating_sub(h.instret);
        }
    }

    fn forget(&mut self, space: u64) {
        self.inner.forget(space);
    }

    fn switch(&mut self) {
        self.inner.switch();
    }

    fn change_space(&mut self) {
        self.inner.change_space();
    }

    fn histogram(&self) -> Option<Histogram> {
        self.inner.histogram()
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.pauses > 100, "{} pauses", self.pauses);
    }
}

/// A pair whose second engine is paused; the first is the reference.
fn paused(core: &Core, options: Options, translating: bool, seed: &str) -> Pair {
    let core = &counted(core.clone());
    let mut pair = Pair::of(core, options);
    let inner = match translating {
        true => std::mem::replace(&mut pair.jit.0, core.engine(false)),
        false => core.engine(options.count),
    };
    pair.jit.0 = Box::new(Paused { inner, rng: Rng::new(seed), pauses: 0 });
    pair
}

#[test]
fn pauses_change_neither_results_nor_counts_nor_cycles() {
    for name in ["ideal", "karu64", "marian", "ux900"] {
        let core = Core::load(name).expect("a core that is built in");
        for translating in [false, true] {
            for (hot_threshold, ops) in [(0, all()), (2, scalar())] {
                let options = Options { hot_threshold, count: true, ..EAGER };
                let seed = format!("pauses {name} {translating} {hot_threshold}");
                let pair = paused(&core, options, translating, &seed);
                campaign(&seed, pair, 60, |rng| program(rng, &ops));
            }
        }
    }
}

#[test]
fn pauses_change_nothing_on_random_cores() {
    let mut rng = Rng::new("pauses_change_nothing_on_random_cores");
    for n in 0..24 {
        let core = Core { vlen: 128, ..cores::random(&mut rng) };
        let seed = format!("pauses on random cores {n}");
        let options = Options { hot_threshold: rng.below(3) as u8, ..EAGER };
        campaign(&seed, paused(&core, options, n % 2 == 0, &seed), 48, |rng| program(rng, &all()));
    }
}

/// A loop: `a0 += 1`, `sd a0, 0(a1)`, `ld a2, 0(a1)`, back.
fn counting() -> Vec<u8> {
    let words = [
        word(Op::Addi, |d| (d.rd, d.rs1, d.imm) = (10, 10, 1)),
        word(Op::Sd, |d| (d.rs1, d.rs2) = (11, 10)),
        word(Op::Ld, |d| (d.rd, d.rs1) = (12, 11)),
        word(Op::Jal, |d| d.imm = -12),
    ];
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Both engines, with the loop already hot.
fn both(mut check: impl FnMut(&mut dyn Engine, &mut Hart)) {
    let mut pair = Pair::new(128, EAGER);
    pair.load(&counting());
    pair.both(|h| h.write_x(11, DATA));
    assert_eq!(pair.run(400), Stop::Budget);
    check(&mut *pair.interp.0, &mut pair.interp.1);
    check(&mut *pair.jit.0, &mut pair.jit.1);
}

#[test]
fn breakpoints_are_hit_each_time_and_no_more_once_removed() {
    both(|engine, h| {
        for offset in [0, 4, 8, 12] {
            let controls = Controls { breakpoints: [CODE + offset].into(), ..Controls::default() };
            engine.debug(&controls);
            let first = engine.run(h, 1000);
            assert_eq!((first, h.pc), (Stop::Paused(Pause::Breakpoint), CODE + offset));
            for _ in 0..10 {
                let before = (h.instret, h.x(10));
                assert_eq!(engine.run(h, 1000), Stop::Paused(Pause::Breakpoint));
                assert_eq!((h.pc, h.instret, h.x(10)), (CODE + offset, before.0 + 4, before.1 + 1));
            }
            engine.debug(&Controls::default());
            assert_eq!(engine.run(h, 1000), Stop::Budget);
        }
    });
}

#[test]
fn watchpoints_report_changes_and_reads() {
    both(|engine, h| {
        for (addresses, kind, after) in [
            (DATA..DATA + 8, WatchKind::Write, Some(CODE + 8)),
            (DATA..DATA + 8, WatchKind::Read, Some(CODE + 12)),
            (DATA + 7..DATA + 9, WatchKind::Access, Some(CODE + 8)),
            (DATA + 8..DATA + 16, WatchKind::Access, None),
            // The upper half of the number stays what it is.
            (DATA + 4..DATA + 8, WatchKind::Write, None),
        ] {
            let watches = vec![Watch { addresses, kind }];
            engine.debug(&Controls { watches, ..Controls::default() });
            match (engine.run(h, 1000), after) {
                (Stop::Budget, None) => {}
                (Stop::Paused(Pause::Watch(_, found)), Some(pc)) => {
                    assert_eq!((found, h.pc), (kind, pc));
                }
                other => panic!("{other:?}"),
            }
            engine.debug(&Controls::default());
            // Ends at the loop's start.
            let rest = (CODE + 16 - h.pc) / 4 % 4;
            assert_eq!(engine.run(h, rest), Stop::Budget);
        }
    });
}

/// What a debugger writes while a block is suspended counts.
#[test]
fn a_suspended_block_goes_on_with_new_registers_or_elsewhere() {
    both(|engine, h| {
        engine.debug(&Controls { breakpoints: [CODE + 4].into(), ..Controls::default() });
        assert_eq!(engine.run(h, 100), Stop::Paused(Pause::Breakpoint));
        h.write_x(10, 5000);
        assert_eq!(engine.run(h, 100), Stop::Paused(Pause::Breakpoint));
        assert_eq!((h.x(10), h.x(12)), (5001, 5000));
        h.pc = CODE + 12;
        let before = h.instret;
        assert_eq!(engine.run(h, 100), Stop::Paused(Pause::Breakpoint));
        assert_eq!((h.instret, h.x(10), h.x(12)), (before + 2, 5002, 5000));
    });
}
