//! A row as the JSON has it: facts and computed figures in one object. It is written and never read.

use super::figure::Figure;
use crate::derived::row::Derived;
use crate::kind::Kind;
use crate::row::{Cost, FunctionShare, Row};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// One measured figure.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Row"))]
#[serde(default)]
pub struct RowJson {
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
    /// The algorithm, by its usual name.
    pub algorithm: String,
    /// `enc` or `dec`, or the name of a public-key operation.
    pub direction: String,
    /// Message size in bytes; 0 if the operation has none.
    pub bytes: usize,
    /// Capability set.
    pub capset: String,
    /// The capability string that the library was given; empty if it detected capabilities by itself.
    pub capstring: String,
    /// Retired instructions of an operation: exact if modelled or emulated, else a median.
    pub insns_per_op: Option<f64>,
    /// Cycles of an operation: of the core model, or of a hardware counter.
    pub cycles_per_op: Option<f64>,
    /// Retired instructions per byte. Computed when the record is read; ignored in input.
    pub insns_per_byte: Option<f64>,
    /// Cycles per byte, of the same source. Computed when the record is read; ignored in input.
    pub cycles_per_byte: Option<f64>,
    /// Speed in kB/s (1000 bytes per second): modelled, or from the median time. Computed when the record is read; ignored in input,
    /// except where `openssl speed` stated it and `ops_per_s` is null.
    #[serde(rename = "kBps")]
    pub kbps: Option<f64>,
    /// Speed over that of the scalar set of the same run. Computed when the record is read; ignored in input.
    pub speedup: Option<f64>,
    /// `pass`, or what is wrong.
    pub answers: String,
    /// Published speed, if one was published for this core, set and size. Computed when the record is read; ignored in input.
    #[serde(rename = "published_kBps")]
    pub published_kbps: Option<f64>,
    /// Predicted over published. Computed when the record is read; ignored in input.
    pub ratio: Option<f64>,
    /// Operations per second: modelled, or of the median time.
    pub ops_per_s: Option<f64>,
    /// The kind of the figures.
    pub kind: Kind,
    /// The counter of the instructions; empty if there is none, or if its counts are wrong.
    pub counter: String,
    /// Median time of an operation in nanoseconds, by a real machine's clock.
    pub ns_per_op: Option<f64>,
    /// Median absolute deviation of the samples, in percent of the median time.
    pub mad_percent: Option<f64>,
    /// Extensions that the following published kernel or estimate needs; empty if neither is known for the case, VLEN and set, or
    /// if the message is short. Computed when the record is read; ignored in input.
    pub kernel_needs: String,
    /// Retired instructions per byte of the best published kernel of others, without set-up (`published/kernels.csv`). Computed when the record is read; ignored in input.
    #[serde(rename = "best_published_insns_per_byte")]
    pub best_published_ipb: Option<f64>,
    /// `insns_per_byte` over that. Computed when the record is read; ignored in input.
    pub over_best_published: Option<f64>,
    /// Retired instructions per byte that one way of writing the kernel takes, derived by hand. Computed when the record is read; ignored in input.
    #[serde(rename = "estimate_insns_per_byte")]
    pub estimate_ipb: Option<f64>,
    /// `insns_per_byte` over that. Computed when the record is read; ignored in input.
    pub over_estimate: Option<f64>,
    /// Source of the best published kernel. Computed when the record is read; ignored in input.
    pub best_published_source: String,
    /// Digest of the core's parameters, as in `cores`.
    pub core_digest: String,
    /// Instructions of the scalar set of the same run over those of this row, on targets without times. Computed when the record is read; ignored in input.
    pub insns_ratio: Option<f64>,
    /// Time of an operation in each sample, in nanoseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<f64>,
    /// Instructions of an operation by latency class, if `--mix` counted them; their sum is `insns_per_op`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mix: BTreeMap<String, f64>,
    /// What each function itself takes of an operation with warm caches, if `--profile` counted it; the most cycles first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<FunctionShare>,
    /// What each operation of a fixed sequence took, where operations differ in the number of their attempts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<Cost>,
    /// Bytes that the measured end of a connection sent, of a handshake or of a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wire_bytes: Option<f64>,
}

impl From<Figure<'_>> for RowJson {
    fn from(figure: Figure) -> RowJson {
        let row = figure.row;
        let [insns_per_byte, cycles_per_byte, kbps] =
            [row.insns_per_byte(), row.cycles_per_byte(), row.kbps()];
        let Row {
            target,
            subject,
            version,
            core,
            vlen,
            case,
            algorithm,
            direction,
            bytes,
            capset,
            capstring,
            insns_per_op,
            cycles_per_op,
            stated_kbps: _,
            answers,
            ops_per_s,
            kind,
            counter,
            ns_per_op,
            mad_percent,
            core_digest,
            samples,
            mix,
            functions,
            each,
            wire_bytes,
        } = row.clone();
        let Derived {
            speedup,
            published_kbps,
            ratio,
            kernel_needs,
            best_published_ipb,
            over_best_published,
            estimate_ipb,
            over_estimate,
            best_published_source,
            insns_ratio,
        } = figure.derived.clone();
        RowJson {
            target,
            subject,
            version,
            core,
            vlen,
            case,
            algorithm,
            direction,
            bytes,
            capset,
            capstring,
            insns_per_op,
            cycles_per_op,
            insns_per_byte,
            cycles_per_byte,
            kbps,
            speedup,
            answers,
            published_kbps,
            ratio,
            ops_per_s,
            kind,
            counter,
            ns_per_op,
            mad_percent,
            kernel_needs,
            best_published_ipb,
            over_best_published,
            estimate_ipb,
            over_estimate,
            best_published_source,
            core_digest,
            insns_ratio,
            samples,
            mix,
            functions,
            each,
            wire_bytes,
        }
    }
}

impl Serialize for Figure<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RowJson::from(*self).serialize(serializer)
    }
}
