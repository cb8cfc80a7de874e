//! Storage of what custom extensions add to the table while the program runs: see [`custom`](crate::custom). It knows
//! nothing of names and encodings, so that everything that looks something up can use it.

use crate::ext_set::{ExtInfo, ExtSet};
use crate::generated::ext::Ext;
use crate::generated::op::Op;
use crate::generated::rows::OPS;
use crate::generated::{ext, op};
use crate::row::{Row, Slot};
use std::fmt;
use std::sync::OnceLock;

/// What core models need to know about an instruction in addition to its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Operands that are both read and written.
    pub inout: Vec<Slot>,
    /// Vector operands with one bit for each element.
    pub masks: Vec<Slot>,
    /// Vector operands whose elements have twice SEW.
    pub wide: Vec<Slot>,
    /// SEWs that a vector instruction exists for.
    pub sew: Vec<u32>,
    /// Elements of an element group, if it works on such groups.
    pub group: Option<u32>,
    /// The width of f operands in bits, unless it is SEW.
    pub flen: u32,
    /// Its cost on every core, in place of its class's.
    pub cost: Option<Cost>,
    /// Where it is defined: file and line.
    pub place: String,
    /// Where its encoding is: file, line and column.
    pub enc: String,
    /// What it computes, as the file has it.
    pub semantics: String,
}

/// A cost in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Of a scalar instruction: until its result can be used, and until its unit accepts the next instruction.
    Scalar {
        /// At least 1.
        latency: u32,
        /// At least 1.
        occupancy: u32,
    },
    /// Of a vector instruction: for the first step, and for each further one.
    Vector {
        /// What a step is.
        per: Per,
        /// Of the first step.
        first: u32,
        /// Of each further step.
        next: u32,
    },
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Cost::Scalar { latency, occupancy } => {
                write!(f, "latency {latency}, occupancy {occupancy}")
            }
            Cost::Vector { per, first, next } => {
                let per = format!("{per:?}").to_lowercase();
                write!(f, "{first} for the first {per}, {next} for each further one")
            }
        }
    }
}

/// The steps of a vector instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// As many bits as the core's data path has.
    Beat,
    /// An element.
    Element,
    /// An element group.
    Group,
}

pub(crate) static EXTS: [OnceLock<ExtInfo>; ext::CUSTOM.len()] =
    [const { OnceLock::new() }; ext::CUSTOM.len()];
pub(crate) static ROWS: [OnceLock<(Row, Model)>; op::CUSTOM.len()] =
    [const { OnceLock::new() }; op::CUSTOM.len()];
/// Every extension that may be custom.
pub(crate) const ALL: ExtSet = ExtSet::of(&ext::CUSTOM);

/// The extensions that are registered.
pub(crate) fn exts() -> impl Iterator<Item = Ext> {
    EXTS.iter().filter_map(OnceLock::get).map(|e| e.ext)
}

/// The data of a custom extension.
pub(crate) fn info(e: Ext) -> &'static ExtInfo {
    let n = e as usize - ext::CUSTOM[0] as usize;
    EXTS[n].get().expect("only registered extensions are in use")
}

/// The rows that are registered.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().map_while(OnceLock::get).map(|(row, _)| row)
}

/// The row of a custom instruction.
pub(crate) fn row(op: Op) -> &'static Row {
    let n = op as usize - OPS.len();
    &ROWS[n].get().expect("only registered instructions are in use").0
}
