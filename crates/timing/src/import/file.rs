//! Writes a core file.

use super::classes::{SCALAR, VECTOR};
use super::form::Form;
use super::step_cost::{self, Point};
use super::timing::Timing;
use crate::core::Core;
use crate::error::CoreError;
use crate::parameter::Parameter;
use crate::setting::Setting;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// A class whose cost deviates by more than this from the table at some LMUL is reported.
const MISFIT: f64 = 0.25;
/// The key of the VLEN.
const VLEN: &str = "core.vlen";

/// A core file that was made from a table.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The file.
    pub text: String,
    /// Number of parameters that the table gave.
    pub given: usize,
    /// Number of all parameters.
    pub all: usize,
    /// Classes whose cost the model cannot express well, with the greatest deviation in percent.
    pub misfits: Vec<(String, f64)>,
    /// Whether the table gave any cost of the vector unit, all of which depend on the VLEN.
    pub has_vectors: bool,
}

/// The VLEN of a table, and what says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vlen {
    /// In bits.
    pub bits: u32,
    /// The source of the parameter.
    pub source: String,
}

/// A core file of this name, or `None` if the text has no instruction in this form. `origin` says where the table is from;
/// what the table does not say is taken from the core `like`, also the VLEN, unless it is given.
///
/// # Errors
/// The core cannot have this VLEN; or the result is not a valid core (a bug).
pub fn import(
    form: Form,
    text: &str,
    name: &str,
    origin: &str,
    like: &Core,
    vlen: Option<&Vlen>,
) -> Result<Option<Imported>, CoreError> {
    let timings = form.read(text);
    if timings.is_empty() {
        return Ok(None);
    }
    let like = &match vlen {
        Some(vlen) => like.with(&[Setting { key: VLEN.into(), value: vlen.bits.to_string() }])?,
        None => like.clone(),
    };
    // The origin is also written in a comment, which must be one line without control characters.
    let origin = &origin.replace(char::is_control, " ");
    let source = Source { form, origin, timings: &timings, vlen: like.vlen };
    let mut misfits = Vec::new();
    let (scalar, vector) = (source.scalar(like), source.vector(&mut misfits));
    let mut given = 0;
    let mut tables: BTreeMap<String, String> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    for p in &like.parameters {
        let own = scalar.get(&p.key).or_else(|| vector.get(&p.key));
        given += usize::from(own.is_some());
        let (value, why) = match own {
            Some((value, why)) => (value.clone(), why.clone()),
            None => match vlen.filter(|_| p.key == VLEN) {
                Some(vlen) => (p.value.clone(), vlen.source.clone()),
                None => kept(p, like, !vector.is_empty()),
            },
        };
        let (table, key) = p.key.rsplit_once('.').unwrap_or(("", &p.key));
        if !order.iter().any(|t| t == table) {
            order.push(table.into());
        }
        *tables.entry(table.into()).or_default() +=
            &format!("{key} = {{ value = {value}, source = {} }}\n", Value::String(why));
    }
    let title = format!("{name}: imported from {}, otherwise as {}", form.name(), like.name);
    let mut file = format!("# Made by `capvec cores import` from {origin}.\n");
    file += &format!("name = {}\ntitle = {}\n", Value::String(name.into()), Value::String(title));
    for table in order {
        file += &format!("\n[{table}]\n{}", tables.get(&table).cloned().unwrap_or_default());
    }
    // The file must be a valid core.
    Core::parse(name, &file)?;
    let (all, has_vectors) = (like.parameters.len(), !vector.is_empty());
    Ok(Some(Imported { text: file, given, all, misfits, has_vectors }))
}

/// A parameter that the table does not give. Costs are those of one pipe as wide as a register, since reciprocal throughputs
/// include all pipes.
fn kept(p: &Parameter, like: &Core, has_vectors: bool) -> (Value, String) {
    let one_pipe =
        "reciprocal throughputs include all pipes, as if there were one as wide as a register";
    match p.key.as_str() {
        "vector.pipes" if has_vectors => (Value::Integer(1), one_pipe.into()),
        "vector.first_pipe" if has_vectors => (Value::String(String::new()), one_pipe.into()),
        "vector.datapath" | "vector.memory_bits" if has_vectors => {
            (Value::Integer(like.vlen.into()), one_pipe.into())
        }
        _ => (p.value.clone(), format!("as {}: {}", like.name, p.source)),
    }
}

