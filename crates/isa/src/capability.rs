//! Capability names of libraries and kernels.

use crate::ext::{Ext, ExtSet};
use crate::generated::names::{HWPROBE, LIBCAPVEC, RISCVCAP};

/// Bytes of the value that the parser reads: its buffer has 256, including the terminator.
pub const MAX_VALUE_BYTES: usize = 255;

/// The value of riscv_hwprobe's key IMA_EXT_0 on a hart with these extensions, which must include all that they
/// imply.
pub fn hwprobe_ima_ext_0(exts: ExtSet) -> u64 {
    HWPROBE.iter().filter(|(_, need)| exts.contains(*need)).fold(0, |v, (bit, _)| v | 1 << bit)
}

/// The extensions that the bits of riscv_hwprobe's key IMA_EXT_0 guarantee.
pub fn hwprobe_exts(bits: u64) -> ExtSet {
    let set = HWPROBE.iter().filter(|(bit, _)| bits >> bit & 1 != 0);
    set.fold(ExtSet::EMPTY, |all, (_, needs)| all.union(*needs))
}

/// Whether riscv_hwprobe has a bit for `ext` alone.
pub fn hwprobe_knows(ext: Ext) -> bool {
    HWPROBE.iter().any(|(_, needs)| *needs == ExtSet::of(&[ext]))
}

/// The extensions that every set includes: a stock distribution's baseline (rv64gc) and the counters.
pub const BASELINE: ExtSet = ExtSet::of(&[
    Ext::I,
    Ext::M,
    Ext::A,
    Ext::F,
    Ext::D,
    Ext::C,
    Ext::Zicsr,
    Ext::Zifencei,
    Ext::Zicntr,
]);

/// The extensions that have a bit in OpenSSL's capability vector.
pub fn openssl_known() -> impl Iterator<Item = Ext> {
    RISCVCAP.iter().copied()
}

/// The value of `OPENSSL_riscvcap` that makes OpenSSL see exactly `exts` and all that they imply; OpenSSL's parser
/// itself applies no implications.
pub fn openssl_riscvcap(exts: ExtSet) -> String {
    let exts = exts.closed();
    RISCVCAP.iter().filter(|e| exts.has(**e)).fold("rv64gc".to_string(), |s, e| s + "_" + e.name())
}

/// The drafts that libcapvec has kernels for.
pub fn libcapvec_drafts() -> impl Iterator<Item = Ext> {
    LIBCAPVEC.iter().copied().filter(|e| e.info().draft.is_some())
}

/// The value of `CAPVEC_CAPS` for a hart with `exts`: that of `OPENSSL_riscvcap`, and the drafts that libcapvec has kernels
/// for. OpenSSL does not get the drafts, because its parser would take `_zvbc32e0p7` for Zvbc.
pub fn libcapvec_caps(openssl_riscvcap: &str, exts: ExtSet) -> String {
    let drafts = libcapvec_drafts().filter(|e| exts.has(*e));
    drafts.fold(openssl_riscvcap.to_string(), |s, e| s + "_" + e.name())
}

/// The capabilities that OpenSSL's parser sets for a value of `OPENSSL_riscvcap`. It has no grammar, but searches the
/// first 255 bytes, in upper case, for `_` followed by each name. So `_zvkgs` sets Zvkg, any word that begins with
/// `_v` sets V, and `rv64gcv` sets nothing.
pub fn openssl_parse(value: &str) -> ExtSet {
    let bytes = value.as_bytes();
    let cut = bytes.get(..MAX_VALUE_BYTES).unwrap_or(bytes).to_ascii_lowercase();
    let stands = |name: &str| cut.windows(name.len()).any(|w| w == name.as_bytes());
    RISCVCAP.iter().copied().filter(|e| stands(&format!("_{}", e.name()))).collect()
}

/// The capabilities that OpenSSL 3.5 detects without `OPENSSL_riscvcap` on a Linux that reports a hart with these
/// extensions. It takes the bits of riscv_hwprobe, those of vector extensions only if AT_HWCAP has V. Linux has no
/// bit for Zkr, so OpenSSL never detects it.
pub fn openssl_detects(exts: ExtSet) -> ExtSet {
    let exts = exts.closed();
    let bits = hwprobe_ima_ext_0(exts);
    // Its table gives the bit for exactly this extension (include/crypto/riscv_arch.def).
    let probed = |e: &Ext| {
        let own = HWPROBE.iter().find(|(_, need)| *need == ExtSet::of(&[*e]));
        own.is_some_and(|(bit, _)| bits >> bit & 1 != 0)
    };
    let gated = |e: &Ext| ExtSet::of(&[*e]).closed().has(Ext::Zve32x) && !exts.has(Ext::V);
    openssl_known().filter(|e| probed(e) && !gated(e)).collect()
}

