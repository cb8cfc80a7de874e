//! Core models as flags name them: `--core` and `--set`.

use crate::cmd::{Usage, isa_files, usage};
use anyhow::Result;
use capvec_targets::CORE;
use capvec_timing::{Core, Setting};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;

/// The parameter with a flag of its own: `--vlen`.
const VLEN: &str = "core.vlen";

/// Parses the name of a core. Completions offer the shipped ones; the file of any other is accepted, too.
#[derive(Clone)]
pub struct CoreName;

impl TypedValueParser for CoreName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Core::names().map(PossibleValue::new)))
    }
}

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct SetFlag {
    key: String,
    values: Vec<String>,
}

/// What `--set` takes.
fn key_and_value() -> String {
    format!(
        "KEY=VALUE, such as vector.startup=4; `capvec cores show {CORE}` lists the keys of that core"
    )
}

impl std::str::FromStr for SetFlag {
    type Err = String;

    fn from_str(text: &str) -> Result<SetFlag, String> {
        let Some((key, values)) = text.split_once('=') else {
            return Err(format!("write {}", key_and_value()));
        };
        if key.trim().is_empty() {
            return Err(format!("the key is missing; write {}", key_and_value()));
        }
        let values: Vec<String> = values.split(',').map(|v| v.trim().to_string()).collect();
        if values.iter().any(String::is_empty) {
            return Err("a value is missing; write KEY=VALUE[,VALUE…]".into());
        }
        Ok(SetFlag { key: key.trim().into(), values })
    }
}

impl SetFlag {
    /// Each value as a setting of its own.
    fn settings(&self) -> impl Iterator<Item = Setting> {
        self.values.iter().map(|v| Setting { key: self.key.clone(), value: v.clone() })
    }

    /// Whether it sets this parameter.
    pub fn is_for(&self, core: &Core, key: &str) -> bool {
        core.whole_key(&self.key) == core.whole_key(key)
    }

    fn text(&self) -> String {
        format!("--set {self}")
    }
}

impl std::fmt::Display for SetFlag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.key, self.values.join(","))
    }
}

/// The core that `--core` names, with its settings.
///
/// # Errors
/// Names the flag, and its valid values.
pub fn one(core: &str, sets: &[SetFlag]) -> Result<Core> {
    if let Some(set) = sets.iter().find(|s| s.values.len() > 1) {
        let text =
            format!("{}: give one value here; only `capvec bench` takes several", set.text());
        return Err(Usage(text).into());
    }
    let core = isa_files::core(core)?;
    refuse_repeated(&core, sets, |_| "give it once".into())?;
    let settings: Vec<Setting> = sets.iter().flat_map(SetFlag::settings).collect();
    if settings.is_empty() { Ok(core) } else { core.with(&settings).map_err(usage) }
}

/// Every core with every combination of the settings, without duplicates; the values of the first flag change last.
/// VLENs are not included: see [`vlens`].
///
/// # Errors
/// Names the flag, and its valid values; or different cores have the same name.
pub fn all(cores: &[String], sets: &[SetFlag]) -> Result<Vec<Core>> {
    all_of(&mut isa_files::core, cores, sets)
}

/// The same; `load` gives the core of a name, so that a caller can remember those that it has read.
///
/// # Errors
/// As for [`all`].
pub fn all_of(
    load: &mut impl FnMut(&str) -> Result<Core>,
    cores: &[String],
    sets: &[SetFlag],
) -> Result<Vec<Core>> {
    let mut all: Vec<Core> = Vec::new();
    for name in cores {
        let core = load(name)?;
        let join = |key: &str| format!("join the values with commas, as in --set {key}=1,2");
        refuse_repeated(&core, sets, join)?;
        for settings in combinations(&core, sets) {
            let core = if settings.is_empty() {
                core.clone()
            } else {
                core.with(&settings).map_err(usage)?
            };
            let id = &core.identity;
            match all.iter().find(|c| c.identity.label == id.label) {
                Some(other) if other.identity.digest == id.digest => {}
                Some(_) => {
                    let text = format!(
                        "--core {name}: another core is called {} too; change the name in one of the files",
                        id.label
                    );
                    return Err(Usage(text).into());
                }
                None => all.push(core),
            }
        }
    }
    Ok(all)
}

/// The VLENs that are set for a core.
///
/// # Errors
/// Names the flag, and its valid values.
pub fn vlens(core: &Core, sets: &[SetFlag]) -> Result<Vec<u32>> {
    let own = sets.iter().filter(|s| is_vlen(core, s)).flat_map(SetFlag::settings);
    own.map(|s| Ok(core.with(&[s]).map_err(usage)?.vlen)).collect()
}

fn is_vlen(core: &Core, set: &SetFlag) -> bool {
    set.is_for(core, VLEN)
}

