//! Capability sets on architectures whose variable is a number.

use super::*;
use crate::capset::Wanted;
use crate::case::select;

/// Reported by the library under qemu-aarch64 10.0, and on an x86-64 server.
const ARM: &str = "OPENSSL_armcap=0x6ffd";
const X86: &str = "OPENSSL_ia32cap=0xfffa32034f8bffff:0x1a415f46f1bf2ffb env:~0x0";

fn expanded(arch: Arch, settings: &str, names: &[&str], cases: &[&str]) -> Result<Vec<Wanted>> {
    let owned = |v: &[&str]| v.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    let o = Override::of(arch).unwrap().unwrap();
    o.expand(&owned(names), &select(&owned(cases)).unwrap(), &words(settings).unwrap())
}

fn values(wanted: &[Wanted]) -> Vec<(&str, &str)> {
    wanted
        .iter()
        .map(|w| (w.capset.name.as_str(), w.capset.capstring.as_deref().unwrap_or("")))
        .collect()
}

/// Bits 1 and 7 select no code and stay as they are.
#[test]
fn arm_sets_are_numbers() {
    let sets = expanded(Arch::Aarch64, ARM, &["scalar", "aes_pmull", "full", "auto"], &["sha256"])
        .unwrap();
    let expected = [("scalar", "0x80"), ("aes_pmull", "0xa5"), ("full", "0x6ffd"), ("auto", "")];
    assert_eq!(values(&sets), expected);
    assert_eq!(sets[1].capset.size(), 3);
}

#[test]
fn intel_sets_clear_the_bits_that_they_lack() {
    let sets = expanded(Arch::X86_64, X86, &["full", "aesni"], &["sha256"]).unwrap();
    assert_eq!(sets[0].capset.capstring.as_deref(), Some("~0x0:~0x0"));
    // Without AES-NI (57) and SSSE3 (41): PCLMUL 33, AVX 60; and all of the second word.
    let low = 1u64 << 33 | 1 << 60;
    let value = sets[1].capset.capstring.clone().unwrap();
    assert!(value.starts_with(&format!("~{low:#x}:~0x600")), "{value}");
}

/// On arm64 the value replaces what is detected, so `0` leaves nothing; on x86-64 `~` clears bits, and words that are
/// left out are cleared.
#[test]
fn the_users_own_values_are_read_as_the_library_reads_them() {
    let read = |arch, settings: &str, value: &str| {
        let sets = expanded(arch, settings, &[&format!("string:{value}")], &["sha256"]).unwrap();
        let set = &sets[0].capset;
        assert_eq!((set.capstring.as_deref(), set.is_verbatim()), (Some(value), true));
        set.masked.clone().unwrap()
    };
    let arm = |value: &str| read(Arch::Aarch64, ARM, value);
    assert_eq!((arm("0").names.len(), arm("0").expected), (0, vec![0]));
    assert_eq!(arm("0x5").names, ["neon", "aes"]);
    assert_eq!((arm("045").expected, arm("37").expected), (vec![0x25], vec![0x25]));
    assert_eq!((arm("rubbish").expected, arm("-1").expected), (vec![0], vec![0xffff_ffff]));
    let intel = |value: &str| read(Arch::X86_64, X86, value);
    let has = |value: &str, name: &str| intel(value).names.iter().any(|n| n == name);
    assert!(!has("~0x200000200000000", "aesni") && !has("~0x200000200000000", "avx2"));
    assert!(!has("~0x200000200000000:~0", "aesni") && has("~0x200000200000000:~0", "avx2"));
    let fxsr = intel("~0x1000000:~0").names;
    assert!(!fxsr.iter().any(|n| ["aesni", "pclmul", "avx"].contains(&n.as_str())), "{fxsr:?}");
    assert_eq!(intel(":~0x20").expected[0], words(X86).unwrap()[0]);
    assert_eq!(intel("0x0:0x0").expected, [0x400, 0]);
}

#[test]
fn capabilities_that_the_processor_lacks_are_refused() {
    let e = |caps: &str| {
        format!("{:#}", expanded(Arch::Aarch64, ARM, &[caps], &["sha256"]).unwrap_err())
    };
    assert!(e("unroll8eor3").contains("illegal instructions"), "{}", e("unroll8eor3"));
    assert!(e("zvkned").contains("--caps") && e("zvkned").contains("neon"));
}

#[test]
fn families_are_expanded() {
    let names = |wanted: Vec<Wanted>| wanted.into_iter().map(|w| w.capset.name).collect::<Vec<_>>();
    let sets = expanded(Arch::Aarch64, ARM, &["dispatch"], &["aes-128-gcm", "sm3"]).unwrap();
    assert_eq!(names(sets), ["scalar", "aes", "pmull", "aes_pmull", "sm3"]);
    let sets = names(expanded(Arch::Aarch64, ARM, &["singles"], &["sm3"]).unwrap());
    assert!(sets.contains(&"sha512".into()) && !sets.contains(&"unroll8eor3".into()), "{sets:?}");
}

#[test]
fn a_library_that_reports_other_capabilities_is_detected() {
    let reporting = |text: &str| Probe { library: text.into(), ..Probe::default() };
    let o = Override::of(Arch::Aarch64).unwrap().unwrap();
    let set = o.parse("scalar", &words(ARM).unwrap()).unwrap().masked.unwrap();
    assert_eq!(set.disagreement(&reporting("OPENSSL_armcap=0x80 env:0x80")), None);
    assert!(set.disagreement(&reporting(ARM)).unwrap().contains("0x80"));
    assert!(set.disagreement(&reporting("N/A")).is_some());
}

/// A misspelt name would silently have no effect.
#[test]
fn names_in_the_file_exist() {
    for arch in [Arch::Aarch64, Arch::X86_64] {
        let o = Override::of(arch).unwrap().unwrap();
        let cases = crate::case::all().unwrap();
        for name in
            o.capability.iter().flat_map(|c| &c.needs).chain(o.rule.iter().flat_map(|r| &r.asks))
        {
            assert!(o.get(name).is_some(), "{name}");
        }
        for pattern in o.rule.iter().flat_map(|r| &r.algorithms) {
            let known =
                cases.iter().any(|c| fits(pattern, &c.algorithm) || fits(pattern, &c.parameter));
            assert!(known, "{pattern}");
        }
    }
}

/// Intel SDM, volume 2, CPUID: leaf 1 has RDRAND at bit 30 of ECX; leaf 7, RDSEED at bit 18 of EBX and GFNI at bit 8 of ECX.
#[test]
fn capabilities_that_select_no_code_are_known() {
    let o = Override::of(Arch::X86_64).unwrap().unwrap();
    let is_in = |name: &str, words: &[u64]| o.reported(name).unwrap().is_in(words);
    for (name, there) in
        [("rdrand", [1 << 62, 0]), ("rdseed", [0, 1 << 18]), ("gfni", [0, 1 << 40])]
    {
        assert_eq!(is_in(name, &there), Some(true), "{name}");
        assert_eq!(is_in(name, &there.map(|w: u64| !w)), Some(false), "{name}");
        assert!(o.get(name).is_none(), "{name} is in no set");
    }
    assert_eq!((is_in("vaes", &[u64::MAX]), is_in("rdrand", &[0])), (None, Some(false)));
    assert!(o.reported("zvkned").is_none());
}
