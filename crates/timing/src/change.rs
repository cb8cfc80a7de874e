//! The identity of a core: the values of its parameters, their digest, and the changes from the shipped core.

use crate::parameter::Parameter;
use capvec_isa::Isa;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use toml::Value;

/// The parameter that can be spelled in many ways.
const ISA: &str = "core.isa";
/// Maximum number of changes that a label names.
const MAX_NAMED: usize = 4;

/// A parameter that differs from the shipped core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its key, with dots.
    pub key: String,
    /// Its value in the shipped core, if it has one.
    pub from: Option<String>,
    /// Its value in this core, if it has one.
    pub to: Option<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = [&self.from, &self.to].map(|v| v.as_deref().unwrap_or("none"));
        write!(f, "{} {from} → {to}", self.key)
    }
}

/// What distinguishes a core from others, also from those of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The name and the changes: the label of the core's figures.
    pub label: String,
    /// The label without the parameters that settings from the command line replace.
    pub base: String,
    /// Settings from the command line: complete keys with their values.
    pub settings: Vec<(String, String)>,
    /// Changes from the shipped core of this name, or else from the core's own file.
    pub changes: Vec<Change>,
    /// SHA-256 of the values of all parameters, independent of the core's name and of spelling.
    pub digest: String,
}

impl Identity {
    /// The identity of a core with these parameters; `shipped` are those of the shipped core of its name.
    pub(crate) fn of(name: &str, own: Listed, shipped: Option<Listed>) -> Identity {
        let changes = shipped.map_or(Vec::new(), |shipped| changes(shipped, own));
        let digest = digest(own);
        let label = label(name, &changes, &digest);
        Identity { base: label.clone(), label, settings: Vec::new(), changes, digest }
    }

    /// The label without these parameters. If settings replace them, the label must not show the values of the core's file.
    pub(crate) fn base_without(&self, name: &str, keys: &[String]) -> String {
        if !self.changes.iter().any(|c| keys.contains(&c.key)) {
            return self.base.clone();
        }
        let left: Vec<Change> =
            self.changes.iter().filter(|c| !keys.contains(&c.key)).cloned().collect();
        label(name, &left, &self.digest)
    }
}

/// Parameters, and their [`values`].
pub(crate) type Listed<'a> = (&'a [Parameter], &'a [(String, String)]);

/// The value of every parameter by its key, with one entry for each member of a table. Equal values give equal texts,
/// however the file spells them.
pub fn values(parameters: &[Parameter]) -> Vec<(String, String)> {
    let of = |p: &Parameter| match &p.value {
        Value::Table(members) => {
            members.iter().map(|(name, v)| (format!("{}.{name}", p.key), plain(v))).collect()
        }
        Value::String(isa) if p.key == ISA => {
            let same = isa.parse::<Isa>().map_or(isa.clone(), |i| i.to_string());
            vec![(p.key.clone(), same)]
        }
        other => vec![(p.key.clone(), plain(other))],
    };
    parameters.iter().flat_map(of).collect()
}

/// Writes 4 and 4.0 alike.
fn plain(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Float(f) => f.to_string(),
        Value::Integer(n) => n.to_string(),
        other => other.to_string(),
    }
}

/// SHA-256 of all values in a canonical order. Assumed ones are left out, so that a core keeps its digest when the costs of a new
/// draft are assumed for it.
fn digest((parameters, values): Listed) -> String {
    let assumed: Vec<&Parameter> = parameters.iter().filter(|p| p.is_assumed()).collect();
    let stated = values.iter().filter(|(key, _)| !assumed.iter().any(|p| p.has_value(key)));
    let sorted: BTreeMap<&String, &String> = stated.map(|(key, value)| (key, value)).collect();
    let text: String = sorted.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    hex::encode(Sha256::digest(text))
}

/// The changes in the order of `new`; parameters that only `old` has come last.
fn changes((old, before): Listed, (new, after): Listed) -> Vec<Change> {
    let [from, to] = [before, after].map(|all| -> HashMap<&String, &String> {
        all.iter().map(|(key, value)| (key, value)).collect()
    });
    let gone = before.iter().filter(|(key, _)| !to.contains_key(key));
    let keys = after.iter().chain(gone).map(|(key, _)| key);
    let changed = keys.filter(|key| from.get(key) != to.get(key));
    let change = |key: &String| {
        let [from, to] = [(&from, old), (&to, new)]
            .map(|(all, of)| all.get(key).map(|value| shown(of, key, (*value).clone())));
        Change { key: key.clone(), from, to }
    };
    changed.map(change).collect()
}

/// The value of a key for display: an ISA as the file spells it, because its canonical form is long.
pub(crate) fn shown(parameters: &[Parameter], key: &str, value: String) -> String {
    let isa = parameters.iter().find(|p| p.key == key && key == ISA);
    isa.map_or(value, Parameter::value_text)
}

/// The name with the changes. If there are many, the label names some of them and adds the digest.
fn label(name: &str, changes: &[Change], digest: &str) -> String {
    if changes.is_empty() {
        return name.into();
    }
    let mut words: Vec<String> = changes.iter().take(MAX_NAMED).map(Change::to_string).collect();
    if changes.len() > MAX_NAMED {
        let short = digest.get(..8).unwrap_or(digest);
        words.push(format!("{} more; digest {short}", changes.len() - MAX_NAMED));
    }
    format!("{name} (modified: {})", words.join(", "))
}
