//! A whole run of `capvec bench`, with everything needed to interpret its figures.

use crate::build_manifest::Manifest;
use crate::configuration::ConfigurationRecord;
use crate::core::CoreRecord;
use crate::host::Host;
use crate::kind::Kind;
use crate::region::RegionRecord;
use crate::row::Row;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The target that a record was measured on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TargetRecord {
    /// Its name, as `--target` takes it.
    pub name: String,
    /// The kind of its figures.
    pub kind: Kind,
    /// Architecture of the code.
    pub architecture: String,
    /// Processor, as the kernel of the target names it.
    pub processor: String,
    /// The counter of instructions.
    pub counter: String,
    /// `exact` if the counter is right, else why its counts are left out.
    pub counter_check: String,
    /// The library's file; empty if the library is linked into the driver.
    pub library: String,
    /// The file's SHA-256.
    pub sha256: Option<String>,
    /// Warnings about the figures, such as times that spread.
    pub warnings: Vec<String>,
}

/// Version of the format of record.json, which docs/record.schema.json describes. It is raised when
/// a reader of the older format would misunderstand a newer record; an additional field does not raise it.
pub const SCHEMA: u32 = 1;

/// A whole run of `bench`: what was measured. What is computed from it is in [`crate::Evaluated`], which also writes both to files.
/// `R` is the form of a row: in memory, its facts alone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(bound = "R: schemars::JsonSchema + Default + Serialize"))]
#[serde(default)]
pub struct Record<R = Row> {
    /// Version of the format; 0 in files from before there were versions.
    pub schema: u32,
    /// The tool that wrote it, with its version.
    pub tool: String,
    /// The command line.
    pub command: Vec<String>,
    /// Where the tool ran.
    pub machine: Host,
    /// What the counts mean.
    pub method: String,
    /// How the subjects that capvec built were made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub builds: Vec<Manifest>,
    /// The target.
    pub target: TargetRecord,
    /// Core models, each with all of its parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<CoreRecord>,
    /// Packages of the sysroot that the subject is from.
    pub packages: Vec<String>,
    /// Digest of the driver's source and of its compiler.
    pub driver: String,
    /// For core models: `exact`, or the count measured for a loop of known length. On other targets empty: see
    /// `target.counter_check`.
    pub self_check: String,
    /// Number of vectors of `capvec kat` that the cases had to pass in each configuration.
    pub vectors: usize,
    /// Cases without such vectors: only their own known answers were checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_vectors: Vec<String>,
    /// What libraries lack of the requested cases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_offered: Vec<NotOffered>,
    /// The configurations, and whether the library used the capabilities that it was given.
    pub configurations: Vec<ConfigurationRecord>,
    /// The figures.
    pub rows: Vec<R>,
    /// Figures of the stock program `openssl speed` for the same operations, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub speed: Vec<R>,
    /// Rules of the library's dispatch by case, if the command explains what extensions add: for each rule, the extensions that it
    /// asks for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dispatch: BTreeMap<String, Vec<Vec<String>>>,
    /// What regions of the user's own code executed, if the command names some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<RegionRecord>,
}

/// Requested cases that a library does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct NotOffered {
    /// The library.
    pub subject: String,
    /// The cases.
    pub cases: Vec<String>,
}

impl Record {
    /// The same record with rows of another form.
    pub(crate) fn with_rows<R>(&self, rows: Vec<R>, speed: Vec<R>) -> Record<R> {
        Record {
            schema: self.schema,
            tool: self.tool.clone(),
            command: self.command.clone(),
            machine: self.machine.clone(),
            method: self.method.clone(),
            builds: self.builds.clone(),
            target: self.target.clone(),
            cores: self.cores.clone(),
            packages: self.packages.clone(),
            driver: self.driver.clone(),
            self_check: self.self_check.clone(),
            vectors: self.vectors,
            without_vectors: self.without_vectors.clone(),
            not_offered: self.not_offered.clone(),
            configurations: self.configurations.clone(),
            rows,
            speed,
            dispatch: self.dispatch.clone(),
            regions: self.regions.clone(),
        }
    }

    /// Keys of the parameters that `--set` changed for the run, each once.
    pub fn settings(&self) -> Vec<&str> {
        let mut keys = Vec::new();
        for (key, _) in self.cores.iter().flat_map(|c| &c.settings) {
            if !keys.contains(&key.as_str()) {
                keys.push(key);
            }
        }
        keys
    }

    /// The name of the core of this label.
    pub fn core_name<'a>(&'a self, label: &'a str) -> &'a str {
        self.cores.iter().find(|c| c.label == label).map_or(label, |c| &c.name)
    }

    /// The value that `--set` gave a parameter of the core of this label; empty if it gave none.
    pub fn setting(&self, core: &str, key: &str) -> &str {
        let core = self.cores.iter().find(|c| c.label == core);
        core.map_or("", |c| c.setting(key))
    }
}
