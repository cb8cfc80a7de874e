//! Records: figures with all that is needed to read them.

use crate::builds::Manifest;
use crate::cores::CoreRecord;
use crate::csv;
use crate::explain::Explanation;
use crate::fit::Fit;
use crate::host::Host;
use crate::target::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One measured figure.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Row {
    /// Where the code ran.
    pub target: String,
    /// What was measured.
    pub subject: String,
    /// Its version.
    pub version: String,
    /// Core model.
    pub core: String,
    /// Vector register length in bits.
    pub vlen: u32,
    /// Case.
    pub case: String,
    /// Its name for people.
    pub algorithm: String,
    /// `enc` or `dec`, or the name of a public-key operation.
    pub direction: String,
    /// Message size in bytes; 0 if the operation has none.
    pub bytes: usize,
    /// Capability set.
    pub capset: String,
    /// What the library was told; empty if it detected.
    pub capstring: String,
    /// Retired instructions of an operation, exact.
    pub insns_per_op: Option<f64>,
    /// Modelled cycles of an operation.
    pub cycles_per_op: Option<f64>,
    /// Retired instructions per byte.
    pub insns_per_byte: Option<f64>,
    /// Modelled cycles per byte.
    pub cycles_per_byte: Option<f64>,
    /// Modelled speed in 1000 bytes per second.
    #[serde(rename = "kBps")]
    pub kbps: Option<f64>,
    /// Speed over that of the scalar set of the same run.
    pub speedup: Option<f64>,
    /// `pass`, or what is wrong.
    pub answers: String,
    /// Published speed, if one was published for this core, set and size.
    #[serde(rename = "published_kBps")]
    pub published_kbps: Option<f64>,
    /// Predicted over published.
    pub ratio: Option<f64>,
    /// Operations per second: modelled, or of the median time.
    pub ops_per_s: Option<f64>,
    /// What the figures are of.
    pub kind: Kind,
    /// What counted instructions; empty if nothing did, or not rightly.
    pub counter: String,
    /// Median time of an operation in nanoseconds, where a clock means something.
    pub ns_per_op: Option<f64>,
    /// Median of the samples' absolute deviations from that, in percent of it.
    pub mad_percent: Option<f64>,
    /// Extensions that the following suppose; empty if nothing of it is known for the case, VLEN and set, or the message is short.
    pub kernel_needs: String,
    /// Retired instructions per byte of the best published kernel of others, without set-up (`published/kernels.csv`).
    #[serde(rename = "best_published_insns_per_byte", alias = "best_known_insns_per_byte")]
    pub best_published_ipb: Option<f64>,
    /// `insns_per_byte` over that.
    #[serde(alias = "over_best_known")]
    pub over_best_published: Option<f64>,
    /// Those that one way of doing it was argued to need.
    #[serde(rename = "estimate_insns_per_byte", alias = "bound_insns_per_byte")]
    pub estimate_ipb: Option<f64>,
    /// `insns_per_byte` over that.
    #[serde(alias = "over_bound")]
    pub over_estimate: Option<f64>,
    /// Whose the best published kernel is.
    #[serde(alias = "best_known_source")]
    pub best_published_source: String,
    /// Digest of the core's parameters: see [`CoreRecord`].
    pub core_digest: String,
    /// Instructions of the scalar set of the same run over those of this row, where nothing says how long either takes.
    pub insns_ratio: Option<f64>,
    /// Time of an operation in each sample, in nanoseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<f64>,
    /// Instructions of an operation by latency class, if they were counted so; together they are `insns_per_op`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mix: BTreeMap<String, f64>,
}

/// What a configuration was, and what the library made of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ConfigurationRecord {
    /// What was measured.
    pub subject: String,
    /// Core model, as rows name it; empty where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub core: String,
    /// Vector register length in bits.
    pub vlen: u32,
    /// Capability set.
    pub capset: String,
    /// What the library was told; `None` if it detected.
    pub capstring: Option<String>,
    /// Extensions of the hart.
    pub hart: String,
    /// Capabilities that the library was to use.
    pub expected: String,
    /// What it says that it uses.
    pub library: String,
    /// The difference, if there is one.
    pub disagreement: Option<String>,
    /// The set has what the core's own ISA lacks: its figures are of a core that is not there yet.
    pub beyond_core: bool,
    /// Whether `capstring` is the user's own, so that a difference is what is being shown.
    pub verbatim: bool,
    /// What the user was warned of.
    pub warnings: Vec<String>,
    /// Cases that cost the same as with everything, though they ask for what this set lacks: either the library has no
    /// code for that, or it does not do as it was told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchanged: Vec<String>,
}

/// Where a record was taken.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TargetRecord {
    /// What `--target` calls it.
    pub name: String,
    /// What its figures are of.
    pub kind: Kind,
    /// Architecture of the code.
    pub architecture: String,
    /// Processor, as the kernel there names it.
    pub processor: String,
    /// What counts instructions.
    pub counter: String,
    /// Whether it counts rightly: `exact`, or why its counts are left out.
    pub counter_check: String,
    /// The library's file; empty if it is a part of the driver.
    pub library: String,
    /// The file's SHA-256.
    pub sha256: Option<String>,
    /// What to know before believing figures.
    pub warnings: Vec<String>,
}

