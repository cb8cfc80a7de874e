//! Reduces a program with a different outcome to one instruction and its initial state.

use crate::both_sides::{Both, EngineKind, JobResults, OracleAborted, Prepared, Sides};
use crate::case::{Batch, Case, Csrs, Image, Job, Program, Registers, zero_image};
use crate::job_result::{JobResult, Part};
use crate::link::{PAD, Place};
use crate::target::Target;
use std::rc::Rc;

/// A case that differs, with both outcomes.
pub struct Found {
    /// The case, reduced to one instruction if possible.
    pub case: Case,
    checked: Rc<Checked>,
    index: usize,
}

impl Found {
    /// The final state in capvec.
    pub fn here(&self) -> JobResult<'_> {
        self.checked.both.here.get(self.index)
    }

    /// The final state in the oracle.
    pub fn oracle(&self) -> JobResult<'_> {
        self.checked.both.oracle.get(self.index)
    }

    /// The final state in capvec with the other agnostic policy.
    pub fn other(&self) -> JobResult<'_> {
        self.checked.other.get(self.index)
    }

    /// The program's address range.
    pub fn place(&self) -> Place {
        self.checked.both.places[self.index]
    }

    /// The parts that differ.
    pub fn parts(&self) -> Vec<Part> {
        self.here().differences(&self.oracle())
    }
}

/// Outcomes of cases.
pub struct Checked {
    /// The outcomes on both sides.
    pub both: Both,
    /// The outcomes in capvec with the other agnostic policy.
    pub other: JobResults,
}

/// A result's registers, CSRs and memory as an initial state.
fn state(r: &JobResult<'_>) -> (Registers, Csrs) {
    let mut registers = Registers::zero(r.v().len() / 32);
    (0..32).for_each(|n| (registers.x[n], registers.f[n]) = (r.x(n), r.f(n)));
    registers.v.copy_from_slice(r.v());
    let [fcsr, vstart, vl, vtype, vcsr] = std::array::from_fn(|n| r.csr(n));
    (registers, Csrs { vtype, vl, vcsr, vstart, fcsr })
}

/// Runs these cases, each with its own memory.
///
/// # Errors
/// One of the sides could not run.
pub fn run(cases: Vec<Case>, target: Target, sides: Sides<'_>) -> anyhow::Result<Checked> {
    let jobs = cases.into_iter().map(Job::Case).collect();
    let prepared = Prepared::new(&Batch { image: zero_image(), jobs }, target)?;
    let other = prepared.run_here(target.other_policy(), sides.engine)?;
    Ok(Checked { both: prepared.run(sides.qemu, sides.engine)?, other })
}

/// Runs these cases; returns those on which the sides disagree, each at its index.
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

/// A program and its prefixes that were run.
struct Prefixes {
    whole: Case,
    /// Job number of the first prefix, which has one instruction.
    first: usize,
}

impl Prefixes {
    fn of_length(&self, n: usize) -> Case {
        Case { words: self.whole.words[..n].into(), ..self.whole.clone() }
    }

    /// The last instruction of the prefix of `n` instructions, from the state that the next shorter prefix left.
    fn last_alone(&self, n: usize, both: &Both) -> Case {
        if n == 1 {
            return self.of_length(1);
        }
        let before = both.here.get(self.first + n - 2);
        let (mut registers, csrs) = state(&before);
        // Removes what the landing pad after the prefix added; the pad was at `end`.
        registers.x[5] = registers.x[5].wrapping_sub(PAD as u64);
        let pad = both.places[self.first + n - 2].end;
        Case {
            words: self.whole.words[n - 1..n].into(),
            ra: (registers.x[1] != pad).then_some(registers.x[1]),
            registers: Rc::new(registers),
            csrs,
            image: Some(before.memory().into()),
        }
    }
}

/// For each program, the number of the first run that differs, if one does.
fn first_runs(
    programs: &[&Program],
    image: &Image,
    target: Target,
    sides: Sides<'_>,
) -> anyhow::Result<Vec<Option<usize>>> {
    let single = |p: &&Program, n| p.part(n..n + 1, n + 1 < p.range.len());
    let all = programs.iter().flat_map(|p| (0..p.range.len()).map(move |n| single(p, n)));
    let batch = Batch { image: Rc::clone(image), jobs: all.map(Job::Program).collect() };
    let both = Prepared::new(&batch, target)?.run(sides.qemu, sides.engine)?;
    let mut next = 0;
    let mut first = |p: &&Program| {
        let jobs = next..next + p.range.len();
        next = jobs.end;
        let start = jobs.start;
        let mut jobs = jobs;
        let differs = |n: &usize| !both.here.digest(*n).same(&both.oracle.digest(*n), |_| {});
        jobs.find(differs).map(|n| n - start)
    };
    Ok(programs.iter().map(&mut first).collect())
}

/// For each program and run number, that run alone, with the memory that the earlier runs left.
fn single_runs(
    runs: &[(&Program, usize)],
    image: &Image,
    target: Target,
    engine: EngineKind,
) -> anyhow::Result<Vec<Case>> {
    let mut jobs = Vec::new();
    let mut ends = Vec::new();
    for (p, n) in runs {
        if *n > 0 {
            jobs.push(Job::Program(p.part(0..*n, true)));
        }
        let nothing: Rc<[u32]> = Rc::default();
        let memory = Case { words: nothing, image: None, ..p.case(*n, Rc::clone(image)) };
        ends.push(jobs.len());
        jobs.push(Job::Case(memory));
    }
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let batch = Batch { image: Rc::clone(image), jobs };
    let results = Prepared::new(&batch, target)?.run_here(target, engine)?;
    let cases = runs.iter().zip(ends);
    Ok(cases.map(|((p, n), end)| p.case(*n, results.get(end).memory().into())).collect())
}

