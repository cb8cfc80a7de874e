//! Differences saved as tests: a program, its initial state, and what it must leave.

use crate::both_sides::{EngineKind, JobResults, Prepared};
use crate::case::{Batch, Case, Csrs, Job, Registers, zero_image};
use crate::isolate::Found;
use crate::job_result::{CSR_NAMES, JobResult};
use crate::layout::DATA;
use crate::link::{PAD, Place};
use crate::show::text;
use crate::target::Target;
use anyhow::{Context, bail, ensure};
use capvec_isa::Ext;
use capvec_sim::hart::Agnostic;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// A test file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Regression {
    /// What went wrong, and why the expectation is right.
    pub reason: String,
    /// Whose outcome is right: `both` if they agree, `either` if the manual permits both, `capvec`, `qemu`.
    pub right: String,
    /// Instruction words in hex, each followed by a space and its disassembly.
    pub words: Vec<String>,
    target: TargetText,
    #[serde(default)]
    start: State,
    /// Changes from the initial state, and signals.
    #[serde(default)]
    pub expect: State,
    /// QEMU's outcome, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle: Option<State>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TargetText {
    /// Names, or `all`.
    extensions: String,
    vlen: u32,
    /// `undisturbed` or `ones`.
    agnostic: String,
}

/// Parts of a state. Others are zero in an initial state, and unchanged in a final one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct State {
    /// x and f registers and CSRs in hex, vector registers with their last byte first.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    registers: BTreeMap<String, String>,
    /// Eight bytes in memory order, by address.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    memory: BTreeMap<String, String>,
    /// `signal code addr pc`; pc, and addr if it equals pc, are relative to the program's start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    signals: Vec<String>,
}

fn reversed(bytes: &[u8]) -> String {
    bytes.iter().rev().map(|b| format!("{b:02x}")).collect()
}

/// All parts of a state that can differ, by name.
fn parts(x: &[u64], f: &[u64], v: &[u8], csrs: [u64; 5]) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut put = |name: String, text: String| out.insert(name, text);
    x.iter().enumerate().for_each(|(n, v)| _ = put(format!("x{n}"), format!("{v:#x}")));
    f.iter().enumerate().for_each(|(n, v)| _ = put(format!("f{n}"), format!("{v:#x}")));
    let vlenb = v.len() / 32;
    v.chunks(vlenb).enumerate().for_each(|(n, v)| _ = put(format!("v{n}"), reversed(v)));
    CSR_NAMES.iter().zip(csrs).for_each(|(n, v)| _ = put(n.to_string(), format!("{v:#x}")));
    out
}

fn memory(image: &[u8]) -> BTreeMap<String, String> {
    let words = (DATA..).step_by(8).zip(image.chunks(8));
    words.map(|(at, b)| (format!("{at:#x}"), hex::encode(b))).collect()
}

/// The entries of `all` that are not in `base`.
fn changes(
    all: BTreeMap<String, String>,
    base: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    all.into_iter().filter(|(k, v)| base.get(k) != Some(v)).collect()
}

fn csrs(c: &Csrs) -> [u64; 5] {
    [c.fcsr, c.vstart, c.vl, c.vtype, c.vcsr]
}

/// The registers before a case's first instruction; x1 as the harness sets it.
fn start_parts(case: &Case, place: Place) -> BTreeMap<String, String> {
    let mut x = case.registers.x;
    (x[0], x[3]) = (0, 0);
    x[1] = case.ra.unwrap_or(place.end);
    parts(&x, &case.registers.f, &case.registers.v, csrs(&case.csrs))
}

/// What a case left, as changes from its initial state.
fn outcome(case: &Case, result: &JobResult<'_>, place: Place) -> State {
    let mut x: [u64; 32] = std::array::from_fn(|n| result.x(n));
    // Removes the landing pad's part, assuming that control ran through all of it.
    x[5] = x[5].wrapping_sub(PAD as u64);
    let f: [u64; 32] = std::array::from_fn(|n| result.f(n));
    let after = parts(&x, &f, result.v(), std::array::from_fn(|n| result.csr(n)));
    let image = case.image.as_deref().unwrap_or_default();
    let signals = result.signals().into_iter().map(|s| {
        let at = |a: u64| a.wrapping_sub(place.start);
        let addr =
            if s.addr == s.pc { format!("+{:#x}", at(s.addr)) } else { format!("{:#x}", s.addr) };
        format!("{} {} {addr} +{:#x}", s.number, s.code, at(s.pc))
    });
    State {
        registers: changes(after, &start_parts(case, place)),
        memory: changes(memory(result.memory()), &memory(image)),
        signals: signals.collect(),
    }
}

/// A word and its disassembly.
fn disassembled(word: u32) -> String {
    let hex = if word & 3 == 3 { format!("{word:08x}") } else { format!("{word:04x}") };
    format!("{hex} {}", text(word))
}

fn number(text: &str) -> anyhow::Result<u64> {
    let digits = text.strip_prefix("0x").with_context(|| format!("{text}: no 0x in front"))?;
    u64::from_str_radix(digits, 16).with_context(|| text.to_string())
}

