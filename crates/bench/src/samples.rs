//! Samples of measured work on targets other than the simulator, and their statistics.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// What the driver measured around a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Nanoseconds on the target's clock.
    pub ns: u64,
    /// Instructions; `None` if nothing counts them.
    pub insns: Option<u64>,
    /// Cycles; `None` if nothing counts them.
    pub cycles: Option<u64>,
}

/// Samples of the same work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Samples {
    /// The counter: `perf`, `instret`, `trace` or `none`.
    pub counter: String,
    /// Operations in each sample.
    pub repeats: u64,
    /// The same loop, with the same number of iterations, around an empty body.
    pub empty: Section,
    /// The samples, in the order in which they were taken.
    pub taken: Vec<Section>,
}

/// The median of samples with their spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Median.
    pub median: f64,
    /// Median of the absolute deviations from the median, relative to it.
    pub mad: f64,
}

/// The middle value; with an even number of values, the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    Some((values.get(half.checked_sub(1)?)? + upper) / 2.0)
}

/// Median and relative spread; `None` for no values.
pub fn spread(values: &[f64]) -> Option<Spread> {
    let middle = median(values.to_vec())?;
    let deviation = median(values.iter().map(|v| (v - middle).abs()).collect())?;
    let mad = if middle == 0.0 { 0.0 } else { deviation / middle };
    Some(Spread { median: middle, mad })
}

impl Samples {
    /// Reads what follows the verb in the driver's answer: `COUNTER PROCESS REPEATS SECTION SECTION...`.
    ///
    /// # Errors
    /// Quotes what cannot be read.
    pub fn parse(text: &str) -> Result<Samples> {
        let fail = || format!("cannot read the driver's measurement \"{text}\"");
        let mut words = text.split(' ');
        let mut next = || words.next().with_context(fail);
        let counter = next()?.to_string();
        next()?;
        let repeats = next()?.parse().with_context(fail)?;
        let empty = section(next()?).with_context(fail)?;
        let taken: Vec<Section> = words.map(section).collect::<Result<_>>().with_context(fail)?;
        if taken.is_empty() || repeats == 0 {
            bail!(fail());
        }
        Ok(Samples { counter, repeats, empty, taken })
    }

    /// A quantity per operation, by sample, less the loop around it.
    fn each(&self, of: impl Fn(&Section) -> Option<u64>) -> Option<Vec<f64>> {
        let empty = of(&self.empty)?;
        let one = |s: &Section| Some(of(s)?.saturating_sub(empty) as f64 / self.repeats as f64);
        self.taken.iter().map(one).collect()
    }

    /// Nanoseconds per operation.
    pub fn ns(&self) -> Option<Spread> {
        spread(&self.each(|s| Some(s.ns))?)
    }

    /// Instructions per operation.
    pub fn insns(&self) -> Option<Spread> {
        spread(&self.each(|s| s.insns)?)
    }

    /// Cycles per operation.
    pub fn cycles(&self) -> Option<Spread> {
        spread(&self.each(|s| s.cycles)?)
    }
}

/// `MARK:NS:INSNS:CYCLES`.
fn section(word: &str) -> Result<Section> {
    let fields: Vec<&str> = word.split(':').collect();
    let [_, ns, insns, cycles] = fields[..] else { bail!("\"{word}\" does not have four fields") };
    let count = |text: &str| if text == "-" { Ok(None) } else { text.parse().map(Some) };
    Ok(Section { ns: ns.parse()?, insns: count(insns)?, cycles: count(cycles)? })
}

/// Whether a counter counts: `COUNTER PROCESS SECTION SECTION`, around a loop of two instructions with `n` and 2·n
/// iterations.
///
/// # Errors
/// Why the counter is not to be trusted.
pub fn self_check(text: &str, n: u64) -> Result<(), String> {
    let fail = |_| format!("cannot read the driver's self-check \"{text}\"");
    let words: Vec<&str> = text.split(' ').collect();
    let [counter, _, once, twice] = words[..] else { return Err(fail(())) };
    let [once, twice] = [once, twice].map(section);
    let (once, twice) = (once.map_err(|_| fail(()))?, twice.map_err(|_| fail(()))?);
    let (Some(once), Some(twice)) = (once.insns, twice.insns) else {
        return Err("nothing counts instructions here".into());
    };
    let (counted, expected) = (twice.saturating_sub(once), 2 * n);
    // In some processors' counters an interrupt may count as an instruction.
    let tolerance = if counter == "perf" { expected / 1000 } else { 0 };
    if counted.abs_diff(expected) <= tolerance {
        return Ok(());
    }
    Err(format!("{counter}: counted {counted} instructions, expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_spread() {
        let s = spread(&[5.0, 1.0, 3.0, 100.0, 4.0]).unwrap();
        assert_eq!((s.median, s.mad), (4.0, 0.25));
        assert_eq!(spread(&[2.0, 4.0]).unwrap().median, 3.0);
        assert_eq!(spread(&[]), None);
    }

    #[test]
    fn samples_are_read_and_the_empty_loop_is_subtracted() {
        let s = Samples::parse("perf 77 10 0:100:30:- 2:1100:530:- 4:1300:530:-").unwrap();
        assert_eq!((s.ns().unwrap().median, s.insns().unwrap().median), (110.0, 50.0));
        assert_eq!(s.cycles(), None);
        for bad in
            ["", "perf 1 2", "perf 1 0 0:1:-:- 1:1:-:-", "perf 1 2 0:1:-:-", "perf 1 2 0:1:-:- x"]
        {
            assert!(Samples::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_counter_that_does_not_count_is_detected() {
        let check = |counter: &str, a: &str, b: &str| {
            self_check(&format!("{counter} 7 0:9:{a}:- 2:9:{b}:-"), 1000)
        };
        assert!(check("trace", "2010", "4010").is_ok());
        // Under QEMU, rdinstret returns the host's clock.
        assert!(check("instret", "167250", "222350").unwrap_err().contains("55100"));
        assert!(check("trace", "2010", "4011").is_err() && check("perf", "2010", "4011").is_ok());
        assert!(check("none", "-", "-").unwrap_err().contains("nothing counts"));
        assert!(self_check("", 1).is_err());
    }
}
