//! Published speeds of Cryptogams' kernels, which `capvec measure` measures.

use super::line::{CRYPTOGAMS, Line};
use anyhow::{Context, Result};

const TEXT: &str = include_str!("../../../../published/cryptogams.csv");
const FILE: &str = "published/cryptogams.csv";

/// The size of the messages: a large one, of which the comments say no more.
const BYTES: usize = 16384;

/// All figures.
///
/// # Errors
/// Quotes the line that cannot be read.
pub fn lines() -> Result<Vec<Line>> {
    super::rows(TEXT).map(|l| line(l).with_context(|| format!("{FILE}: \"{l}\""))).collect()
}

fn line(text: &str) -> Result<Line> {
    let fields: Vec<&str> = text.splitn(5, ',').collect();
    let [core, case, set, cycles, source] = fields[..] else {
        anyhow::bail!("it must have five fields");
    };
    let cycles: f64 = cycles.parse()?;
    anyhow::ensure!(cycles > 0.0 && cycles.is_finite(), "cycles must be greater than 0");
    Ok(Line {
        core: core.into(),
        case: case.into(),
        set: set.into(),
        bytes: BYTES,
        // Of a clock of 1 MHz, since no clock was published.
        kbps: 1e3 / cycles,
        processes: 1,
        megahertz: 1.0,
        program: CRYPTOGAMS.into(),
        fitted: false,
        source: source.into(),
        deviation: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_read_as_they_were_published() {
        let lines = lines().unwrap();
        assert_eq!(lines.len(), 23);
        let of = |core: &str, case: &str, set: &str| {
            let own = |l: &&Line| l.core == core && l.case == case && l.set == set;
            lines.iter().find(own).map(Line::cycles_per_byte).unwrap()
        };
        for (core, case, set, cycles) in [
            ("sifive-u74", "sha256", "scalar", 36.5),
            ("thead-c910", "poly1305", "scalar", 1.9),
            ("spacemit-x60", "chacha20-vertical", "v", 6.0),
        ] {
            assert!((of(core, case, set) - cycles).abs() < 1e-9, "{core} {case} {set}");
        }
    }

    #[test]
    fn a_line_that_is_no_figure_is_refused() {
        for text in ["a,b,c", "a,b,c,0,s", "a,b,c,NaN,s", "a,b,c,x,s"] {
            assert!(line(text).is_err(), "{text}");
        }
    }
}
