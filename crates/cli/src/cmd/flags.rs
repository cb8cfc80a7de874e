//! Flags that several sub-commands share, and their meaning.

use crate::cmd::Usage;
use capvec_bench::case::Case;
use capvec_guest::Packaged;
use capvec_targets::backend::QEMU_VLEN;
use capvec_targets::{Feature, SubjectName};
use clap::ValueEnum;
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::ops::RangeInclusive;

/// The output format of a sub-command.
#[derive(Clone, Copy, ValueEnum)]
pub enum Format {
    Table,
    Csv,
    Json,
    #[value(alias = "markdown")]
    Md,
}

/// The help text of `--core`.
pub const CORE_HELP: &str = "Core model: a name from `capvec cores list`, or a file";
/// The same where it takes several.
pub const CORES_HELP: &str =
    "Core models: names from `capvec cores list`, or files; several are compared";

/// The builds of OpenSSL that `--subject` names, for its help.
pub fn openssl_subjects(own: &str) -> String {
    format!(
        "openssl ({own}), openssl:NAME (made by `capvec build`), or the path of a libcrypto.so.3"
    )
}

/// All libraries that `--subject` names, for its help; where the target is chosen, not every target runs all of them.
pub fn subjects(chosen_target: bool) -> String {
    let (own, condition) = match chosen_target {
        true => {
            let flags = Feature::Run.flags_for(&SubjectName::Capvec);
            ("the target's own", format!("with {flags} "))
        }
        false => ("the sysroot's own", String::new()),
    };
    format!(
        "{}; {condition}also capvec (libcapvec), openssl+capvec (stock OpenSSL with libcapvec as its provider) and {} (the \
         distribution's)",
        openssl_subjects(own),
        Packaged::ALL.map(Packaged::name).join(", ")
    )
}

/// The help of a flag, with the default that applies where the flag is allowed; clap shows only defaults that always apply.
pub fn with_default(help: &str, default: impl Display) -> String {
    format!("{help} [default: {default}]")
}

/// The help of a flag that only some targets support.
pub fn only_with(help: &str, feature: Feature) -> String {
    format!("{help}. Only with {}", feature.target_flags())
}

/// The help of `--vlen` where the target is chosen; `own` is the simulator's default.
pub fn vlen_help(help: &str, own: &str) -> String {
    with_default(
        &format!("{help}, for {}", Feature::Vlen.targets().join(" and ")),
        format_args!("{own}; {QEMU_VLEN} for qemu:riscv64"),
    )
}

/// A VLEN that the simulator supports.
pub fn vlen(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(v) if (128..=65536).contains(&v) && u32::is_power_of_two(v) => Ok(v),
        _ => Err("must be a power of two from 128 to 65536".into()),
    }
}

/// A number of bytes within `range`; k, M and G are powers of 1024, like KiB, MiB and GiB. `limits` names the range in
/// the error.
pub fn bytes(text: &str, range: RangeInclusive<u64>, limits: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kib" => Some(10),
        "m" | "mib" => Some(20),
        "g" | "gib" => Some(30),
        _ => None,
    };
    let bytes = shift.and_then(|s| number.parse::<u64>().ok()?.checked_mul(1 << s));
    bytes.filter(|n| range.contains(n)).ok_or_else(|| {
        let large =
            if range.contains(&(512 << 20)) { "16k, 16KiB or 512M" } else { "16k or 16KiB" };
        format!("must be a number of bytes {limits}, such as 16384, {large} (k is 1024)")
    })
}

/// The values of a flag with two spellings, and the spelling that was used; clap refuses both at once.
pub fn algorithms<'a>(own: &'a [String], cases: &'a [String]) -> (&'static str, &'a [String]) {
    if cases.is_empty() { ("--algorithms", own) } else { ("--cases", cases) }
}

/// Refuses cases that libcapvec lacks, if it is among the subjects.
pub fn available(flag: &str, cases: &[Case], subjects: &[SubjectName]) -> Result<(), Usage> {
    let lacks = |c: &&Case| !c.is_in(SubjectName::Capvec.library_kind());
    match cases.iter().find(lacks).filter(|_| subjects.contains(&SubjectName::Capvec)) {
        None => Ok(()),
        Some(case) => Err(Usage(format!(
            "{flag}: --subject capvec has no {} ({}): libcapvec's only public-key algorithms are ML-KEM, ML-DSA \
             and SLH-DSA; --subject openssl has it (`symmetric` and `pqc` name all cases that both have)",
            case.id, case.title
        ))),
    }
}

