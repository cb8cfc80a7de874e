//! The processor for which names of capability sets are expanded: what is known about its extensions.

use crate::capset::{self, CapSet, Override, Wanted, words};
use crate::case::Case;
use crate::driver_protocol::{Job, Outcome};
use crate::requests::Jobs;
use crate::run::{Configuration, Runner};
use anyhow::{Context, Result, bail};
use capvec_isa::{Ext, Isa, foreign_isa_string};
use capvec_record::Kind;
use capvec_targets::Probe;
use capvec_targets::Target;

/// What is known about a processor's extensions.
pub enum Processor {
    /// One that can have every extension: a model, or an emulated processor.
    Any(Isa),
    /// One that has exactly what its kernel shows.
    Real(Isa),
    /// One whose library is configured by numbers, with the words that it detects.
    Words(Box<Override>, Vec<u64>),
}

/// The sets that a processor can run, and what was left out.
pub struct Sets {
    /// The sets that it can run.
    pub wanted: Vec<Wanted>,
    /// Names of the sets that it cannot.
    pub beyond: Vec<String>,
}

impl Processor {
    /// What is known about a target before it is opened: only a model's processor.
    pub fn of(target: &Target) -> Option<Processor> {
        target.core.as_ref().map(|core| Processor::Any(core.isa))
    }

    /// What an unconfigured library detects on a target.
    ///
    /// # Errors
    /// The driver does not run there, or does not answer.
    pub fn ask(runner: &Runner, vlen: u32) -> Result<Processor> {
        let probe = probe(runner, vlen).context("asking the library what it detects")?;
        Ok(match Override::of(runner.target().arch())? {
            // A library built without assembly reports nothing.
            Some(o) => Processor::Words(Box::new(o), words(probe.settings()).unwrap_or_default()),
            None => match runner.target().kind() {
                Kind::Real => Processor::Real(isa(&probe)?),
                Kind::Modelled | Kind::Emulated => Processor::Any(isa(&probe)?),
            },
        })
    }

    /// The sets that `names` stand for.
    ///
    /// # Errors
    /// Names the flag and the set that does not exist, or that the processor does not have.
    pub fn expand(&self, names: &[String], cases: &[Case]) -> Result<Sets> {
        let sets = |wanted| Sets { wanted, beyond: Vec::new() };
        match self {
            Processor::Any(isa) => capset::expand(names, cases, isa).map(sets),
            Processor::Real(isa) => executable(capset::expand(names, cases, isa)?),
            Processor::Words(o, words) => o.expand(names, cases, words).map(sets),
        }
    }
}

/// The sets that a processor can run: with a larger set, the library would execute illegal instructions.
fn executable(all: Vec<Wanted>) -> Result<Sets> {
    let (beyond, wanted): (Vec<_>, Vec<_>) = all.into_iter().partition(|w| w.capset.beyond_core);
    let beyond: Vec<String> = beyond.into_iter().map(|w| w.capset.name).collect();
    if wanted.is_empty() && !beyond.is_empty() {
        bail!(
            "--caps {}: the target's kernel does not show all of these extensions, so the library would execute illegal instructions",
            beyond.join(", ")
        )
    }
    Ok(Sets { wanted, beyond })
}

/// The ISA that the kernel there shows. Under an emulator, /proc/cpuinfo is the host's and has no ISA string.
fn isa(probe: &Probe) -> Result<Isa> {
    let mut isa: Isa = "rv64gc".parse()?;
    isa.exts = foreign_isa_string::exts(&probe.isa).unwrap_or(isa.exts);
    isa.exts = isa.exts.union(probe.hwprobe_exts());
    if probe.hwcap >> (b'v' - b'a') & 1 != 0 {
        isa.exts = isa.exts.with(Ext::V);
    }
    isa.exts = isa.exts.closed();
    Ok(isa)
}

/// What an unconfigured library reports.
fn probe(runner: &Runner, vlen: u32) -> Result<Probe> {
    let capset = CapSet::parse("auto", &"rv64gc".parse()?)?;
    let mut outcomes = runner.run(&Configuration::new(vlen, capset), Jobs(&[vec![Job::Probe]]))?;
    match outcomes.pop().transpose()?.as_deref() {
        Some([Outcome::Probe(p)]) => Ok(p.clone()),
        _ => bail!("the driver did not answer the probe"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boards_isa_string_may_name_extensions_that_are_not_modelled() {
        let line =
            "hwcap=0\thwprobe=\tisa=rv64imafdcvh_zba_zfh_sstc_svinval\tmmu=\tuarch=\tlibrary=";
        let isa = isa(&Probe::parse(line).unwrap()).unwrap();
        assert!(isa.exts.has(Ext::Zba) && isa.exts.has(Ext::V), "{:?}", isa.exts);
    }

    #[test]
    fn sets_that_a_processor_lacks_are_left_out_unless_none_remains() {
        let isa: Isa = "rv64gc_zbb".parse().unwrap();
        let of = |processor: Processor, names: &[&str]| {
            let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
            processor.expand(&names, &[])
        };
        let sets = of(Processor::Real(isa), &["scalar", "zbb", "full", "auto"]).unwrap();
        let names: Vec<_> = sets.wanted.iter().map(|w| w.capset.name.as_str()).collect();
        assert_eq!((names, sets.beyond), (vec!["scalar", "zbb", "auto"], vec!["full".to_string()]));
        let e = of(Processor::Real(isa), &["full", "zvkned"]).map(|_| ()).unwrap_err();
        assert!(e.to_string().contains("--caps full, zvkned"), "{e}");
        // A model may be measured with more than its core has: the set is then marked as beyond the core.
        let sets = of(Processor::Any(isa), &["full"]).unwrap();
        assert!(sets.wanted[0].capset.beyond_core && sets.beyond.is_empty());
    }
}
