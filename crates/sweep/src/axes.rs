//! The file of a sweep: what is combined, and what is left out.

use crate::error::SweepError;
use capvec_text::suggest;
use std::collections::{BTreeSet, HashSet};
use toml::{Table, Value};

/// The flags that may be axes, in the order in which a sweep walks over them, the last one fastest.
pub(crate) const FLAGS: [&str; 6] = ["subject", "core", "vlen", "caps", "cases", "bytes"];
/// The flags that all jobs can have in common.
pub(crate) const COMMON: [&str; 9] =
    ["subject", "core", "vlen", "caps", "cases", "bytes", "kat", "sysroot", "isa-file"];

/// The most combinations of a sweep. A plan of more would take gigabytes.
const MOST: usize = 1_000_000;

/// An axis: a flag, or a parameter of core models, and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The flag without dashes, or the parameter, which has a dot.
    pub name: String,
    /// Its values, as on the command line.
    pub values: Vec<String>,
}

impl Axis {
    /// The words on `capvec bench`'s command line that select this value.
    pub fn words(&self, value: &str) -> [String; 2] {
        match self.name.contains('.') {
            true => ["--set".into(), format!("{}={value}", self.name)],
            false => [format!("--{}", self.name), value.into()],
        }
    }
}

/// What a sweep combines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes {
    /// The axes, the last one fastest.
    pub axes: Vec<Axis>,
    /// Words of every job.
    pub common: Vec<String>,
    /// Combinations that are left out: for each, an axis and its values.
    exclude: Vec<Exclusion>,
}

/// The place of an axis, and the values of it that are left out.
type Exclusion = Vec<(usize, HashSet<String>)>;

/// A value as on the command line.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(n) => Some(n.to_string()),
        Value::Float(n) => Some(n.to_string()),
        Value::Boolean(b) => Some(b.to_string()),
        _ => None,
    }
}

/// One value or a list of values.
fn words(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(all) => all.iter().map(word).collect(),
        one => Some(vec![word(one)?]),
    }
}

impl Axes {
    /// Reads the text of a file; `file` is its name.
    ///
    /// # Errors
    /// Names the key that is wrong, and what would be right.
    pub fn parse(file: &str, text: &str) -> Result<Axes, SweepError> {
        let fail = |why: String| SweepError::File { file: file.into(), why };
        let table: Table = text.parse().map_err(|e| fail(format!("{e}").trim().into()))?;
        let section = |name: &str| match table.get(name) {
            None => Ok(Table::new()),
            Some(Value::Table(section)) => Ok(section.clone()),
            Some(_) => Err(fail(format!("{name} is not a table; write [{name}]"))),
        };
        if let Some(other) = table.keys().find(|k| !["axes", "common", "exclude"].contains(&&***k))
        {
            let known = "[axes], [common] and [[exclude]]";
            return Err(fail(format!("{other} is unknown; a sweep has {known}")));
        }
        let axes = axes(&flat(section("axes")?)).map_err(fail)?;
        let common = common(&section("common")?, &axes).map_err(fail)?;
        if !table.contains_key("axes") {
            return Err(fail(
                "there are no [axes]; `capvec sweep plan --help` shows a file".into(),
            ));
        }
        let exclude = match table.get("exclude") {
            None => Vec::new(),
            Some(Value::Array(all)) => all
                .iter()
                .map(|one| exclusion(one, &axes))
                .collect::<Result<_, _>>()
                .map_err(fail)?,
            Some(_) => return Err(fail("exclude is a list of tables; write [[exclude]]".into())),
        };
        let all = Axes { axes, common, exclude };
        // First of all: a look at each of too many combinations would take minutes.
        let combinations = all.combinations();
        if combinations > MOST {
            return Err(fail(format!(
                "{combinations} combinations; a sweep has at most {MOST}: divide it, or remove values"
            )));
        }
        Ok(all)
    }

    /// Number of combinations, those that are left out included.
    pub fn combinations(&self) -> usize {
        self.axes.iter().map(|a| a.values.len()).fold(1, usize::saturating_mul)
    }

    /// Each combination that is not left out: a value for each axis.
    pub fn walk(&self) -> impl Iterator<Item = Vec<&str>> {
        (0..self.combinations()).map(|n| self.at(n)).filter(|values| !self.excludes(values))
    }

