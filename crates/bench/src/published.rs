//! Published measurements, `published/*.csv`.

use anyhow::{Context, Result};

const KARU64: &str = include_str!("../../../published/karu64_openssl.csv");

/// A row of the published OpenSSL table of Karu64.
#[derive(Clone, Debug)]
pub struct Row {
    /// Case.
    pub case: String,
    /// kB/s (1000 bytes) without any capability.
    pub scalar_kbps: f64,
    /// The capability set that was best.
    pub best_capset: String,
    /// kB/s with it.
    pub best_kbps: f64,
}

/// Message size of the published table, in bytes.
pub const KARU64_BYTES: usize = 16384;
/// VLEN of the core that it was measured on.
pub const KARU64_VLEN: u32 = 256;

/// The published table of Karu64.
pub fn karu64() -> Result<Vec<Row>> {
    let lines = KARU64.lines().filter(|l| !l.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let mut fields = line.split(',');
            let mut next = || fields.next().with_context(|| format!("published: \"{line}\""));
            let (case, _) = (next()?.to_string(), next()?);
            let scalar_kbps = next()?.parse()?;
            let best_capset = next()?.to_string();
            Ok(Row { case, scalar_kbps, best_capset, best_kbps: next()?.parse()? })
        })
        .collect()
}