/// Refuses cases that the library lacks, if that is known; `bench` names them instead.
pub fn offered(flag: &str, cases: &[Case], subject: &SubjectName) -> Result<(), Usage> {
    available(flag, cases, std::slice::from_ref(subject))?;
    let kind = subject.library_kind();
    match cases.iter().find(|c| !c.is_in(kind)).filter(|_| kind.packaged().is_some()) {
        None => Ok(()),
        Some(case) => Err(Usage(format!(
            "{flag}: --subject {subject} does not offer {} ({}); leave it out",
            case.id, case.title
        ))),
    }
}

/// Removes duplicates, keeping the first: `64,64` measures one size.
pub fn once<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    values.into_iter().fold(Vec::new(), |mut seen, v| {
        if !seen.contains(&v) {
            seen.push(v);
        }
        seen
    })
}

/// The width to fold a table to, if standard output is a terminal.
pub fn terminal_width() -> Option<u16> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(columns.max(80))
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_record::published::speeds::KARU64;
    use capvec_sysroot::{DEFAULT_ARCH, DEFAULT_SUITE};
    use capvec_targets::CORE;
    use std::path::Path;

    /// The lines of a file, or of all files below a directory.
    fn lines(path: &Path) -> Vec<String> {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("a directory");
            return entries.flat_map(|e| lines(&e.expect("readable").path())).collect();
        }
        let text = std::fs::read_to_string(path).expect("UTF-8");
        text.lines().map(|line| format!("{}: {line}", path.display())).collect()
    }

    /// A default that is a constant is formatted into the help, so that the help changes with it.
    #[test]
    fn no_help_repeats_a_constant() {
        let constants = [
            CORE.to_string(),
            DEFAULT_SUITE.into(),
            DEFAULT_ARCH.into(),
            KARU64.bytes.to_string(),
            QEMU_VLEN.to_string(),
        ];
        let repeats = |line: &&String| {
            let defaults = line.split("default").skip(1);
            let mut defaults = defaults.map(|after| after.split(']').next().unwrap_or(after));
            (line.contains("///") || line.contains("#[arg"))
                && defaults.any(|text| constants.iter().any(|c| text.contains(c.as_str())))
        };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cmd");
        let found: Vec<String> = lines(&source).into_iter().filter(|l| repeats(&l)).collect();
        assert!(found.is_empty(), "{found:#?}");
    }

    /// Which targets support a flag is formatted into its help, so that the help changes with the rules.
    #[test]
    fn no_help_repeats_which_targets_support_a_flag() {
        let said = |line: &String| {
            let text = line.split_once(": ").map_or("", |(_, text)| text.trim_start());
            text.starts_with("///") && text.contains("nly with")
        };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cmd");
        let found: Vec<String> = lines(&source).into_iter().filter(said).collect();
        assert!(found.is_empty(), "{found:#?}");
        assert_eq!(only_with("Count", Feature::Mix), "Count. Only with --target sim");
    }

    #[test]
    fn sizes_have_units() {
        for (text, n) in [
            ("0", 0),
            ("16384", 16384),
            ("16k", 16384),
            ("16K", 16384),
            ("1KiB", 1024),
            ("4G", 4 << 30),
        ] {
            assert_eq!(bytes(text, 0..=u64::MAX, ""), Ok(n), "{text}");
        }
        // kB is ambiguous: 1000 or 1024 bytes.
        for text in ["", "k", "16kB", "1e3", "-1", "1.5k", "99999999999G", "16 k", "١"] {
            assert!(bytes(text, 0..=u64::MAX, "").is_err(), "{text}");
        }
        // The limits are named, whether the number is out of range or no number at all.
        for text in ["4GiB", "0", "16q"] {
            let error = bytes(text, 1..=1 << 30, "from 1 to 1G").unwrap_err();
            assert!(error.contains("from 1 to 1G") && !error.contains("4G"), "{error}");
        }
        // Examples are within them.
        for (most, has) in [(1 << 20, false), (1 << 30, true)] {
            let error = bytes("0", 1..=most, "").unwrap_err();
            assert!(error.contains("16384, 16k") && error.contains("512M") == has, "{error}");
        }
    }
}
