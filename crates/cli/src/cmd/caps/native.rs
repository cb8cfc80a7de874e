//! What this machine, its kernel and its OpenSSL report about the features that cryptography uses.

use comfy_table::{Table, presets};
use serde::Serialize;
use std::process::Command;

/// A feature: its name, whether the processor has it, its word in /proc/cpuinfo, its bit in OpenSSL's vector.
struct Feature {
    name: &'static str,
    present: bool,
    word: &'static str,
    bit: Option<u32>,
}

/// Bits of OPENSSL_ia32cap (OPENSSL_ia32cap(3)).
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<Feature> {
    macro_rules! list {
        ($(($name:tt, $word:literal, $bit:expr)),* $(,)?) => {
            vec![$(Feature {
                name: $name,
                present: std::arch::is_x86_feature_detected!($name),
                word: $word,
                bit: $bit,
            }),*]
        };
    }
    list![
        ("pclmulqdq", "pclmulqdq", Some(33)),
        ("ssse3", "ssse3", Some(41)),
        ("aes", "aes", Some(57)),
        ("avx", "avx", Some(60)),
        ("rdrand", "rdrand", Some(62)),
        ("avx2", "avx2", Some(64 + 5)),
        ("bmi2", "bmi2", Some(64 + 8)),
        ("avx512f", "avx512f", Some(64 + 16)),
        ("rdseed", "rdseed", Some(64 + 18)),
        ("adx", "adx", Some(64 + 19)),
        ("avx512ifma", "avx512ifma", Some(64 + 21)),
        ("sha", "sha_ni", Some(64 + 29)),
        ("gfni", "gfni", Some(64 + 40)),
        ("vaes", "vaes", Some(64 + 41)),
        ("vpclmulqdq", "vpclmulqdq", Some(64 + 42)),
    ]
}

/// Bits of OPENSSL_armcap (crypto/arm_arch.h).
#[cfg(target_arch = "aarch64")]
fn features() -> Vec<Feature> {
    macro_rules! list {
        ($(($name:tt, $word:literal, $bit:expr)),* $(,)?) => {
            vec![$(Feature {
                name: $name,
                present: std::arch::is_aarch64_feature_detected!($name),
                word: $word,
                bit: $bit,
            }),*]
        };
    }
    list![
        ("neon", "asimd", Some(0)),
        ("aes", "aes", Some(2)),
        ("sha2", "sha2", Some(4)),
        ("pmull", "pmull", Some(5)),
        ("rand", "rng", Some(8)),
        ("sm4", "sm4", Some(10)),
        ("sha3", "sha3", Some(11)),
        ("sve", "sve", Some(13)),
        ("sve2", "sve2", Some(14)),
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
pub fn ask() -> Report {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let kernel = feature_line(&cpuinfo);
    let library = Command::new("openssl")
        .args(["info", "-cpusettings"])
        .output()
        .ok()
        .filter(|o| o.status.success())
        .map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string());
    let rows = features()
        .iter()
        .map(|f| Row {
            feature: f.name,
            processor: f.present,
            kernel: kernel.as_ref().map(|k| k.split_whitespace().any(|w| w == f.word)),
            library: f.bit.and_then(|b| vector_bit(library.as_deref()?, b)),
        })
        .collect();
    Report { architecture: std::env::consts::ARCH, kernel, library, rows }
}

/// The value of the first line of /proc/cpuinfo that lists features: `flags` (x86), `Features` (Arm) or `isa`.
fn feature_line(cpuinfo: &str) -> Option<String> {
    let named = |line: &str| {
        let (name, value) = line.split_once(':')?;
        ["flags", "Features", "isa"].contains(&name.trim()).then(|| value.trim().to_string())
    };
    cpuinfo.lines().find_map(named)
}

/// Bit `n` of `OPENSSL_ia32cap=0x…:0x…` (64 bits a word) or `OPENSSL_armcap=0x…`.
fn vector_bit(settings: &str, n: u32) -> Option<bool> {
    let vector = settings.split_once("cap=")?.1.split_whitespace().next()?;
    let word = vector.split(':').nth((n / 64) as usize)?;
    let value = u64::from_str_radix(word.trim_start_matches("0x"), 16).ok()?;
    Some(value >> (n % 64) & 1 != 0)
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
    fn bits_of_the_librarys_vector_are_named() {
        let text = "OPENSSL_ia32cap=0x7ffaf3ffffebffff:0x20 env:x";
        assert_eq!(vector_bit(text, 57), Some(true));
        assert_eq!(vector_bit(text, 50), Some(false));
        assert_eq!(vector_bit(text, 64 + 5), Some(true));
        assert_eq!(vector_bit(text, 64 + 16), Some(false));
        assert_eq!(vector_bit(text, 64 * 2), None);
        assert_eq!(vector_bit("OPENSSL_armcap=0x3d", 2), Some(true));
        assert_eq!(vector_bit("N/A", 2), None);
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