/// Adds V where there are vector capabilities: OpenSSL takes none of their paths without it.
pub fn openssl_with_v(exts: ExtSet) -> ExtSet {
    if exts.has(Ext::Zve32x) { exts.with(Ext::V).closed() } else { exts }
}

/// What extensions add for OpenSSL: all that they imply, and V where it is needed, as far as OpenSSL knows them.
pub fn openssl_closed(exts: ExtSet) -> ExtSet {
    openssl_with_v(exts.closed()).intersection(openssl_known().collect())
}

/// Performance of misaligned accesses as `riscv_hwprobe` reports it: values of
/// `RISCV_HWPROBE_KEY_MISALIGNED_SCALAR_PERF` and `…_VECTOR_PERF` (Linux `arch/riscv/include/uapi/asm/hwprobe.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misaligned {
    /// Emulated by a trap handler, very slow (scalar only).
    Emulated = 1,
    /// Slower than byte accesses.
    Slow = 2,
    /// Faster than byte accesses.
    Fast = 3,
    /// Misaligned accesses trap.
    Unsupported = 4,
}

impl Misaligned {
    /// The names that core files use.
    pub const NAMES: [&str; 4] = ["emulated", "slow", "fast", "unsupported"];
    /// All, in the order of `NAMES`.
    pub const ALL: [Misaligned; 4] =
        [Misaligned::Emulated, Misaligned::Slow, Misaligned::Fast, Misaligned::Unsupported];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openssl_reads_back_what_is_written_for_it() {
        for e in openssl_known() {
            let set = ExtSet::of(&[e]).closed();
            let known: ExtSet = openssl_known().collect();
            let seen = openssl_parse(&openssl_riscvcap(set));
            let missing = set.minus(seen);
            assert!(missing.minus(set.minus(known)).is_empty(), "{e:?}: {missing} not seen");
        }
    }

    #[test]
    fn drafts_are_for_libcapvec_only() {
        let set = ExtSet::of(&[Ext::V, Ext::Zvknhk0p2, Ext::Zvknf0p2022]);
        let openssl = openssl_riscvcap(set);
        assert_eq!(openssl, "rv64gc_v");
        assert_eq!(libcapvec_caps(&openssl, set), "rv64gc_v_zvknhk0p2");
    }

    #[test]
    fn surprises_of_openssls_parser_are_modelled() {
        assert!(openssl_parse("rv64gcv").is_empty());
        assert!(openssl_parse("rv64gcv_zvkned") == ExtSet::of(&[Ext::Zvkned]));
        assert!(openssl_parse("rv64gc_zvkgs").has(Ext::Zvkg));
        assert!(openssl_parse("rv64gc_vector").has(Ext::V));
        let long = "x".repeat(250) + "_zvkned";
        assert!(openssl_parse(&long).is_empty());
    }

    #[test]
    fn detection_needs_v_and_never_sees_zkr() {
        let set = ExtSet::of(&[Ext::Zvkned, Ext::Zbb, Ext::Zkr, Ext::Zicond]);
        assert_eq!(openssl_detects(set), ExtSet::of(&[Ext::Zbb]));
        let with_v = openssl_detects(set.with(Ext::V));
        assert_eq!(with_v, ExtSet::of(&[Ext::Zbb, Ext::V, Ext::Zvkned]));
        let all: ExtSet = openssl_known().collect();
        assert_eq!(openssl_detects(all), all.minus(ExtSet::of(&[Ext::Zkr])));
    }

    #[test]
    fn hwprobe_bits_of_the_kernel_header() {
        let set = ExtSet::of(&[Ext::V, Ext::Zvkned, Ext::Zicond]).closed();
        let bits = hwprobe_ima_ext_0(set);
        for bit in [0, 2, 21, 35, 37, 39] {
            assert!(bits >> bit & 1 == 1, "bit {bit} in {bits:#x}");
        }
        assert_eq!(bits >> 20 & 1, 0, "no Zvkg");
        let back = hwprobe_exts(bits);
        assert!(back.has(Ext::Zvkned) && back.has(Ext::Zicond) && !back.has(Ext::Zvkg));
        assert!(hwprobe_knows(Ext::Zvkned) && !hwprobe_knows(Ext::Zkr));
    }
}