/// Refuses a parameter that is set twice.
fn refuse_repeated(core: &Core, sets: &[SetFlag], remedy: impl Fn(&str) -> String) -> Result<()> {
    let keys: Vec<String> = sets.iter().map(|s| core.whole_key(&s.key)).collect();
    let twice = (0..keys.len()).find(|i| keys[..*i].contains(&keys[*i]));
    match twice.and_then(|i| sets.get(i)) {
        Some(SetFlag { key, .. }) => {
            Err(Usage(format!("--set {key}: it is set twice; {}", remedy(key))).into())
        }
        None => Ok(()),
    }
}

fn combinations(core: &Core, sets: &[SetFlag]) -> Vec<Vec<Setting>> {
    let sets = sets.iter().filter(|s| !is_vlen(core, s));
    sets.fold(vec![Vec::new()], |all, set| {
        let with = |settings: &Vec<Setting>| {
            let each = set.settings().map(|s| settings.iter().cloned().chain([s]).collect());
            each.collect::<Vec<Vec<Setting>>>()
        };
        all.iter().flat_map(with).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(cores: &[&str], sets: &[&str]) -> Result<Vec<String>> {
        let cores: Vec<String> = cores.iter().map(|c| c.to_string()).collect();
        let all = all(&cores, &parsed(sets))?;
        Ok(all.into_iter().map(|c| c.identity.label).collect())
    }

    fn parsed(sets: &[&str]) -> Vec<SetFlag> {
        sets.iter().map(|s| s.parse().unwrap()).collect()
    }

    #[test]
    fn every_combination_once_and_the_first_flag_last() {
        let sets = ["vector.startup=2,7.5,7.50", "vlen=128,256", "fetch.cycles=9.5,8"];
        let expected = [
            "karu64 (modified: vector.startup 7.5 → 2)",
            "karu64 (modified: fetch.cycles 9.5 → 8, vector.startup 7.5 → 2)",
            "karu64",
            "karu64 (modified: fetch.cycles 9.5 → 8)",
        ];
        assert_eq!(labels(&["karu64", "karu64"], &sets).unwrap(), expected);
        let core = Core::load("karu64").unwrap();
        assert_eq!(vlens(&core, &parsed(&sets)).unwrap(), [128, 256]);
        assert_eq!(labels(&["karu64", "ideal"], &[]).unwrap(), ["karu64", "ideal"]);
    }

    #[test]
    fn wrong_settings_are_named() {
        let e = |cores: &[&str], sets: &[&str]| labels(cores, sets).unwrap_err().to_string();
        assert!(e(&["karu64"], &["vector.startup=2", "vector.startup=4"]).contains("set twice"));
        assert!(e(&["karu64"], &["frequency=2", "core.frequency=4"]).contains("set twice"));
        let ideal = e(&["karu64", "ideal"], &["vector.startup=2"]);
        assert!(ideal.contains("no effect on ideal"), "{ideal}");
        assert!(ideal.contains("--set vector.startup=2 (`capvec cores show"), "{ideal}");
        assert!(e(&["karu64"], &["vector.startup=2,x"]).contains("vector.startup=x"));
        // A suggestion is a similar key, or absent.
        assert!(e(&["karu64"], &["vector.starup=2"]).contains("(did you mean vector.startup?)"));
        assert!(e(&["karu64"], &["unit.startup=2"]).contains("(did you mean vector.startup?)"));
        assert!(!e(&["karu64"], &["name=x"]).contains("mean"));
        let core = Core::load("karu64").unwrap();
        let bad = vlens(&core, &parsed(&["core.vlen=128,200"])).unwrap_err().to_string();
        assert!(bad.contains("power of two, not 200"), "{bad}");
        for bad in ["x", "=4", " =4", "vector.startup=", "vector.startup=2,,4"] {
            let e = bad.parse::<SetFlag>().unwrap_err();
            assert!(!bad.trim().starts_with('=') || e.contains("such as vector.startup=4"), "{e}");
        }
        let two = one("karu64", &parsed(&["vector.startup=2,4"])).unwrap_err().to_string();
        assert!(two.contains("--set vector.startup=2,4: give one value"), "{two}");
        assert_eq!(one("karu64", &parsed(&["vlen=512"])).unwrap().vlen, 512);
    }

    #[test]
    fn two_cores_of_one_name_are_not_mixed_up() {
        let dir = tempfile::tempdir().unwrap();
        let text = include_str!("../../../../cores/karu64.toml")
            .replace("name = \"karu64\"", "name = \"mine\"");
        let file = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_string()
        };
        let (a, b) =
            (file("a.toml", &text), file("b.toml", &text.replacen("value = 7.5", "value = 4", 1)));
        let e = labels(&[&a, &b], &[]).unwrap_err().to_string();
        assert!(e.contains("b.toml: another core is called mine"), "{e}");
        assert_eq!(labels(&[&a, &a], &[]).unwrap(), ["mine"]);
    }
}