/// A table of timings.
struct Source<'a> {
    form: Form,
    origin: &'a str,
    timings: &'a [Timing],
    vlen: u32,
}

/// Values and sources by key.
type Values = BTreeMap<String, (Value, String)>;

impl Source<'_> {
    /// Latencies and occupancies of scalar classes. Occupancies are at least a cycle: a reciprocal throughput below one shows
    /// the number of pipes, not a cost.
    fn scalar(&self, like: &Core) -> Values {
        let mut values = Values::new();
        for (class, mnemonics) in SCALAR {
            let find = |m: &&str| self.timings.iter().find(|t| t.mnemonic == **m);
            let Some(t) = mnemonics.iter().find_map(find) else { continue };
            let key = format!("scalar.{class}");
            let Some(old) = like.parameters.iter().find(|p| p.key == key) else { continue };
            let member = |name: &str| old.value.as_table()?.get(name)?.as_integer();
            let occupancy = t.cycles.round().max(1.0) as i64;
            let latency = t.latency.map(|l| l.round().max(1.0) as i64).or(member("latency"));
            let latency = latency.unwrap_or(1).max(1);
            let why = format!(
                "{}: {} takes {}{}",
                self.cite(),
                t.mnemonic,
                cycles(t.cycles),
                match t.latency {
                    Some(l) => format!(", with a latency of {l}"),
                    None => format!("; latency as {}", like.name),
                }
            );
            let mut table = Table::new();
            table.insert("latency".into(), Value::Integer(latency));
            table.insert("occupancy".into(), Value::Integer(occupancy.min(latency)));
            values.insert(key, (Value::Table(table), why));
        }
        values
    }

    /// Costs of vector classes.
    fn vector(&self, misfits: &mut Vec<(String, f64)>) -> Values {
        let mut values = Values::new();
        for (class, mnemonics, sew, steps) in VECTOR {
            let found = mnemonics.iter().find_map(|m| self.points(m, sew));
            let Some((mnemonic, sew, points)) = found else { continue };
            let fields = if class.ends_with("segment") { 2 } else { 1 };
            let fit = step_cost::cost(&points, self.vlen * fields, steps, sew);
            let Some(cost) = fit else { continue };
            if cost.misfit > MISFIT {
                misfits.push((class.into(), cost.misfit * 100.0));
            }
            let at = |(lmul, c): &Point| format!("{} at LMUL {lmul}", cycles(*c));
            let all: Vec<String> = points.iter().map(at).collect();
            let why = format!("{}: {mnemonic} takes {}", self.cite(), all.join(", "));
            let mut table = Table::new();
            table.insert("per".into(), Value::String(cost.per.into()));
            table.insert("first".into(), number(cost.first));
            table.insert("next".into(), number(cost.next));
            values.insert(format!("vector.class.{class}"), (Value::Table(table), why));
        }
        values
    }

    /// The points of an instruction with one width of elements: that of the accesses, the one that is asked for, or the widest.
    fn points<'m>(&self, mnemonic: &'m str, sew: u32) -> Option<(&'m str, u32, Vec<Point>)> {
        let digits: String = mnemonic
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        let accessed: Option<u32> = digits.parse().ok().filter(|_| {
            mnemonic.starts_with("vl") || mnemonic.starts_with("vs") && mnemonic.ends_with(".v")
        });
        // In vlseg2e64.v, the first digit is the number of fields.
        let accessed = match mnemonic.rsplit_once('e') {
            Some((_, eew)) if mnemonic.contains("seg") => eew.trim_end_matches(".v").parse().ok(),
            _ => accessed,
        };
        let wanted = accessed.or((sew > 0).then_some(sew));
        let widths = wanted.map_or(vec![64, 32, 16, 8], |w| vec![w]);
        let of = |width: u32| {
            let own = self.timings.iter().filter(|t| t.mnemonic == mnemonic && t.sew == width);
            let points: Vec<Point> = own.map(|t| (t.lmul, t.cycles)).collect();
            (!points.is_empty()).then_some((mnemonic, width, points))
        };
        widths.into_iter().find_map(of)
    }

    fn cite(&self) -> String {
        format!("{}, {}", self.form.name(), self.origin)
    }
}

/// "1 cycle", "2.5 cycles".
fn cycles(n: f64) -> String {
    if n == 1.0 { "1 cycle".into() } else { format!("{n} cycles") }
}

/// A whole number where it is one.
fn number(v: f64) -> Value {
    if v.fract() == 0.0 { Value::Integer(v as i64) } else { Value::Float(v) }
}
