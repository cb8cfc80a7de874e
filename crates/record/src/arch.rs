//! Architectures of targets, with the names that the kernel, Debian, compilers and OpenSSL have for each.

use anyhow::{Context, Result, bail};
use capvec_isa::variable;
use capvec_text::escape;
use std::io::Read;
use std::path::Path;

/// An architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm.
    Aarch64,
    /// 64-bit RISC-V.
    Riscv64,
}

impl Arch {
    /// Every architecture.
    pub const ALL: [Arch; 3] = [Arch::X86_64, Arch::Aarch64, Arch::Riscv64];

    /// Its name for the kernel, QEMU and this program.
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86_64",
            Arch::Aarch64 => "aarch64",
            Arch::Riscv64 => "riscv64",
        }
    }

    /// Its name for Debian.
    pub fn debian(self) -> &'static str {
        match self {
            Arch::X86_64 => "amd64",
            Arch::Aarch64 => "arm64",
            Arch::Riscv64 => "riscv64",
        }
    }

    /// Its name for compilers.
    pub fn triplet(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86_64-linux-gnu",
            Arch::Aarch64 => "aarch64-linux-gnu",
            Arch::Riscv64 => "riscv64-linux-gnu",
        }
    }

    /// The path of its dynamic linker in a root directory.
    pub fn interpreter(self) -> &'static str {
        match self {
            Arch::X86_64 => "usr/lib64/ld-linux-x86-64.so.2",
            Arch::Aarch64 => "usr/lib/ld-linux-aarch64.so.1",
            Arch::Riscv64 => "usr/lib/ld-linux-riscv64-lp64d.so.1",
        }
    }

    /// OpenSSL's name for the target, from its `Configurations/10-main.conf`.
    pub fn openssl(self) -> &'static str {
        match self {
            Arch::X86_64 => "linux-x86_64",
            Arch::Aarch64 => "linux-aarch64",
            Arch::Riscv64 => "linux64-riscv64",
        }
    }

    /// The environment variable that limits the capabilities that OpenSSL uses.
    pub const fn variable(self) -> &'static str {
        match self {
            Arch::X86_64 => variable::OPENSSL_IA32CAP,
            Arch::Aarch64 => variable::OPENSSL_ARMCAP,
            Arch::Riscv64 => variable::OPENSSL_RISCVCAP,
        }
    }

    /// The architecture of this name, the kernel's or Debian's.
    ///
    /// # Errors
    /// There is no such name; the message lists the names.
    pub fn parse(text: &str) -> Result<Arch> {
        let is = |a: &Arch| [a.name(), a.debian()].contains(&text);
        match Arch::ALL.into_iter().find(is) {
            Some(arch) => Ok(arch),
            None => bail!(
                "no architecture \"{}\"; there are x86_64, aarch64 and riscv64",
                escape::line(text)
            ),
        }
    }

    /// The architecture of a program or shared library; `None` if it is none of these.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of_file(path: &Path) -> Result<Option<Arch>> {
        let mut head = Vec::new();
        let read = std::fs::File::open(path).and_then(|f| f.take(20).read_to_end(&mut head));
        read.with_context(|| format!("reading {}", path.display()))?;
        // Magic, 64 bits, little endian; e_machine follows e_ident and e_type (elf(5), elf.h).
        if !head.starts_with(b"\x7fELF\x02\x01") {
            return Ok(None);
        }
        Ok(match head.get(18..20) {
            Some([62, 0]) => Some(Arch::X86_64),
            Some([183, 0]) => Some(Arch::Aarch64),
            Some([243, 0]) => Some(Arch::Riscv64),
            _ => None,
        })
    }

    /// The architecture of this machine.
    ///
    /// # Errors
    /// It is none of these.
    pub fn host() -> Result<Arch> {
        Arch::parse(std::env::consts::ARCH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_architecture_of_a_file_is_recognised() {
        let this = std::env::current_exe().unwrap();
        assert_eq!(Arch::of_file(&this).unwrap(), Some(Arch::host().unwrap()));
        let other = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(Arch::of_file(other.path()).unwrap(), None);
        std::fs::write(other.path(), b"\x7fELF\x01\x01 for 32 bits, and long enough").unwrap();
        assert_eq!(Arch::of_file(other.path()).unwrap(), None);
        assert!(Arch::of_file(Path::new("/nowhere")).is_err());
    }
}
