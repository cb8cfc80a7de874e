//! From a program whose outcome differs to one instruction and the state that it starts from.

use crate::case::{Batch, Case, Csrs, Registers, zero_image};
use crate::generate::may_write;
use crate::record::{Part, Record};
use crate::run::{Both, Prepared, Records, Sides};
use crate::target::Target;
use std::rc::Rc;

/// A case that differs, with both outcomes.
pub struct Found {
    /// The case; of one instruction if that could be had.
    pub case: Case,
    /// All records: of case 0.
    pub checked: Checked,
}

/// Outcomes of cases.
pub struct Checked {
    /// Both sides'.
    pub both: Both,
    /// Those of this side with the other agnostic policy.
    pub other: Records,
}

impl Found {
    /// The state behind it, here.
    pub fn here(&self) -> Record<'_> {
        self.checked.both.here.get(0)
    }

    /// The state behind it, there.
    pub fn oracle(&self) -> Record<'_> {
        self.checked.both.oracle.get(0)
    }

    /// The state behind it, here, with the other agnostic policy.
    pub fn other(&self) -> Record<'_> {
        self.checked.other.get(0)
    }

    /// Where they differ.
    pub fn parts(&self) -> Vec<Part> {
        self.here().differences(&self.oracle())
    }
}

/// The registers, CSRs and memory of a record as something to start from.
fn state(r: &Record<'_>) -> (Registers, Csrs) {
    let mut registers = Registers::zero(r.v().len() / 32);
    (0..32).for_each(|n| (registers.x[n], registers.f[n]) = (r.x(n), r.f(n)));
    registers.v.copy_from_slice(r.v());
    let [fcsr, vstart, vl, vtype, vcsr] = std::array::from_fn(|n| r.csr(n));
    (registers, Csrs { vtype, vl, vcsr, vstart, fcsr })
}

/// Runs these cases, each with memory of its own.
///
/// # Errors
/// One of the sides could not run.
pub fn run(cases: Vec<Case>, target: Target, sides: Sides<'_>) -> anyhow::Result<Checked> {
    let prepared = Prepared::new(&Batch { image: zero_image(), cases }, target)?;
    let other = prepared.run_here(target.other_policy(), sides.engine)?;
    Ok(Checked { both: prepared.run(sides.qemu, sides.engine)?, other })
}

/// Runs one case; `None` if both sides agree on it.
pub fn check(case: Case, target: Target, sides: Sides<'_>) -> anyhow::Result<Option<Found>> {
    let checked = run(vec![case.clone()], target, sides)?;
    let same = checked.both.here.get(0).same(&checked.both.oracle.get(0));
    Ok((!same).then_some(Found { case, checked }))
}

/// Finds the first instruction of `case` that makes a difference. `None` if the case makes none when it runs
/// alone: then something leaked from one case into the next.
///
/// # Errors
/// One of the sides could not run.
pub fn isolate(
    case: &Case,
    image: &crate::case::Image,
    target: Target,
    sides: Sides<'_>,
) -> anyhow::Result<Option<Found>> {
    let image = Some(Rc::clone(case.image.as_ref().unwrap_or(image)));
    let prefix =
        |n: usize| Case { words: case.words[..n].into(), image: image.clone(), ..case.clone() };
    let count = case.words.len();
    let both = run((1..=count).map(prefix).collect(), target, sides)?.both;
    let differs = |n: &usize| !both.here.get(n - 1).same(&both.oracle.get(n - 1));
    let Some(n) = (1..=count).find(differs) else { return Ok(None) };
    let mut single = prefix(n);
    if n > 1 {
        let before = both.here.get(n - 2);
        let (registers, csrs) = state(&before);
        // The landing pad behind the prefix is not that of the single instruction.
        let mut ra = registers.x[1];
        if ra == both.places[n - 2].end {
            ra = 0;
        }
        let mut registers = registers;
        // What the pad behind the prefix has added.
        registers.x[5] = registers.x[5].wrapping_sub(crate::link::PAD as u64);
        single = Case {
            words: case.words[n - 1..n].into(),
            registers: Rc::new(registers),
            ra: (ra != 0).then_some(ra),
            csrs,
            image: before.memory().map(Rc::from),
        };
    }
    debug_assert!(single.image.is_some() || !single.words.iter().any(|w| may_write(*w)));
    if let Some(found) = check(single, target, sides)? {
        return Ok(Some(found));
    }
    // It takes more than the registers, a reservation for one.
    check(prefix(n), target, sides)
}
