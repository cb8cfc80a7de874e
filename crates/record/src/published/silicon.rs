//! Published speeds of `openssl speed`, from which the models of cores can be judged.

use super::speeds;
use anyhow::{Context, Result};

const TEXT: &str = include_str!("../../../../published/silicon.csv");
const FILE: &str = "published/silicon.csv";

/// A published speed.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The core model.
    pub core: String,
    /// Case.
    pub case: String,
    /// The capability set.
    pub set: String,
    /// Message size, in bytes.
    pub bytes: usize,
    /// kB/s (1000 bytes) of all processes together.
    pub kbps: f64,
    /// Processes that ran at the same time, each on a core of its own.
    pub processes: u32,
    /// The clock in MHz.
    pub megahertz: f64,
    /// What was measured.
    pub program: String,
    /// Parameters of the model were fitted to this figure.
    pub fitted: bool,
    /// Where it was published.
    pub source: String,
}

/// Rows of karu64's table to which its model was fitted (docs/models.md): without capabilities, and with the best set.
const FITTED: [&[&str]; 2] = [
    &["aes-128-ecb", "sha256", "sha512", "sm3", "chacha20"],
    &["aes-128-ecb", "sha256", "sm3", "chacha20"],
];

/// MHz of karu64's table.
const KARU64_MHZ: f64 = 75.0;

/// All of them.
///
/// # Errors
/// Quotes the line that cannot be read.
pub fn lines() -> Result<Vec<Line>> {
    let silicon = super::rows(TEXT);
    let mut lines = karu64()?;
    for text in silicon {
        lines.push(line(text).with_context(|| format!("{FILE}: \"{text}\""))?);
    }
    Ok(lines)
}

impl Line {
    /// Cycles per byte of one core.
    pub fn cycles_per_byte(&self) -> f64 {
        self.megahertz * 1e3 * f64::from(self.processes) / self.kbps
    }

    /// Why Debian's OpenSSL cannot be compared with it, if so.
    pub fn incomparable(&self) -> Option<String> {
        let other = self.program == "OpenSSL 3.0 (C)";
        other.then(|| format!("{}: Debian's has assembly instead", self.program))
    }
}

fn karu64() -> Result<Vec<Line>> {
    let table = speeds::KARU64;
    let mut lines = Vec::new();
    for published in table.lines()? {
        let sets =
            [("scalar", published.scalar_kbps), (&published.best_capset, published.best_kbps)];
        for ((set, kbps), fitted) in sets.into_iter().zip(FITTED) {
            lines.push(Line {
                core: table.core.into(),
                case: published.case.clone(),
                set: set.into(),
                bytes: table.bytes,
                kbps,
                processes: 1,
                megahertz: KARU64_MHZ,
                program: "OpenSSL 3.5.6".into(),
                fitted: fitted.contains(&published.case.as_str()),
                source: table.file.into(),
            });
        }
    }
    Ok(lines)
}

fn line(text: &str) -> Result<Line> {
    let fields: Vec<&str> = text.splitn(9, ',').collect();
    let [core, case, set, bytes, kbps, processes, megahertz, program, source] = fields[..] else {
        anyhow::bail!("nine fields");
    };
    Ok(Line {
        core: core.into(),
        case: case.into(),
        set: set.into(),
        bytes: bytes.parse()?,
        kbps: kbps.parse()?,
        processes: processes.parse()?,
        megahertz: megahertz.parse()?,
        program: program.into(),
        fitted: false,
        source: source.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let lines = lines().unwrap();
        let of = |core: &str| lines.iter().filter(|l| l.core == core).count();
        assert_eq!(
            ["karu64", "sifive-p550", "sifive-u74", "spacemit-x100", "spacemit-x60"].map(of),
            [20, 6, 24, 2, 6]
        );
        assert_eq!(lines.iter().filter(|l| l.fitted).count(), 9);
        assert!(lines.iter().all(|l| l.incomparable().is_some() == (l.core == "sifive-u74")));
    }

    /// AES-256-GCM of 16384 bytes on the K3: four processes at 2.4 GHz encrypt 7.578 GB/s.
    #[test]
    fn cycles_are_those_of_one_core() {
        let lines = lines().unwrap();
        let gcm = lines.iter().find(|l| l.core == "spacemit-x100" && l.bytes == 16384).unwrap();
        assert!((gcm.cycles_per_byte() - 1.2668).abs() < 1e-4, "{}", gcm.cycles_per_byte());
    }
}
