//! Batch after batch: generate, run on both sides, compare, isolate what differs.

use crate::case::{Batch, Case};
use crate::generate::Generator;
use crate::isolate::{Found, isolate};
use crate::known::{self, Difference};
use crate::record::Part;
use crate::run::{Both, EngineKind, OracleAborted, Prepared, Sides};
use crate::shrink::Shrinker;
use crate::target::{Target, targets};
use anyhow::Context;
use capvec_isa::{Ext, ExtSet, decode};
use capvec_sim::testing::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Cases of a batch that are isolated: the rest would mostly say the same.
const ISOLATED: usize = 32;

/// What is counted of an extension.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// Programs that hold one of its instructions.
    pub programs: u64,
    /// Instructions executed on both sides and compared, trapped ones included.
    pub instructions: u64,
}

/// A difference that is not known.
pub struct Fault {
    /// The instruction's mnemonic, or its word.
    pub name: String,
    /// The first that was found.
    pub found: Found,
    /// Where.
    pub target: Target,
    /// How often.
    pub times: u64,
}

/// What a campaign found.
#[derive(Default)]
pub struct Tally {
    /// Programs, each run from several states.
    pub programs: u64,
    /// Programs times states.
    pub cases: u64,
    /// Instructions compared.
    pub instructions: u64,
    /// Signals that both sides had.
    pub signals: u64,
    /// By extension.
    pub by_ext: BTreeMap<&'static str, Count>,
    /// Instructions of the table that were executed.
    pub ops: BTreeSet<&'static str>,
    /// How often each known difference was met.
    pub known: BTreeMap<&'static str, u64>,
    /// Instructions on which the oracle aborted, and how.
    pub aborts: BTreeMap<String, u64>,
    /// Cases that differ, isolated or not.
    pub differing: u64,
    /// Programs that differ only when they run together with others.
    pub leaks: Vec<String>,
    /// By instruction and parts that differ.
    pub faults: BTreeMap<String, Fault>,
}

/// When a campaign ends.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// Time is up.
    Elapsed(Duration),
    /// This many batches are done.
    Batches(u64),
}

/// The extension that a word is counted under.
fn extension(word: u32) -> Option<(&'static str, &'static str)> {
    let all: ExtSet = Ext::all().collect();
    let d = decode(word, 64, all).ok()?;
    let row = d.op.row();
    Some((row.exts.iter().next()?.name(), row.name))
}

impl Tally {
    fn count(&mut self, batch: &Batch, both: &Both) {
        let mut last = std::ptr::null();
        for (n, case) in batch.cases.iter().enumerate() {
            let new = last != case.words.as_ptr();
            last = case.words.as_ptr();
            self.programs += new as u64;
            self.cases += 1;
            self.signals += both.here.get(n).signal_count();
            for &word in case.words.iter() {
                let (ext, name) = extension(word).unwrap_or(("(no instruction)", ""));
                self.instructions += 1;
                let count = self.by_ext.entry(ext).or_default();
                count.instructions += 1;
                count.programs += new as u64;
                if new && !name.is_empty() {
                    self.ops.insert(name);
                }
            }
        }
    }
}

/// What a difference is told apart by: the instruction and the kinds of parts.
fn signature(name: &str, parts: &[Part]) -> String {
    let kinds: BTreeSet<&str> = parts
        .iter()
        .map(|p| match p {
            Part::X(_) => "x",
            Part::F(_) => "f",
            Part::V(_) => "v",
            Part::Csr(n) => crate::record::CSR_NAMES[*n as usize],
            Part::Memory(_) => "memory",
            Part::Signals => "signals",
        })
        .collect();
    format!("{name}: {}", kinds.into_iter().collect::<Vec<_>>().join(" "))
}

/// A run of many batches.
pub struct Campaign<'a> {
    /// The oracle's program.
    pub qemu: &'a Path,
    /// Source of all that is random.
    pub rng: Rng,
    /// A batch's size is divided by this.
    pub share: u64,
    /// What has been found so far.
    pub tally: Tally,
}

