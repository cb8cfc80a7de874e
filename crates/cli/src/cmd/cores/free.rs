//! `--free` of `capvec cores fit`: which parameter, between which bounds.

use crate::cmd::Usage;
use anyhow::{Context, Result, anyhow, bail, ensure};
use capvec_bench::fit::{Free, Value};
use capvec_timing::{Core, Setting, values};
use std::collections::HashSet;

/// A tick, the resolution that models have for most parameters: a sixteenth of a cycle.
const TICK: f64 = 1.0 / 16.0;
/// The greatest value that is tried, as a multiple of the value before the fit, unless bounds are given.
const MOST: f64 = 4.0;
/// The greatest value that is tried for a parameter that is 0.
const FROM_ZERO: f64 = 16.0;

/// The free parameters of these values of `--free`.
///
/// # Errors
/// Names the flag; there is no such parameter, it cannot be searched, its bounds are wrong, or it is named twice.
pub fn all_free(core: &Core, texts: &[String]) -> Result<Vec<Free>> {
    let all = texts.iter().map(|f| free(core, f)).collect::<Result<Vec<Free>>>()?;
    let mut seen = HashSet::new();
    for key in all.iter().flat_map(|f| &f.keys).map(|k| &k.key) {
        if !seen.insert(core.whole_key(key)) {
            return Err(Usage(format!("--free {key}: it is named twice; name it once")).into());
        }
    }
    Ok(all)
}

/// A free parameter: KEY, KEY=LOW..HIGH or KEY+KEY.
fn free(core: &Core, text: &str) -> Result<Free> {
    parse(core, text).map_err(|e| Usage(format!("--free {text}: {e:#}")).into())
}

fn parse(core: &Core, text: &str) -> Result<Free> {
    let (keys, bounds) = match text.split_once('=') {
        Some((keys, bounds)) => (keys, Some(bounds)),
        None => (text, None),
    };
    let keys = keys.split('+').map(|k| value(core, k.trim())).collect::<Result<Vec<Value>>>()?;
    let first = keys.first().cloned().context("write KEY, or KEY=LOW..HIGH")?;
    if let Some(zero) = keys.iter().skip(1).find(|_| first.before == 0.0) {
        bail!("{} has no ratio to {}, which is 0", zero.key, first.key);
    }
    let Value { before: start, step, .. } = first;
    let free = Free { start, step, keys, low: f64::MIN, high: f64::MAX };
    let near = [start - step, start + step].map(|v| valid(core, &free, v));
    if let [Err(_), Err(why)] = near {
        return Err(why.context("it has no value next to the one it has, so it cannot be searched; compare values by --set"));
    }
    let (low, high) = match bounds {
        None => {
            let most = if start == 0.0 { FROM_ZERO } else { start * MOST };
            (farthest(core, &free, 0.0), farthest(core, &free, most))
        }
        Some(bounds) => given(core, &free, bounds)?,
    };
    ensure!(
        low < high && low <= start && start <= high,
        "{start}, its value now, must lie between the bounds"
    );
    Ok(Free { low, high, ..free })
}

/// The bounds LOW..HIGH, both of which the core must be able to have.
fn given(core: &Core, free: &Free, bounds: &str) -> Result<(f64, f64)> {
    let ends = bounds.split_once("..");
    let ends = ends.and_then(|(a, b)| Some([a.parse::<f64>().ok()?, b.parse().ok()?]));
    let [low, high] = ends.context("write the bounds as LOW..HIGH")?;
    ensure!(low < high, "LOW must be less than HIGH");
    // Inwards, to values that are whole steps away from the one before.
    let low = free.start + ((low - free.start) / free.step).ceil() * free.step;
    let high = free.start + ((high - free.start) / free.step).floor() * free.step;
    valid(core, free, low)?;
    valid(core, free, high)?;
    Ok((low, high))
}

/// Whether the core can have this value.
fn valid(core: &Core, free: &Free, value: f64) -> Result<()> {
    let set = |(key, value): (&str, f64)| Setting { key: key.into(), value: value.to_string() };
    let settings: Vec<Setting> = free.settings(value).map(set).collect();
    core.with(&settings).map(drop).map_err(|e| anyhow!("{e}"))
}

/// The value nearest to `end` that the core can have, if it can have all between that and the value before the fit.
fn farthest(core: &Core, free: &Free, end: f64) -> f64 {
    let at = |steps: i64| free.start + (end - free.start).signum() * steps as f64 * free.step;
    let mut beyond = ((end - free.start).abs() / free.step).round() as i64 + 1;
    let mut within = 0;
    while beyond - within > 1 {
        let middle = within + (beyond - within) / 2;
        match valid(core, free, at(middle)) {
            Ok(()) => within = middle,
            Err(_) => beyond = middle,
        }
    }
    at(within)
}

/// The value of a key, and whether the model takes fractions for it.
fn value(core: &Core, key: &str) -> Result<Value> {
    let try_value =
        |v: f64| core.with(&[Setting { key: key.into(), value: v.to_string() }]).map(|_| ());
    let before = core.number(key);
    let Some(before) = before else {
        let whole = core.whole_key(key);
        if !values(&core.parameters).iter().any(|(known, _)| *known == whole) {
            // Says what is wrong with the key.
            try_value(1.0)?;
        }
        bail!("{key}: its value is not a number, so it cannot be fitted");
    };
    let fraction = before.trunc() + TICK;
    let step = if try_value(fraction).is_ok() { TICK } else { 1.0 };
    Ok(Value { key: key.into(), before, step })
}
