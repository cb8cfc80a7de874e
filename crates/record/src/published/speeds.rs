//! Published speeds of cores, with which their models are compared.

use crate::sets::{on_baseline, words};
use crate::{ConfigurationRecord, Row, subject};
use anyhow::{Context, Result};
use capvec_isa::ExtSet;
use capvec_isa::capability::openssl_riscvcap;

/// A published table of the speeds of stock OpenSSL on a core.
pub struct Speeds {
    /// The core's name.
    pub core: &'static str,
    /// What was measured, in a few words.
    pub about: &'static str,
    /// The file.
    pub file: &'static str,
    /// Its text.
    text: &'static str,
    /// VLEN of the core, in bits.
    pub vlen: u32,
    /// Message size, in bytes.
    pub bytes: usize,
}

/// A line of such a table.
#[derive(Clone, Debug)]
pub struct Line {
    /// Case.
    pub case: String,
    /// kB/s (1000 bytes) without any capability.
    pub scalar_kbps: f64,
    /// The capability set that was best.
    pub best_capset: String,
    /// kB/s with it.
    pub best_kbps: f64,
}

/// Karu64.
pub const KARU64: Speeds = Speeds {
    core: "karu64",
    about: "Karu64 on an FPGA",
    file: "published/karu64_openssl.csv",
    text: include_str!("../../../../published/karu64_openssl.csv"),
    vlen: 256,
    bytes: 16384,
};

/// Every table.
pub const ALL: [Speeds; 1] = [KARU64];

impl Speeds {
    /// Its lines.
    ///
    /// # Errors
    /// Quotes the line that cannot be read.
    pub fn lines(&self) -> Result<Vec<Line>> {
        parse(self.text).with_context(|| self.file)
    }
}

/// The lines of a text of this form.
///
/// # Errors
/// Quotes the line that cannot be read.
pub fn parse(text: &str) -> Result<Vec<Line>> {
    super::rows(text).map(|l| line(l).with_context(|| format!("\"{l}\""))).collect()
}

fn line(text: &str) -> Result<Line> {
    let fields: Vec<&str> = text.split(',').collect();
    let [case, _algorithm, scalar, set, best, ..] = fields[..] else {
        anyhow::bail!("five fields at least");
    };
    Ok(Line {
        case: case.into(),
        scalar_kbps: scalar.parse()?,
        best_capset: set.into(),
        best_kbps: best.parse()?,
    })
}

/// The published speed for exactly this row's core, library, VLEN, set, operation and size.
///
/// # Errors
/// A table cannot be read.
pub fn of(row: &Row, set: &ConfigurationRecord) -> Result<Option<f64>> {
    let is_of = |t: &&Speeds| {
        t.core == row.core
            && row.subject == subject::OPENSSL
            && t.vlen == row.vlen
            && t.bytes == row.bytes
            && row.direction == "enc"
    };
    let Some(table) = ALL.iter().find(is_of) else { return Ok(None) };
    let Some(line) = table.lines()?.into_iter().find(|l| l.case == row.case) else {
        return Ok(None);
    };
    Ok(if is(set, ExtSet::EMPTY) {
        Some(line.scalar_kbps)
    } else if is(set, words(&line.best_capset)?) {
        Some(line.best_kbps)
    } else {
        None
    })
}

/// Whether a set consists of these extensions on the baseline, and the library is configured for exactly these. Its
/// name may differ.
fn is(set: &ConfigurationRecord, exts: ExtSet) -> bool {
    let exts = on_baseline(exts);
    set.hart == exts.to_string() && set.capstring == Some(openssl_riscvcap(exts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{row, set};

    #[test]
    fn a_row_of_the_published_core_size_and_set_has_its_figure() {
        let published = |change: &dyn Fn(&mut Row), name: &str| {
            let mut row = Row { core: "karu64".into(), ..row("sha256", name, 16384, 1.0) };
            change(&mut row);
            of(&row, &set(name)).unwrap()
        };
        let same = |_: &mut Row| ();
        assert_eq!(published(&same, "scalar"), Some(209.5));
        assert_eq!(published(&same, "zvkb_zvknha"), Some(2414.2));
        // The same set under another name.
        assert_eq!(published(&same, "zvknha_zvkb"), Some(2414.2));
        assert_eq!(published(&same, "full"), None);
        let others: [&dyn Fn(&mut Row); 6] = [
            &|r| r.core = "karu64 (modified: vector.startup 7.5 → 4)".into(),
            &|r| r.subject = "capvec".into(),
            &|r| r.vlen = 128,
            &|r| r.bytes = 64,
            &|r| r.direction = "dec".into(),
            &|r| r.case = "sha1".into(),
        ];
        assert!(others.iter().all(|change| published(change, "scalar").is_none()));
        // The published figures are not for a library that detects capabilities, or is configured for others.
        let row = Row { core: "karu64".into(), ..row("sha256", "scalar", 16384, 1.0) };
        let given = |capstring: Option<&str>| ConfigurationRecord {
            capstring: capstring.map(String::from),
            ..set("scalar")
        };
        assert_eq!(of(&row, &given(None)).unwrap(), None);
        assert_eq!(of(&row, &given(Some("rv64gc_zbb"))).unwrap(), None);
    }
}
