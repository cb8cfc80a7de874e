//! Core parameters set on the command line: `--set KEY=VALUE`.

use crate::change::{Identity, shown, values};
use crate::core::{Core, shipped};
use crate::error::{CoreError, are};
use crate::parameter::Parameter;
use crate::params::own;
use crate::reader::Reader;
use capvec_isa::Op;
use capvec_text::suggest::{hint, nearest};
use toml::{Table, Value};

/// A new value for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its key as given: dotted, with a table's member after the table's key; `core.` may be omitted.
    pub key: String,
    /// Its value as given.
    pub value: String,
}

impl Setting {
    /// A number or boolean where it parses as one, otherwise a string. Whole numbers may be written as `75e6`.
    fn toml(&self) -> Value {
        let text = self.value.trim();
        if let Ok(n) = text.parse::<i64>() {
            return Value::Integer(n);
        }
        let numeric = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        match (text, text.parse::<f64>()) {
            // Below 2^53, where every whole number is exact.
            (_, Ok(f)) if numeric && f.fract() == 0.0 && f.abs() < 9e15 => Value::Integer(f as i64),
            (_, Ok(f)) if numeric => Value::Float(f),
            ("true", _) => Value::Boolean(true),
            ("false", _) => Value::Boolean(false),
            _ => Value::String(text.into()),
        }
    }

    fn error(&self, why: impl Into<String>) -> CoreError {
        CoreError::Set { key: self.key.clone(), value: self.value.clone(), why: why.into() }
    }
}

/// The parameter that a setting changes.
struct Place<'a> {
    setting: &'a Setting,
    /// The parameter's complete key.
    key: String,
    /// The member, if the parameter is a table.
    member: Option<String>,
}

impl Core {
    /// The same core with other parameters.
    ///
    /// # Errors
    /// Names the setting, and for an unknown key the nearest known one, for a bad value what would be allowed.
    pub fn with(&self, settings: &[Setting]) -> Result<Core, CoreError> {
        let places =
            settings.iter().map(|s| self.place(s)).collect::<Result<Vec<Place>, CoreError>>()?;
        let mut root = Table::new();
        root.insert("name".into(), Value::String(self.name.clone()));
        root.insert("title".into(), Value::String(self.title.clone()));
        for p in &self.parameters {
            insert(&mut root, &p.key, entry(&p.value, &p.source));
        }
        for place in &places {
            let found = self.parameters.iter().find(|p| p.key == place.key);
            let entry = place.entry(found, &root);
            if !insert(&mut root, &place.key, entry) {
                return Err(self.unknown(place.setting));
            }
        }
        let mut r = Reader::of("--set", root);
        let core = Core::read(&mut r).map_err(|e| blame(&places, e))?;
        let (parameters, left) = r.taken_and_left();
        // A parameter that another setting makes superfluous is dropped, but every setting must have an effect.
        if let Some(place) = places.iter().find(|p| left.contains(&p.key)) {
            return Err(self.unknown(place.setting));
        }
        let own = values(&parameters);
        let before;
        let base = match shipped(&self.name)? {
            Some(shipped) => shipped,
            None => {
                before = values(&self.parameters);
                (&self.parameters[..], &before[..])
            }
        };
        let identity = Identity::of(&self.name, (&parameters, &own), Some(base));
        let keys: Vec<String> = places.iter().map(Place::whole).collect();
        let set = own.into_iter().filter(|(key, _)| keys.contains(key));
        let set = set.map(|(key, value)| (key.clone(), shown(&parameters, &key, value)));
        let settings = set.collect();
        let base = self.identity.base_without(&self.name, &keys);
        let identity = Identity { base, settings, ..identity };
        Ok(Core { parameters, identity, ..core })
    }

    /// The complete key of the parameter, or of the table member, that `key` names; `key` itself if there is none.
    pub fn whole_key(&self, key: &str) -> String {
        let core = format!("core.{key}");
        let known = self.parameters.iter().any(|p| p.has_value(&core));
        if known { core } else { key.into() }
    }

