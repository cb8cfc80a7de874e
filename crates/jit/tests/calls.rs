//! Both engines report the same calls, with the same counters, on random programs. Functions are so small that most
//! branches leave one.
#![cfg(translates)]

use crate::common::campaign::campaign;
use crate::common::programs::{all, program, scalar, words};
use crate::common::{EAGER, Pair, cores, counted};
use capvec_jit::Options;
use capvec_sim::calls::{Event, Observer, TICKS};
use capvec_sim::testing::Rng;
use capvec_timing::Core;
use std::cell::RefCell;
use std::rc::Rc;

/// log2 of the size of a function in bytes.
const FUNCTION: u32 = 5;

/// Keeps the events.
#[derive(Clone, Default)]
struct Kept(Rc<RefCell<Vec<Event>>>);

impl Observer for Kept {
    fn crosses(&mut self, from: u64, to: u64) -> bool {
        from >> FUNCTION != to >> FUNCTION
    }

    fn take(&mut self, events: &[Event]) {
        self.0.borrow_mut().extend(events);
    }
}

/// Runs random programs on both engines; returns how many events they reported.
fn compare(
    name: &str,
    core: &Core,
    options: Options,
    next: impl FnMut(&mut Rng) -> Vec<u8>,
) -> usize {
    let core = &counted(core.clone());
    let mut pair = Pair::of(core, options);
    let [interp, jit] = [&mut pair.interp.0, &mut pair.jit.0].map(|engine| {
        let kept = Kept::default();
        assert!(engine.report_calls(Box::new(kept.clone())));
        kept.0
    });
    campaign(name, pair, 100, next);
    let timed = core.timing().is_some();
    // Only generated code counts fractions of a cycle; without a model there are no ticks.
    let whole = |e: &Event| Event { ticks: if timed { e.ticks / TICKS } else { 0 }, ..*e };
    let (interp, jit) = (interp.borrow(), jit.borrow());
    for (k, (a, b)) in interp.iter().zip(&*jit).enumerate() {
        assert_eq!(whole(b), whole(a), "{name}: event {k}");
    }
    assert_eq!(jit.len(), interp.len(), "{name}");
    jit.len()
}

#[test]
fn events_on_cores() {
    for name in Core::names() {
        let core = Core { vlen: 256, ..Core::load(name).expect("a core that is built in") };
        for hot_threshold in [0, 2] {
            let options = Options { hot_threshold, ..EAGER };
            let scalar_ops = scalar();
            let sum = compare(&format!("calls {name} scalar"), &core, options, |rng| {
                program(rng, &scalar_ops)
            }) + compare(&format!("calls {name} all"), &core, options, |rng| {
                program(rng, &all())
            }) + compare(&format!("calls {name} words"), &core, options, words);
            assert!(sum > 5000, "{name}: {sum} events");
        }
    }
}

#[test]
fn events_on_random_cores() {
    let mut rng = Rng::new("events_on_random_cores");
    for n in 0..20 {
        let core = Core { vlen: 128, ..cores::random(&mut rng) };
        let options = Options { hot_threshold: rng.below(4) as u8, ..EAGER };
        compare(&format!("calls on random cores {n}"), &core, options, words);
    }
}
