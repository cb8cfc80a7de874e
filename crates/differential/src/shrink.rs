//! Shrinks a differing case to the simplest one that still differs.

use crate::both_sides::{OracleAborted, Sides};
use crate::case::Case;
use crate::isolate::{Checked, Found, check, run};
use crate::known_differences::{self, Difference};
use crate::target::Target;
use std::rc::Rc;

/// Number of cases tried in one process.
const CASES_PER_RUN: usize = 128;

/// A part of the state that can be zeroed.
#[derive(Clone, Copy, Debug)]
enum Atom {
    X(usize),
    F(usize),
    /// Byte of the vector registers.
    V(usize),
    /// Byte of the memory.
    Memory(usize),
}

fn atoms(case: &Case) -> Vec<Atom> {
    let r = &case.registers;
    let mut out = Vec::new();
    out.extend((1..32).filter(|n| *n != 3 && r.x[*n] != 0).map(Atom::X));
    out.extend((0..32).filter(|n| r.f[*n] != 0).map(Atom::F));
    out.extend((0..r.v.len()).filter(|n| r.v[*n] != 0).map(Atom::V));
    let image = case.image.as_deref().unwrap_or_default();
    out.extend((0..image.len()).filter(|n| image[*n] != 0).map(Atom::Memory));
    out
}

fn without(case: &Case, zero: &[Atom]) -> Case {
    let mut registers = (*case.registers).clone();
    let mut image = case.image.as_deref().unwrap_or_default().to_vec();
    for atom in zero {
        match *atom {
            Atom::X(n) => registers.x[n] = 0,
            Atom::F(n) => registers.f[n] = 0,
            Atom::V(n) => registers.v[n] = 0,
            Atom::Memory(n) => image[n] = 0,
        }
    }
    let image = case.image.is_some().then(|| image.into());
    Case { registers: Rc::new(registers), image, ..case.clone() }
}

/// Cases with simpler CSRs or one instruction less.
fn simpler(case: &Case) -> Vec<Case> {
    let c = case.csrs;
    let mut out = Vec::new();
    let mut with = |csrs| out.push(Case { csrs, ..case.clone() });
    let less = [0, 1, c.vl / 2, c.vl.saturating_sub(1)];
    less.into_iter().filter(|vl| *vl < c.vl).for_each(|vl| with(crate::case::Csrs { vl, ..c }));
    for vtype in [0, c.vtype & !0xc0, c.vtype & !0x80, c.vtype & !0x40, c.vtype & !7] {
        if vtype != c.vtype {
            with(crate::case::Csrs { vtype, ..c });
        }
    }
    for fcsr in [0, c.fcsr & !31, c.fcsr & 31] {
        if fcsr != c.fcsr {
            with(crate::case::Csrs { fcsr, ..c });
        }
    }
    if c.vcsr != 0 {
        with(crate::case::Csrs { vcsr: 0, ..c });
    }
    if c.vstart != 0 {
        with(crate::case::Csrs { vstart: 0, ..c });
        with(crate::case::Csrs { vstart: c.vstart / 2, ..c });
    }
    for n in 0..case.words.len() {
        if case.words.len() > 1 {
            let mut words = case.words.to_vec();
            words.remove(n);
            out.push(Case { words: words.into(), ..case.clone() });
        }
    }
    out
}

/// Shrinks cases that differ between both sides.
pub struct Shrinker<'a> {
    /// The target on which the case differs.
    pub target: Target,
    /// Both sides.
    pub sides: Sides<'a>,
    /// The known difference to preserve; `None` for an unknown one.
    pub known: Option<&'static str>,
}

impl Shrinker<'_> {
    /// The indices of the cases that still show the difference.
    fn differing(&self, cases: &[Case]) -> anyhow::Result<Vec<usize>> {
        let Checked { both, other } = match run(cases.to_vec(), self.target, self.sides) {
            // This simplification does not work.
            Err(e) if e.is::<OracleAborted>() => return Ok(Vec::new()),
            checked => checked?,
        };
        let mut out = Vec::new();
        for (n, case) in cases.iter().enumerate() {
            let (here, oracle) = (both.here.get(n), both.oracle.get(n));
            if here.same(&oracle, |_| {}) {
                continue;
            }
            let d = Difference::of(case, [here, oracle, other.get(n)], self.target);
            if known_differences::find(&d).map(|k| k.name) == self.known {
                out.push(n);
            }
        }
        Ok(out)
    }

    /// Zeroes atoms of `case`, `size` at a time; returns whether it could zero any.
    fn clear(&self, case: &mut Case, size: usize) -> anyhow::Result<bool> {
        let all = atoms(case);
        let mut zero: Vec<Atom> = Vec::new();
        for chunks in all.chunks(size).collect::<Vec<_>>().chunks(CASES_PER_RUN) {
            let tries: Vec<Case> = chunks.iter().map(|c| without(case, c)).collect();
            let good = self.differing(&tries)?;
            zero.extend(good.iter().flat_map(|n| chunks[*n]));
            if let Some(first) = good.first()
                && self.differing(&[without(case, &zero)])?.is_empty()
            {
                // These can be zeroed one at a time but not together.
                *case = without(case, chunks[*first]);
                return Ok(true);
            }
        }
        *case = without(case, &zero);
        Ok(!zero.is_empty())
    }

    fn clear_all(&self, case: &mut Case) -> anyhow::Result<()> {
        let mut size = atoms(case).len();
        while size > 0 {
            if !self.clear(case, size)? || size > atoms(case).len() {
                size = if size == 1 { 0 } else { size.div_ceil(4) };
            }
        }
        Ok(())
    }

    /// The simplest case found.
    ///
    /// # Errors
    /// One of the sides could not run.
    pub fn shrink(&self, found: Found) -> anyhow::Result<Found> {
        let mut case = found.case.clone();
        loop {
            self.clear_all(&mut case)?;
            let tries = simpler(&case);
            if tries.is_empty() {
                break;
            }
            match self.differing(&tries)?.first() {
                Some(n) => case = tries[*n].clone(),
                None => break,
            }
        }
        let shrunk = check(vec![case], self.target, self.sides)?.pop().flatten();
        Ok(shrunk.unwrap_or(found))
    }
}
