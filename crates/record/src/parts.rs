//! The parts that the functions of an operation belong to, such as the number-theoretic transform or the hash. Libraries divide
//! the same work into different functions; their parts can be compared.

use crate::{FunctionShare, Row};

/// Names of functions that belong to a part: any of these texts, in lower case, occurs in the name.
type Rule = (&'static str, &'static [&'static str]);

/// Parts of post-quantum algorithms. The first rule that applies decides: `ntt_mult` multiplies, `rej_ntt_poly` samples. Names are
/// those of libcapvec and of OpenSSL.
const POST_QUANTUM: [Rule; 7] = [
    (
        "Keccak",
        &["keccak", "sha3", "shake", "xof", "permute", "absorb", "squeeze", "rho_pi", "theta"],
    ),
    ("SHA-2", &["sha256", "sha512", "sha2_"]),
    ("multiplication", &["multiply", "mult", "inner_product"]),
    ("inverse NTT", &["inverse", "intt", "backward"]),
    (
        "sampling",
        &["sample", "rej", "cbd", "expand", "mask", "noise", "prf", "small", "ball", "uniform"],
    ),
    ("NTT", &["ntt", "forward", "butterfly"]),
    ("packing", &["pack", "encode", "decode", "compress", "hint", "serialise", "bits_"]),
];

/// Parts of a TLS handshake. Each share is that of a function of the library's interface, with everything that it calls.
const TLS: [Rule; 7] = [
    (
        "key exchange",
        &[
            "evp_pkey_derive",
            "evp_pkey_encaps",
            "evp_pkey_decaps",
            "keygen",
            "generate",
            "encoded_public_key",
        ],
    ),
    // The key schedule computes MACs through the interface for signatures, in steps.
    ("key schedule", &["kdf", "hmac", "_mac", "digestsignupdate", "digestsignfinal"]),
    ("signing", &["digestsign", "evp_pkey_sign"]),
    ("verifying", &["digestverify", "evp_pkey_verify", "x509_verify"]),
    ("transcript", &["evp_digest", "evp_md_ctx_copy"]),
    ("encryption", &["cipher", "encrypt", "decrypt"]),
    ("certificates", &["x509"]),
];

/// What no rule names.
const REST: &str = "rest";
/// What is in a library without a symbol table, whose functions have no names.
const UNNAMED: &str = "without names";

/// The rules for an operation of this case, and the part of functions without names; `None` for cases that are not divided.
fn rules(case: &str) -> Option<(&'static [Rule], &'static str)> {
    let begins = |with: &&str| case.starts_with(with);
    if ["ml-kem-", "ml-dsa-", "slh-dsa-"].iter().any(begins) {
        return Some((&POST_QUANTUM, UNNAMED));
    }
    // Every function that has a part here has a name, so one without is of the rest.
    begins(&"tls13-").then_some((&TLS, REST))
}

fn part_of((rules, unnamed): (&[Rule], &'static str), function: &str) -> &'static str {
    if function.contains(".so") && function.contains("+0x") {
        return unnamed;
    }
    let name = function.to_ascii_lowercase();
    let rule = rules.iter().find(|(_, texts)| texts.iter().any(|t| name.contains(t)));
    rule.map_or(REST, |(part, _)| part)
}

/// A part of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Retired instructions.
    pub insns: f64,
    /// Modelled cycles.
    pub cycles: f64,
}

/// The parts of an operation in the order of their rules, without those that took nothing. Empty if nothing divided the
/// operation, or if its case has no parts.
pub fn parts(row: &Row) -> Vec<Part> {
    let Some(rules) = rules(&row.case).filter(|_| !row.functions.is_empty()) else {
        return Vec::new();
    };
    let names = rules.0.iter().map(|(name, _)| *name).chain([REST, UNNAMED]);
    let of = |name: &'static str| {
        let own = row.functions.iter().filter(|f| part_of(rules, &f.name) == name);
        let empty = Part { name, insns: 0.0, cycles: 0.0 };
        own.fold(empty, |p, f: &FunctionShare| Part {
            insns: p.insns + f.insns,
            cycles: p.cycles + f.cycles,
            ..p
        })
    };
    names.map(of).filter(|p| p.insns > 0.0 || p.cycles > 0.0).collect()
}

/// Every part that rows can have, in the order in which tables and plots show them.
pub fn order() -> impl Iterator<Item = &'static str> {
    POST_QUANTUM.iter().chain(&TLS).map(|(name, _)| *name).chain([REST, UNNAMED])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_both_libraries_are_in_the_same_parts() {
        for (part, functions) in [
            (
                "Keccak",
                &["cv_keccak_zbb", "cv_portable_keccak", "KeccakF1600", "cv_xof_squeeze"][..],
            ),
            (
                "multiplication",
                &["cv_mlkem_multiply_v", "inner_product", "ossl_ml_dsa_poly_ntt_mult"],
            ),
            ("inverse NTT", &["cv_mldsa_inverse_v", "scalar_inverse_ntt"]),
            ("sampling", &["rej_ntt_poly", "cv_portable_mlkem_cbd2", "poly_expand_mask"]),
            ("NTT", &["cv_mlkem_ntt_v", "scalar_ntt"]),
            ("packing", &["cv_portable_mldsa_unpack", "scalar_encode", "cv_mldsa_make_hint_v"]),
            ("SHA-2", &["sha256_block_data_order_riscv64"]),
            ("rest", &["cv_mldsa_add_v", "EVP_PKEY_encapsulate"]),
            ("without names", &["libcrypto.so.3+0x1e3cae"]),
        ] {
            for f in functions {
                assert_eq!(part_of((&POST_QUANTUM, UNNAMED), f), part, "{f}");
            }
        }
    }

    #[test]
    fn handshakes_are_divided_by_the_library_s_interface() {
        for (part, function) in [
            ("key exchange", "EVP_PKEY_encapsulate"),
            ("key exchange", "EVP_PKEY_set1_encoded_public_key"),
            ("signing", "EVP_DigestSign"),
            ("verifying", "X509_verify_cert"),
            ("key schedule", "EVP_DigestSignFinal"),
            ("transcript", "EVP_DigestUpdate"),
            ("encryption", "EVP_CipherUpdate"),
            ("rest", "libssl.so.3+0x1e3cae"),
            ("rest", "SSL_do_handshake"),
        ] {
            assert_eq!(part_of((&TLS, REST), function), part, "{function}");
        }
    }

    #[test]
    fn parts_add_up_and_other_cases_have_none() {
        let share =
            |name: &str, n: f64| FunctionShare { name: name.into(), insns: n, cycles: 2.0 * n };
        let functions = vec![
            share("KeccakF1600", 3.0),
            share("scalar_ntt", 1.0),
            share("x", 1.0),
            share("cv_keccak_zbb", 1.0),
        ];
        let row = Row { functions, ..crate::testing::row("ml-kem-512", "zbb", 64, 6.0) };
        let found = parts(&row);
        let names: Vec<_> = found.iter().map(|p| (p.name, p.insns, p.cycles)).collect();
        assert_eq!(names, [("Keccak", 4.0, 8.0), ("NTT", 1.0, 2.0), ("rest", 1.0, 2.0)]);
        assert!(parts(&Row { case: "sha256".into(), ..row.clone() }).is_empty());
        assert!(parts(&Row { functions: Vec::new(), ..row }).is_empty());
    }
}
