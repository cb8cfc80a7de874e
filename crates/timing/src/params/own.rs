//! Costs of single custom instructions, `insn.NAME.latency` and so on, where NAME is the mnemonic with `_` for a dot. What
//! is not given is as in the file of the instruction.

use crate::error::CoreError;
use crate::price::{Price, Prices};
use crate::reader::Reader;
use capvec_isa::Op;
use capvec_isa::custom::{Cost, Per};

/// Maximum number of cycles, as in a file of instructions.
const MOST: u64 = 10_000;

/// The costs that the parameters give.
pub fn prices(r: &mut Reader) -> Result<Prices, CoreError> {
    let mut given = Vec::new();
    for op in Op::all().filter(|op| op.custom().is_some()) {
        let cost = match op.row().class.is_vector() {
            true => vector(r, op)?,
            false => scalar(r, op)?,
        };
        given.extend(cost.map(|cost| (op, Price::Cost(cost))));
    }
    Ok(Prices::new(&given))
}

/// The keys of a custom instruction.
pub fn keys(op: Op) -> Vec<String> {
    let members: &[&str] = match op.row().class.is_vector() {
        true => &["per", "first", "next"],
        false => &["latency", "occupancy"],
    };
    members.iter().map(|m| key(op, m)).collect()
}

fn key(op: Op, member: &str) -> String {
    format!("insn.{}.{member}", op.name().replace('.', "_"))
}

fn cycles(r: &mut Reader, op: Op, member: &str) -> Result<Option<u32>, CoreError> {
    let key = key(op, member);
    r.has(&key).then(|| r.number(&key, 1, MOST).map(|n| n as u32)).transpose()
}

fn scalar(r: &mut Reader, op: Op) -> Result<Option<Cost>, CoreError> {
    let given = [cycles(r, op, "latency")?, cycles(r, op, "occupancy")?];
    let own = match op.model().and_then(|m| m.cost) {
        Some(Cost::Scalar { latency, occupancy }) => [Some(latency), Some(occupancy)],
        _ => [None, Some(1)],
    };
    if given == [None; 2] {
        return Ok(None);
    }
    match [given[0].or(own[0]), given[1].or(own[1])] {
        [Some(latency), Some(occupancy)] => Ok(Some(Cost::Scalar { latency, occupancy })),
        _ => Err(missing(r, op, "occupancy", "latency")),
    }
}

fn vector(r: &mut Reader, op: Op) -> Result<Option<Cost>, CoreError> {
    let (model, per_key) = (op.model(), key(op, "per"));
    let has_groups = model.is_some_and(|m| m.group.is_some());
    let words: &[&str] =
        if has_groups { &["beat", "element", "group"] } else { &["beat", "element"] };
    let per = match r.has(&per_key) {
        true => Some([Per::Beat, Per::Element, Per::Group][r.choice(&per_key, words)?]),
        false => None,
    };
    let given = [cycles(r, op, "first")?, cycles(r, op, "next")?];
    if per.is_none() && given == [None; 2] {
        return Ok(None);
    }
    let usual = if has_groups { Per::Group } else { Per::Beat };
    let (own_per, own) = match model.and_then(|m| m.cost) {
        Some(Cost::Vector { per, first, next }) => (per, [Some(first), Some(next)]),
        _ => (usual, [None, given[0]]),
    };
    match [given[0].or(own[0]), given[1].or(own[1])] {
        [Some(first), Some(next)] => {
            Ok(Some(Cost::Vector { per: per.unwrap_or(own_per), first, next }))
        }
        _ => Err(missing(r, op, if given[1].is_some() { "next" } else { "per" }, "first")),
    }
}

/// The file gives no cost that could complete the one that is given.
fn missing(r: &Reader, op: Op, given: &str, missing: &str) -> CoreError {
    let why = format!("{} has the cost of its class; give {}, too", op.name(), key(op, missing));
    r.error(&key(op, given), why)
}
