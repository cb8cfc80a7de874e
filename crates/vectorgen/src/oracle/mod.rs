//! Oracles: RustCrypto, which shares no code with the libraries under test.
//!
//! They panic on unknown algorithms: whoever adds an algorithm adds an oracle.

pub mod attempts;
mod cipher;
mod hash;
pub mod instruction;
mod pkey;
mod tls;

pub use hash::shake128;

use capvec_bench::case::{self, Case, Kind, Operation};

/// One operation of an algorithm as the driver takes it, decoded.
pub struct Job {
    /// The algorithm's EVP name.
    pub algorithm: String,
    /// EVP's additional parameter.
    pub parameter: String,
    /// The operation.
    pub operation: Operation,
    /// Key.
    pub key: Vec<u8>,
    /// Initialisation vector or nonce.
    pub iv: Vec<u8>,
    /// Associated data; for a verification, the signature.
    pub aad: Vec<u8>,
    /// Message.
    pub input: Vec<u8>,
}

fn bytes(hexadecimal: &str) -> Vec<u8> {
    hex::decode(hexadecimal).expect("cases are checked to be hexadecimal")
}

impl Job {
    /// A published answer of a case.
    pub fn published(case: &Case, a: &case::Answer) -> Job {
        let or = |own: &str, of_case: &str| bytes(if own.is_empty() { of_case } else { own });
        Job {
            algorithm: case.algorithm.clone(),
            parameter: a.parameter.clone().unwrap_or(case.parameter.clone()),
            operation: a.operation,
            key: or(&a.key, &case.key),
            iv: or(&a.iv, &case.iv),
            aad: bytes(&a.aad),
            input: bytes(&a.input),
        }
    }

    /// An answer of a case for the pattern message.
    pub fn pattern(case: &Case, p: &case::Pattern) -> Job {
        Job {
            algorithm: case.algorithm.clone(),
            parameter: case.parameter.clone(),
            operation: p.operation,
            key: bytes(&case.key),
            iv: bytes(&case.iv),
            aad: bytes(&case.aad),
            input: case::pattern_message(p.bytes),
        }
    }

    /// The expected output.
    pub fn oracle(&self, kind: Kind) -> Vec<u8> {
        match kind {
            Kind::Cipher => cipher::cipher(self),
            Kind::Aead => cipher::aead(self),
            Kind::Setup if self.algorithm.ends_with("GCM") => cipher::aead(self),
            Kind::Setup => cipher::cipher(self),
            Kind::Digest => hash::digest(self),
            Kind::Mac => hash::mac(self),
            Kind::Pkey => pkey::pkey(self),
            Kind::Tls => tls::tls(self),
        }
    }
}
