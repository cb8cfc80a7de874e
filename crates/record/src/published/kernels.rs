//! The best published kernels of others, and estimates: `published/kernels.csv`.

use crate::quotient::quotient;
use crate::{Derived, Row};
use anyhow::{Context, Result};
use capvec_isa::{Ext, ExtSet, isa_string};

const FILE: &str = include_str!("../../../../published/kernels.csv");
/// VLENs in bits for which the file has figures.
const VLENS: [u32; 3] = [128, 256, 512];
/// The figures are for long messages: rows with shorter ones are not compared with them.
pub const LONG: usize = 8192;

/// A line of the file.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Case.
    pub case: String,
    /// `enc`, `dec` or `both`.
    pub direction: String,
    /// The extensions that the estimate assumes, as written in the file.
    pub needs: String,
    /// The same, with the extensions that they imply.
    exts: ExtSet,
    /// Retired instructions per byte of the best published kernel, by VLEN.
    best: [Option<f64>; 3],
    /// Source of that figure.
    pub source: String,
    /// Retired instructions per byte that one way of writing the kernel takes, derived by hand, by VLEN.
    estimate: [Option<f64>; 3],
}

/// Every line, in the order of the file: for a capability set, the first line that fits it counts.
///
/// # Errors
/// Quotes the line that cannot be read.
pub fn kernels() -> Result<Vec<Kernel>> {
    let lines = super::rows(FILE);
    lines.map(|l| line(l).with_context(|| format!("published/kernels.csv: \"{l}\""))).collect()
}

fn line(text: &str) -> Result<Kernel> {
    let fields: Vec<&str> = text.split(',').collect();
    let fields: [&str; 10] = fields.try_into().ok().context("ten fields")?;
    let [case, direction, needs, b0, b1, b2, source, l0, l1, l2] = fields;
    let number = |f: &str| {
        Ok::<_, anyhow::Error>(Some(f).filter(|f| !f.is_empty()).map(str::parse).transpose()?)
    };
    let mut exts = ExtSet::EMPTY;
    for word in needs.split('_') {
        exts = exts.union(isa_string::word(needs, word)?);
    }
    Ok(Kernel {
        case: case.into(),
        direction: direction.into(),
        needs: needs.into(),
        exts: exts.closed(),
        best: [number(b0)?, number(b1)?, number(b2)?],
        source: source.into(),
        estimate: [number(l0)?, number(l1)?, number(l2)?],
    })
}

impl Kernel {
    /// The figure for a VLEN; without vector instructions one figure holds for all.
    fn at(&self, figures: &[Option<f64>; 3], vlen: u32) -> Option<f64> {
        let place = if self.exts.has(Ext::V) { VLENS.iter().position(|v| *v == vlen)? } else { 0 };
        figures[place]
    }

    fn is_of(&self, row: &Row, exts: ExtSet) -> bool {
        self.case == row.case
            && (self.direction == "both" || self.direction == row.direction)
            && exts.contains(self.exts)
    }

    /// Fills in the figures for a row of a long message that are known for its case, VLEN and hart.
    pub(crate) fn compare(
        all: &[Kernel],
        row: &Row,
        exts: impl FnOnce() -> ExtSet,
        derived: &mut Derived,
    ) {
        let Some(ours) = row.insns_per_byte().filter(|_| row.bytes >= LONG) else { return };
        let exts = exts();
        // No published kernel uses a draft: with one, a row shows what the draft buys, and not how good its kernel is.
        if exts.iter().any(|e| e.info().draft.is_some()) {
            return;
        }
        let Some(kernel) = all.iter().find(|k| k.is_of(row, exts)) else { return };
        let [best, estimate] = [&kernel.best, &kernel.estimate].map(|f| kernel.at(f, row.vlen));
        if best.or(estimate).is_none() {
            return;
        }
        derived.kernel_needs.clone_from(&kernel.needs);
        derived.best_published_ipb = best;
        derived.over_best_published = quotient(Some(ours), best);
        derived.estimate_ipb = estimate;
        derived.over_estimate = quotient(Some(ours), estimate);
        if best.is_some() {
            derived.best_published_source.clone_from(&kernel.source);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::exts;
    use crate::testing::{row, set};

    fn filled(case: &str, direction: &str, name: &str, vlen: u32, bytes: usize) -> Derived {
        let mut row = row(case, name, bytes, bytes as f64);
        (row.vlen, row.direction) = (vlen, direction.into());
        let mut derived = Derived::default();
        Kernel::compare(&kernels().unwrap(), &row, || exts(&set(name).hart), &mut derived);
        derived
    }

    #[test]
    fn no_estimate_is_above_the_best_and_the_best_has_a_source() {
        for k in kernels().unwrap() {
            let below = |(e, b): (&Option<f64>, &Option<f64>)| e.zip(*b).is_none_or(|(e, b)| e < b);
            assert!(k.estimate.iter().zip(&k.best).all(below), "{k:?}");
            let figures = if k.exts.has(Ext::V) { 3 } else { 1 };
            let best = k.best.iter().flatten().count();
            assert!(
                best == 0 && k.source.is_empty() || best == figures && !k.source.is_empty(),
                "{k:?}"
            );
            let estimates = k.estimate.iter().flatten().count();
            assert!(estimates == figures || k.case == "sm3" && estimates == 2, "{k:?}");
        }
    }

    #[test]
    fn a_row_gets_the_figures_of_its_case_direction_vlen_and_set() {
        let figures = |r: &Derived| (r.best_published_ipb, r.estimate_ipb);
        let row = filled("sha256", "enc", "full", 256, 16384);
        assert_eq!(
            (row.kernel_needs.as_str(), figures(&row)),
            ("v_zvkb_zvknha", (Some(1.41), Some(1.22)))
        );
        // One instruction for each byte.
        assert_eq!(
            (row.over_best_published, row.over_estimate),
            (Some(1.0 / 1.41), Some(1.0 / 1.22))
        );
        let row = filled("sha256", "enc", "zbb", 1024, 16384);
        assert_eq!((row.kernel_needs.as_str(), figures(&row)), ("zbb", (Some(39.7), Some(35.0))));
        let row = filled("sha256", "enc", "zbb_zknh", 128, 16384);
        assert_eq!((figures(&row), row.best_published_source.as_str()), ((None, Some(21.0)), ""));
        assert_eq!(
            figures(&filled("aes-128-cbc", "dec", "zvkned", 512, 8192)),
            (Some(0.09375), Some(0.037))
        );
        assert_eq!(
            figures(&filled("aes-128-cbc", "enc", "zvkned", 512, 8192)),
            (Some(1.125), Some(1.06))
        );
    }

    #[test]
    fn unknown_figures_stay_empty() {
        let none = [
            filled("sha256", "enc", "scalar", 256, 16384),
            filled("sha256", "enc", "full", 1024, 16384),
            filled("sha256", "enc", "full", 256, 64),
            filled("sha1", "enc", "full", 256, 16384),
        ];
        for row in none {
            let all = [
                row.best_published_ipb,
                row.over_best_published,
                row.estimate_ipb,
                row.over_estimate,
            ];
            assert!(all.iter().all(Option::is_none) && row.kernel_needs.is_empty(), "{row:?}");
        }
    }
}
