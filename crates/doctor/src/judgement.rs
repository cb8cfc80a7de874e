//! What the doctor concludes for an algorithm, and from what.

use capvec_record::Row;
use capvec_record::doctor::Finding;

/// A finding, and what it is based on.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The finding.
    pub finding: Finding,
    /// The extensions that the kernel hides from the algorithm, if they are the cause.
    pub hidden: Vec<String>,
    /// What was measured, for further comparisons.
    pub measured: Measured,
}

/// What was measured for an algorithm in one direction.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// As it is.
    pub stock: Row,
    /// The same library, configured to use nothing.
    pub scalar: Option<Row>,
    /// The same library, configured to use everything that the processor executes.
    pub able: Option<Row>,
    /// Another library.
    pub reference: Option<Reference>,
    /// Executed instructions of cryptographic extensions, by name; `None` where they cannot be counted.
    pub executed: Option<Vec<(String, u64)>>,
}

/// What another library achieves on the same target.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// Whether it is another build of the same library: what it has and this one lacks was then not built.
    pub same_library: bool,
    /// What was measured.
    pub row: Row,
    /// Whether extensions make it faster than its own portable code.
    pub by_extensions: bool,
}
