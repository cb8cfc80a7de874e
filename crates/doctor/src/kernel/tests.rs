//! Verdicts on kernels of Debian, whose configurations are reduced to the options that the tables name (`configs/`, from the packages
//! linux-config-6.12 and linux-config-7.2), and on running systems.

use super::system::{Driver, System, parse};
use super::verdict::judge;
use capvec_record::doctor::{Kernel, KernelFinding};
use std::collections::BTreeSet;

const RISCV_612: &str = include_str!("configs/debian-6.12.117-riscv64.config");
const RISCV_72: &str = include_str!("configs/debian-7.2.13-riscv64.config");
const AMD64: [&str; 2] = [
    include_str!("configs/debian-6.12.117-amd64.config"),
    include_str!("configs/debian-7.2.13-amd64.config"),
];
const ARM64: [&str; 2] = [
    include_str!("configs/debian-6.12.117-arm64.config"),
    include_str!("configs/debian-7.2.13-arm64.config"),
];

fn system(text: &str) -> System {
    parse("config", text).unwrap()
}

fn verdicts(kernel: &Kernel) -> Vec<(&str, &str)> {
    kernel.findings.iter().map(|f| (f.algorithm.as_str(), f.verdict.as_str())).collect()
}

fn get<'a>(kernel: &'a Kernel, algorithm: &str) -> &'a KernelFinding {
    kernel.findings.iter().find(|f| f.algorithm.contains(algorithm)).unwrap()
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(' ').map(String::from).collect()
}

fn driver(name: &str, driver: &str, priority: i64) -> Driver {
    Driver { name: name.into(), driver: driver.into(), priority, module: None }
}

/// Debian's 6.12 has modules for all but SM3 and SM4, which it does not compute at all.
#[test]
fn debian_6_12_for_riscv() {
    let kernel = judge(&system(RISCV_612)).unwrap();
    let expected = [
        ("AES-ECB/CBC", "built"),
        ("AES-CTR", "built"),
        ("AES-XTS", "built"),
        ("GHASH", "built"),
        ("SHA-256", "built"),
        ("SHA-512", "built"),
        ("ChaCha20", "built"),
        ("SM3", "no such algorithm"),
        ("SM4", "no such algorithm"),
    ];
    assert_eq!(verdicts(&kernel), expected);
    assert!(kernel.findings.iter().all(|f| !f.slower));
    assert_eq!(get(&kernel, "GHASH").why, "CRYPTO_GHASH_RISCV64: module ghash-riscv64");
}

/// Debian's 7.2 has none: the verdict names the option, and when it may be set.
#[test]
fn debian_7_2_for_riscv() {
    let kernel = judge(&system(RISCV_72)).unwrap();
    for algorithm in ["AES-ECB", "AES-CTR", "AES-XTS", "GHASH", "SHA-256", "SHA-512", "ChaCha20"] {
        let f = get(&kernel, algorithm);
        assert_eq!(
            (f.verdict.as_str(), f.slower, f.value.as_str()),
            ("not built", true, "n"),
            "{algorithm}"
        );
        assert!(f.why.contains("needs RISCV_EFFICIENT_VECTOR_UNALIGNED_ACCESS"), "{}", f.why);
        let remedy = f.remedy.as_deref().unwrap();
        let options = "CONFIG_NONPORTABLE and CONFIG_RISCV_EFFICIENT_VECTOR_UNALIGNED_ACCESS";
        assert!(remedy.contains(options) && remedy.contains("fast on every hart"), "{remedy}");
    }
    assert_eq!(get(&kernel, "AES-XTS").option, "CONFIG_CRYPTO_AES_RISCV64");
    assert_eq!(get(&kernel, "GHASH").option, "CONFIG_CRYPTO_LIB_GF128HASH_ARCH");
    assert!(get(&kernel, "AES-CTR").why.starts_with("since Linux 6.18.3, CRYPTO_AES"));
    // With the option, it is built.
    let text = format!("{RISCV_72}CONFIG_CRYPTO_LIB_SHA256_ARCH=y\n");
    assert_eq!(get(&judge(&system(&text)).unwrap(), "SHA-256").verdict, "built");
}

/// The release decides what an option needs: V suffices up to 6.18.2, but not from 6.18.3 on.
#[test]
fn needs_follow_the_release() {
    let with = |release: &str| {
        let text =
            RISCV_612.replace("6.12.117", release).replace("CONFIG_CRYPTO_AES_RISCV64=m\n", "");
        get(&judge(&system(&text)).unwrap(), "AES-ECB").clone()
    };
    let why = "CRYPTO_AES_RISCV64 is not set; what it needs is there";
    assert_eq!(with("6.18.2").why, why);
    assert!(with("6.18.3").why.contains("needs RISCV_EFFICIENT_VECTOR_UNALIGNED_ACCESS"));
    let old = with("6.6.30");
    assert_eq!((old.verdict.as_str(), old.slower), ("no such code", true));
    assert!(old.why.contains("known from Linux 6.9 on"), "{}", old.why);
}