    /// Combinations of [`Axes::walk`] that together have every value that any of them has.
    pub fn samples(&self) -> Vec<Vec<&str>> {
        let mut left: BTreeSet<(usize, &str)> = BTreeSet::new();
        for (at, axis) in self.axes.iter().enumerate() {
            left.extend(axis.values.iter().map(|value| (at, value.as_str())));
        }
        let mut samples = Vec::new();
        for values in self.walk() {
            let before = left.len();
            for (at, value) in values.iter().enumerate() {
                left.remove(&(at, *value));
            }
            if left.len() < before {
                samples.push(values);
            }
            if left.is_empty() {
                break;
            }
        }
        samples
    }

    /// The flags of a combination, with those of every job.
    pub fn flags(&self, values: &[&str]) -> Vec<String> {
        let of_axes = self.axes.iter().zip(values).flat_map(|(axis, value)| axis.words(value));
        of_axes.chain(self.common.iter().cloned()).collect()
    }

    /// The combination of this number.
    fn at(&self, mut n: usize) -> Vec<&str> {
        let mut values: Vec<&str> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            let count = axis.values.len().max(1);
            values.extend(axis.values.get(n % count).map(String::as_str));
            n /= count;
        }
        values.reverse();
        values
    }

    fn excludes(&self, values: &[&str]) -> bool {
        let has = |(at, all): &(usize, HashSet<String>)| {
            values.get(*at).is_some_and(|v| all.contains(*v))
        };
        self.exclude.iter().any(|exclusion| exclusion.iter().all(has))
    }
}

/// A table with the keys of tables in it joined by dots: `vector.startup = …` is a table in TOML.
fn flat(table: Table) -> Table {
    let mut all = Table::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) => {
                all.extend(flat(inner).into_iter().map(|(k, v)| (format!("{key}.{k}"), v)));
            }
            value => drop(all.insert(key, value)),
        }
    }
    all
}

fn axes(table: &Table) -> Result<Vec<Axis>, String> {
    let known = |name: &String| FLAGS.contains(&&**name) || name.contains('.');
    if let Some(name) = table.keys().find(|name| !known(name)) {
        let hint = suggest::hint(name, FLAGS);
        let all = FLAGS.join(", ");
        return Err(format!(
            "axes.{name} is unknown{hint}; axes are {all} and parameters of cores"
        ));
    }
    let place = |name: &String| FLAGS.iter().position(|f| f == name);
    let mut names: Vec<&String> = table.keys().collect();
    // Parameters of cores follow the core.
    names.sort_by_key(|name| (place(name).unwrap_or(1), place(name).is_none(), name.to_string()));
    names.into_iter().map(|name| axis(name, table.get(name))).collect()
}

fn axis(name: &str, value: Option<&Value>) -> Result<Axis, String> {
    let values = value.and_then(words);
    let values = values.ok_or_else(|| format!("axes.{name} is not a list of values"))?;
    let mut seen = HashSet::new();
    let twice = values.iter().find(|v| !seen.insert(*v));
    match (values.is_empty(), twice) {
        (true, _) => Err(format!("axes.{name} has no value")),
        (_, Some(value)) => Err(format!("axes.{name} has {value} twice")),
        _ => Ok(Axis { name: name.into(), values }),
    }
}

fn common(table: &Table, axes: &[Axis]) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for (name, value) in table {
        if axes.iter().any(|a| a.name == *name) {
            return Err(format!("{name} is an axis; remove it from [common]"));
        }
        if !COMMON.contains(&&**name) {
            let hint = suggest::hint(name, COMMON);
            let flags = COMMON.join(", ");
            return Err(format!("common.{name} is unknown{hint}; all jobs can have {flags}"));
        }
        let values = words(value).ok_or_else(|| format!("common.{name} is not a value"))?;
        all.extend([format!("--{name}"), values.join(",")]);
    }
    Ok(all)
}

fn exclusion(table: &Value, axes: &[Axis]) -> Result<Exclusion, String> {
    let Value::Table(table) = table else { return Err("exclude is a list of tables".into()) };
    let each = flat(table.clone()).into_iter().map(|(name, value)| {
        let Some(at) = axes.iter().position(|a| a.name == name) else {
            return Err(format!("exclude: {name} is not an axis"));
        };
        let known: HashSet<&String> = axes[at].values.iter().collect();
        let values = words(&value).ok_or_else(|| format!("exclude: {name} is not a value"))?;
        match values.iter().find(|v| !known.contains(v)) {
            Some(value) => Err(format!("exclude: {name} has no value {value}")),
            None => Ok((at, values.into_iter().collect())),
        }
    });
    let all: Exclusion = each.collect::<Result<_, String>>()?;
    if all.is_empty() { Err("exclude: it would leave out everything".into()) } else { Ok(all) }
}
