//! Compares the host's own instructions, with every subset of this host's features, with the functions of
//! `capvec_sim::crypto`.

use super::groups::check_all;
use capvec_sim::crypto::{aes_scalar as aes, clmul};
use capvec_sim::hart::Agnostic;
use capvec_sim::host::{Feature, Groups, Host, Step, Words};
use capvec_sim::testing::Rng;

/// Every subset of this host's features.
fn hosts() -> Vec<Host> {
    let mut hosts = vec![Host::detected()];
    for f in Feature::ALL {
        let fewer: Vec<Host> = hosts.iter().map(|h| h.without(f)).collect();
        hosts.extend(fewer.into_iter().filter(|h| *h != Host::plain()));
        hosts.dedup();
    }
    hosts.push(Host::plain());
    hosts
}

#[test]
fn results_agree_with_every_set_of_the_hosts_features() {
    let mut rng = Rng::new("results_agree_with_every_set_of_the_hosts_features");
    let found: Vec<Feature> =
        Feature::ALL.into_iter().filter(|f| Host::detected().has(*f)).collect();
    println!("this host has {found:?}");
    for host in hosts() {
        for vlen in [128, 512] {
            for agnostic in [Agnostic::Undisturbed, Agnostic::Ones] {
                check_all(vlen, agnostic, host, &mut rng);
            }
        }
    }
    for feature in found {
        for _ in 0..10 {
            check_all(256, Agnostic::Undisturbed, Host::detected().only(feature), &mut rng);
        }
    }
}

/// A host without features does no step, and each feature enables its own.
#[test]
fn a_step_needs_its_feature() {
    let does = |host: Host, step: Step| {
        let mut file = [0x5a; 96];
        let done =
            host.groups(step, &mut file, Groups { vd: 0, vs2: 32, step: 32, vs1: 64, count: 1 });
        assert!(done || file == [0x5a; 96], "{step:?}");
        done
    };
    let host = Host::detected();
    for step in Step::ALL {
        let wanted: &[Feature] = match step {
            Step::AesEncryptMiddle | Step::AesEncryptFinal => &[Feature::Aes],
            Step::AesDecryptMiddle | Step::AesDecryptFinal => &[Feature::Aes],
            Step::Ghash | Step::GhashMultiply => &[Feature::Clmul],
            Step::Sha256High | Step::Sha256Low | Step::Sha256Schedule => &[Feature::Sha256],
            Step::Sha512High | Step::Sha512Low | Step::Sha512Schedule => &[Feature::Sha512],
            Step::Sm4 if cfg!(target_arch = "aarch64") => &[],
            Step::Sm4 => &[Feature::Aes],
        };
        for f in Feature::ALL {
            let expected = wanted.contains(&f) && host.has(f);
            assert_eq!(does(host.only(f), step), expected, "{step:?} {f:?}");
        }
        assert!(!does(Host::plain(), step), "{step:?}");
    }
    for step in Words::ALL {
        assert_eq!(Host::plain().words(step, 1, 2), None, "{step:?}");
        let feature = match step {
            Words::Clmul | Words::ClmulHigh | Words::ClmulReversed => Feature::Clmul,
            _ => Feature::Aes,
        };
        assert_eq!(host.only(feature).words(step, 1, 2).is_some(), host.has(feature), "{step:?}");
    }
}

fn plain(step: Words, a: u64, b: u64) -> u64 {
    match step {
        Words::AesEncryptFinal => aes::aes64es(a, b),
        Words::AesEncryptMiddle => aes::aes64esm(a, b),
        Words::AesDecryptFinal => aes::aes64ds(a, b),
        Words::AesDecryptMiddle => aes::aes64dsm(a, b),
        Words::AesMix => aes::aes64im(a),
        Words::Clmul => clmul::clmul(a, b),
        Words::ClmulHigh => clmul::clmulh(a, b),
        Words::ClmulReversed => clmul::clmulr(a, b),
    }
}

#[test]
fn words_agree_with_the_functions() {
    let mut rng = Rng::new("words_agree_with_the_functions");
    let mut pairs: Vec<[u64; 2]> = (0..20_000).map(|_| [rng.next(), rng.next()]).collect();
    let edges = [0, 1, 1 << 63, u64::MAX, 0xffff_ffff, 0xffff_ffff << 32, 0x8080_8080_8080_8080];
    pairs.extend(edges.iter().flat_map(|a| edges.map(|b| [*a, b])));
    pairs.extend((0..4096).map(|n| [1 << (n / 64), 1 << (n % 64)]));
    for step in Words::ALL {
        for [a, b] in &pairs {
            if let Some(word) = Host::detected().words(step, *a, *b) {
                assert_eq!(word, plain(step, *a, *b), "{step:?} {a:#x} {b:#x}");
            }
        }
    }
}
