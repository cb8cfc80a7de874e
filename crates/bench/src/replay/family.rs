//! Cores that execute the same instructions.

use super::reads;
use crate::case::Kind;
use crate::configuration::Configuration;
use crate::driver_protocol::{Job, Outcome, Taken, lines};
use crate::process_end::{GroupOutcome, outcomes};
use anyhow::Result;
use capvec_guest::Program;
use capvec_targets::backend::{Method, Opened, Work, is_timeless};
use capvec_timing::replay::{Recording, Replay, Resolution};
use capvec_timing::{Core, Model};
use capvec_util::pool;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Two recorded runs, which are interpreted, can take as long as this many translated ones.
pub const FEWEST: usize = 32;
/// Words of four bytes that are recorded of a run: half a gibibyte.
const ROOM: usize = 1 << 27;

/// Held while a recording exists: recordings are large, and replays use all processors.
static RECORDING: Mutex<()> = Mutex::new(());

/// What was replayed of some groups of jobs.
struct Replayed {
    /// The outcomes on the first core.
    outcomes: Vec<GroupOutcome>,
    /// By core: the cycles of each measuring job.
    cycles: Vec<Vec<u64>>,
}

/// Cores that execute the same instructions with the same hits and misses, with what was replayed on them.
pub struct Family {
    cores: Vec<Core>,
    /// By the library, the configuration and the lines of the driver; `None` where a replay would not be exact.
    replayed: Mutex<HashMap<String, Option<Replayed>>>,
    /// What is wrong with cases, by the library, the configuration, the vectors and the cases.
    checked: Mutex<HashMap<String, Vec<Option<String>>>>,
}

/// A core's place in a family.
#[derive(Clone)]
pub struct Member {
    /// The family.
    pub family: Arc<Family>,
    /// The core's number in it.
    pub number: usize,
}

impl Member {
    /// Whether it is the place of this core.
    pub fn is(&self, core: &Core) -> bool {
        self.family.cores.get(self.number).is_some_and(|own| own.identity == core.identity)
    }
}

/// Whether programs can tell the cores apart only by measuring time, and the same accesses hit their caches and predictors.
fn alike(a: &Core, b: &Core) -> bool {
    let (Model::FirstOrder(p), Model::FirstOrder(q)) = (&a.model, &b.model) else { return false };
    p.shapes() == q.shapes()
        && (&a.name, a.isa, a.vlen, a.frequency, a.timebase)
            == (&b.name, b.isa, b.vlen, b.frequency, b.timebase)
        && (a.misaligned, a.must_align) == (b.misaligned, b.must_align)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `library` identifies the library and its drivers.
fn key(library: &str, c: &Configuration, groups: &[Vec<Job>]) -> String {
    format!("{library} {:?}\n{}", c.limits(), lines(groups, Method::Counted))
}

impl Family {
    /// By core: its place in a family, if that is large enough.
    pub fn of(cores: &[&Core]) -> Vec<Option<Member>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (i, core) in cores.iter().enumerate() {
            match groups.iter_mut().find(|g| alike(cores[g[0]], core)) {
                Some(group) => group.push(i),
                None => groups.push(vec![i]),
            }
        }
        let mut all = vec![None; cores.len()];
        for group in groups.into_iter().filter(|g| g.len() >= FEWEST) {
            let members = group.iter().map(|i| cores[*i].clone()).collect();
            let (replayed, checked) = Default::default();
            let family = Arc::new(Family { cores: members, replayed, checked });
            for (number, i) in group.into_iter().enumerate() {
                all[i] = Some(Member { family: Arc::clone(&family), number });
            }
        }
        all
    }

    /// What these groups, all for [`Program::Measure`], give on the core of this number; `None` where a replay would not be
    /// exact. The first call for them replays them on all cores, while other threads wait.
    ///
    /// # Errors
    /// The guest cannot be run at all.
    pub fn outcomes(
        &self,
        number: usize,
        (target, library): (&dyn Opened, &str),
        c: &Configuration,
        groups: &[Vec<Job>],
    ) -> Result<Option<Vec<GroupOutcome>>> {
        let mut all = locked(&self.replayed);
        let replayed = match all.entry(key(library, c, groups)) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(place) => {
                let _one = locked(&RECORDING);
                place.insert(self.exact(target, c, groups)?)
            }
        };
        Ok(replayed.as_ref().and_then(|r| r.on(number)))
    }

    /// Runs these groups on the first and the last core, and replays them on all; `None` unless that is exact.
    fn exact(
        &self,
        target: &dyn Opened,
        c: &Configuration,
        groups: &[Vec<Job>],
    ) -> Result<Option<Replayed>> {
        let (Some(first), Some(last)) = (self.cores.first(), self.cores.last()) else {
            return Ok(None);
        };
        if groups.iter().flatten().any(draws_random_numbers) || groups.iter().any(prints_early) {
            return Ok(None);
        }
        let run = |core: &&Core| {
            let work = Work::driver(Program::Measure, lines(groups, Method::Counted));
            target.record(core, &c.limits(), work, ROOM)
        };
        let runs = pool::each(&[first, last], run)?;
        let Ok([Some((first, recording)), Some((last, other))]) = <[_; 2]>::try_from(runs) else {
            return Ok(None);
        };
        if first.status != 0 || last.status != 0 || !is_exact(&recording, &other) {
            return Ok(None);
        }
        drop(other);
        let read = |ended| outcomes(groups, ended, Method::Counted);
        let (outcomes, others) = (read(&first)?, read(&last)?);
        let Some(cycles) = self.replay(&recording, c.vlen, groups)? else {
            return Ok(None);
        };
        let replayed = Replayed { outcomes, cycles };
        let printed = replayed.on(0).as_ref() == Some(&replayed.outcomes)
            && replayed.on(self.cores.len() - 1) == Some(others);
        Ok(printed.then_some(replayed))
    }

    /// By core: the cycles of each measuring job. `None` if the recording is not one of these groups.
    fn replay(
        &self,
        recording: &Recording,
        vlen: u32,
        groups: &[Vec<Job>],
    ) -> Result<Option<Vec<Vec<u64>>>> {
        let model = |core: &Core| Core { vlen, ..core.clone() }.timing();
        let Some(first) = self.cores.first().and_then(model) else { return Ok(None) };
        let resolution = Resolution::new(recording, first);
        let of = |core: &Core| cycles(recording, Replay::new(&resolution, model(core)?), groups);
        Ok(pool::each(&self.cores, |core| Ok(of(core)))?.into_iter().collect())
    }

    /// What the vectors of this identity show of these cases, which depends on no core's timing: `check` finds it once.
    ///
    /// # Errors
    /// Those of `check`.
    pub fn checked(
        &self,
        library: &str,
        c: &Configuration,
        (vectors, cases): (&str, &[usize]),
        check: impl FnOnce() -> Result<Vec<Option<String>>>,
    ) -> Result<Vec<Option<String>>> {
        let key = format!("{library} {:?} {vectors} {cases:?}", c.limits());
        if let Some(found) = locked(&self.checked).get(&key) {
            return Ok(found.clone());
        }
        let found = check()?;
        locked(&self.checked).insert(key, found.clone());
        Ok(found)
    }
}