impl Regression {
    /// A test of a difference; expects capvec's outcome.
    pub fn new(reason: &str, right: &str, found: &Found, target: Target) -> Self {
        let (case, place) = (&found.case, found.place());
        let all = Target::full(target.vlen, target.agnostic).exts == target.exts;
        let image = case.image.as_deref().unwrap_or_default();
        let zero = parts(&[0; 32], &[0; 32], &vec![0; 32 * target.vlenb()], [0; 5]);
        let mut registers = changes(start_parts(case, place), &zero);
        if case.ra.is_none() {
            registers.remove("x1");
        }
        Regression {
            reason: reason.to_string(),
            right: right.to_string(),
            words: case.words.iter().map(|w| disassembled(*w)).collect(),
            target: TargetText {
                extensions: if all { "all".into() } else { target.exts.to_string() },
                vlen: target.vlen,
                agnostic: target.agnostic.name().into(),
            },
            start: State {
                registers,
                memory: changes(memory(image), &memory(&vec![0; image.len()])),
                signals: Vec::new(),
            },
            expect: outcome(case, &found.here(), place),
            oracle: Some(outcome(case, &found.oracle(), place)),
        }
    }

    /// Reads a test file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a test file.
    pub fn read(path: &Path) -> anyhow::Result<Regression> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Writes a test file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let text = toml::to_string(self)?;
        std::fs::write(path, text).with_context(|| path.display().to_string())
    }

    fn target(&self) -> anyhow::Result<Target> {
        let name = &self.target.agnostic;
        let agnostic = Agnostic::ALL.into_iter().find(|a| a.name() == name);
        let agnostic =
            agnostic.with_context(|| format!("agnostic = {name}: neither undisturbed nor ones"))?;
        if self.target.extensions == "all" {
            return Ok(Target::full(self.target.vlen, agnostic));
        }
        let names = self.target.extensions.split_whitespace();
        let exts: Option<Vec<Ext>> = names.map(Ext::from_name).collect();
        let exts = exts.with_context(|| format!("extensions = {}", self.target.extensions))?;
        Ok(Target::with(&exts, self.target.vlen, agnostic))
    }

    fn case(&self, target: Target) -> anyhow::Result<Case> {
        let mut registers = Registers::zero(target.vlenb());
        let mut csrs = Csrs::default();
        let mut ra = None;
        for (name, value) in &self.start.registers {
            let r: usize = name.trim_start_matches(char::is_alphabetic).parse().unwrap_or(0);
            ensure!(r < 32, "no register {name}");
            match (name.as_str(), &name[..1]) {
                ("fcsr", _) => csrs.fcsr = number(value)?,
                ("vstart", _) => csrs.vstart = number(value)?,
                ("vl", _) => csrs.vl = number(value)?,
                ("vtype", _) => csrs.vtype = number(value)?,
                ("vcsr", _) => csrs.vcsr = number(value)?,
                ("x1", _) => ra = Some(number(value)?),
                (_, "x") => registers.x[r] = number(value)?,
                (_, "f") => registers.f[r] = number(value)?,
                (_, "v") => {
                    let mut bytes = hex::decode(value).with_context(|| name.clone())?;
                    bytes.reverse();
                    ensure!(bytes.len() == target.vlenb(), "{name}: not VLEN bits");
                    registers.v[r * target.vlenb()..][..bytes.len()].copy_from_slice(&bytes);
                }
                _ => bail!("no register {name}"),
            }
        }
        let mut image = zero_image().to_vec();
        for (at, value) in &self.start.memory {
            let at = number(at)?.wrapping_sub(DATA) as usize;
            let bytes = hex::decode(value)?;
            let room = image.get_mut(at..).and_then(|i| i.get_mut(..bytes.len()));
            room.context("memory outside the data pages")?.copy_from_slice(&bytes);
        }
        let words = self.encoded()?;
        let registers = Rc::new(registers);
        let image = Some(image.into());
        Ok(Case { words: words.into(), registers, ra, csrs, image })
    }

    fn encoded(&self) -> anyhow::Result<Vec<u32>> {
        let word = |w: &String| {
            let first = w.split_whitespace().next().unwrap_or_default();
            u32::from_str_radix(first, 16).with_context(|| w.clone())
        };
        self.words.iter().map(word).collect()
    }

    /// `words` with the disassembly of the current table.
    ///
    /// # Errors
    /// A word does not begin with a number in hex.
    pub fn disassembled(&self) -> anyhow::Result<Vec<String>> {
        Ok(self.encoded()?.into_iter().map(disassembled).collect())
    }

    fn prepare(&self) -> anyhow::Result<(Case, Target, Prepared)> {
        let target = self.target()?;
        let case = self.case(target)?;
        let batch = Batch { image: zero_image(), jobs: vec![Job::Case(case.clone())] };
        Ok((case, target, Prepared::new(&batch, target)?))
    }

    /// The program's outcome in capvec.
    ///
    /// # Errors
    /// The file is inconsistent, or the machine could not run.
    pub fn replay(&self, engine: EngineKind) -> anyhow::Result<State> {
        let (case, target, prepared) = self.prepare()?;
        let results = prepared.run_here(target, engine)?;
        Ok(outcome(&case, &results.get(0), prepared.places()[0]))
    }

    /// The same test with the current outcomes of both sides.
    ///
    /// # Errors
    /// The file is inconsistent, or one of the sides could not run.
    pub fn replayed(&self, qemu: &Path) -> anyhow::Result<Regression> {
        let (case, _, prepared) = self.prepare()?;
        let both = prepared.run(qemu, EngineKind::Plain)?;
        let left = |results: &JobResults| outcome(&case, &results.get(0), both.places[0]);
        let same = both.here.get(0).same(&both.oracle.get(0), |_| {});
        Ok(Regression {
            words: case.words.iter().map(|w| disassembled(*w)).collect(),
            expect: left(&both.here),
            oracle: (!same).then(|| left(&both.oracle)),
            ..self.clone()
        })
    }
}
