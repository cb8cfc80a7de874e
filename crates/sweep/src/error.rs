//! Errors of the files of a sweep.

/// What is wrong with a file, or with results.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SweepError {
    #[error("{file}: {why}")]
    File { file: String, why: String },
    #[error("{file}, line {line}: {why}")]
    Line { file: String, line: usize, why: String },
    #[error(
        "{file}: the plan was made by {planned}, and this is {this}; plan again, or use the same build"
    )]
    Build { file: String, planned: String, this: String },
    #[error(
        "the results of {one} and {other} cannot be in one record: they differ in {what}; run `capvec sweep work` with another \
         directory of --results, where {what} is the same for all"
    )]
    Mixed { one: String, other: String, what: String },
}
