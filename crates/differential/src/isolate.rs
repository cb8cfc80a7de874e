//! From a program whose outcome differs to one instruction and the state that it starts from.

use crate::case::{Batch, Case, Csrs, Image, Registers, zero_image};
use crate::link::{PAD, Place};
use crate::record::{Part, Record};
use crate::run::{Both, Prepared, Records, Sides};
use crate::target::Target;
use std::rc::Rc;

/// A case that differs, with both outcomes.
pub struct Found {
    /// The case; of one instruction if that could be had.
    pub case: Case,
    checked: Rc<Checked>,
    index: usize,
}

impl Found {
    /// The state behind it, here.
    pub fn here(&self) -> Record<'_> {
        self.checked.both.here.get(self.index)
    }

    /// The state behind it, there.
    pub fn oracle(&self) -> Record<'_> {
        self.checked.both.oracle.get(self.index)
    }

    /// The state behind it, here, with the other agnostic policy.
    pub fn other(&self) -> Record<'_> {
        self.checked.other.get(self.index)
    }

    /// Where the program lay.
    pub fn place(&self) -> Place {
        self.checked.both.places[self.index]
    }

    /// Where they differ.
    pub fn parts(&self) -> Vec<Part> {
        self.here().differences(&self.oracle())
    }
}

/// Outcomes of cases.
pub struct Checked {
    /// Both sides'.
    pub both: Both,
    /// Those of this side with the other agnostic policy.
    pub other: Records,
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

/// Runs these cases: those on which the sides disagree, each in its place.
///
/// # Errors
/// One of the sides could not run.
pub fn check(
    cases: Vec<Case>,
    target: Target,
    sides: Sides<'_>,
) -> anyhow::Result<Vec<Option<Found>>> {
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    let checked = Rc::new(run(cases.clone(), target, sides)?);
    let found = cases.into_iter().enumerate().map(|(index, case)| {
        let found = Found { case, checked: Rc::clone(&checked), index };
        (!found.here().same(&found.oracle(), |_| {})).then_some(found)
    });
    Ok(found.collect())
}

/// A program and those of its prefixes that were run.
struct Prefixes {
    whole: Case,
    /// Index of the first prefix, of one instruction.
    first: usize,
}

impl Prefixes {
    fn of_length(&self, n: usize) -> Case {
        Case { words: self.whole.words[..n].into(), ..self.whole.clone() }
    }

    /// The last instruction of the prefix of `n` instructions, from the state that the shorter prefix left.
    fn last_alone(&self, n: usize, both: &Both) -> Case {
        if n == 1 {
            return self.of_length(1);
        }
        let before = both.here.get(self.first + n - 2);
        let (mut registers, csrs) = state(&before);
        // What the landing pad behind the prefix has added, and where it was.
        registers.x[5] = registers.x[5].wrapping_sub(PAD as u64);
        let pad = both.places[self.first + n - 2].end;
        Case {
            words: self.whole.words[n - 1..n].into(),
            ra: (registers.x[1] != pad).then_some(registers.x[1]),
            registers: Rc::new(registers),
            csrs,
            writes: true,
            image: before.memory().map(Rc::from),
        }
    }
}

/// Finds for each case the first instruction that makes a difference. `None` for a case that makes none when
/// it runs with others before it: then something leaked from one case into the next.
///
/// # Errors
/// One of the sides could not run.
pub fn isolate(
    cases: &[&Case],
    image: &Image,
    target: Target,
    sides: Sides<'_>,
) -> anyhow::Result<Vec<Option<Found>>> {
    let mut all = Vec::new();
    let mut prefixes = Vec::new();
    for case in cases {
        let image = Some(Rc::clone(case.image.as_ref().unwrap_or(image)));
        let p = Prefixes { whole: Case { image, ..(*case).clone() }, first: all.len() };
        all.extend((1..=case.words.len()).map(|n| p.of_length(n)));
        prefixes.push(p);
    }
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let both = run(all, target, sides)?.both;
    let differs = |k: usize| !both.here.get(k).same(&both.oracle.get(k), |_| {});
    let first = |p: &Prefixes| (1..=p.whole.words.len()).find(|n| differs(p.first + n - 1));
    let firsts: Vec<Option<usize>> = prefixes.iter().map(first).collect();
    let pairs = || prefixes.iter().zip(&firsts).filter_map(|(p, n)| n.map(|n| (p, n)));
    let alone = check(pairs().map(|(p, n)| p.last_alone(n, &both)).collect(), target, sides)?;
    // It may take more than the registers, a reservation for one.
    let whole = pairs().zip(&alone).filter(|(_, found)| found.is_none());
    let whole = whole.map(|((p, n), _)| p.of_length(n)).collect();
    let (mut alone, mut whole) = (alone.into_iter(), check(whole, target, sides)?.into_iter());
    let found = firsts
        .iter()
        .map(|n| n.and_then(|_| alone.next().flatten().or_else(|| whole.next().flatten())));
    Ok(found.collect())
}