/// A whole run of `bench`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// What wrote it.
    pub tool: String,
    /// The command line.
    pub command: Vec<String>,
    /// Where the tool ran.
    pub machine: Host,
    /// What the counts mean.
    pub method: String,
    /// What subjects that were built here are made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub builds: Vec<Manifest>,
    /// Where it was taken.
    pub target: TargetRecord,
    /// Core models, each with all of its parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<CoreRecord>,
    /// Packages of the sysroot that the subject came from.
    pub packages: Vec<String>,
    /// Digest of the driver's source and of what compiled it.
    pub driver: String,
    /// `exact`, or what the loop of known length was counted as; empty but for core models: see `target.counter_check`.
    pub self_check: String,
    /// Vectors of `capvec kat` that the cases had to pass on each configuration.
    pub vectors: usize,
    /// Cases that none of them is of, so that only their own answers were checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_vectors: Vec<String>,
    /// What was run, and whether the library did as it was told.
    pub configurations: Vec<ConfigurationRecord>,
    /// The figures.
    pub rows: Vec<Row>,
    /// What the stock program `openssl speed` prints for the same, if it was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub speed: Vec<Row>,
    /// Cost of a call and of a byte, of figures for three sizes or more.
    pub fits: Vec<Fit>,
    /// By case, how the best set is reached and what each extension adds.
    pub explanations: Vec<Explanation>,
}

/// What `insns` and `cycles` are.
pub const METHOD: &str = "insns: retired instructions, exact, read by the guest around the operation, less an \
    empty loop; cycles: of the core model; kBps: bytes over modelled cycles at the core's frequency, in 1000 \
    bytes per second; ops_per_s: that frequency over cycles_per_op; nothing is wall-clock time";

/// The same under an emulator.
const EMULATED: &str = "insns: retired instructions between two system calls that mark a section, exact, from the \
    emulator's log of executed blocks, less an empty loop; no times: under emulation they mean nothing";

/// The same on a machine.
const REAL: &str = "ns_per_op: median of samples by the machine's monotonic clock, less an empty loop, after warming up; \
    mad_percent: their median absolute deviation; kBps and ops_per_s: of that median; insns and cycles: of the counter \
    named, user mode only, where it passes a loop of known length";

/// What figures are, by what they are of.
pub fn method(kind: Kind) -> &'static str {
    match kind {
        Kind::Modelled => METHOD,
        Kind::Emulated => EMULATED,
        Kind::Real => REAL,
    }
}

/// Columns of the CSV, in order.
pub const COLUMNS: [&str; 33] = [
    "target",
    "subject",
    "version",
    "core",
    "vlen",
    "case",
    "algorithm",
    "direction",
    "bytes",
    "capset",
    "capstring",
    "insns_per_op",
    "cycles_per_op",
    "insns_per_byte",
    "cycles_per_byte",
    "kBps",
    "speedup",
    "answers",
    "published_kBps",
    "ratio",
    "ops_per_s",
    "kind",
    "counter",
    "ns_per_op",
    "mad_percent",
    "kernel_needs",
    "best_published_insns_per_byte",
    "over_best_published",
    "estimate_insns_per_byte",
    "over_estimate",
    "best_published_source",
    "core_digest",
    "insns_ratio",
];

/// Columns under the names that they had in older files.
const FORMER: [(&str, &str); 5] = [
    ("best_known_insns_per_byte", "best_published_insns_per_byte"),
    ("over_best_known", "over_best_published"),
    ("bound_insns_per_byte", "estimate_insns_per_byte"),
    ("over_bound", "over_estimate"),
    ("best_known_source", "best_published_source"),
];

/// The present name of a column of an older file; others as they are.
pub fn current(column: &str) -> &str {
    FORMER.iter().find(|(old, _)| *old == column).map_or(column, |(_, new)| new)
}

/// A number with enough digits for what it means, or nothing.
fn number(v: Option<f64>, digits: usize) -> String {
    v.map_or(String::new(), |v| format!("{v:.digits$}"))
}

impl Row {
    /// The fields in the order of [`COLUMNS`], with the digits that each has.
    pub fn fields(&self) -> [String; COLUMNS.len()] {
        [
            self.target.clone(),
            self.subject.clone(),
            self.version.clone(),
            self.core.clone(),
            self.vlen.to_string(),
            self.case.clone(),
            self.algorithm.clone(),
            self.direction.clone(),
            self.bytes.to_string(),
            self.capset.clone(),
            self.capstring.clone(),
            number(self.insns_per_op, 2),
            number(self.cycles_per_op, 2),
            number(self.insns_per_byte, 4),
            number(self.cycles_per_byte, 4),
            number(self.kbps, 1),
            number(self.speedup, 3),
            self.answers.clone(),
            number(self.published_kbps, 1),
            number(self.ratio, 3),
            number(self.ops_per_s, 3),
            self.kind.name().into(),
            self.counter.clone(),
            number(self.ns_per_op, 2),
            number(self.mad_percent, 2),
            self.kernel_needs.clone(),
            number(self.best_published_ipb, 4),
            number(self.over_best_published, 3),
            number(self.estimate_ipb, 4),
            number(self.over_estimate, 3),
            self.best_published_source.clone(),
            self.core_digest.clone(),
            number(self.insns_ratio, 3),
        ]
    }

