//! The environment variables that configure which capabilities libraries use: the only list of them.

/// OpenSSL on RISC-V: names of extensions (doc/man3/OPENSSL_riscvcap.pod; crypto/riscvcap.c).
pub const OPENSSL_RISCVCAP: &str = "OPENSSL_riscvcap";
/// OpenSSL on Arm: a number (crypto/armcap.c).
pub const OPENSSL_ARMCAP: &str = "OPENSSL_armcap";
/// OpenSSL on x86: words of masks (doc/man3/OPENSSL_ia32cap.pod).
pub const OPENSSL_IA32CAP: &str = "OPENSSL_ia32cap";
/// libcapvec: names of extensions, as OpenSSL's (crypto/src/caps.c).
pub const CAPVEC_CAPS: &str = "CAPVEC_CAPS";
/// libcapvec: `1` makes it measure, at start-up, the length from which vector code is faster (`cv_tune`; crypto/src/environment.c).
pub const CAPVEC_TUNE: &str = "CAPVEC_TUNE";