/// Whether the job may draw random numbers: OpenSSL seeds its generator with the time, too.
fn draws_random_numbers(job: &Job) -> bool {
    match job {
        Job::Measure(case, ..) | Job::Answer(case, _) | Job::Each(case, ..) => {
            matches!(case.kind, Kind::Pkey | Kind::Tls)
        }
        Job::Version | Job::SelfCheck | Job::Probe => false,
    }
}

/// Whether the process prints figures, which differ between cores, before it measures something else.
fn prints_early(jobs: &Vec<Job>) -> bool {
    jobs.iter().filter(|job| matches!(job, Job::Measure(..))).count() > 1
}

/// Whether both runs did the same, and nothing of it can depend on time. The first process starts the others, one for each group.
/// It may read the clock, to seed the generator of random numbers (`ossl_pool_add_nonce_data` of OpenSSL).
fn is_exact(a: &Recording, b: &Recording) -> bool {
    let same = a.processes.len() == b.processes.len() && a.same(b).iter().all(|same| *same);
    let mut timeless = a.processes.iter().enumerate().map(|(i, p)| is_timeless(p, i == 0));
    same && timeless.all(|t| t)
}

/// The cycles of each measuring job. The first process of the recording is the one that starts the others.
fn cycles(recording: &Recording, mut replay: Replay<'_>, groups: &[Vec<Job>]) -> Option<Vec<u64>> {
    if recording.processes.len() != groups.len() + 1 {
        return None;
    }
    let mut all = Vec::new();
    for (process, jobs) in (1..).zip(groups) {
        let reads = &recording.processes[process].reads;
        all.extend(reads::cycles(jobs, reads, &replay.cycles(process))?);
    }
    Some(all)
}

impl Replayed {
    /// The outcomes on the core of this number; `None` if a job has none.
    fn on(&self, number: usize) -> Option<Vec<GroupOutcome>> {
        let mut cycles = self.cycles.get(number)?.iter();
        let mut outcomes = self.outcomes.clone();
        for outcome in outcomes.iter_mut() {
            for outcome in outcome.as_mut().ok()? {
                match outcome {
                    Outcome::Measure(Ok(Taken::Counts(counts))) => {
                        counts.cycles = *cycles.next()?
                    }
                    Outcome::Measure(_) | Outcome::Each(_) => return None,
                    _ => {}
                }
            }
        }
        Some(outcomes)
    }
}
