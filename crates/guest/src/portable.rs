//! libcapvec's portable C without its kernels, compiled for an ISA of choice: what a compiler alone makes of it.

use crate::part::{self, Part, Unit};

/// A compiler of the distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// GNU.
    Gcc,
    /// LLVM.
    Clang,
}

impl Compiler {
    /// Every compiler.
    pub const ALL: [Compiler; 2] = [Compiler::Gcc, Compiler::Clang];

    /// Its name, which is that of its program.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang",
        }
    }

    /// The flag for remarks on loops that were not vectorised, on standard error.
    pub fn remarks(self) -> &'static str {
        match self {
            Compiler::Gcc => "-fopt-info-vec-missed",
            Compiler::Clang => "-Rpass-missed=loop-vectorize",
        }
    }
}

/// How the compilers say that they did not vectorise a loop.
const NOT_VECTORISED: [&str; 2] =
    ["missed: couldn't vectorize loop", "remark: loop not vectorized"];

/// Whether a line of a compiler's output says that a loop was not vectorised.
pub fn is_not_vectorised(line: &str) -> bool {
    NOT_VECTORISED.iter().any(|said| line.contains(said))
}

impl std::str::FromStr for Compiler {
    type Err = String;

    fn from_str(text: &str) -> Result<Compiler, String> {
        let found = Compiler::ALL.into_iter().find(|c| c.name() == text);
        found.ok_or_else(|| {
            format!("no such compiler; there are {}", Compiler::ALL.map(Compiler::name).join(", "))
        })
    }
}

/// How the portable C is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portable {
    /// By which compiler.
    pub compiler: Compiler,
    /// For which ISA: the value of `-march`.
    pub march: String,
}

/// Beginnings of the names of units that are compiled for the ISA: ML-KEM, and the hash that it uses. The others of the
/// library are the same in every build.
const OF_MLKEM: [&str; 4] = ["mlkem", "keccak_", "sha3", "hash"];

impl Portable {
    /// The flags of a unit, if it is compiled for the ISA.
    pub(crate) fn flags(&self, unit: &Unit) -> Option<Vec<String>> {
        let is = |begin: &&str| unit.source.0.starts_with(begin);
        let own = part::PORTABLE.units.iter().any(|u| u.source.0 == unit.source.0);
        let march = format!("-march={}", self.march);
        (own && OF_MLKEM.iter().any(is))
            .then(|| vec!["-O3".into(), march, self.compiler.remarks().into()])
    }
}

/// The parts of the driver.
pub(crate) fn parts() -> Vec<&'static Part> {
    vec![
        &part::MEASURE,
        &part::JOBS,
        &part::CIPHERS,
        &part::CAPVEC,
        &part::PORTABLE,
        &part::NO_KERNELS,
        &part::PUBLIC_KEY,
        &part::CAPVEC_KEYS,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_code_of_ml_kem_is_compiled_for_the_isa() {
        let portable = Portable { compiler: Compiler::Clang, march: "rv64gcv".into() };
        let units = || parts().into_iter().flat_map(|p| p.units);
        let flags = |name: &str| {
            let unit = units().find(|u| u.source.0 == name).unwrap_or_else(|| panic!("no {name}"));
            portable.flags(unit)
        };
        for own in ["mlkem_ntt.c", "keccak_portable.c", "sha3.c", "hash_many.c"] {
            let flags = flags(own).unwrap();
            assert_eq!(flags, ["-O3", "-march=rv64gcv", "-Rpass-missed=loop-vectorize"], "{own}");
        }
        for other in ["main.c", "aes.c", "mldsa_ntt.c", "none.c", "evp_mlkem.c"] {
            assert_eq!(flags(other), None, "{other}");
        }
    }
}
