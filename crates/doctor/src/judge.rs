//! One verdict for each algorithm, from what was said and what was measured.

use crate::cause::{self, Cause};
use crate::facts::Facts;
use crate::remedy;
use crate::rounds::is_noisy;
use capvec_bench::record::Row;
use capvec_bench::target::Kind;
use serde::Serialize;

/// Exact counts and modelled cycles that differ by less than this part are of the same path.
const SAME_EXACT: f64 = 0.02;
/// Times must differ by more than this.
const SAME_TIMED: f64 = 0.05;
/// And by more than this where they spread widely: a busy sibling thread slows a processor for longer than a round takes.
const SAME_NOISY: f64 = 0.3;

/// What becomes of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A path for these extensions runs, and none that is known is faster.
    Accelerated,
    /// Portable code runs.
    Fallback,
    /// The processor executes what the kernel does not show.
    HiddenByKernel,
    /// The kernel shows what the C library does not hand on.
    HiddenByLibc,
    /// The library contains no code for what the processor executes.
    NotBuilt,
    /// The library has the code and does not see, or is told not to see, what is shown.
    NotDetected,
    /// Answers are wrong.
    Wrong,
}

impl Verdict {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Accelerated => "accelerated",
            Verdict::Fallback => "fallback",
            Verdict::HiddenByKernel => "hidden by kernel",
            Verdict::HiddenByLibc => "hidden by libc",
            Verdict::NotBuilt => "not built",
            Verdict::NotDetected => "not detected",
            Verdict::Wrong => "wrong",
        }
    }
}

/// What was measured of an algorithm in one direction.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// As it is.
    pub stock: Row,
    /// The same library, told to use nothing.
    pub scalar: Option<Row>,
    /// The same library, told of all that the processor executes.
    pub able: Option<Row>,
    /// Another library, with its name.
    pub reference: Option<(String, Row)>,
    /// Executed instructions of extensions for cryptography, by name; `None` where they cannot be counted.
    pub executed: Option<Vec<(String, u64)>>,
}

/// What the library's dispatch asks for: each of these sets leads to another path than the portable one.
pub type Paths = Vec<Vec<String>>;

/// What is to be said of an algorithm.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Case, as of `capvec bench`.
    pub case: String,
    /// Its name for people.
    pub algorithm: String,
    /// What was done: `enc`, `dec`.
    pub direction: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether it is slower than it could be.
    pub slower: bool,
    /// How many times faster it could be; `None` if that was not measured, or nothing is lost.
    pub lost: Option<f64>,
    /// Against what that was measured.
    pub against: String,
    /// Over portable code of the same library.
    pub over_scalar: Option<f64>,
    /// Why, in short.
    pub why: String,
    /// What shows it.
    pub proof: Vec<String>,
    /// What to do.
    pub remedy: Option<String>,
    /// What was measured, for other comparisons.
    #[serde(skip)]
    pub measured: Measured,
}

/// By how many times the one is faster than the other; `None` if they cannot be told apart.
pub fn faster(fast: &Row, slow: &Row) -> Option<f64> {
    let factor = fast.rate()? / slow.rate().filter(|r| *r > 0.0)?;
    let least = match fast.kind {
        Kind::Real if is_noisy(fast) || is_noisy(slow) => SAME_NOISY,
        Kind::Real => SAME_TIMED,
        Kind::Modelled | Kind::Emulated => SAME_EXACT,
    };
    (factor > 1.0 + least).then_some(factor)
}

/// Names of a row's figure with its unit.
fn figure(row: &Row) -> String {
    let number = |v: f64| if v < 10.0 { format!("{v:.3}") } else { format!("{v:.1}") };
    match (row.kind, row.kbps, row.insns_per_byte) {
        (Kind::Emulated, _, Some(n)) => format!("{} instructions/byte", number(n)),
        (_, Some(k), Some(n)) if row.kind == Kind::Modelled => {
            format!("{} kB/s modelled, {} instructions/byte", number(k), number(n))
        }
        (Kind::Real, Some(k), _) if row.samples.len() > 1 => {
            format!("{} kB/s, the fastest of {} samples", number(k), row.samples.len())
        }
        (_, Some(k), _) => format!("{} kB/s", number(k)),
        _ => row.rate().map_or("no figure".into(), |r| format!("{} operations/s", number(r))),
    }
}

fn proofs(facts: &Facts, m: &Measured, paths: &Paths) -> Vec<String> {
    let mut proof = vec![format!("as it is: {}", figure(&m.stock))];
    proof.extend(m.scalar.as_ref().map(|r| format!("told to use nothing: {}", figure(r))));
    let told =
        |r: &Row| format!("told all that the processor executes ({}): {}", r.capstring, figure(r));
    proof.extend(m.able.as_ref().map(told));
    proof.extend(m.reference.as_ref().map(|(name, r)| format!("{name}: {}", figure(r))));
    match &m.executed {
        Some(all) if all.is_empty() => {
            proof.push("executed: no instruction of an extension for cryptography".into());
        }
        Some(all) => {
            let one = |(name, n): &(String, u64)| format!("{n} of {name}");
            let all: Vec<String> = all.iter().map(one).collect();
            proof.push(format!("executed: {}", all.join(", ")));
        }
        None => {}
    }
    let asked: Vec<String> = paths.iter().map(|p| p.join("+")).collect();
    proof.push(if asked.is_empty() {
        "the library's dispatch asks for nothing here".into()
    } else {
        format!("the library's dispatch asks for {}", asked.join(" or "))
    });
    proof.extend(cause::said(facts, paths));
    proof
}

