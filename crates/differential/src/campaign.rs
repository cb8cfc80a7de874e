//! Runs batch after batch: generates, runs on both sides, compares, isolates differences.

use crate::both_sides::{Both, EngineKind, OracleAborted, Prepared, Sides};
use crate::case::{Batch, Image, Job, Program};
use crate::coverage::row;
use crate::generate::Generator;
use crate::isolate::{Found, InPlace, isolate};
use crate::job_result::Part;
use crate::known_differences::{self, Difference};
use crate::shrink::Shrinker;
use crate::tally::{Fault, Tally};
use crate::target::{Target, targets};
use anyhow::Context;
use capvec_sim::testing::Rng;
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Programs of a batch that are isolated; more would mostly show the same difference.
const ISOLATED: usize = 32;

/// When a campaign ends.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// After this time.
    Elapsed(Duration),
    /// After this many batches.
    Batches(u64),
}

/// Identifies a kind of difference: the instruction and the kinds of differing parts.
fn signature(name: &str, parts: &[Part]) -> String {
    let kinds: BTreeSet<&str> = parts
        .iter()
        .map(|p| match p {
            Part::X(_) => "x",
            Part::F(_) => "f",
            Part::V(_) => "v",
            Part::Csr(n) => crate::job_result::CSR_NAMES[*n as usize],
            Part::Memory(_) => "memory",
            Part::Signals => "signals",
        })
        .collect();
    format!("{name}: {}", kinds.into_iter().collect::<Vec<_>>().join(" "))
}

/// A run of many batches.
pub struct Campaign<'a> {
    /// Path of the oracle.
    pub qemu: &'a Path,
    /// The source of all randomness.
    pub rng: Rng,
    /// Divisor of a batch's size.
    pub share: u64,
    /// Whether an example of each known difference is kept.
    pub examples: bool,
    /// The results so far.
    pub tally: Tally,
}

