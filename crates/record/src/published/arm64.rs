//! OpenSSL on arm64 with and without assembly: `published/arm64_openssl.csv`.

use anyhow::{Context, Result};

const FILE: &str = include_str!("../../../../published/arm64_openssl.csv");

/// The case of the published arm64 table.
pub const CASE: &str = "aes-128-cbc";

/// The published table of OpenSSL's AES-128-CBC on arm64 with and without assembly: kB/s by size.
#[derive(Clone, Debug)]
pub struct Arm64 {
    /// Message sizes in bytes.
    pub sizes: Vec<usize>,
    /// Names of the builds with their kB/s (1000 bytes) for each size.
    pub builds: Vec<(String, Vec<f64>)>,
}

/// The published arm64 table.
///
/// # Errors
/// Quotes the line that cannot be read.
pub fn table() -> Result<Arm64> {
    let mut lines = FILE.lines().filter(|l| !l.starts_with('#'));
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
