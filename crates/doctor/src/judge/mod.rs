//! One verdict for each algorithm, from what was reported and what was measured.

use crate::cause::{self, Cause, Paths};
use crate::facts::Facts;
use crate::finding::{Finding, Measured, Reference, Verdict};
use crate::ratio::{MUCH_FASTER, RatioOf, faster, figure};
use crate::remedy;
use crate::rounds::is_noisy;
use capvec_record::Row;
use capvec_record::view::unit::Unit;

fn proofs(facts: &Facts, m: &Measured, paths: &Paths) -> Vec<String> {
    let other = m.reference.as_ref().map(|r| &r.row);
    let rows = [Some(&m.stock), m.scalar.as_ref(), m.able.as_ref(), other];
    let unit = Unit::of(rows.into_iter().map(|r| r?.kbps));
    let figure = |row: &Row| figure(row, unit);
    let mut proof = vec![format!("as it is: {}", figure(&m.stock))];
    proof.extend(m.scalar.as_ref().map(|r| format!("configured to use nothing: {}", figure(r))));
    let able = |r: &Row| {
        format!("configured for all that the processor executes ({}): {}", r.capstring, figure(r))
    };
    proof.extend(m.able.as_ref().map(able));
    proof.extend(m.reference.as_ref().map(|r| format!("{}: {}", r.name, figure(&r.row))));
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

/// Judges what was measured.
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
        ratio_of: RatioOf::of(m.stock.kind),
        why: String::new(),
        proof: proofs(facts, &m, paths),
        remedy: None,
        hidden: Vec::new(),
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
        lost(facts, paths, f);
        f.lost = Some(factor);
        f.against = "the same library, configured for it".into();
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

/// The evidence for an accelerated path.
fn accelerated(f: &Finding) -> String {
    let executed = f.measured.executed.as_ref();
    match (f.over_scalar, executed.filter(|e| !e.is_empty())) {
        (_, Some(all)) => {
            let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
            format!("executes {}", names.join(", "))
        }
        (Some(factor), None) if f.ratio_of == RatioOf::Instructions => {
            format!("{factor:.1} times the instructions when masked")
        }
        (Some(factor), None) => format!("{factor:.1} times slower when masked"),
        (None, None) => String::new(),
    }
}

/// The portable path runs, and no configuration of the library changes that.
fn portable(facts: &Facts, paths: &Paths, f: &mut Finding) {
    f.verdict = Verdict::Fallback;
    let possible: Vec<&Vec<String>> =
        paths.iter().filter(|p| p.iter().all(|c| facts.executes(c))).collect();
    if possible.is_empty() {
        f.why = if paths.is_empty() {
            // On RISC-V, every rule of the library's dispatch is known.
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
            None => "the library does not report what it detects".into(),
        };
        f.remedy = Some(remedy::not_built(facts));
        return;
    }
    let missing = cause::missing(facts, paths);
    if missing.is_empty() {
        f.why = match f.measured.stock.mad_percent.filter(|_| is_noisy(&f.measured.stock)) {
            Some(spread) => format!(
                "code for it is there, but masking it makes no clear difference: times spread by {spread:.0} %: run it again"
            ),
            None => "code for it is there, but masking it makes no clear difference".into(),
        };
        return;
    }
    lost(facts, paths, f);
}

/// What executes is lost on the way to the library.
fn lost(facts: &Facts, paths: &Paths, f: &mut Finding) {
    let cause = cause::of(facts, paths);
    (f.verdict, f.slower) = (cause.verdict(), true);
    f.why = cause.why(facts);
    f.remedy = Some(remedy::of(facts, &cause));
    if let Cause::Kernel(names) = cause {
        f.hidden = names;
    }
}

/// Compares with what another library achieves on the same target.
fn elsewhere(facts: &Facts, f: &mut Finding) {
    let Some(other) = f.measured.reference.as_ref().filter(|r| r.row.passed()) else { return };
    let Some(factor) = faster(&other.row, &f.measured.stock) else { return };
    let (name, by_extensions) = (other.name.clone(), other.by_extensions);
    match f.verdict {
        Verdict::NotBuilt if by_extensions => {}
        Verdict::Fallback if by_extensions && other.same_library => {
            f.verdict = Verdict::NotBuilt;
            f.why = "this build of the library has no such path".into();
            f.remedy = Some(remedy::other(facts, &name));
        }
        // Code that no build of the library has is not missing from this build.
        Verdict::Accelerated | Verdict::Fallback if factor >= MUCH_FASTER => {
            f.why = format!("{}: {}; {name} is {factor:.1} times faster", f.verdict.name(), f.why);
            f.verdict = Verdict::FasterExists;
            f.remedy = Some(remedy::faster(&name));
        }
        _ => return,
    }
    (f.lost, f.against, f.slower) = (Some(factor), name, true);
}

impl Finding {
    /// Whether another library might be faster: the code that runs is not known to use what the processor has.
    pub fn wants_reference(&self) -> bool {
        matches!(self.verdict, Verdict::Fallback | Verdict::NotBuilt) && self.lost.is_none()
    }

    /// Whether accelerated code runs, so that only much faster code is worth reporting.
    pub fn is_accelerated(&self) -> bool {
        self.verdict == Verdict::Accelerated
    }

    /// Judges again, compared with another library.
    pub fn compared_with(self, facts: &Facts, paths: &Paths, other: Reference) -> Finding {
        judge(facts, paths, Measured { reference: Some(other), ..self.measured })
    }
}

impl Cause {
    fn verdict(&self) -> Verdict {
        match self {
            Cause::Kernel(_) => Verdict::HiddenByKernel,
            Cause::Libc(_) => Verdict::HiddenByLibc,
            Cause::Variable(_) | Cause::Library(_) => Verdict::NotDetected,
        }
    }
}

#[cfg(test)]
mod tests;
