//! No register of the unit depends on an instruction's operands, mask or x register once the instruction has ended: two units that
//! execute the same instructions on different ones are then in the same state.

use crate::unit;
use capvec_rtl::harness::Request;
use capvec_rtl::{Harness, Parameters, stimulus};
use capvec_sim::testing::Rng;

/// Runs a program on one unit, and returns its registers in the cycle after the last result was taken.
fn after(harness: &mut Harness, program: &[Request], seed: u64, stalls: bool) -> Vec<String> {
    let mut stalls = stalls.then(|| Rng::seeded(seed));
    let run = harness.run(program, &mut stalls, |_, _, _| Ok(()));
    run.unwrap_or_else(|e| panic!("{program:?}: {e:#}"));
    harness.model().registers().expect("the unit's model is built so")
}

/// Programs of one instruction and of several, with each instruction last.
pub fn check(parameters: Parameters, programs: u64) {
    let mut harnesses = Vec::new();
    for _ in 0..2 {
        let Some(harness) = unit::harness(parameters.clone()) else { return };
        harnesses.push(harness);
    }
    let mut rng = Rng::new("cleared");
    let ops = stimulus::ops(&parameters.on);
    let start = after(&mut harnesses[0], &[], 0, false);
    let mut changed = 0;
    for n in 0..programs {
        for &op in &ops {
            let before = if n % 2 == 0 { 0 } else { 1 + rng.below(3) };
            let chosen: Vec<_> = (0..before).map(|_| rng.pick(&ops)).chain([op]).collect();
            let program: Vec<Request> =
                chosen.iter().map(|op| stimulus::request(*op, parameters.vlen, &mut rng)).collect();
            let seed = rng.next();
            let [one, other] = [0, 1].map(|k| {
                rng.fill(&mut harnesses[k].registers);
                let own = program.iter().map(|r| Request { rs1: rng.next(), ..*r });
                let own: Vec<Request> = own.collect();
                after(&mut harnesses[k], &own, seed, n % 3 == 0)
            });
            let kept: Vec<_> = one.iter().zip(&other).filter(|(a, b)| a != b).collect();
            assert!(kept.is_empty(), "{kept:?} remain of {program:?}");
            changed += u64::from(one != start);
        }
    }
    // Registers of control keep what the last instruction was. Of a single instruction, all requests may have been illegal.
    assert!(start.len() > 10, "these are no registers: {start:?}");
    assert!(changed > 0 || ops.len() == 1, "no instruction has changed a register");
}
