//! Core models in records: everything that their figures depend on.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A core model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CoreRecord {
    /// Its name.
    pub name: String,
    /// Its name in rows: with the changes, if it is not as shipped.
    pub label: String,
    /// The label without the parameters that `--set` changed for the run.
    pub base: String,
    /// A description in one line.
    pub title: String,
    /// SHA-256 of the values of its parameters, by key: of lines `KEY = VALUE` in the order of the keys.
    pub digest: String,
    /// Parameters that `--set` changed for the run, with their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<(String, String)>,
    /// Differences from the shipped core of that name, or from the core's own file if none is shipped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeRecord>,
    /// All parameters.
    // Cores that differ in a few of them share the others: see `share`.
    pub parameters: Vec<Arc<ParameterRecord>>,
}

/// A parameter that is not as shipped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ChangeRecord {
    /// Its key.
    pub key: String,
    /// Its value in the shipped core, if that has it.
    pub from: Option<String>,
    /// Its value in this core, if this has it.
    pub to: Option<String>,
}

/// A parameter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ParameterRecord {
    /// Its key.
    pub key: String,
    /// Its value as the core file has it.
    pub value: serde_json::Value,
    /// Where the value is from.
    pub source: String,
}

impl CoreRecord {
    /// The value of a parameter that was set for the run; empty if it was not.
    pub(crate) fn setting(&self, key: &str) -> &str {
        self.settings.iter().find(|(k, _)| k == key).map_or("", |(_, value)| value)
    }

    /// Takes the parameters that are equal from another core, so that a sweep keeps the hundred parameters of a core once and not for
    /// each of a thousand variants.
    pub(crate) fn share(&mut self, other: &CoreRecord) {
        for (own, other) in self.parameters.iter_mut().zip(&other.parameters) {
            if own == other {
                *own = Arc::clone(other);
            }
        }
    }

    /// Fills in the label and the base, which older files lack.
    pub fn modernise(&mut self) {
        if self.label.is_empty() {
            self.label.clone_from(&self.name);
        }
        if self.base.is_empty() {
            let set = |c: &ChangeRecord| self.settings.iter().any(|(key, _)| *key == c.key);
            let only_set = !self.settings.is_empty() && self.changes.iter().all(set);
            self.base = if only_set { &self.name } else { &self.label }.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of versions that did not record the base.
    #[test]
    fn a_core_without_a_base_gets_it_from_its_label() {
        const MODIFIED: &str = "karu64 (modified: vector.startup 7.5 → 4)";
        for (label, set, base) in [
            ("karu64", false, "karu64"),
            ("", false, "karu64"),
            (MODIFIED, false, MODIFIED),
            (MODIFIED, true, "karu64"),
        ] {
            let key = || "vector.startup".to_string();
            let mut core = CoreRecord {
                name: "karu64".into(),
                label: label.into(),
                settings: if set { vec![(key(), "4".into())] } else { Vec::new() },
                changes: vec![ChangeRecord { key: key(), ..ChangeRecord::default() }],
                ..CoreRecord::default()
            };
            core.modernise();
            assert_eq!(core.base, base, "{label}");
            assert!(!core.label.is_empty());
        }
    }
}
