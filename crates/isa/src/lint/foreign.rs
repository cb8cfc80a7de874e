//! Texts that name a processor instead of extensions, and texts of other architectures.

use super::paste::{Form, begins};
use super::read::read;

/// The flag and the processor, if a text names a processor instead of extensions, as `-mcpu=sifive-p670` does.
pub fn processor(text: &str) -> Option<(&str, &str)> {
    const FLAGS: [&str; 3] = ["-mcpu=", "-march=", "target-cpu="];
    if read(text).form != Form::Value {
        return None;
    }
    text.split_whitespace().find_map(|word| {
        let (flag, at) = FLAGS.iter().find_map(|flag| Some((flag, word.find(flag)?)))?;
        let name = word.get(at + flag.len()..)?;
        (!name.is_empty() && !begins(name)).then_some((flag.trim_end_matches('='), name))
    })
}

/// Prefixes of names for `-march` and `-mcpu`, by architecture (GCC's and LLVM's lists).
const PROCESSORS: [(&str, &[&str]); 2] = [
    (
        "x86",
        &[
            "x86-64",
            "x86_64",
            "i386",
            "i486",
            "i586",
            "i686",
            "pentium",
            "core2",
            "nehalem",
            "westmere",
            "sandybridge",
            "ivybridge",
            "haswell",
            "broadwell",
            "skylake",
            "cannonlake",
            "icelake",
            "cascadelake",
            "cooperlake",
            "tigerlake",
            "rocketlake",
            "alderlake",
            "sapphirerapids",
            "emeraldrapids",
            "graniterapids",
            "raptorlake",
            "meteorlake",
            "arrowlake",
            "silvermont",
            "goldmont",
            "tremont",
            "sierraforest",
            "knl",
            "athlon",
            "opteron",
            "k8",
            "amdfam10",
            "barcelona",
            "bdver",
            "btver",
            "znver",
        ],
    ),
    ("Arm", &["armv", "cortex-", "neoverse-", "apple-", "ampere", "thunderx", "a64fx", "grace"]),
];

/// The architecture of a processor other than RISC-V, if its name is known.
pub fn architecture(processor: &str) -> Option<&'static str> {
    let lower = processor.to_ascii_lowercase();
    let is = |(_, fronts): &&(&str, &[&str])| fronts.iter().any(|f| lower.starts_with(f));
    PROCESSORS.iter().find(is).map(|(name, _)| *name)
}

/// The architecture whose /proc/cpuinfo this is, if it is not that of RISC-V (Linux, show_cpuinfo of each architecture).
pub fn cpuinfo(text: &str) -> Option<&'static str> {
    if !matches!(read(text).form, Form::Value | Form::List) {
        return None;
    }
    text.lines().filter_map(|l| l.split_once(':')).find_map(|(key, _)| match key.trim() {
        "flags" | "vendor_id" | "cpu family" => Some("x86"),
        "Features" | "CPU implementer" | "CPU architecture" => Some("Arm"),
        _ => None,
    })
}
