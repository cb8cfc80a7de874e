//! Whether the target's processor has the extensions that a file's code uses, as far as that is known without executing
//! anything.

use crate::remedy::shown_since;
use capvec_bench::capset::Override;
use capvec_binscan::{Family, Machine, Use};
use capvec_isa::{Ext, ExtSet, foreign_isa_string};
use capvec_record::Arch;
use std::collections::BTreeMap;

/// The processor of a target.
#[derive(Clone, Debug)]
pub enum Processor {
    /// Only the architecture is known, for example of an emulated processor.
    Unknown(Machine),
    /// A modelled core.
    Core {
        /// Its name.
        name: String,
        /// What it executes.
        exts: ExtSet,
    },
    /// This machine's, as its kernel shows it.
    Host {
        /// The architecture.
        machine: Machine,
        /// Whether /proc/cpuinfo shows each extension; without those for which an older kernel has no word.
        shown: BTreeMap<String, bool>,
    },
}

/// The words that show the two units of PadLock (Linux, arch/x86/include/asm/cpufeatures.h).
const PADLOCK_CIPHERS: &str = "ace_en";
const PADLOCK_HASHES: &str = "phe_en";

/// The name in `shown` of the extension that this code uses.
fn name(code: &Use) -> &'static str {
    match (code.extension, code.family) {
        ("padlock", Family::Aes) => PADLOCK_CIPHERS,
        ("padlock", _) => PADLOCK_HASHES,
        (name, _) => name,
    }
}

/// The extensions that a line of words shows; none if the table is broken.
fn shown_words(arch: Arch, text: &str) -> BTreeMap<String, bool> {
    let is_there = |word: &str| text.split_whitespace().any(|w| w == word);
    let padlock = [PADLOCK_CIPHERS, PADLOCK_HASHES].map(|word| (word.into(), is_there(word)));
    let Ok(Some(bits)) = Override::of(arch) else { return BTreeMap::new() };
    let of = |name: &str| Some((name.into(), is_there(bits.reported(name)?.cpuinfo())));
    bits.names().filter_map(of).chain(padlock).collect()
}

impl Processor {
    /// A processor of which only the architecture is known.
    pub fn of(arch: Arch) -> Processor {
        Processor::Unknown(match arch {
            Arch::X86_64 => Machine::X86_64,
            Arch::Aarch64 => Machine::Aarch64,
            Arch::Riscv64 => Machine::Riscv64,
        })
    }

    /// The architecture of the code that it executes.
    pub fn machine(&self) -> Machine {
        match self {
            Processor::Core { .. } => Machine::Riscv64,
            Processor::Unknown(machine) | Processor::Host { machine, .. } => *machine,
        }
    }

    /// This machine's processor.
    pub fn host() -> Processor {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let release = read("/proc/sys/kernel/osrelease");
        Processor::shown(std::env::consts::ARCH, &read("/proc/cpuinfo"), &release)
    }

    /// The processor of this architecture that the text of /proc/cpuinfo and a kernel's release describe.
    fn shown(arch: &str, cpuinfo: &str, release: &str) -> Processor {
        let line = |key: &str| {
            let mut lines = cpuinfo.lines().filter_map(|l| l.split_once(':'));
            lines.find(|(k, _)| k.trim() == key).map(|(_, v)| v.trim())
        };
        let Ok(arch) = Arch::parse(arch) else { return Processor::Unknown(Machine::Other) };
        let (machine, key) = match arch {
            Arch::X86_64 => (Machine::X86_64, "flags"),
            Arch::Aarch64 => (Machine::Aarch64, "Features"),
            Arch::Riscv64 => (Machine::Riscv64, "isa"),
        };
        let Some(text) = line(key) else { return Processor::Unknown(machine) };
        let shown = match machine {
            // An older kernel does not show the extensions that it does not know.
            Machine::Riscv64 if !shown_since(release, "zvkned") => {
                return Processor::Unknown(machine);
            }
            Machine::Riscv64 => {
                let exts = foreign_isa_string::exts(text).unwrap_or_default();
                Ext::all().map(|e| (e.name().to_string(), exts.has(e))).collect()
            }
            _ => shown_words(arch, text),
        };
        Processor::Host { machine, shown }
    }

