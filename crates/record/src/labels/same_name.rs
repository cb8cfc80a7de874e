//! Cores of one name that differ in their parameters: two versions of a user's core file, or of a shipped one.

use crate::{CoreRecord, Evaluated, ParameterRecord, Record};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Number of parameters in a name; the others are counted.
const NAMED: usize = 4;
/// Number of digits of a digest that distinguishes two cores.
const DIGITS: usize = 12;

/// A core as rows name it, and the digest of its parameters.
type Core = (String, String);

/// What is added to the names of cores, so that cores with different parameters have different names.
pub struct Additions(HashMap<Core, String>);

/// The additions for cores that have the same name but different parameters; `None` if there are none. Cores without a known
/// digest (older files) are left out, because they cannot be compared.
pub fn distinct_cores(records: &[&Record]) -> Option<Additions> {
    // For each name, the digests of all records in their order, without duplicates.
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
    (!names.is_empty()).then_some(Additions(names))
}

/// The addition to a core's name: its values of the parameters in which the cores of that name differ, or the digest if
/// nothing else is known, as in a CSV. None of them is called modified, since it is not known which came first.
fn difference(cores: &[&CoreRecord], digests: &[&str], digest: &str) -> String {
    let short: String = digest.chars().take(DIGITS).collect();
    let values = |digest: &str| {
        let core = cores.iter().find(|c| c.digest == digest)?;
        Some(core.parameters.iter().flat_map(|p| members(p)).collect::<BTreeMap<_, _>>())
    };
    let all: Option<Vec<_>> = digests.iter().map(|d| values(d)).collect();
    let all = all.unwrap_or_default();
    let own = digests.iter().position(|d| *d == digest).and_then(|i| all.get(i));
    let keys: BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
    let differs = keys.into_iter().filter(|k| all.windows(2).any(|w| w[0].get(*k) != w[1].get(*k)));
    let value = |key| own.and_then(|own| own.get(key)).map_or("none", String::as_str);
    let mut said: Vec<String> = differs.map(|key| format!("{key} {}", value(key))).collect();
    let more = said.len().saturating_sub(NAMED);
    said.truncate(NAMED);
    said.extend((more > 0).then(|| format!("{more} more; digest {short}")));
    if said.is_empty() { format!(" (digest {short})") } else { format!(" ({})", said.join(", ")) }
}

/// The members of a table, one by one.
fn members(p: &ParameterRecord) -> Vec<(String, String)> {
    match &p.value {
        Value::Object(members) => {
            members.iter().map(|(name, v)| (format!("{}.{name}", p.key), text(v))).collect()
        }
        other => vec![(p.key.clone(), text(other))],
    }
}

/// A value for display: 4.0 is written as 4, as in the labels of modified cores.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.as_f64().map_or_else(|| other.to_string(), |v| v.to_string()),
    }
}

impl Additions {
    fn suffix(&self, core: &str, digest: &str) -> &str {
        self.0.get(&(core.to_string(), digest.to_string())).map_or("", String::as_str)
    }

    /// The addition to the name of each core that a record describes.
    fn described<'a>(&'a self, record: &'a Record) -> HashMap<&'a str, &'a str> {
        record.cores.iter().map(|c| (&*c.label, self.suffix(&c.label, &c.digest))).collect()
    }

    /// The record with the names.
    pub fn name(&self, record: &Record) -> Record {
        let mut named = record.clone();
        for row in named.rows.iter_mut().chain(&mut named.speed) {
            row.core += self.suffix(&row.core, &row.core_digest);
        }
        let described = self.described(record);
        for c in &mut named.configurations {
            c.core += described.get(&*c.core).copied().unwrap_or_default();
        }
        for c in &mut named.cores {
            let more = self.suffix(&c.label, &c.digest);
            c.base += more;
            c.label += more;
        }
        named
    }

    /// The same with what was computed under the former names, by which published figures are found.
    pub fn name_evaluated(&self, record: &Evaluated) -> Evaluated {
        let mut named = Evaluated { facts: self.name(record), ..record.clone() };
        let described = self.described(record);
        let explained = named.explanations.iter_mut().map(|e| &mut e.core);
        for core in explained.chain(named.fits.iter_mut().map(|f| &mut f.core)) {
            *core += described.get(&**core).copied().unwrap_or_default();
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

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
                parameter("vector.startup", startup.into()).into(),
                parameter("div", serde_json::json!({ "word": startup * 2.0, "base": 1 })).into(),
                parameter("core.hz", 75_000_000.into()).into(),
            ],
            ..CoreRecord::default()
        }];
        record
    }

    fn apart(records: &[&Record]) -> Vec<Record> {
        let names = distinct_cores(records).unwrap();
        records.iter().map(|r| names.name(r)).collect()
    }

    #[test]
    fn cores_of_one_name_are_labelled_by_their_differences() {
        let (first, second) = (record(7.5, "aa"), record(4.0, "bb"));
        assert!(distinct_cores(&[&first, &first]).is_none());
        let apart = apart(&[&first, &second, &first]);
        let names: Vec<&str> = apart.iter().map(|r| r.rows[0].core.as_str()).collect();
        let [fast, slow] = ["div.word 8, vector.startup 4", "div.word 15, vector.startup 7.5"]
            .map(|differs| format!("karu64 ({differs})"));
        assert_eq!(names, [&slow, &fast, &slow]);
        let CoreRecord { label, base, .. } = &apart[1].cores[0];
        assert_eq!([label, base, &apart[1].configurations[0].core], [&fast; 3]);
    }

    /// A parameter left out of a name may be all that differs between two of three cores.
    #[test]
    fn a_label_that_leaves_out_parameters_has_the_digest() {
        let with = |values: [i32; 6], digest: &str| {
            let mut r = record(1.0, digest);
            let value = |(i, v): (usize, &i32)| ParameterRecord {
                key: format!("p{i}"),
                value: (*v).into(),
                ..ParameterRecord::default()
            };
            let parameters = values.iter().enumerate().map(value).map(Arc::new);
            r.cores[0].parameters = parameters.collect();
            r
        };
        let all = [with([1; 6], "aa"), with([2; 6], "bb"), with([2, 2, 2, 2, 2, 3], "cc")];
        let apart = apart(&all.iter().collect::<Vec<_>>());
        let names: Vec<&str> = apart.iter().map(|r| r.rows[0].core.as_str()).collect();
        assert_eq!(names[1], "karu64 (p0 2, p1 2, p2 2, p3 2, 2 more; digest bb)");
        assert_eq!(names[2], "karu64 (p0 2, p1 2, p2 2, p3 2, 2 more; digest cc)");
    }

    #[test]
    fn without_parameters_digests_distinguish_cores() {
        let without = |digest: &str| {
            let mut r = record(1.0, digest);
            r.cores.clear();
            r
        };
        let apart = apart(&[&without("aa"), &without("bb")]);
        let names: Vec<&str> = apart.iter().map(|r| r.rows[0].core.as_str()).collect();
        assert_eq!(names, ["karu64 (digest aa)", "karu64 (digest bb)"]);
        // An older file does not describe its core.
        assert!(distinct_cores(&[&without("aa"), &without("")]).is_none());
    }
}
