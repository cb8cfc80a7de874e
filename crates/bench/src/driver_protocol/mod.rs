//! Jobs for the driver, and its answers. The protocol is described in `crates/guest/driver/measure/main.c`.

use crate::case::{Case, Operation, RANDOM};
use crate::samples::{self, Samples};
use anyhow::{Context, Result, bail};
use capvec_targets::Probe;
use capvec_targets::backend::Method;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Iterations of the loop of known length that checks the counter.
pub const SELF_CHECK: u64 = 1000;

/// The same where counters may include interrupts: longer, so that these do not matter.
const LONG_SELF_CHECK: u64 = 100_000;
/// Number of samples that are timed.
const SAMPLES: u64 = 15;
/// Minimum time of a sample, in nanoseconds: thousands of times the cost of reading the clock.
const SAMPLE_NS: u64 = 2_000_000;

/// A request to the driver.
#[derive(Clone, Debug)]
pub enum Job<'a> {
    /// The library's version.
    Version,
    /// The loop of known length.
    SelfCheck,
    /// What the kernel and the library report about the hart.
    Probe,
    /// A known answer.
    Answer(&'a Case, Question<'a>),
    /// Counts of `repeats` operations on `bytes` bytes.
    Measure(&'a Case, Operation, usize, u64),
    /// Counts of each of so many operations.
    Each(&'a Case, Operation, usize),
}

/// A known answer: published, or for the pattern message.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// With its own inputs.
    Published(&'a crate::case::Answer),
    /// With the case's key and IV.
    Pattern(&'a crate::case::Pattern),
}

/// Counts of a measured loop, less those of the same loop around an empty body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Retired instructions of all repeats.
    pub instret: u64,
    /// Cycles of all repeats.
    pub cycles: u64,
    /// Bytes that the measured end of a connection sent in all repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wire_bytes: Option<u64>,
}

/// The result of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Taken {
    /// Exact counts.
    Counts(Counts),
    /// Samples.
    Samples(Samples),
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Version text.
    Version(String),
    /// Whether the counter counts exactly.
    SelfCheck(Result<(), String>),
    /// What the kernel and the library report about the hart.
    Probe(Probe),
    /// Whether the answer is right, or what is wrong with it.
    Answer(Result<(), String>),
    /// What was measured, or why nothing was.
    Measure(Result<Taken, String>),
    /// Instructions and cycles of each operation, or why nothing was measured.
    Each(Result<Vec<[u64; 2]>, String>),
}

fn or_dash(hex: &str) -> &str {
    if hex.is_empty() { "-" } else { hex }
}

/// The words with which the driver finds the operation.
fn what(case: &Case, parameter: &str, operation: Operation) -> String {
    let kind = case.kind.driver(operation);
    format!("{kind} {} {} {}", case.algorithm, or_dash(parameter), operation.name())
}

impl Question<'_> {
    /// The operation.
    pub fn operation(&self) -> Operation {
        match self {
            Question::Published(a) => a.operation,
            Question::Pattern(p) => p.operation,
        }
    }

    /// The name in messages.
    fn name(&self) -> String {
        let operation = match self.operation() {
            Operation::Encrypt => String::new(),
            other => format!("{}: ", other.name()),
        };
        match self {
            Question::Published(a) => format!("{operation}answer of {}", a.source),
            Question::Pattern(p) => format!("{operation}answer for {} bytes", p.bytes),
        }
    }
}

impl Job<'_> {
    /// The line that requests it from a driver that counts.
    pub fn line(&self) -> String {
        self.line_for(Method::Counted)
    }

    /// The line that requests it.
    pub fn line_for(&self, method: Method) -> String {
        match self {
            Job::Version => "version".into(),
            Job::SelfCheck => format!("selfcheck {}", self_check_length(method)),
            Job::Probe => "probe".into(),
            Job::Answer(c, q) => {
                let (parameter, key, iv, aad, input) = match q {
                    Question::Published(a) => {
                        let or = |own, of_case| if str::is_empty(own) { of_case } else { own };
                        let parameter = a.parameter.as_deref().unwrap_or(&c.parameter);
                        let input = or_dash(&a.input).to_string();
                        (parameter, or(&a.key, &c.key), or(&a.iv, &c.iv), a.aad.as_str(), input)
                    }
                    Question::Pattern(p) => {
                        let input = format!("@{}", p.bytes);
                        (c.parameter.as_str(), c.key.as_str(), c.iv.as_str(), c.aad.as_str(), input)
                    }
                };
                let what = what(c, parameter, q.operation());
                let [key, iv, aad] = [key, iv, aad].map(or_dash);
                format!("answer {what} {key} {iv} {aad} {input}")
            }
            Job::Measure(c, operation, bytes, repeats) => {
                let (key, iv) = (or_dash(&c.key), or_dash(&c.iv));
                let what = what(c, &c.parameter, *operation);
                let how = match method {
                    Method::Counted => format!("{repeats}"),
                    Method::Traced => format!("{repeats} 1 0"),
                    // An operation that is measured once takes long, and so does each repetition.
                    Method::Timed if *repeats == 1 => format!("1 3 {SAMPLE_NS}"),
                    Method::Timed => format!("0 {SAMPLES} {SAMPLE_NS}"),
                };
                format!("measure {what} {key} {iv} {bytes} {how}")
            }
            Job::Each(c, operation, times) => {
                let (key, iv) = (or_dash(&c.key), or_dash(&c.iv));
                format!("each {} {key} {iv} {times}", what(c, &c.parameter, *operation))
            }
        }
    }

    /// Reads the answer of a driver that counts.
    pub fn read(&self, line: &str) -> Result<Outcome> {
        self.read_for(Method::Counted, line)
    }

    /// Reads the answer.
    pub fn read_for(&self, method: Method, line: &str) -> Result<Outcome> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        if verb == "error" {
            return match self {
                Job::Measure(..) => Ok(Outcome::Measure(Err(rest.into()))),
                Job::Each(..) => Ok(Outcome::Each(Err(rest.into()))),
                _ => bail!("the driver answers \"{}\" with: {rest}", self.line()),
            };
        }
        let expected = self.line();
        if expected.split(' ').next() != Some(verb) {
            bail!("the driver answers \"{expected}\" with \"{line}\"");
        }
        match self {
            Job::Version => Ok(Outcome::Version(rest.to_string())),
            Job::SelfCheck => Ok(Outcome::SelfCheck(match method {
                Method::Counted => self_check(rest),
                _ => samples::self_check(rest, self_check_length(method)),
            })),
            Job::Probe => Ok(Outcome::Probe(Probe::parse(rest)?)),
            Job::Answer(c, q) => Ok(Outcome::Answer(check(c, q, rest))),
            Job::Measure(..) => Ok(Outcome::Measure(Ok(match method {
                Method::Counted => Taken::Counts(counts(rest)?),
                _ => Taken::Samples(Samples::parse(rest)?),
            }))),
            Job::Each(_, _, times) => Ok(Outcome::Each(Ok(each(rest, *times)?))),
        }
    }
}