    /// The name for display.
    pub fn name(&self) -> String {
        match self {
            Processor::Unknown(_) => "a processor".into(),
            Processor::Core { name, .. } => format!("the core {name}"),
            Processor::Host { .. } => "this processor (/proc/cpuinfo)".into(),
        }
    }

    /// Whether it has an extension of RISC-V, or may have it, if that is not known.
    pub fn may_have(&self, extension: &str) -> bool {
        match self {
            Processor::Unknown(_) => true,
            Processor::Core { exts, .. } => Ext::from_name(extension).is_some_and(|e| exts.has(e)),
            Processor::Host { shown, .. } => shown.get(extension) != Some(&false),
        }
    }

    /// Whether it is known to lack the extension that this code for its architecture uses.
    pub fn lacks(&self, machine: Machine, code: &Use) -> bool {
        match self {
            Processor::Unknown(_) => false,
            Processor::Core { exts, .. } => {
                let ext = Ext::from_name(code.extension);
                machine == Machine::Riscv64 && ext.is_some_and(|e| !exts.has(e))
            }
            Processor::Host { machine: own, .. } if *own != machine => false,
            Processor::Host { shown, .. } => shown.get(name(code)) == Some(&false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(extension: &'static str, family: Family) -> Use {
        let functions = Vec::new();
        let (count, clusters, largest, address, sure) = (4, 1, 4, 0, true);
        Use { extension, family, count, clusters, largest, address, functions, sure }
    }

    #[test]
    fn features_that_the_kernel_does_not_show_are_lacking() {
        let x86 = Processor::shown("x86_64", "model\t: x\nflags\t\t: fpu aes sha_ni ace_en\n", "");
        let lacks = |e, family| x86.lacks(Machine::X86_64, &code(e, family));
        assert!(!lacks("aesni", Family::Aes) && !lacks("sha", Family::Sha1));
        assert!(lacks("vaes", Family::Aes) && lacks("pclmul", Family::Ghash));
        // PadLock's ciphers and hashes are two units.
        assert!(!lacks("padlock", Family::Aes) && lacks("padlock", Family::Sha2));
        // Linux has had these words since 6.13: an older kernel does not show them.
        assert!(!lacks("sha512", Family::Sha2) && !lacks("sm3", Family::Sm3));
        // Code for another architecture.
        assert!(!x86.lacks(Machine::Aarch64, &code("sm4", Family::Sm4)));
        let arm = Processor::shown("aarch64", "Features : fp asimd aes sha1 sha2", "6.1");
        let lacks = |e| arm.lacks(Machine::Aarch64, &code(e, Family::Sha2));
        assert!(!lacks("sha256") && lacks("sha512"));
    }

    #[test]
    fn cores_and_boards_lack_extensions() {
        let isa: capvec_isa::Isa = "rv64gcv_zvkned_zvknhb".parse().unwrap();
        let core = Processor::Core { name: "mine".into(), exts: isa.exts };
        let cpuinfo = "hart : 0\nisa\t: rv64imafdcv_zvkned_zvknhb\n";
        let board = Processor::shown("riscv64", cpuinfo, "6.12.0-x");
        for processor in [core, board] {
            let lacks = |e, family| processor.lacks(Machine::Riscv64, &code(e, family));
            assert!(!lacks("zvkned", Family::Aes) && !lacks("zvknha", Family::Sha2));
            assert!(lacks("zvkg", Family::Ghash) && lacks("zvksh", Family::Sm3));
        }
        let old = Processor::shown("riscv64", cpuinfo, "6.6.30");
        assert!(!old.lacks(Machine::Riscv64, &code("zvkg", Family::Ghash)), "it knows no Zvkg");
        let unknown = Processor::shown("x86_64", "", "6.12");
        assert!(!unknown.lacks(Machine::X86_64, &code("vaes", Family::Aes)));
    }
}
