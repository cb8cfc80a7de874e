//! Runs vectors in the guest, on all processors.

use super::job::{self, Checked};
use super::vector_source::Vectors;
use anyhow::{Context, Result};
use capvec_bench::capset::{CapSet, Wanted};
use capvec_bench::requests::Checks;
use capvec_bench::resume::Checkpoint;
use capvec_bench::run::{Configuration, Died, Runner};
use capvec_isa::Ext;
use capvec_record::Arch;
use capvec_sim::hart::Agnostic;
use capvec_util::pool;
use sha2::{Digest, Sha256};
use std::cell::Cell;

/// What to check.
pub struct Plan {
    /// Vectors and their algorithms.
    pub vectors: Vectors,
    /// Capability sets, each with its algorithms.
    pub wanted: Vec<Wanted>,
    /// VLENs in bits.
    pub vlens: Vec<u32>,
    /// What agnostic elements become; empty where that cannot be chosen.
    pub agnostic: Vec<Agnostic>,
    /// Flags of commands that reproduce a failure.
    pub reproduce: ReproduceFlags,
}

/// Flags of the command, for commands that reproduce a failure.
#[derive(Clone, Debug, Default)]
pub struct ReproduceFlags {
    /// Flags that every sub-command has, each with a space before it: `--core` and `--sysroot`, unless they have their
    /// defaults.
    pub common: String,
    /// `--target`, `--subject` and `--vectors`, likewise.
    pub target_flags: String,
    /// Whether it is the simulator's own library, so that `capvec run -- openssl` can reproduce the failure.
    pub stock: bool,
}

/// A configuration, and the results of its vectors.
pub struct Configured {
    /// VLEN in bits; `None` without vector instructions.
    pub vlen: Option<u32>,
    /// What agnostic elements become; `None` without vector instructions, and where that cannot be chosen.
    pub agnostic: Option<Agnostic>,
    /// The set.
    pub capset: CapSet,
    /// The result of each vector; `None` if the vector is not for the configuration.
    pub results: Vec<Option<Checked>>,
}

impl Configured {
    /// The policy for agnostic elements, as in columns and flags.
    pub(super) fn policy(&self) -> Option<&'static str> {
        self.agnostic.map(Agnostic::name)
    }
}

/// A share of a configuration: the unit of parallel work.
struct Share {
    configuration: usize,
    vectors: Vec<usize>,
}

impl Plan {
    /// Configurations without results. Without vector instructions, VLEN and policy mean nothing.
    fn configurations(&self) -> Vec<(Configured, &Wanted)> {
        let mut all = Vec::new();
        for w in &self.wanted {
            // The hart's vectors, if there is a hart: other processors decide for themselves.
            let vectors = w.capset.exts.has(Ext::Zve32x) && self.vlens.iter().all(|v| *v > 0);
            let mut add = |vlen, agnostic| {
                let results = vec![None; self.vectors.vectors.len()];
                all.push((Configured { vlen, agnostic, capset: w.capset.clone(), results }, w));
            };
            if !vectors {
                add(None, None);
                continue;
            }
            for v in &self.vlens {
                if self.agnostic.is_empty() {
                    add(Some(*v), None);
                }
                self.agnostic.iter().for_each(|a| add(Some(*v), Some(*a)));
            }
        }
        all
    }

    /// Every configuration, divided into as many shares as keep all processors busy to the end; each share pays for the
    /// start of a guest once. Vectors are dealt out one by one, so that shares cost about the same.
    fn shares(&self, configurations: &[(Configured, &Wanted)], processors: usize) -> Vec<Share> {
        let cuts = (SHARES * processors).div_ceil(configurations.len().max(1));
        let mut shares = Vec::new();
        for (configuration, (_, wanted)) in configurations.iter().enumerate() {
            let of = |i: &usize| self.vectors.of.get(*i).is_some_and(|a| wanted.cases.contains(a));
            let own: Vec<usize> = (0..self.vectors.vectors.len()).filter(of).collect();
            for cut in 0..cuts {
                let vectors: Vec<usize> = own.iter().copied().skip(cut).step_by(cuts).collect();
                if !vectors.is_empty() {
                    shares.push(Share { configuration, vectors });
                }
            }
        }
        shares
    }

    /// Number of vectors that will be checked, over all configurations.
    pub fn len(&self) -> usize {
        self.shares(&self.configurations(), 1).iter().map(|s| s.vectors.len()).sum()
    }

    /// A digest of all vectors.
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        for v in 0..self.vectors.vectors.len() {
            hash.update(self.vectors.line(v) + "\n");
        }
        hex::encode(hash.finalize())
    }

    /// Whether there is nothing to check.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Checks everything, and reports numbers of finished vectors to `progress`. Shares that the checkpoint has are taken from