/// XTS also needs Zvbb: on a core without Zvbb, slow XTS is not the kernel's fault.
#[test]
fn what_the_processor_lacks_is_not_lost() {
    let mut s = system(RISCV_612);
    s.shows = Some(words("v zvkb zvkned zvkg zvknha"));
    let kernel = judge(&s).unwrap();
    let xts = get(&kernel, "AES-XTS");
    assert_eq!((xts.verdict.as_str(), xts.slower), ("extension lacking", false));
    assert_eq!(xts.why, "/proc/cpuinfo does not show zvbb");
    assert_eq!(get(&kernel, "AES-CTR").verdict, "built");
    let why = |s: &System| get(&judge(s).unwrap(), "AES-XTS").why.clone();
    s.device_tree = Some(words("v zvbb"));
    assert!(why(&s).contains("the device tree names zvbb"), "{}", why(&s));
    s.device_tree = Some(words("v"));
    assert!(why(&s).contains("neither the kernel nor the device tree"), "{}", why(&s));
}

/// What is loaded and chosen, by /proc/crypto, /proc/modules and the command line.
#[test]
fn a_running_kernel_chooses_by_priority() {
    let mut s = system(RISCV_612);
    s.drivers = Some(vec![
        driver("ecb(aes)", "ecb(aes-generic)", 100),
        driver("ecb(aes)", "ecb-aes-riscv64-zvkned", 300),
        driver("ghash", "ghash-riscv64-zvkg", 300),
        driver("ghash", "ghash-of-a-device", 400),
    ]);
    s.modules = Some(words("sha256_riscv64"));
    let kernel = judge(&s).unwrap();
    let aes = get(&kernel, "AES-ECB");
    assert_eq!(
        (aes.verdict.as_str(), aes.driver.as_deref()),
        ("used", Some("ecb-aes-riscv64-zvkned"))
    );
    let ghash = get(&kernel, "GHASH");
    assert_eq!((ghash.verdict.as_str(), ghash.slower), ("not chosen", true));
    assert!(ghash.why.contains("ghash-of-a-device has a higher priority, 400"), "{}", ghash.why);
    // What is built in cannot be removed.
    let remedy = |s: &System| get(&judge(s).unwrap(), "GHASH").remedy.clone().unwrap();
    assert!(
        remedy(&s).ends_with("ghash-of-a-device is built in, and the kernel chooses by priority")
    );
    let mut removable = system(RISCV_612);
    let module = Some("a_device".to_string());
    let other = Driver { module, ..driver("ghash", "ghash-of-a-device", 400) };
    removable.drivers = Some(vec![driver("ghash", "ghash-riscv64-zvkg", 300), other]);
    assert!(remedy(&removable).starts_with("remove the module a_device, or"));
    // A loaded module without a driver of its own is not one that is still to be loaded.
    let module = |a: &str| {
        let f = get(&kernel, a);
        (f.verdict.as_str(), f.remedy.as_deref())
    };
    assert_eq!(module("SHA-256"), ("built", None));
    let remedy = "to have it at once: modprobe sha512-riscv64";
    assert_eq!(module("SHA-512"), ("not loaded", Some(remedy)));
    for cmdline in
        ["quiet nomodule", "modprobe.blacklist=x,sha512-riscv64", "module_blacklist=sha512_riscv64"]
    {
        s.cmdline = Some(cmdline.into());
        let kernel = judge(&s).unwrap();
        let f = get(&kernel, "SHA-512");
        assert_eq!((f.verdict.as_str(), f.slower), ("blocked", true), "{cmdline}");
    }
    assert_eq!(judge(&s).unwrap().remarks.len(), 0);
    s.cmdline = Some("nomodule clearcpuid=aes".into());
    assert_eq!(judge(&s).unwrap().remarks.len(), 2);
}

/// Debian's kernels for amd64 and arm64 have the code in both releases, in 7.2 mostly in libraries.
#[test]
fn debian_for_other_architectures() {
    for configs in [AMD64, ARM64] {
        for text in configs {
            let kernel = judge(&system(text)).unwrap();
            for f in &kernel.findings {
                let expected = if f.algorithm == "SM4" { "no such algorithm" } else { "built" };
                assert_eq!(f.verdict, expected, "{} {}: {}", kernel.release, f.algorithm, f.why);
            }
        }
    }
    let kernel = judge(&system(AMD64[1])).unwrap();
    let f = get(&kernel, "SHA-512");
    assert!(
        f.option == "CONFIG_CRYPTO_LIB_SHA512_ARCH"
            && f.why.contains("at boot if the processor has ssse3")
    );
}
