//! Published speeds of `openssl speed`, against which the models of cores can be judged.

pub use super::line::{Line, Needs};
use super::{cryptogams, speeds};
use anyhow::{Context, Result};

const TEXT: &str = include_str!("../../../../published/silicon.csv");
const FILE: &str = "published/silicon.csv";

/// Why predictions are off.
const DEVIATIONS: &str = include_str!("../../../../published/deviations.csv");

/// Rows of karu64's table to which its model was fitted (docs/models.md): without capabilities, and with the best set.
const FITTED: [&[&str]; 2] = [
    &["aes-128-ecb", "sha256", "sha512", "sm3", "chacha20"],
    &["aes-128-ecb", "sha256", "sm3", "chacha20"],
];

/// MHz of karu64's table.
const KARU64_MHZ: f64 = 75.0;

/// All published speeds: karu64's, then those of silicon.csv, each core's followed by those of Cryptogams' kernels.
///
/// # Errors
/// Quotes the line that cannot be read.
pub fn lines() -> Result<Vec<Line>> {
    let mut lines = karu64()?;
    lines.extend(each_line(TEXT).with_context(|| FILE)?);
    lines.extend(cryptogams::lines()?);
    let mut cores: Vec<String> = lines.iter().map(|l| l.core.clone()).collect();
    cores.dedup();
    lines.sort_by_key(|l| cores.iter().position(|core| *core == l.core));
    lines.iter_mut().for_each(|line| line.deviation = deviation(line));
    Ok(lines)
}

/// The lines of a file of this form, or of published/karu64_openssl.csv, which has speeds of `core` at this clock.
///
/// # Errors
/// The first line fits neither form; or quotes the line that cannot be read.
pub fn parse(text: &str, core: &str, megahertz: f64) -> Result<Vec<Line>> {
    let head = text.lines().find(|l| !l.starts_with('#')).unwrap_or_default();
    match head.split(',').next() {
        Some("core") => each_line(text),
        Some("case") => of_core(&speeds::parse(text)?, core, megahertz, speeds::KARU64.bytes),
        _ => anyhow::bail!(
            "its first line must name the columns of {FILE} (core, case, …) or {} (case, algorithm, …); figures of other programs than \
             `openssl speed` cannot be compared",
            speeds::KARU64.file
        ),
    }
}

fn each_line(text: &str) -> Result<Vec<Line>> {
    super::rows(text).map(|l| line(l).with_context(|| format!("\"{l}\""))).collect()
}

fn karu64() -> Result<Vec<Line>> {
    let table = speeds::KARU64;
    let mut lines = of_core(&table.lines()?, table.core, KARU64_MHZ, table.bytes)?;
    for (place, line) in lines.iter_mut().enumerate() {
        line.program = "OpenSSL 3.5.6".into();
        line.fitted = FITTED[place % 2].contains(&line.case.as_str());
        line.source = table.file.into();
    }
    Ok(lines)
}

/// Two figures for each line: without capabilities, and with the best set.
fn of_core(table: &[speeds::Line], core: &str, megahertz: f64, bytes: usize) -> Result<Vec<Line>> {
    let both = |published: &speeds::Line| {
        let best = (published.best_capset.clone(), published.best_kbps);
        let sets = [("scalar".to_string(), published.scalar_kbps), best];
        sets.map(|(set, kbps)| Line {
            core: core.into(),
            case: published.case.clone(),
            set,
            bytes,
            kbps,
            processes: 1,
            megahertz,
            program: String::new(),
            fitted: false,
            source: String::new(),
            deviation: None,
        })
    };
    Ok(table.iter().flat_map(both).collect())
}

/// The reason that is known for a figure.
fn deviation(line: &Line) -> Option<String> {
    super::rows(DEVIATIONS).find_map(|text| {
        let (figure, reason) = text.rsplit_once(';')?;
        (figure == format!("{};{};{}", line.core, line.case, line.set)).then(|| reason.into())
    })
}

fn line(text: &str) -> Result<Line> {
    let fields: Vec<&str> = text.splitn(9, ',').collect();
    let [core, case, set, bytes, kbps, processes, megahertz, program, source] = fields[..] else {
        anyhow::bail!("it must have nine fields");
    };
    let (kbps, megahertz): (f64, f64) = (kbps.parse()?, megahertz.parse()?);
    let (bytes, processes): (usize, u32) = (bytes.parse()?, processes.parse()?);
    let positive = |n: f64| n > 0.0 && n.is_finite();
    anyhow::ensure!(
        positive(kbps) && positive(megahertz) && bytes > 0 && processes > 0,
        "bytes, speed, processes and clock must be greater than 0"
    );
    Ok(Line {
        core: core.into(),
        case: case.into(),
        set: set.into(),
        bytes,
        kbps,
        processes,
        megahertz,
        program: program.into(),
        fitted: false,
        source: source.into(),
        deviation: None,
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
            ["karu64", "sifive-p550", "sifive-u74", "spacemit-x100", "spacemit-x60", "thead-c910"]
                .map(of),
            [20, 6, 34, 2, 14, 41]
        );
        assert_eq!(lines.iter().filter(|l| l.fitted).count(), 9);
        let needs = |n: Needs| lines.iter().filter(|l| l.needs() == n).count();
        assert_eq!([Needs::Stock, Needs::CBuild, Needs::Measured].map(needs), [34, 60, 23]);
        let mut cores: Vec<&str> = lines.iter().map(|l| l.core.as_str()).collect();
        cores.dedup();
        assert_eq!(cores.len(), 6, "the figures of a core follow each other");
    }

    #[test]
    fn a_speed_of_nothing_is_refused() {
        let of = |kbps: &str| line(&format!("mine,sha256,scalar,16,{kbps},1,1600,program,source"));
        assert!(of("12.5").is_ok());
        for kbps in ["0", "-1", "inf", "NaN"] {
            let error = of(kbps).unwrap_err().to_string();
            assert!(error.contains("greater than 0"), "{error}");
        }
    }

    /// Each reason is that of a published figure.
    #[test]
    fn every_reason_is_used() {
        let lines = lines().unwrap();
        for text in super::super::rows(DEVIATIONS) {
            let reason = text.rsplit_once(';').unwrap().1;
            assert!(lines.iter().any(|l| l.deviation.as_deref() == Some(reason)), "{text}");
        }
    }

    /// AES-256-GCM of 16384 bytes on the K3: four processes at 2.4 GHz encrypt 7.578 GB/s.
    #[test]
    fn cycles_are_those_of_one_core() {
        let lines = lines().unwrap();
        let gcm = lines.iter().find(|l| l.core == "spacemit-x100" && l.bytes == 16384).unwrap();
        assert!((gcm.cycles_per_byte() - 1.2668).abs() < 1e-4, "{}", gcm.cycles_per_byte());
    }
}
