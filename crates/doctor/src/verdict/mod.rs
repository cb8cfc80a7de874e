//! One verdict for each algorithm, from what was reported and what was measured.

use crate::cause::{self, Cause, Paths};
use crate::judgement::{Judgement, Measured, Reference};
use crate::ratio::{MUCH_FASTER, faster, figure};
use crate::remedy;
use crate::rounds::is_noisy;
use crate::shown::Facts;
use capvec_record::Row;
use capvec_record::doctor::{Finding, RatioOf, Verdict};
use capvec_record::view::speed_unit::SpeedUnit;
use capvec_text::digits::{SPREAD, TIMES};

fn proofs(facts: &Facts, m: &Measured, paths: &Paths) -> Vec<String> {
    let other = m.reference.as_ref().map(|r| &r.row);
    let rows = [Some(&m.stock), m.scalar.as_ref(), m.able.as_ref(), other];
    let unit = SpeedUnit::of(rows.into_iter().map(|r| r?.kbps()));
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
pub fn judge(facts: &Facts, paths: &Paths, m: Measured) -> Judgement {
    let over_scalar = m.scalar.as_ref().and_then(|s| faster(&m.stock, s));
    let finding = Finding {
        case: m.stock.case.clone(),
        algorithm: m.stock.algorithm.clone(),
        direction: m.stock.direction.clone(),
        verdict: Verdict::Accelerated,
        slower: false,
        lost: None,
        against: String::new(),
        over_scalar,
        ratio_of: Some(RatioOf::of(m.stock.kind)),
        why: String::new(),
        proof: proofs(facts, &m, paths),
        remedy: None,
    };
    let mut judgement = Judgement { finding, hidden: Vec::new(), measured: m };
    decide(facts, paths, &mut judgement);
    judgement
}

fn decide(facts: &Facts, paths: &Paths, f: &mut Judgement) {
    if !f.measured.stock.passed() {
        f.finding.verdict = Verdict::Wrong;
        f.finding.slower = true;
        let answers = &f.measured.stock.answers;
        f.finding.why = failure(answers);
        let portable_is_right = f.measured.scalar.as_ref().is_some_and(Row::passed);
        f.finding.remedy = Some(match is_misaligned(answers) {
            true => remedy::misaligned(facts, portable_is_right),
            false => remedy::wrong(facts, portable_is_right),
        });
        return;
    }
    let able = f.measured.able.as_ref().filter(|r| r.passed());
    if let Some(factor) = able.and_then(|able| faster(able, &f.measured.stock)) {
        lost(facts, paths, f);
        f.finding.lost = Some(factor);
        f.finding.against = "the same library, configured for it".into();
        return;
    }
    let own = f.measured.executed.as_ref().is_some_and(|all| !all.is_empty());
    if f.finding.over_scalar.is_some() || own {
        f.finding.why = accelerated(f);
        return compare_with_reference(facts, f);
    }
    portable(facts, paths, f);
    compare_with_reference(facts, f);
}

/// Whether code failed since it made a misaligned access: on anonymous memory, SIGBUS has no other cause.
fn is_misaligned(answers: &str) -> bool {
    answers.contains("SIGBUS")
}

/// What is wrong with answers; first, for what buffers code fails that the processor ends.
fn failure(answers: &str) -> String {
    match is_misaligned(answers) && answers.contains("unaligned") {
        true => format!("ended by SIGBUS if buffers are unaligned: {answers}"),
        false => answers.into(),
    }
}

/// The evidence for an accelerated path.
fn accelerated(f: &Judgement) -> String {
    let executed = f.measured.executed.as_ref();
    match (f.finding.over_scalar, executed.filter(|e| !e.is_empty())) {
        (_, Some(all)) => {
            let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
            format!("executes {}", names.join(", "))
        }
        (Some(factor), None) if f.finding.ratio_of == Some(RatioOf::Instructions) => {
            format!("{} times the instructions when masked", TIMES.text(factor))
        }
        (Some(factor), None) => format!("{} times slower when masked", TIMES.text(factor)),
        (None, None) => String::new(),
    }
}

/// The portable path runs, and no configuration of the library changes that.
fn portable(facts: &Facts, paths: &Paths, f: &mut Judgement) {
    f.finding.verdict = Verdict::Fallback;
    let possible: Vec<&Vec<String>> =
        paths.iter().filter(|p| p.iter().all(|c| facts.executes(c))).collect();
    if possible.is_empty() {
        f.finding.why = if paths.is_empty() {
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
        f.finding.verdict = Verdict::NotBuilt;
        f.finding.slower = true;
        f.finding.why = match facts.file {
            Some(_) => "the library contains no instruction of that kind".into(),
            None => "the library does not report what it detects".into(),
        };
        f.finding.remedy = Some(remedy::not_built(facts));
        return;
    }
    let missing = cause::missing(facts, paths);
    if missing.is_empty() {
        f.finding.why = match f.measured.stock.mad_percent.filter(|_| is_noisy(&f.measured.stock)) {
            Some(spread) => format!(
                "code for it is there, but masking it makes no clear difference, because measured times vary by {} %; run it again",
                SPREAD.text(spread)
            ),
            None => "code for it is there, but masking it makes no clear difference".into(),
        };
        return;
    }
    if let Some(able) = f.measured.able.as_ref().filter(|r| !r.passed()) {
        let (missing, failure) = (missing.join(", "), failure(&able.answers));
        f.finding.why = format!("the library's code for {missing} would fail: {failure}");
        return;
    }
    lost(facts, paths, f);
}

/// What executes is lost on the way to the library.
fn lost(facts: &Facts, paths: &Paths, f: &mut Judgement) {
    let cause = cause::of(facts, paths);
    (f.finding.verdict, f.finding.slower) = (cause.verdict(), true);
    f.finding.why = cause.why(facts);
    f.finding.remedy = Some(remedy::of(facts, &cause));
    if let Cause::Kernel(names) = cause {
        f.hidden = names;
    }
}

/// Compares with what another library achieves on the same target.
fn compare_with_reference(facts: &Facts, f: &mut Judgement) {
    let Some(other) = f.measured.reference.as_ref().filter(|r| r.row.passed()) else { return };
    let Some(factor) = faster(&other.row, &f.measured.stock) else { return };
    let (name, by_extensions) = (other.name.clone(), other.by_extensions);
    match f.finding.verdict {
        Verdict::NotBuilt if by_extensions => {}
        Verdict::Fallback if by_extensions && other.same_library => {
            f.finding.verdict = Verdict::NotBuilt;
            f.finding.why = "this build of the library has no such path".into();
            f.finding.remedy = Some(remedy::other(facts, &name));
        }
        // Code that no build of the library has is not missing from this build.
        Verdict::Accelerated | Verdict::Fallback if factor >= MUCH_FASTER => {
            f.finding.why = format!(
                "{}: {}; {name} is {} times as fast",
                f.finding.verdict.name(),
                f.finding.why,
                TIMES.text(factor)
            );
            f.finding.verdict = Verdict::FasterExists;
            f.finding.remedy = Some(remedy::faster(&name));
        }
        _ => return,
    }
    (f.finding.lost, f.finding.against, f.finding.slower) = (Some(factor), name, true);
}

impl Judgement {
    /// Whether another library might be faster: the code that runs is not known to use what the processor has.
    pub fn wants_reference(&self) -> bool {
        matches!(self.finding.verdict, Verdict::Fallback | Verdict::NotBuilt)
            && self.finding.lost.is_none()
    }

    /// Whether accelerated code runs, so that only much faster code is worth reporting.
    pub fn is_accelerated(&self) -> bool {
        self.finding.verdict == Verdict::Accelerated
    }

    /// Judges again, compared with another library.
    pub fn compared_with(self, facts: &Facts, paths: &Paths, other: Reference) -> Judgement {
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
