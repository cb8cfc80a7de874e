//! What this machine, its kernel and its OpenSSL report about the features that cryptography uses.

use anyhow::Result;
use capvec_bench::capset::{Override, words};
use capvec_record::Arch;
use comfy_table::{Table, presets};
use serde::Serialize;
use std::process::Command;

/// A feature: its name, whether the processor has it, and the name of the capability in cases/overrides.toml.
struct Feature {
    name: &'static str,
    present: bool,
    capability: &'static str,
}

macro_rules! features {
    ($detected:ident: $(($name:tt, $capability:literal)),* $(,)?) => {
        vec![$(Feature { name: $name, present: $detected!($name), capability: $capability }),*]
    };
}

#[cfg(target_arch = "aarch64")]
use std::arch::is_aarch64_feature_detected;
#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected;

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<Feature> {
    features![is_x86_feature_detected:
        ("pclmulqdq", "pclmul"),
        ("ssse3", "ssse3"),
        ("aes", "aesni"),
        ("avx", "avx"),
        ("rdrand", "rdrand"),
        ("avx2", "avx2"),
        ("bmi2", "bmi2"),
        ("avx512f", "avx512f"),
        ("rdseed", "rdseed"),
        ("adx", "adx"),
        ("avx512ifma", "avx512ifma"),
        ("sha", "sha"),
        ("gfni", "gfni"),
        ("vaes", "vaes"),
        ("vpclmulqdq", "vpclmul"),
    ]
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<Feature> {
    features![is_aarch64_feature_detected:
        ("neon", "neon"),
        ("aes", "aes"),
        ("sha2", "sha256"),
        ("pmull", "pmull"),
        ("rand", "rng"),
        ("sm4", "sm4"),
        ("sha3", "sha3"),
        ("sve", "sve"),
        ("sve2", "sve2"),
    ]
}

/// On other architectures, only the kernel and the library are queried.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<Feature> {
    Vec::new()
}

/// What each of the three reports about a feature; `None` if it has no name for the feature.
#[derive(Serialize)]
struct Row {
    feature: &'static str,
    processor: bool,
    kernel: Option<bool>,
    library: Option<bool>,
}

/// Everything that is reported about this machine.
#[derive(Serialize)]
pub struct Report {
    architecture: &'static str,
    /// The line of /proc/cpuinfo that lists features.
    kernel: Option<String>,
    /// What `openssl info -cpusettings` prints.
    library: Option<String>,
    rows: Vec<Row>,
}

/// Queries the processor, the kernel and the `openssl` in PATH.
///
/// # Errors
/// The table of capabilities is broken.
pub fn ask() -> Result<Report> {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let kernel = feature_line(&cpuinfo);
    let library = Command::new("openssl")
        .args(["info", "-cpusettings"])
        .output()
        .ok()
        .filter(|o| o.status.success())
        .map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string());
    let bits = Arch::host().map_or(Ok(None), Override::of)?;
    let known = library.as_deref().and_then(words);
    let row = |f: &Feature| {
        let capability = bits.as_ref()?.reported(f.capability)?;
        let shown = |k: &String| k.split_whitespace().any(|w| w == capability.cpuinfo());
        Some(Row {
            feature: f.name,
            processor: f.present,
            kernel: kernel.as_ref().map(shown),
            library: known.as_ref().and_then(|known| capability.is_in(known)),
        })
    };
    let rows = features().iter().filter_map(row).collect();
    Ok(Report { architecture: std::env::consts::ARCH, kernel, library, rows })
}

/// The value of the first line of /proc/cpuinfo that lists features: `flags` (x86), `Features` (Arm) or `isa`.
fn feature_line(cpuinfo: &str) -> Option<String> {
    let named = |line: &str| {
        let (name, value) = line.split_once(':')?;
        ["flags", "Features", "isa"].contains(&name.trim()).then(|| value.trim().to_string())
    };
    cpuinfo.lines().find_map(named)
}

impl Report {
    /// The report for people.
    pub fn text(&self) -> String {
        let or = |v: &Option<String>, none: &str| v.clone().unwrap_or_else(|| none.into());
        let mut s = format!("processor  {}\n", self.architecture);
        if self.rows.is_empty() {
            s +=
                &format!("kernel     {}\n", or(&self.kernel, "lists no features in /proc/cpuinfo"));
        }
        s += &format!("library    {}\n", or(&self.library, "no openssl 3 in PATH"));
        if self.rows.is_empty() {
            return s;
        }
        let cell = |v: Option<bool>| match v {
            Some(true) => "yes",
            Some(false) => "no",
            None => "·",
        };
        let mut t = Table::new();
        let head = ["feature", "processor", "kernel", "library", "difference"];
        t.load_preset(presets::NOTHING).set_header(head);
        for r in &self.rows {
            let cells = [cell(Some(r.processor)), cell(r.kernel), cell(r.library)];
            let [processor, kernel, library] = cells;
            t.add_row([r.feature, processor, kernel, library, r.why()]);
        }
        s + "\n" + &t.trim_fmt() + "\n\n·: does not report it\n"
    }
}

impl Row {
    fn why(&self) -> &'static str {
        match (self.processor, self.kernel, self.library) {
            (true, Some(false), _) => {
                "the kernel hides it: its state is not saved, or it was turned off"
            }
            (false, Some(true), _) => "the kernel lists it, but programs cannot use it here",
            (true, _, Some(false)) => {
                "OpenSSL does not use it: its variable is set, or it was built without support"
            }
            (false, _, Some(true)) => "OpenSSL's variable sets what the processor lacks",
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_is_in_the_table() {
        let bits = Override::of(Arch::host().unwrap()).unwrap();
        for f in features() {
            let known = bits.as_ref().and_then(|b| b.reported(f.capability));
            assert!(known.is_some(), "{} has no bit in cases/overrides.toml", f.capability);
        }
    }

    #[test]
    fn the_line_of_features_is_found() {
        assert_eq!(feature_line("vendor : x\nflags\t\t: fpu aes\n").as_deref(), Some("fpu aes"));
        assert_eq!(feature_line("isa\t\t: rv64imac\n").as_deref(), Some("rv64imac"));
        assert_eq!(feature_line(""), None);
    }

    #[test]
    fn differences_are_explained() {
        let row = |processor, kernel, library| Row { feature: "aes", processor, kernel, library };
        assert_eq!(row(true, Some(true), Some(true)).why(), "");
        assert!(row(true, Some(true), Some(false)).why().contains("OpenSSL"));
        assert!(row(true, Some(false), None).why().contains("kernel"));
    }
}