    /// The value of a parameter, or of a table's member, if it is a number.
    pub fn number(&self, key: &str) -> Option<f64> {
        let key = self.whole_key(key);
        let values = values(&self.parameters);
        values.into_iter().find(|(k, _)| *k == key)?.1.parse().ok()
    }

    fn place<'a>(&self, setting: &'a Setting) -> Result<Place<'a>, CoreError> {
        let key = self.whole_key(&setting.key);
        if let Some(p) = self.parameters.iter().find(|p| p.value.is_table() && p.has_value(&key)) {
            let member = Some(key[p.key.len() + 1..].to_string());
            return Ok(Place { setting, key: p.key.clone(), member });
        }
        if self.parameters.iter().any(|p| key.starts_with(&format!("{}.", p.key))) {
            return Err(self.unknown(setting));
        }
        if let Some(p) = self.parameters.iter().find(|p| p.key == key)
            && let Value::Table(members) = &p.value
        {
            let names: Vec<String> = members.keys().map(|m| format!("{key}.{m}")).collect();
            return Err(setting.error(format!("has several values; set {}", names.join(", "))));
        }
        Ok(Place { setting, key, member: None })
    }

    /// The parameter does not exist, or has no effect on this core.
    fn unknown(&self, setting: &Setting) -> CoreError {
        if setting.key.starts_with("insn.") {
            return setting.error(format!(
                "--isa-file has no such instruction, or the instruction no such cost{}: the keys are insn.NAME.latency and \
                 insn.NAME.occupancy, for vector instructions insn.NAME.per, insn.NAME.first and insn.NAME.next, where NAME \
                 is the mnemonic with _ for a dot; a core without a model of cycles has none",
                own_key(&setting.key)
            ));
        }
        let has_parameter = |name: &&str| {
            if **name == self.name {
                return false;
            }
            let all = shipped(name).ok().flatten().map_or(&[][..], |(all, _)| all);
            all.iter().any(|p| p.has_value(&setting.key))
        };
        if let Some(other) = Core::names().find(has_parameter) {
            return setting.error(format!(
                "has no effect on {} with its other parameters, but has one on {other}: give --core {other} --set {}={} (`capvec cores \
                 show {other}` lists what can be set)",
                self.name, setting.key, setting.value
            ));
        }
        let last = |key: &str| key.rsplit('.').next().unwrap_or(key).to_string();
        let known: Vec<String> = values(&self.parameters).into_iter().map(|(key, _)| key).collect();
        // The right name in another table; a misspelt key; or a misspelt name, whatever the table.
        let same = known.iter().find(|key| last(key) == last(&setting.key));
        let whole = || nearest(&setting.key, known.iter().map(String::as_str)).map(String::from);
        let part = || {
            let parts: Vec<String> = known.iter().map(|key| last(key)).collect();
            let part = nearest(&setting.key, parts.iter().map(String::as_str))?;
            known.iter().find(|key| last(key) == part).cloned()
        };
        let hint = same.cloned().or_else(whole).or_else(part);
        let hint = hint.map_or(String::new(), |key| format!(" (did you mean {key}?)"));
        setting.error(format!(
            "{} has no such parameter{hint}; `capvec cores show {}` lists all",
            self.name, self.name
        ))
    }
}

impl Place<'_> {
    /// The complete key of the value that is set.
    fn whole(&self) -> String {
        let member = self.member.iter().map(|m| format!(".{m}"));
        std::iter::once(self.key.clone()).chain(member).collect()
    }

    /// The parameter with its new value and a source that says where it comes from.
    fn entry(&self, old: Option<&Parameter>, root: &Table) -> Value {
        let mut value = self.setting.toml();
        if let Some(member) = &self.member {
            // Another setting may have changed another member already.
            let now = self.key.split('.').try_fold(root, |t, part| t.get(part)?.as_table());
            let now = now.and_then(|t| t.get("value")).and_then(Value::as_table);
            let mut table = now.cloned().unwrap_or_default();
            table.insert(member.clone(), value);
            value = Value::Table(table);
        }
        let source = match old {
            Some(p) => format!("--set, instead of {} ({})", p.value_text(), p.source),
            None => "--set".into(),
        };
        entry(&value, &source)
    }
}

