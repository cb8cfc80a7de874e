//! The functions of `capvec_sim::crypto` against independent implementations: the RustCrypto
//! crates, the host's own cryptographic instructions and the formulas of the manual.

mod aes;
mod bits;
mod ghash;
mod host;
mod rng;
mod sha2;
mod sm3;
mod sm4;
mod zkr;
