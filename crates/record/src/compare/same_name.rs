//! Cores of one name that differ in their parameters: two versions of a user's core file, or of a shipped one.

use crate::{CoreRecord, ParameterRecord, Record};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// A name says so many differences.
const NAMED: usize = 4;
/// So many digits of a digest tell two apart.
const DIGITS: usize = 12;

/// A core as rows name it, and the digest of its parameters.
type Core = (String, String);

/// The records, with each core renamed whose name an earlier record has for other parameters; `None` if there is none.
/// Where a digest is not known (older files), nothing can be told.
pub fn told_apart(records: &[&Record]) -> Option<Vec<Record>> {
    // By name, the digests of all records in their order, each once.
    let mut known: HashMap<&str, Vec<&str>> = HashMap::new();
    let rows = records.iter().flat_map(|r| r.rows.iter().chain(&r.speed));
    for row in rows.filter(|r| !r.core_digest.is_empty()) {
        let digests = known.entry(&row.core).or_default();
        if !digests.contains(&row.core_digest.as_str()) {
            digests.push(&row.core_digest);
        }
    }
    let cores: Vec<&CoreRecord> = records.iter().flat_map(|r| &r.cores).collect();
    let mut names: HashMap<Core, String> = HashMap::new();
    for (name, digests) in known.iter().filter(|(_, digests)| digests.len() > 1) {
        for digest in digests {
            let suffix = difference(&cores, digests, digest);
            names.insert((name.to_string(), digest.to_string()), suffix);
        }
    }
    (!names.is_empty()).then(|| records.iter().map(|r| renamed(r, &names)).collect())
}

/// What a core's name gets: nothing for the first of them, for others what differs from that, or for all the digest if
/// that is all that is known, as of a CSV.
fn difference(cores: &[&CoreRecord], digests: &[&str], digest: &str) -> String {
    let values = |digest: &str| {
        let core = cores.iter().find(|c| c.digest == digest)?;
        Some(core.parameters.iter().flat_map(members).collect::<BTreeMap<_, _>>())
    };
    let all: Option<Vec<_>> = digests.iter().map(|d| values(d)).collect();
    let own = digests.iter().position(|d| *d == digest);
    let Some((first, own)) = all.as_ref().and_then(|all| Some((all.first()?, all.get(own?)?)))
    else {
        return format!(" (parameters {})", digest.chars().take(DIGITS).collect::<String>());
    };
    let keys = first.keys().chain(own.keys().filter(|k| !first.contains_key(*k)));
    let value = |of: &BTreeMap<String, String>, key| of.get(key).map_or("none", |v| v).to_string();
    let differs = keys.filter(|k| first.get(*k) != own.get(*k));
    let mut said: Vec<String> =
        differs.map(|k| format!("{k} {} → {}", value(first, k), value(own, k))).collect();
    let more = said.len().saturating_sub(NAMED);
    said.truncate(NAMED);
    said.extend((more > 0).then(|| format!("{more} more")));
    if said.is_empty() { String::new() } else { format!(" (modified: {})", said.join(", ")) }
}

/// The members of a table each by itself.
fn members(p: &ParameterRecord) -> Vec<(String, String)> {
    match &p.value {
        Value::Object(members) => {
            members.iter().map(|(name, v)| (format!("{}.{name}", p.key), text(v))).collect()
        }
        other => vec![(p.key.clone(), text(other))],
    }
}

/// A value for people: 4.0 is 4, as the labels of modified cores write it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.as_f64().map_or_else(|| other.to_string(), |v| v.to_string()),
    }
}

fn renamed(record: &Record, names: &HashMap<Core, String>) -> Record {
    let mut record = record.clone();
    let suffix = |core: &str, digest: &str| {
        names.get(&(core.to_string(), digest.to_string())).cloned().unwrap_or_default()
    };
    let digests: HashMap<String, String> =
        record.cores.iter().map(|c| (c.label.clone(), c.digest.clone())).collect();
    let digest = |core: &str| digests.get(core).map_or("", String::as_str).to_string();
    for row in record.rows.iter_mut().chain(&mut record.speed) {
        row.core += &suffix(&row.core, &row.core_digest);
    }
    for c in &mut record.configurations {
        c.core += &suffix(&c.core, &digest(&c.core));
    }
    let explained = record.explanations.iter_mut().map(|e| &mut e.core);
    for core in explained.chain(record.fits.iter_mut().map(|f| &mut f.core)) {
        *core += &suffix(core, &digest(core));
    }
    for c in &mut record.cores {
        let more = suffix(&c.label, &c.digest);
        c.base += &more;
        c.label += &more;
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of a core with this start-up cost of the vector unit.
    fn record(startup: f64, digest: &str) -> Record {
        let mut record = crate::testing::record();
        record.rows.iter_mut().for_each(|r| r.core_digest = digest.into());
        record.configurations.iter_mut().for_each(|c| c.core = "karu64".into());
        let parameter = |key: &str, value| ParameterRecord {
            key: key.into(),
            value,
            ..ParameterRecord::default()
        };
        record.cores = vec![CoreRecord {
            name: "karu64".into(),
            label: "karu64".into(),
            base: "karu64".into(),
            digest: digest.into(),
            parameters: vec![
                parameter("vector.startup", startup.into()),
                parameter("div", serde_json::json!({ "word": startup * 2.0, "base": 1 })),
                parameter("core.hz", 75_000_000.into()),
            ],
            ..CoreRecord::default()
        }];
        record
    }

    #[test]
    fn cores_of_one_name_are_called_by_what_differs() {
        let (first, second) = (record(7.5, "aa"), record(4.0, "bb"));
        assert!(told_apart(&[&first, &first]).is_none());
        let apart = told_apart(&[&first, &second, &first]).unwrap();
        let names: Vec<&str> = apart.iter().map(|r| r.rows[0].core.as_str()).collect();
        let modified = "karu64 (modified: div.word 15 → 8, vector.startup 7.5 → 4)";
        assert_eq!(names, ["karu64", modified, "karu64"]);
        let CoreRecord { label, base, .. } = &apart[1].cores[0];
        assert_eq!([label, base, &apart[1].configurations[0].core], [modified; 3]);
    }

    #[test]
    fn without_parameters_digests_tell_them_apart() {
        let without = |digest: &str| {
            let mut r = record(1.0, digest);
            r.cores.clear();
            r
        };
        let apart = told_apart(&[&without("aa"), &without("bb")]).unwrap();
        let names: Vec<&str> = apart.iter().map(|r| r.rows[0].core.as_str()).collect();
        assert_eq!(names, ["karu64 (parameters aa)", "karu64 (parameters bb)"]);
        // An older file says nothing of its core.
        assert!(told_apart(&[&without("aa"), &without("")]).is_none());
    }
}
