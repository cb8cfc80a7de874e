//! Steps of ciphers and hashes done by the host's own instructions.
//!
//! They must equal `crypto`, which runs where the host lacks the instructions: `tests/crypto/kernels.rs` compares
//! them, one feature at a time. A hart has a `Host`, so tests can take features away.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "aarch64")]
use aarch64 as native;
#[cfg(target_arch = "x86_64")]
mod sm4;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
mod x86_group;
#[cfg(target_arch = "x86_64")]
use x86 as native;

/// Host instructions that come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Feature {
    /// AES-NI with SSSE3 and SSE4.1; AES of Armv8.
    Aes,
    /// PCLMULQDQ with SSSE3; PMULL of Armv8.
    Clmul,
    /// SHA-NI with SSSE3 and SSE4.1; SHA2 of Armv8.
    Sha256,
    /// SHA512 of Armv8.2.
    Sha512,
}

impl Feature {
    /// All features of all kinds of hosts.
    pub const ALL: [Feature; 4] = [Feature::Aes, Feature::Clmul, Feature::Sha256, Feature::Sha512];
}

/// Features that this host has. No constructor adds one that it lacks, so holding the value permits using them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host(u8);

impl Host {
    /// None.
    pub const fn plain() -> Host {
        Host(0)
    }

    /// All features that this host has. The processor is queried once.
    pub fn detected() -> Host {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        return Host(
            Feature::ALL.iter().filter(|f| native::detect(**f)).fold(0, |all, f| all | bit(*f)),
        );
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        return Host::plain();
    }

    /// Only this feature, if the host has it.
    pub fn only(self, f: Feature) -> Host {
        Host(self.0 & bit(f))
    }

    /// All features except this one.
    pub fn without(self, f: Feature) -> Host {
        Host(self.0 & !bit(f))
    }

    /// Whether it has a feature.
    #[inline(always)]
    pub fn has(self, f: Feature) -> bool {
        self.0 & bit(f) != 0
    }

    /// Does a step on groups of a register file. Returns false, with nothing done, if the host lacks the instructions for it.
    ///
    /// # Panics
    /// If a group is not in the file.
    #[inline(always)]
    pub fn groups(self, step: Step, file: &mut [u8], groups: Groups) -> bool {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        if let Some(kernel) = native::kernel(self, step) {
            // SAFETY: `kernel` chooses by the features of `self`, which the processor has.
            unsafe { kernel(file, groups) };
            return true;
        }
        let _ = (step, file, groups);
        false
    }

    /// The result of a step on registers; `None` if the host lacks the instructions for it.
    #[inline(always)]
    pub fn words(self, step: Words, a: u64, b: u64) -> Option<u64> {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        if let Some(f) = native::words(self, step) {
            // SAFETY: as above.
            return Some(unsafe { f(a, b) });
        }
        let _ = (step, a, b);
        None
    }
}

const fn bit(f: Feature) -> u8 {
    1 << f as u8
}

/// A step that updates vd from vd, vs2 and vs1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// `vaesem`; the key is in vs2, as for the next three.
    AesEncryptMiddle,
    /// `vaesef`.
    AesEncryptFinal,
    /// `vaesdm`.
    AesDecryptMiddle,
    /// `vaesdf`.
    AesDecryptFinal,
    /// `vghsh`.
    Ghash,
    /// `vgmul`.
    GhashMultiply,
    /// `vsha2ch` at SEW 32.
    Sha256High,
    /// `vsha2cl` at SEW 32.
    Sha256Low,
    /// `vsha2ms` at SEW 32.
    Sha256Schedule,
    /// `vsha2ch` at SEW 64.
    Sha512High,
    /// `vsha2cl` at SEW 64.
    Sha512Low,
    /// `vsha2ms` at SEW 64.
    Sha512Schedule,
    /// `vsm4r`.
    Sm4,
}

impl Step {
    /// All steps.
    pub const ALL: [Step; 13] = [
        Step::AesEncryptMiddle,
        Step::AesEncryptFinal,
        Step::AesDecryptMiddle,
        Step::AesDecryptFinal,
        Step::Ghash,
        Step::GhashMultiply,
        Step::Sha256High,
        Step::Sha256Low,
        Step::Sha256Schedule,
        Step::Sha512High,
        Step::Sha512Low,
        Step::Sha512Schedule,
        Step::Sm4,
    ];

    /// Bytes of a group.
    pub fn bytes(self) -> usize {
        match self {
            Step::Sha512High | Step::Sha512Low | Step::Sha512Schedule => 32,
            _ => 16,
        }
    }
}

/// A step that computes rd from rs1 and rs2 on RV64, or a 64-bit element from two others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// `aes64es`.
    AesEncryptFinal,
    /// `aes64esm`.
    AesEncryptMiddle,
    /// `aes64ds`.
    AesDecryptFinal,
    /// `aes64dsm`.
    AesDecryptMiddle,
    /// `aes64im`.
    AesMix,
    /// `clmul`, `vclmul`.
    Clmul,
    /// `clmulh`, `vclmulh`.
    ClmulHigh,
    /// `clmulr`.
    ClmulReversed,
}

impl Words {
    /// All steps.
    pub const ALL: [Words; 8] = [
        Words::AesEncryptFinal,
        Words::AesEncryptMiddle,
        Words::AesDecryptFinal,
        Words::AesDecryptMiddle,
        Words::AesMix,
        Words::Clmul,
        Words::ClmulHigh,
        Words::ClmulReversed,
    ];
}

/// Groups of a register file: byte offsets of each operand's first group.
#[derive(Clone, Copy, Debug)]
pub struct Groups {
    /// vd.
    pub vd: usize,
    /// vs2.
    pub vs2: usize,
    /// Distance between groups of vs2; 0 if one group serves all.
    pub step: usize,
    /// vs1; any value if the step has none.
    pub vs1: usize,
    /// Number of groups.
    pub count: usize,
}

impl Groups {
    /// Sets every group of vd to `f(vd, vs2, vs1)`, in order.
    #[inline(always)]
    fn each<const N: usize>(
        self,
        file: &mut [u8],
        f: impl Fn([u8; N], [u8; N], [u8; N]) -> [u8; N],
    ) {
        for g in 0..self.count {
            let (vd, vs1) = (self.vd + N * g, self.vs1 + N * g);
            let result =
                f(group(file, vd), group(file, self.vs2 + self.step * g), group(file, vs1));
            file[vd..vd + N].copy_from_slice(&result);
        }
    }
}

#[inline(always)]
fn group<const N: usize>(file: &[u8], at: usize) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&file[at..at + N]);
    bytes
}