    /// Operations in some time, by the clock or the core model. `openssl speed` prints bytes per second only.
    pub fn speed(&self) -> Option<f64> {
        self.ops_per_s.or(self.kbps)
    }

    /// The same, or by instructions where there is no time.
    pub fn rate(&self) -> Option<f64> {
        self.speed().or(self.insns_per_op.map(|n| 1.0 / n))
    }

    /// How it compares with a scalar row of this rate: a speed-up, or a ratio of instructions where there is no time.
    pub fn set_ratio(&mut self, scalar: Option<f64>) {
        let ratio = self.rate().zip(scalar).map(|(own, scalar)| own / scalar);
        let timed = self.speed().is_some();
        self.speedup = ratio.filter(|_| timed);
        self.insns_ratio = ratio.filter(|_| !timed);
    }

    /// The ratio over the scalar set, of whichever it is: [`crate::basis::over_scalar`] names it.
    pub fn over_scalar(&self) -> Option<f64> {
        self.speedup.or(self.insns_ratio)
    }

    /// Older files have ratios of instructions under `speedup`.
    pub fn modernise(&mut self) {
        if self.speed().is_none() {
            self.insns_ratio = self.insns_ratio.or(self.speedup.take());
        }
    }

    /// Whether every answer was right.
    pub fn passed(&self) -> bool {
        self.answers == "pass"
    }
}

impl Record {
    /// The figures as CSV, with a header: behind [`COLUMNS`], one for each parameter that was set for the run.
    pub fn csv(&self) -> String {
        let keys = self.settings();
        let head: Vec<&str> = COLUMNS.into_iter().chain(keys.iter().copied()).collect();
        let line = |r: &Row| {
            let set = keys.iter().map(|key| self.setting(&r.core, key).to_string());
            let fields = r.fields().into_iter().chain(set).map(|f| csv::field(&f));
            fields.collect::<Vec<_>>().join(",")
        };
        let lines = self.rows.iter().chain(&self.speed).map(line);
        std::iter::once(head.join(",")).chain(lines).map(|l| l + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_older_files_are_found_under_their_present_names() {
        let old = r#"{ "best_known_insns_per_byte": 0.5, "over_best_known": 1.5, "bound_insns_per_byte": 0.25,
            "over_bound": 3.0, "best_known_source": "them" }"#;
        let row: Row = serde_json::from_str(old).unwrap();
        assert_eq!((row.best_published_ipb, row.over_best_published), (Some(0.5), Some(1.5)));
        assert_eq!((row.estimate_ipb, row.over_estimate), (Some(0.25), Some(3.0)));
        assert_eq!(row.best_published_source, "them");
        assert!(FORMER.iter().all(|(_, new)| COLUMNS.contains(new)));
        assert_eq!((current("over_bound"), current("kBps")), ("over_estimate", "kBps"));
    }

    #[test]
    fn a_ratio_of_instructions_is_no_speed_up() {
        let mut timed = crate::best::tests::row("x", "auto", 64, 50.0);
        let counted = Row { kbps: None, ops_per_s: None, cycles_per_op: None, ..timed.clone() };
        timed.set_ratio(Some(1e4));
        assert_eq!((timed.speedup, timed.insns_ratio), (Some(2.0), None));
        let mut row = counted.clone();
        row.set_ratio(Some(1.0 / 100.0));
        assert_eq!((row.speedup, row.insns_ratio, row.over_scalar()), (None, Some(2.0), Some(2.0)));
        let at = |c: &str| COLUMNS.iter().position(|x| *x == c).unwrap();
        let fields = row.fields();
        assert_eq!([&fields[at("speedup")], &fields[at("insns_ratio")]], ["", "2.000"]);
        // Older files call it speedup.
        let mut old = Row { speedup: Some(2.0), ..counted };
        old.modernise();
        assert_eq!((old.speedup, old.insns_ratio), (None, Some(2.0)));
        timed.modernise();
        assert_eq!(timed.speedup, Some(2.0));
    }

    /// Read back by a reader that knows quotes and commas only.
    #[test]
    fn every_field_stays_one_field() {
        let mut row = crate::best::tests::row("x", "string:a", 64, 1.0);
        row.algorithm = "RSA-2048, PKCS #1 v1.5, SHA-256".into();
        row.capstring = "a\"b".into();
        let line = row.fields().map(|f| csv::field(&f)).join(",");
        let (mut fields, mut inside) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => inside = !inside,
                ',' if !inside => fields.push(String::new()),
                c => fields.last_mut().unwrap().push(c),
            }
        }
        assert_eq!(fields.len(), COLUMNS.len());
        assert_eq!(fields[6], row.algorithm);
    }
}
