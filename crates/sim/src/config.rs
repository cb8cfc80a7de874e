//! The configuration of a hart.

use capvec_isa::ExtSet;

/// What becomes of agnostic tail and masked-off elements (Unprivileged ISA manual, "Vector Tail Agnostic and Vector
/// Mask Agnostic"). The manual allows both; `Ones` exposes software that relies on `Undisturbed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Agnostic {
    /// Elements keep their values.
    #[default]
    Undisturbed,
    /// All bits become one.
    Ones,
}

impl Agnostic {
    /// Both policies.
    pub const ALL: [Agnostic; 2] = [Agnostic::Undisturbed, Agnostic::Ones];

    /// The name in flags, columns and files.
    pub fn name(self) -> &'static str {
        match self {
            Agnostic::Undisturbed => "undisturbed",
            Agnostic::Ones => "ones",
        }
    }
}

/// Which accesses trap unless they are aligned: those of scalar instructions to their size, those of vector instructions to
/// their EEW. The manual leaves this to the implementation. Atomics always must be aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MustAlign {
    /// Accesses of scalar instructions.
    pub scalar: bool,
    /// Accesses of vector instructions.
    pub vector: bool,
}

/// The configuration of a hart, fixed for its lifetime, except for extensions that `mstatus` switches off.
#[derive(Clone, Debug)]
pub struct Config {
    /// 32 or 64.
    pub xlen: u8,
    /// Extensions, including all that they imply.
    pub exts: ExtSet,
    /// VLEN in bits, a power of two from 128 to 65536.
    pub vlen: u32,
    /// What becomes of agnostic elements.
    pub agnostic: Agnostic,
    /// Accesses that trap unless they are aligned.
    pub must_align: MustAlign,
    /// Bytes of a cache block for Zicbom, Zicbop and Zicboz.
    pub cache_block: u32,
    /// Seed of the entropy source (Zkr).
    pub seed: u64,
    /// Frequency of the `time` CSR in Hz.
    pub timebase: u64,
    /// Core clock in Hz, which converts modelled cycles to time.
    pub frequency: u64,
}

impl Config {
    /// The address that a register's value stands for: [`Mode::address`](crate::mode::Mode::address) for callers without a mode.
    pub fn address(&self, x: u64) -> u64 {
        if self.xlen == 32 { x as u32 as u64 } else { x }
    }
}
