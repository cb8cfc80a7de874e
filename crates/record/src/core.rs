//! Core models in records: all that their figures depend on.

use crate::record::Record;
use serde::{Deserialize, Serialize};

/// A core model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CoreRecord {
    /// Its name.
    pub name: String,
    /// As rows name it: the name, with what was changed if it is not as shipped.
    pub label: String,
    /// The label without what was set for the run alone.
    pub base: String,
    /// What it is, in a line.
    pub title: String,
    /// SHA-256 of the values of its parameters, by key: of lines `KEY = VALUE` in the order of the keys.
    pub digest: String,
    /// What was set for the run: keys with values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<(String, String)>,
    /// What differs from the shipped core of its name; of other cores, from their file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ChangeRecord>,
    /// All parameters.
    pub parameters: Vec<ParameterRecord>,
}

/// A parameter that is not as shipped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ChangeRecord {
    /// Its key.
    pub key: String,
    /// Its value in the shipped core, if it is there.
    pub from: Option<String>,
    /// Its value here, if it is here.
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
    /// Where that is from.
    pub source: String,
}

impl Record {
    /// Keys of the parameters that were set for the run, each once.
    pub fn settings(&self) -> Vec<&str> {
        let mut keys = Vec::new();
        for (key, _) in self.cores.iter().flat_map(|c| &c.settings) {
            if !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
        keys
    }

    /// The name of a core that rows call so, without what labels add to it.
    pub fn core_name<'a>(&'a self, label: &'a str) -> &'a str {
        self.cores.iter().find(|c| c.label == label).map_or(label, |c| &c.name)
    }

    /// The value that a parameter was set to on a core, as rows name it; empty if it was not set.
    pub fn setting(&self, core: &str, key: &str) -> &str {
        let core = self.cores.iter().find(|c| c.label == core);
        let set = core.and_then(|c| c.settings.iter().find(|(k, _)| k == key));
        set.map_or("", |(_, value)| value)
    }
}
