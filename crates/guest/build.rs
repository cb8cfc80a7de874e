//! Embeds the C sources of the guest's programs.

use capvec_sources::{Part, Units};

const DRIVER: &str = "crates/guest/driver";
const CAPVEC: &str = "crates/guest/driver/capvec";
const CRYPTO: [&str; 3] = ["crypto/include", "crypto/native", "crypto/src"];

const fn driver(name: &'static str, units: &'static [&'static str]) -> Part {
    Part { name, dir: DRIVER, units: Units::These(units), include: &[] }
}

const PARTS: [Part; 15] = [
    // The units that measure.
    driver("MEASURE", &["main.c", "probe.c"]),
    // The units that check known answers.
    driver("CHECK", &["kat_main.c", "kat.c", "kat_cipher.c", "kat_hash.c", "kat_pkey.c"]),
    // The unit that marks secrets.
    driver("SECRETS", &["secret.c"]),
    // The protocol: groups of jobs, and their words.
    driver("JOBS", &["group.c", "job.c"]),
    // OpenSSL's random numbers, made deterministic.
    driver("SET_UP", &["random.c"]),
    // Kinds of operation: symmetric and public-key ones.
    driver("CIPHERS", &["cipher.c", "aead.c", "setup.c", "digest.c", "mac.c"]),
    driver("PUBLIC_KEY", &["key.c", "signature.c", "agree.c"]),
    // Connections of TLS.
    driver("TLS", &["tls.c", "tls_connection.c"]),
    // Clocks and counters of targets other than the simulator.
    driver("TIMED", &["timed.c", "counter.c"]),
    // Tries instructions and queries the kernel; needs no library.
    driver("TRIAL", &["trial.c"]),
    // The part of OpenSSL's EVP interface that the drivers use, implemented with libcapvec.
    Part {
        name: "CAPVEC",
        dir: CAPVEC,
        units: Units::These(&[
            "library.c",
            "evp_cipher.c",
            "evp_modes.c",
            "evp_aead.c",
            "evp_chacha.c",
            "evp_hash.c",
            "evp_mac.c",
        ]),
        include: &[DRIVER, "crypto/include"],
    },
    // The part for public keys.
    Part {
        name: "CAPVEC_KEYS",
        dir: CAPVEC,
        units: Units::These(&[
            "evp_pkey.c",
            "evp_pkey_der.c",
            "evp_signature.c",
            "evp_mlkem.c",
            "evp_mldsa.c",
            "evp_slhdsa.c",
            "absent.c",
        ]),
        include: &[DRIVER, "crypto/include"],
    },
    Part {
        name: "NO_KERNELS",
        dir: "crypto/native",
        units: Units::These(&["none.c"]),
        include: &CRYPTO,
    },
    Part { name: "PROVIDER", dir: "crypto/provider", units: Units::All, include: &CRYPTO },
    Part {
        name: "MBEDTLS",
        dir: "crypto/mbedtls",
        units: Units::All,
        include: &["crypto/include"],
    },
];

/// libcapvec: portable C and the kernels.
const LIBRARY: [Part; 2] = [
    Part { name: "PORTABLE", dir: "crypto/src", units: Units::All, include: &CRYPTO },
    Part { name: "NATIVE", dir: "crypto/native/riscv64", units: Units::All, include: &CRYPTO },
];

fn main() {
    let all: Vec<&Part> = PARTS.iter().chain(&LIBRARY).collect();
    capvec_sources::every_unit_is_used(&[DRIVER, CAPVEC], &all);
    capvec_sources::write("crate", &all);
    // Headers that Mbed TLS itself includes.
    capvec_sources::write_headers("MBEDTLS_HEADERS", "crypto/mbedtls");
}