/// Suggests the key of a custom instruction. The mnemonic may have been written with its dots.
fn own_key(key: &str) -> String {
    let parts: Vec<&str> = key.split('.').collect();
    let whole = match &parts[..] {
        [first, name @ .., last] if name.len() > 1 => format!("{first}.{}.{last}", name.join("_")),
        _ => key.to_string(),
    };
    let known: Vec<String> =
        Op::all().filter(|op| op.custom().is_some()).flat_map(own::keys).collect();
    hint(&whole, known.iter().map(String::as_str).filter(|known| *known != key))
}

fn entry(value: &Value, source: &str) -> Value {
    let mut table = Table::new();
    table.insert("value".into(), value.clone());
    table.insert("source".into(), Value::String(source.into()));
    Value::Table(table)
}

fn is_entry(value: &Value) -> bool {
    value.as_table().is_some_and(|t| t.contains_key("value"))
}

/// Inserts a value under a dotted key; returns whether that is possible.
fn insert(root: &mut Table, key: &str, value: Value) -> bool {
    match key.split_once('.') {
        Some(("", _)) | Some((_, "")) => false,
        None => root.insert(key.into(), value).is_none_or(|old| is_entry(&old)),
        Some((first, rest)) => {
            let inner = root.entry(first).or_insert_with(|| Value::Table(Table::new()));
            inner.as_table_mut().is_some_and(|t| insert(t, rest, value))
        }
    }
}

/// The greatest value that a shipped core has for a parameter, if any has a number.
fn example(key: &str) -> Option<String> {
    let cores = Core::names().filter_map(|name| Core::load(name).ok());
    let values = cores.filter_map(|core| Some((core.number(key)?, core.name)));
    let (value, name) = values.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!(" ({name} has {key}={value})"))
}

/// The setting whose key has the most in common with this one: `misaligned.scalar` is why `misaligned.scalar_cycles` is needed. Of several
/// it is the last.
fn cause_of<'a, 'b>(places: &'b [Place<'a>], key: &str, last: &'b Place<'a>) -> &'b Place<'a> {
    let common = |p: &&Place| p.key.bytes().zip(key.bytes()).take_while(|(a, b)| a == b).count();
    places.iter().max_by_key(common).unwrap_or(last)
}

/// The error, attributed to the setting that causes it.
fn blame(places: &[Place], error: CoreError) -> CoreError {
    let (key, why) = match (error, places.last()) {
        (CoreError::Key { key, why, .. }, _) => (key, why),
        (CoreError::Missing { keys, .. }, Some(last)) => {
            let cause = keys.first().map_or(last, |key| cause_of(places, key, last));
            let set = keys.iter().map(|key| format!(" --set {key}=VALUE")).collect::<String>();
            let examples = keys.iter().filter_map(|key| example(key)).collect::<Vec<_>>().join("");
            return cause.setting.error(format!("then {} missing; add{set}{examples}", are(&keys)));
        }
        (error, _) => return error,
    };
    let own = |p: &&Place| p.key == key || key.starts_with(&format!("{}.", p.key));
    match (places.iter().find(own), places.last()) {
        (Some(place), _) => place.setting.error(why),
        (None, Some(last)) if why.starts_with("missing") => {
            let example = example(&key).unwrap_or_default();
            let cause = cause_of(places, &key, last);
            cause.setting.error(format!("then {key} is missing; add --set {key}=VALUE{example}"))
        }
        (None, Some(last)) => last.setting.error(format!("{key}: {why}")),
        (None, None) => CoreError::Key { file: "--set".into(), key, why },
    }
}