impl Campaign<'_> {
    fn judge(&mut self, found: Found, target: Target, sides: Sides<'_>) -> anyhow::Result<()> {
        let difference = Difference::new(&found, target);
        if let Some(known) = known::find(&difference) {
            *self.tally.known.entry(known.name).or_default() += 1;
            return Ok(());
        }
        let word = found.case.words[found.case.words.len() - 1];
        let name =
            difference.insn.map_or_else(|| format!("{word:#x}"), |d| d.op.name().to_string());
        let key = signature(&name, &difference.parts);
        match self.tally.faults.get_mut(&key) {
            Some(fault) => fault.times += 1,
            None => {
                let found = Shrinker { target, sides }.shrink(found)?;
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
        self.tally.count(batch, both);
        let known = &mut self.tally.known;
        let mut differs = |n: &usize| {
            let count = |name| *known.entry(name).or_default() += 1;
            !both.here.get(*n).same(&both.oracle.get(*n), count)
        };
        let all: Vec<usize> = (0..batch.cases.len()).filter(&mut differs).collect();
        self.tally.differing += all.len() as u64;
        let sides = Sides { qemu: self.qemu, engine };
        let mut programs: Vec<&Case> = all.iter().map(|n| &batch.cases[*n]).collect();
        programs.dedup_by_key(|c| c.words.as_ptr());
        programs.truncate(ISOLATED);
        let mut together = Vec::new();
        let found = isolate(&programs, &batch.image, target, sides)?;
        for (case, found) in programs.into_iter().zip(found) {
            match found {
                Some(found) => self.judge(found, target, sides)?,
                None => together.push(case),
            }
        }
        let texts = together.into_iter().map(|c| crate::show::case(c, target));
        self.tally.leaks.extend(texts);
        Ok(())
    }

    /// Runs a batch of which the oracle aborts in halves, down to the programs that it aborts on.
    fn halves(&mut self, batch: &Batch, target: Target, engine: EngineKind) -> anyhow::Result<()> {
        let words: Vec<_> = batch.cases.iter().map(|c| c.words.as_ptr()).collect();
        let near = words.len() / 2;
        let Some(middle) =
            (1..words.len()).filter(|n| words[n - 1] != words[*n]).min_by_key(|n| n.abs_diff(near))
        else {
            return self.aborted(&batch.cases, target, engine);
        };
        let (left, right) = batch.cases.split_at(middle);
        for cases in [left, right] {
            let half = Batch { image: Rc::clone(&batch.image), cases: cases.to_vec() };
            match Prepared::new(&half, target)?.run(self.qemu, engine) {
                Err(e) if e.is::<OracleAborted>() => self.halves(&half, target, engine)?,
                Err(e) => return Err(e),
                Ok(both) => self.compare(&half, &both, target, engine)?,
            }
        }
        Ok(())
    }

    /// Notes the instruction of a program at which the oracle aborts.
    fn aborted(
        &mut self,
        cases: &[Case],
        target: Target,
        engine: EngineKind,
    ) -> anyhow::Result<()> {
        let sides = Sides { qemu: self.qemu, engine };
        let words = &cases[0].words;
        let mut name = "not when run alone".to_string();
        for n in 1..=words.len() {
            let words: Rc<[u32]> = words[..n].into();
            let prefix = |c: &Case| Case { words: Rc::clone(&words), ..c.clone() };
            let Err(e) = crate::isolate::run(cases.iter().map(prefix).collect(), target, sides)
            else {
                continue;
            };
            let Some(OracleAborted(said)) = e.downcast_ref() else { return Err(e) };
            name = extension(words[n - 1])
                .map_or_else(|| format!("{:#x}", words[n - 1]), |e| e.1.into());
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
        let engine =
            if (n + laps).is_multiple_of(2) { EngineKind::Plain } else { EngineKind::Observed };
        let batch = Generator::new(&mut self.rng, target)?.batch(&mut self.rng, self.share)?;
        Ok(Round { prepared: Prepared::new(&batch, target)?, batch, target, engine })
    }

    /// Runs until it is time; while one batch runs, the next is made.
    ///
    /// # Errors
    /// One of the sides could not run.
    pub fn run(&mut self, until: Until) -> anyhow::Result<()> {
        let start = Instant::now();
        let mut round = self.round(0)?;
        for n in 1.. {
            let last = match until {
                Until::Elapsed(time) => start.elapsed() >= time,
                Until::Batches(count) => n >= count,
            };
            let Round { prepared, batch, target, engine } = round;
            let (both, next) = std::thread::scope(|scope| {
                let side = scope.spawn(|| prepared.run(self.qemu, engine));
                let next = (!last).then(|| self.round(n)).transpose();
                let both = side.join().unwrap_or_else(|_| anyhow::bail!("capvec panicked"));
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
