//! Misaligned accesses on harts that trap: exceptions of machine mode.

use crate::machine::{run_on, with_handler};
use capvec_bare::Outcome;
use capvec_bare::testing::{DATA, load_address, word};
use capvec_isa::Op;
use capvec_sim::Cause;
use capvec_sim::hart::MustAlign;
use capvec_timing::Core;

#[test]
fn they_trap_with_their_address() {
    let must_align = MustAlign { scalar: true, vector: false };
    let core = Core { must_align, ..Core::load("ideal").unwrap() };
    for (op, cause) in [(Op::Lw, Cause::LoadMisaligned), (Op::Sd, Cause::StoreMisaligned)] {
        let mut body = load_address(10, DATA + 1026);
        body.push(word(op, 11, 10, 0, 0));
        let run = run_on(&core, &with_handler(&body), 10_000, false);
        assert_eq!(run.outcome, Outcome::Exit(7));
        let h = run.machine.hart();
        assert_eq!((h.x(20), h.x(21)), (cause as u64, DATA + 1026), "{op:?}");
    }
    // An aligned access does not trap, and neither does a misaligned one on a hart that carries it out.
    let mut body = load_address(10, DATA + 1026);
    body.extend([word(Op::Lhu, 11, 10, 0, 0)]);
    body.extend(capvec_bare::testing::exit(3));
    assert_eq!(run_on(&core, &with_handler(&body), 10_000, false).outcome, Outcome::Exit(3));
    let ideal = Core::load("ideal").unwrap();
    body[4] = word(Op::Lw, 11, 10, 0, 0);
    assert_eq!(run_on(&ideal, &with_handler(&body), 10_000, false).outcome, Outcome::Exit(3));
}