/// The input of the driver for these groups.
pub fn lines(groups: &[Vec<Job>], method: Method) -> String {
    let text =
        |g: &Vec<Job>| g.iter().map(|j| j.line_for(method) + "\n").collect::<String>() + "\n";
    groups.iter().map(text).collect()
}

fn self_check_length(method: Method) -> u64 {
    if method == Method::Timed { LONG_SELF_CHECK } else { SELF_CHECK }
}

/// Between the two reads of the counter, the first read and two instructions for each iteration retire.
fn self_check(text: &str) -> Result<(), String> {
    let expected = 2 * SELF_CHECK + 1;
    match text.parse::<u64>() {
        Ok(n) if n == expected => Ok(()),
        _ => Err(format!("counted {text} for a loop of {expected} instructions")),
    }
}

/// The driver's kinds whose answers have a way back and can be tampered with.
const WITH_WAY_BACK: [&str; 9] = [
    "cipher",
    "aead",
    "setup",
    "signature",
    "kem",
    "exchange",
    "handshake",
    "resumption",
    "record",
];

fn check(case: &Case, question: &Question, text: &str) -> Result<(), String> {
    let what = question.name();
    let (got, back) = text.split_once(' ').unwrap_or((text, ""));
    if got == "refused" {
        return Err(format!("{what}: the library refused the operation"));
    }
    let digest = || match hex::decode(got) {
        Ok(bytes) => Ok(hex::encode(Sha256::digest(bytes))),
        Err(_) => Err(format!("{what}: not hexadecimal")),
    };
    let kind = case.kind.driver(question.operation());
    // A library that signs with random numbers gives no answer to compare: it has accepted its own signature, and
    // refused it when changed.
    let random = kind == "signature" && back == "random";
    let right = match question {
        _ if random => true,
        Question::Published(a) if a.out_sha256.is_empty() => got == a.out,
        Question::Published(a) => digest()? == a.out_sha256,
        Question::Pattern(p) => p.sha256 == RANDOM || digest()? == p.sha256,
    };
    if !right {
        return Err(format!("wrong {what}"));
    }
    match (WITH_WAY_BACK.contains(&kind), back) {
        (true, "back") | (false, "") => Ok(()),
        _ if random => Ok(()),
        (true, "forged") => Err(format!("{what}: accepted after tampering")),
        _ => Err(format!("{what}: the inverse operation does not restore the input")),
    }
}

fn counts(text: &str) -> Result<Counts> {
    let numbers: Vec<u64> = text
        .split(' ')
        .map(|n| n.parse().with_context(|| format!("malformed counts from the driver: \"{text}\"")))
        .collect::<Result<_>>()?;
    let [instret, cycles, empty_instret, empty_cycles, ref more @ ..] = numbers[..] else {
        bail!("malformed counts from the driver: \"{text}\"");
    };
    let wire_bytes = match more {
        [] => None,
        [sent] => Some(*sent),
        _ => bail!("malformed counts from the driver: \"{text}\""),
    };
    Ok(Counts {
        instret: instret.saturating_sub(empty_instret),
        cycles: cycles.saturating_sub(empty_cycles),
        wire_bytes,
    })
}

/// `INSNS:CYCLES` for an empty loop, then for each operation.
fn each(text: &str, times: usize) -> Result<Vec<[u64; 2]>> {
    let fail = || format!("malformed counts from the driver: \"{text}\"");
    let pair = |word: &str| {
        let (insns, cycles) = word.split_once(':').with_context(fail)?;
        Ok::<_, anyhow::Error>([insns.parse::<u64>()?, cycles.parse::<u64>()?])
    };
    let all: Vec<[u64; 2]> = text.split(' ').map(pair).collect::<Result<_>>().with_context(fail)?;
    let Some((empty, taken)) = all.split_first().filter(|(_, taken)| taken.len() == times) else {
        bail!(fail());
    };
    let net = |of: &[u64; 2]| [0, 1].map(|i| of[i].saturating_sub(empty[i]));
    Ok(taken.iter().map(net).collect())
}

#[cfg(test)]
mod tests;
