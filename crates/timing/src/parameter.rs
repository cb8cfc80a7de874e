//! A parameter of a core, with its source.

use toml::Value;

/// A parameter as a core file states it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its key, with dots.
    pub key: String,
    /// Its value, as TOML.
    pub value: Value,
    /// A citation, `fitted to …` or `inferred …`; `assumed: …` if the file does not give the parameter; `--set, …` if a
    /// setting gives it.
    pub source: String,
}

/// The beginning of the source of a parameter that the core's file does not give.
pub(crate) const ASSUMED: &str = "assumed: ";

impl Parameter {
    /// Whether the core's file does not give it.
    pub fn is_assumed(&self) -> bool {
        self.source.starts_with(ASSUMED)
    }

    /// Whether this is the key of its value, or of a member of its table.
    pub(crate) fn has_value(&self, key: &str) -> bool {
        match &self.value {
            Value::Table(members) => {
                let member = key.strip_prefix(&self.key).and_then(|rest| rest.strip_prefix('.'));
                member.is_some_and(|member| members.contains_key(member))
            }
            _ => self.key == key,
        }
    }

    /// The value for display: a table as its keys and values, anything else as it is.
    pub fn value_text(&self) -> String {
        match &self.value {
            Value::String(s) => s.clone(),
            Value::Table(t) => {
                // `per` reads best first; the rest is in alphabetical order.
                let mut keys: Vec<&String> = t.keys().collect();
                keys.sort_by_key(|k| *k != "per");
                let show = |k: &String| match &t[k] {
                    Value::String(s) => format!("{k} {s}"),
                    other => format!("{k} {other}"),
                };
                keys.into_iter().map(show).collect::<Vec<_>>().join(", ")
            }
            other => other.to_string(),
        }
    }
}
