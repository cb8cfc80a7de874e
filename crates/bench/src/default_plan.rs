//! What is measured when flags do not say: a function of the target and the number of subjects. `capvec bench --help`
//! shows it (`cli/src/cmd/bench/args.rs`).

use anyhow::Result;
use capvec_record::published::{arm64, speeds::KARU64};
use capvec_targets::TargetName;

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// `--cases`.
    pub cases: &'static [&'static str],
    /// `--caps`.
    pub caps: &'static [&'static str],
    /// `--bytes`.
    pub bytes: Vec<usize>,
}

/// What is measured by default for this number of subjects on a target. On targets other than the simulator, several
/// subjects are compared as in the published comparison of builds; the simulator has a table of its own for libraries.
///
/// # Errors
/// The published table cannot be read.
pub fn defaults(target: &TargetName, subjects: usize) -> Result<Defaults> {
    Ok(match (target, subjects) {
        (TargetName::Sim, _) => Defaults {
            cases: &["published"],
            caps: &["scalar", "published", "auto", "full"],
            bytes: vec![KARU64.bytes],
        },
        (_, 0 | 1) => {
            Defaults { cases: &["published"], caps: &["scalar", "auto"], bytes: vec![KARU64.bytes] }
        }
        _ => Defaults {
            cases: &[arm64::CASE, "published"],
            caps: &["auto"],
            bytes: arm64::table()?.sizes,
        },
    })
}
