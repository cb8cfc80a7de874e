//! Published measurements, `published/*.csv`.

pub mod kernels;

use anyhow::{Context, Result};

const KARU64: &str = include_str!("../../../../published/karu64_openssl.csv");
const ARM64: &str = include_str!("../../../../published/arm64_openssl.csv");

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

/// The case of the published arm64 table.
pub const ARM64_CASE: &str = "aes-128-cbc";

/// The published table of OpenSSL's AES-128-CBC on arm64 with and without assembly: kB/s by size.
#[derive(Clone, Debug)]
pub struct Arm64 {
    /// Message sizes in bytes.
    pub sizes: Vec<usize>,
    /// Names of the builds with kB/s (1000 bytes) of each size.
    pub builds: Vec<(String, Vec<f64>)>,
}

/// The published arm64 table.
///
/// # Errors
/// Quotes the line that cannot be read.
pub fn arm64() -> Result<Arm64> {
    let mut lines = ARM64.lines().filter(|l| !l.starts_with('#'));
    let head = lines.next().context("published/arm64_openssl.csv is empty")?;
    let builds = lines.map(|line| {
        let (name, values) =
            line.split_once(',').with_context(|| format!("published: \"{line}\""))?;
        let values = values.split(',').map(|v| Ok(v.parse()?)).collect::<Result<_>>();
        Ok((name.to_string(), values.with_context(|| format!("published: \"{line}\""))?))
    });
    let sizes = head.split(',').skip(1).map(|n| Ok(n.parse()?)).collect::<Result<_>>();
    Ok(Arm64 {
        sizes: sizes.with_context(|| format!("published: \"{head}\""))?,
        builds: builds.collect::<Result<_>>()?,
    })
}