/// Gives the verdict of what was measured.
pub fn judge(facts: &Facts, paths: &Paths, m: Measured) -> Finding {
    let over_scalar = m.scalar.as_ref().and_then(|s| faster(&m.stock, s));
    let mut finding = Finding {
        case: m.stock.case.clone(),
        algorithm: m.stock.algorithm.clone(),
        direction: m.stock.direction.clone(),
        verdict: Verdict::Accelerated,
        slower: false,
        lost: None,
        against: String::new(),
        over_scalar,
        why: String::new(),
        proof: proofs(facts, &m, paths),
        remedy: None,
        measured: m,
    };
    decide(facts, paths, &mut finding);
    finding
}

fn decide(facts: &Facts, paths: &Paths, f: &mut Finding) {
    if !f.measured.stock.passed() {
        f.verdict = Verdict::Wrong;
        f.slower = true;
        f.why = f.measured.stock.answers.clone();
        f.remedy = Some(remedy::wrong(facts, f.measured.scalar.as_ref().is_some_and(Row::passed)));
        return;
    }
    let able = f.measured.able.as_ref().filter(|r| r.passed());
    if let Some(factor) = able.and_then(|able| faster(able, &f.measured.stock)) {
        let cause = cause::of(facts, paths);
        (f.verdict, f.slower, f.lost) = (cause.verdict(), true, Some(factor));
        f.against = "the same library, told of it".into();
        f.why = cause.why(facts);
        f.remedy = Some(remedy::of(facts, &cause));
        return;
    }
    let own = f.measured.executed.as_ref().is_some_and(|all| !all.is_empty());
    if f.over_scalar.is_some() || own {
        f.why = accelerated(f);
        return elsewhere(facts, f);
    }
    portable(facts, paths, f);
    elsewhere(facts, f);
}

/// By what an accelerated path is known.
fn accelerated(f: &Finding) -> String {
    let executed = f.measured.executed.as_ref();
    match (f.over_scalar, executed.filter(|e| !e.is_empty())) {
        (_, Some(all)) => {
            let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
            format!("executes {}", names.join(", "))
        }
        (Some(factor), None) => format!("{factor:.1} times slower when masked"),
        (None, None) => String::new(),
    }
}

/// The portable path runs, and nothing that the library can be told changes that.
fn portable(facts: &Facts, paths: &Paths, f: &mut Finding) {
    f.verdict = Verdict::Fallback;
    let possible: Vec<&Vec<String>> =
        paths.iter().filter(|p| p.iter().all(|c| facts.executes(c))).collect();
    if possible.is_empty() {
        f.why = if paths.is_empty() {
            // Of RISC-V every rule of the library's dispatch is known.
            match facts.architecture.as_str() {
                "riscv64" => "the library has portable code only".into(),
                _ => "masking changes nothing: portable code, as far as is known".into(),
            }
        } else {
            "the processor has nothing that the library asks for".into()
        };
        return;
    }
    let built = |p: &&Vec<String>| cause::is_built(facts, p);
    if !possible.iter().any(|p| built(p) == Some(true)) {
        f.verdict = Verdict::NotBuilt;
        f.slower = true;
        f.why = match facts.file {
            Some(_) => "the library contains no instruction of that kind".into(),
            None => "the library says nothing of the processor".into(),
        };
        f.remedy = Some(remedy::not_built(facts));
        return;
    }
    let missing = cause::missing(facts, paths);
    if missing.is_empty() {
        f.why = match f.measured.stock.mad_percent.filter(|_| is_noisy(&f.measured.stock)) {
            Some(spread) => format!(
                "code for it is there and not told apart by masking it, but times spread by {spread:.0} %: run it again"
            ),
            None => "code for it is there and not told apart by masking it".into(),
        };
        return;
    }
    let cause = cause::of(facts, paths);
    (f.verdict, f.slower) = (cause.verdict(), true);
    f.why = cause.why(facts);
    f.remedy = Some(remedy::of(facts, &cause));
}

/// What another library reaches on the same target.
fn elsewhere(facts: &Facts, f: &mut Finding) {
    let Some((name, row)) = f.measured.reference.as_ref().filter(|(_, r)| r.passed()) else {
        return;
    };
    let Some(factor) = faster(row, &f.measured.stock) else { return };
    (f.lost, f.against, f.slower) = (Some(factor), name.clone(), true);
    if matches!(f.verdict, Verdict::Accelerated | Verdict::Fallback) {
        f.verdict = Verdict::NotBuilt;
        f.why = "the library has no such path".into();
        f.remedy = Some(remedy::other(facts, name));
    }
}

impl Finding {
    /// Whether another library might be faster: what runs is not known to use what the processor has.
    pub fn wants_reference(&self) -> bool {
        matches!(self.verdict, Verdict::Fallback | Verdict::NotBuilt) && self.lost.is_none()
    }

    /// Judges again beside another library.
    pub fn beside(self, facts: &Facts, paths: &Paths, name: &str, row: Row) -> Finding {
        judge(facts, paths, Measured { reference: Some((name.into(), row)), ..self.measured })
    }
}

impl Cause {
    fn verdict(&self) -> Verdict {
        match self {
            Cause::Kernel(_) => Verdict::HiddenByKernel,
            Cause::Libc(_) => Verdict::HiddenByLibc,
            Cause::Told(_) | Cause::Library(_) => Verdict::NotDetected,
        }
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
