//! A whole run of `capvec bench`, with all that is needed to read its figures.

use crate::build::Manifest;
use crate::core::CoreRecord;
use crate::explanation::Explanation;
use crate::fit::Fit;
use crate::host::Host;
use crate::kind::Kind;
use crate::row::Row;
use serde::{Deserialize, Serialize};

/// What a configuration was, and what the library made of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// What the library was told; nothing if it detected.
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// Version of the format of record.json, which docs/record.schema.json describes. It grows when a reader of the older one
/// would misunderstand a newer record; a field more does not.
pub const SCHEMA: u32 = 1;

/// A whole run of `bench`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Record {
    /// Version of the format; 0 in files from before there were versions.
    pub schema: u32,
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