impl Campaign<'_> {
    fn judge(&mut self, found: Found, target: Target, sides: Sides<'_>) -> anyhow::Result<()> {
        let difference = Difference::new(&found, target);
        if let Some(known) = known_differences::find(&difference) {
            *self.tally.known.entry(known.name).or_default() += 1;
            if self.examples && !self.tally.examples.contains_key(known.name) {
                let shrinker = Shrinker { target, sides, known: Some(known.name) };
                let found = shrinker.shrink(found)?;
                let fault = Fault { name: known.name.into(), found, target, times: 1 };
                self.tally.examples.insert(known.name, fault);
            }
            return Ok(());
        }
        let word = found.case.words[found.case.words.len() - 1];
        let name =
            difference.insn.map_or_else(|| format!("{word:#x}"), |d| d.op.name().to_string());
        let key = signature(&name, &difference.parts);
        match self.tally.faults.get_mut(&key) {
            Some(fault) => fault.times += 1,
            None => {
                let found = Shrinker { target, sides, known: None }.shrink(found)?;
                self.tally.faults.insert(key, Fault { name, found, target, times: 1 });
            }
        }
        Ok(())
    }

    fn compare(
        &mut self,
        batch: &Batch,
        both: &Both,
        target: Target,
        engine: EngineKind,
    ) -> anyhow::Result<()> {
        let (mut jobs, mut differing) = (Vec::new(), Vec::new());
        for (n, job) in batch.jobs.iter().enumerate() {
            let Job::Program(program) = job else { continue };
            let (here, oracle) = (both.here.digest(n), both.oracle.digest(n));
            let known = &mut self.tally.known;
            if here.same(&oracle, |name| *known.entry(name).or_default() += 1) {
                self.tally.coverage.count(program, here.signal_count());
            } else {
                jobs.push(n);
                differing.push(program);
            }
        }
        self.tally.differing += differing.len() as u64;
        let start = Instant::now();
        let sides = Sides { qemu: self.qemu, engine };
        differing.truncate(ISOLATED);
        let found = match isolate(&differing, &batch.image, target, sides) {
            Err(e) if e.is::<OracleAborted>() => {
                let mut one = |p| self.isolate_one(p, &batch.image, target, sides).transpose();
                let found = jobs.iter().zip(differing).map(|(job, p)| Some((*job, one(p)?)));
                let found: Vec<_> = found.flatten().collect();
                jobs = found.iter().map(|(job, _)| *job).collect();
                found.into_iter().map(|(_, found)| found).collect::<anyhow::Result<_>>()?
            }
            found => found?,
        };
        for (job, found) in jobs.into_iter().zip(found) {
            match found {
                Some(found) => self.judge(found, target, sides)?,
                None => self.leaked(batch, job, target, sides)?,
            }
        }
        self.tally.times.isolate += start.elapsed();
        Ok(())
    }

    /// What `isolate` finds for a program; `None` if the oracle aborts on parts of it, which is recorded.
    fn isolate_one(
        &mut self,
        program: &Program,
        image: &Image,
        target: Target,
        sides: Sides<'_>,
    ) -> anyhow::Result<Option<Option<Found>>> {
        match isolate(&[program], image, target, sides) {
            Err(e) if e.is::<OracleAborted>() => {
                let what = format!("while a difference was isolated: {e}");
                *self.tally.aborts.entry(what).or_default() += 1;
                Ok(None)
            }
            found => Ok(Some(found?.pop().flatten())),
        }
    }

    /// Records a program that differs only at its place in the batch.
    fn leaked(
        &mut self,
        batch: &Batch,
        job: usize,
        target: Target,
        sides: Sides<'_>,
    ) -> anyhow::Result<()> {
        let found = (InPlace { batch, job, target, sides }).find()?;
        let Some(found) = found else {
            self.tally.leaks.push("  not when it runs again\n".into());
            return Ok(());
        };
        if let Some(known) = known_differences::find(&Difference::new(&found, target)) {
            *self.tally.known.entry(known.name).or_default() += 1;
            return Ok(());
        }
        let place = found.place().start;
        let text = format!("  at {place:#x}\n{}", crate::show::difference(&found, target));
        self.tally.leaks.push(text);
        Ok(())
    }

    /// Bisects a batch on which the oracle aborts, down to the programs that cause it.
    fn halves(&mut self, batch: &Batch, target: Target, engine: EngineKind) -> anyhow::Result<()> {
        if let [Job::Program(program)] = batch.jobs.as_slice() {
            return self.aborted(program, &batch.image, target, engine);
        }
        let (left, right) = batch.jobs.split_at(batch.jobs.len() / 2);
        for jobs in [left, right] {
            let half = Batch { image: Rc::clone(&batch.image), jobs: jobs.to_vec() };
            match Prepared::new(&half, target)?.run(self.qemu, engine) {
                Err(e) if e.is::<OracleAborted>() => self.halves(&half, target, engine)?,
                Err(e) => return Err(e),
                Ok(both) => self.compare(&half, &both, target, engine)?,
            }
        }
        Ok(())
    }

    /// Records the instruction of a program on which the oracle aborts.
    fn aborted(
        &mut self,
        program: &Program,
        image: &Image,
        target: Target,
        engine: EngineKind,
    ) -> anyhow::Result<()> {
        let mut name = "not when run alone".to_string();
        for n in 1..=program.words.len() {
            let prefix = Program { words: program.words[..n].into(), ..program.clone() };
            let jobs = vec![Job::Program(prefix)];
            let batch = Batch { image: Rc::clone(image), jobs };
            let Err(e) = Prepared::new(&batch, target)?.run(self.qemu, engine) else { continue };
            let Some(OracleAborted(said)) = e.downcast_ref() else { return Err(e) };
            let word = program.words[n - 1];
            name = row(word).map_or_else(|| format!("{word:#x}"), |r| r.name.into());
            name += &format!(": {said}");
            break;
        }
        *self.tally.aborts.entry(name).or_default() += 1;
        Ok(())
    }

    fn round(&mut self, n: u64) -> anyhow::Result<Round> {
        let all = targets();
        let target = all[n as usize % all.len()];
        let laps = n / all.len() as u64;
        let engine = EngineKind::ALL[(n + laps) as usize % EngineKind::ALL.len()];
        let start = Instant::now();
        let batch = Generator::new(&mut self.rng, target)?.batch(&mut self.rng, self.share)?;
        let prepared = Prepared::new(&batch, target)?;
        self.tally.times.generate += start.elapsed();
        Ok(Round { prepared, batch, target, engine })
    }

    /// Runs until the end; generates the next batch while one runs.
    ///
    /// # Errors
    /// One of the sides could not run.
    pub fn run(&mut self, until: Until) -> anyhow::Result<()> {
        let start = Instant::now();
        let (mut begun, mut longest) = (start, Duration::ZERO);
        let mut round = self.round(0)?;
        for n in 1.. {
            // This batch and the next may each take as long as the longest so far.
            longest = longest.max(begun.elapsed());
            begun = Instant::now();
            let last = match until {
                Until::Elapsed(time) => start.elapsed() + 2 * longest >= time,
                Until::Batches(count) => n >= count,
            };
            let Round { prepared, batch, target, engine } = round;
            let qemu = self.qemu;
            let (both, next) = std::thread::scope(|scope| {
                let side = scope.spawn(|| {
                    let start = Instant::now();
                    (prepared.run(qemu, engine), start.elapsed())
                });
                let next = (!last).then(|| self.round(n)).transpose();
                let panicked = |_| (Err(anyhow::anyhow!("capvec panicked")), Duration::ZERO);
                let (both, time) = side.join().unwrap_or_else(panicked);
                self.tally.times.run += time;
                (both, next)
            });
            let context = || format!("batch {n} on {}", target.name());
            match both {
                Err(e) if e.is::<OracleAborted>() => self.halves(&batch, target, engine),
                Err(e) => Err(e),
                Ok(both) => self.compare(&batch, &both, target, engine),
            }
            .with_context(context)?;
            match next? {
                Some(next) => round = next,
                None => break,
            }
        }
        Ok(())
    }
}

/// A batch that is ready to run.
struct Round {
    prepared: Prepared,
    batch: Batch,
    target: Target,
    engine: EngineKind,
}