/// it; others are added to it as they finish.
///
/// # Errors
/// Names the configuration whose guest could not be run at all.
pub fn run(
    runner: &Runner,
    plan: &Plan,
    checkpoint: Option<&Checkpoint>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Configured>> {
    let configurations = plan.configurations();
    let shares = plan.shares(&configurations, pool::processors());
    let checked = pool::each(&shares, |share| {
        let (configured, _) =
            configurations.get(share.configuration).context("no such configuration")?;
        let ran = Cell::new(false);
        let run = || {
            ran.set(true);
            one(runner, plan, configured, share, progress)
        };
        let results = Checkpoint::get_or_run(checkpoint, || key(plan, configured, share), run)?;
        // Those that were run have been counted one by one.
        if !ran.get() {
            progress(results.len());
        }
        Ok(results)
    })?;
    let mut done: Vec<Configured> = configurations.into_iter().map(|(c, _)| c).collect();
    for (share, results) in shares.iter().zip(checked) {
        let Some(c) = done.get_mut(share.configuration) else { continue };
        for (vector, result) in share.vectors.iter().zip(results) {
            if let Some(place) = c.results.get_mut(*vector) {
                *place = Some(result);
            }
        }
    }
    Ok(done)
}

fn one(
    runner: &Runner,
    plan: &Plan,
    c: &Configured,
    share: &Share,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Checked>> {
    let vlen = c.vlen.unwrap_or(runner.vlen());
    let configuration = Configuration::new(vlen, c.capset.clone());
    let agnostic = c.agnostic.unwrap_or_default();
    ask(runner, &plan.vectors, &configuration, agnostic, &share.vectors, progress)
}

/// A digest of everything that a share's results depend on.
fn key(plan: &Plan, c: &Configured, share: &Share) -> String {
    let capset = (&c.capset.exts, &c.capset.capstring);
    let mut hash = Sha256::new();
    hash.update(format!("{:?} {:?} {} {:?}\n", c.vlen, c.agnostic, capset.0, capset.1));
    for v in &share.vectors {
        hash.update(plan.vectors.line(*v) + "\n");
    }
    hex::encode(hash.finalize())[..32].to_string()
}

/// Number of shares for each processor: at the end, processors wait for the last one for a fraction of a share only.
const SHARES: usize = 4;
/// Number of vectors that one guest process checks, after the common start: a crash delays no more than these.
const GROUP: usize = 64;
/// Number of bytes that the driver accepts for a group (`MAX_GROUP` of driver.h), less its end.
const LONGEST_GROUP: usize = (1 << 22) - 16;

/// Number of leading lines that form a group: no more than the driver has room for.
fn group(lines: &[String]) -> usize {
    let mut room = LONGEST_GROUP;
    let fits = |l: &&String| match room.checked_sub(l.len() + 1) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    };
    lines.iter().take(GROUP).take_while(fits).count().max(1)
}

/// The guest's results for these vectors. Where a process ends early, that vector fails, and another process continues
/// with the next.
pub(super) fn ask(
    runner: &Runner,
    vectors: &Vectors,
    c: &Configuration,
    agnostic: Agnostic,
    asked: &[usize],
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Checked>> {
    let mut results: Vec<Option<Checked>> = vec![None; asked.len()];
    loop {
        let open: Vec<usize> =
            (0..asked.len()).filter(|i| results.get(*i) == Some(&None)).collect();
        if open.is_empty() {
            break;
        }
        // In pieces, so that a progress bar moves.
        for places in open.chunks(32 * GROUP) {
            let line = |i: &usize| asked.get(*i).map_or(String::new(), |v| vectors.line(*v));
            let all: Vec<String> = places.iter().map(line).collect();
            let (mut groups, mut lines): (Vec<&[usize]>, Vec<Vec<String>>) = Default::default();
            let (mut places, mut all) = (places, all.as_slice());
            while !places.is_empty() {
                let n = group(all);
                groups.push(&places[..n]);
                lines.push(all[..n].to_vec());
                (places, all) = (&places[n..], &all[n..]);
            }
            let answers = runner
                .run(c, Checks { groups: &lines, agnostic })
                .with_context(|| format!("capability set {}", c.capset.name))?;
            for (group, (answers, died)) in groups.iter().zip(answers) {
                let mut got = answers.iter().map(|l| job::read(l)).collect::<Result<Vec<_>>>()?;
                if runner.target().arch() == Arch::Riscv64 {
                    got.iter_mut()
                        .filter_map(|c| c.failure.as_mut())
                        .for_each(|f| *f = job::with_assembly(f));
                }
                let failed =
                    |d: Died| Checked { checks: 1, failure: Some(d.0), ..Checked::default() };
                got.extend(died.map(failed));
                progress(got.len());
                for (place, result) in group.iter().zip(got) {
                    if let Some(slot) = results.get_mut(*place) {
                        *slot = Some(result);
                    }
                }
            }
        }
    }
    Ok(results.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_fit_into_the_driver() {
        let lines = |n: usize, len: usize| vec!["x".repeat(len); n];
        assert_eq!(group(&lines(3, 10)), 3);
        assert_eq!(group(&lines(100, 10)), GROUP);
        let long = 1 << 18;
        assert_eq!(group(&lines(GROUP, long)), 15);
        assert_eq!(group(&lines(2, LONGEST_GROUP)), 1);
    }
}