/// Finds the first differing instruction of each program. `None` if no run of a program differs on its own: then
/// something leaked from one run into the next.
///
/// # Errors
/// One of the sides could not run.
pub fn isolate(
    programs: &[&Program],
    image: &Image,
    target: Target,
    sides: Sides<'_>,
) -> anyhow::Result<Vec<Option<Found>>> {
    if programs.is_empty() {
        return Ok(Vec::new());
    }
    let firsts = first_runs(programs, image, target, sides)?;
    let runs = programs.iter().zip(&firsts).filter_map(|(p, n)| n.map(|n| (*p, n)));
    let runs: Vec<(&Program, usize)> = runs.collect();
    let cases = single_runs(&runs, image, target, sides.engine)?;
    let mut found = instructions(cases, target, sides)?.into_iter();
    Ok(firsts.iter().map(|n| n.and_then(|_| found.next().flatten())).collect())
}

/// A program that differs only at its place in the batch.
pub struct InPlace<'a> {
    /// The batch, in which the program keeps its place.
    pub batch: &'a Batch,
    /// The program's job number.
    pub job: usize,
    /// The batch's target.
    pub target: Target,
    /// Both sides.
    pub sides: Sides<'a>,
}

impl InPlace<'_> {
    /// Prepares only these jobs in place of the program.
    fn prepare(&self, own: Vec<Job>) -> anyhow::Result<Prepared> {
        let select = Vec::from_iter(self.job..self.job + own.len());
        let jobs = self.batch.jobs[..self.job].iter().cloned().chain(own).collect();
        let batch = Batch { image: Rc::clone(&self.batch.image), jobs };
        Prepared::selected(&batch, self.target, &select)
    }

    fn run(&self, own: Vec<Job>) -> anyhow::Result<Both> {
        self.prepare(own)?.run(self.sides.qemu, self.sides.engine)
    }

    fn differs(&self, program: &Program) -> anyhow::Result<bool> {
        let both = match self.run(vec![Job::Program(program.clone())]) {
            Err(e) if e.is::<OracleAborted>() => return Ok(false),
            both => both?,
        };
        Ok(!both.here.digest(0).same(&both.oracle.digest(0), |_| {}))
    }

    /// The program with all superfluous instructions replaced by no-ops.
    fn reduced(&self, program: &Program) -> anyhow::Result<Program> {
        const NOP: u32 = 0x13;
        const C_NOP: u32 = 1;
        let mut program = program.clone();
        for n in 0..program.words.len() {
            let mut words = program.words.to_vec();
            words[n] = if words[n] & 3 == 3 { NOP } else { C_NOP };
            let other = Program { words: words.into(), ..program.clone() };
            if self.differs(&other)? {
                program = other;
            }
        }
        Ok(program)
    }

    /// The relevant part of the program, from its first differing run; `None` if none differs.
    ///
    /// # Errors
    /// One of the sides could not run.
    pub fn find(&self) -> anyhow::Result<Option<Found>> {
        let Job::Program(program) = &self.batch.jobs[self.job] else { return Ok(None) };
        let p = self.reduced(program)?;
        let runs = p.range.len();
        let parts = (0..runs).map(|n| Job::Program(p.part(n..n + 1, n + 1 < runs)));
        let both = self.run(parts.collect())?;
        let differs = |n: &usize| !both.here.digest(*n).same(&both.oracle.digest(*n), |_| {});
        let Some(run) = (0..runs).find(differs) else { return Ok(None) };
        let case = Case { image: None, ..p.case(run, Rc::clone(&self.batch.image)) };
        let before = (run > 0).then(|| Job::Program(p.part(0..run, true)));
        let index = before.is_some() as usize;
        let jobs = before.into_iter().chain([Job::Case(case.clone())]).collect();
        let prepared = self.prepare(jobs)?;
        let other = prepared.run_here(self.target.other_policy(), self.sides.engine)?;
        let both = prepared.run(self.sides.qemu, self.sides.engine)?;
        let found = Found { case, checked: Rc::new(Checked { both, other }), index };
        Ok((!found.parts().is_empty()).then_some(found))
    }
}

/// Finds the first differing instruction of each case.
fn instructions(
    cases: Vec<Case>,
    target: Target,
    sides: Sides<'_>,
) -> anyhow::Result<Vec<Option<Found>>> {
    let mut all = Vec::new();
    let mut prefixes = Vec::new();
    for whole in cases {
        let p = Prefixes { whole, first: all.len() };
        all.extend((1..=p.whole.words.len()).map(|n| p.of_length(n)));
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
    // The difference may depend on more than the registers, such as a reservation.
    let whole = pairs().zip(&alone).filter(|(_, found)| found.is_none());
    let whole = whole.map(|((p, n), _)| p.of_length(n)).collect();
    let (mut alone, mut whole) = (alone.into_iter(), check(whole, target, sides)?.into_iter());
    let found = firsts
        .iter()
        .map(|n| n.and_then(|_| alone.next().flatten().or_else(|| whole.next().flatten())));
    Ok(found.collect())
}
