//! Embeds the C sources of the guest's programs.

use capvec_sources::{Part, Units};

const DRIVER: &str = "crates/guest/driver";
const CAPVEC: &str = "crates/guest/driver/capvec";
const PACKAGED: &str = "crates/guest/driver/packaged";
const INCLUDE: &str = "crypto/include";
const CRYPTO: [&str; 3] = [INCLUDE, "crypto/native", "crypto/src"];

/// All units of a folder; the folders of `crates/guest/driver` have a part each.
const fn part(name: &'static str, dir: &'static str, include: &'static [&'static str]) -> Part {
    Part { name, dir, units: Units::All, include }
}

const PARTS: [Part; 26] = [
    // Measures.
    part("MEASURE", "crates/guest/driver/measure", &[DRIVER]),
    // Checks known answers.
    part("CHECK", "crates/guest/driver/check", &[DRIVER]),
    // Marks secrets.
    part("SECRETS", "crates/guest/driver/secrets", &[DRIVER]),
    // The protocol: groups of jobs, and their words.
    part("JOBS", "crates/guest/driver/jobs", &[DRIVER]),
    // OpenSSL's random numbers, made deterministic.
    part("SET_UP", "crates/guest/driver/set_up", &[DRIVER]),
    // Kinds of operation: symmetric and public-key ones.
    part("CIPHERS", "crates/guest/driver/ciphers", &[DRIVER]),
    part("PUBLIC_KEY", "crates/guest/driver/public_key", &[DRIVER]),
    // Connections of TLS.
    part("TLS", "crates/guest/driver/tls", &[DRIVER]),
    // Clocks and counters of targets other than the simulator.
    part("TIMED", "crates/guest/driver/timed", &[DRIVER]),
    // Tries instructions and queries the kernel; needs no library.
    part("TRIAL", "crates/guest/driver/trial", &[]),
    // The part of OpenSSL's EVP interface that the drivers use, implemented with libcapvec.
    part("CAPVEC", CAPVEC, &[DRIVER, INCLUDE]),
    // The same for public keys.
    part("CAPVEC_KEYS", "crates/guest/driver/capvec_keys", &[CAPVEC, DRIVER, INCLUDE]),
    // The same with a library that the distribution packages, and those libraries.
    part("PACKAGED", PACKAGED, &[DRIVER]),
    part("GNUTLS", "crates/guest/driver/gnutls", &[PACKAGED]),
    part("GOCRYPTO", "crates/guest/driver/gocrypto", &[PACKAGED]),
    part("JCA", "crates/guest/driver/jca", &[PACKAGED, DRIVER]),
    part("LIBGCRYPT", "crates/guest/driver/libgcrypt", &[PACKAGED]),
    part("LIBSODIUM", "crates/guest/driver/libsodium", &[PACKAGED]),
    part("MBED", "crates/guest/driver/mbedtls", &[PACKAGED]),
    part("NETTLE", "crates/guest/driver/nettle", &[PACKAGED]),
    part("NODE", "crates/guest/driver/node", &[PACKAGED, DRIVER]),
    // libcapvec: portable C, and the kernels or none.
    part("PORTABLE", "crypto/src", &CRYPTO),
    part("NATIVE", "crypto/native/riscv64", &CRYPTO),
    part("NO_KERNELS", "crypto/native", &CRYPTO),
    part("PROVIDER", "crypto/provider", &CRYPTO),
    part("MBEDTLS", "crypto/mbedtls", &[INCLUDE]),
];

fn main() {
    let all: Vec<&Part> = PARTS.iter().collect();
    capvec_sources::every_folder_is_a_part(DRIVER, &all);
    capvec_sources::write("crate", &all);
    // Headers that Mbed TLS itself includes.
    capvec_sources::write_headers("MBEDTLS_HEADERS", "crypto/mbedtls");
}
