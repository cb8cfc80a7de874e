//! Kinds of algorithms, and their operations.

use serde::{Deserialize, Serialize};

/// The interface of the library that serves an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A block or stream cipher in a mode without authentication.
    Cipher,
    /// Authenticated encryption with associated data.
    Aead,
    /// Setting a new key for a cipher.
    Setup,
    /// A hash.
    Digest,
    /// A message authentication code.
    Mac,
    /// A public-key algorithm.
    Pkey,
}

/// What is done with an algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    /// Encrypt, hash or authenticate; for a key set-up, prepare for that.
    #[default]
    #[serde(rename = "enc")]
    Encrypt,
    /// Decrypt.
    #[serde(rename = "dec")]
    Decrypt,
    /// Make a key pair.
    Keygen,
    /// Sign a message.
    Sign,
    /// Verify a signature.
    Verify,
    /// Make a secret and encapsulate it for a public key.
    Encaps,
    /// Recover an encapsulated secret.
    Decaps,
    /// Derive a shared secret (Diffie-Hellman).
    Derive,
}

impl Operation {
    /// The name in records and in the driver's protocol.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Encrypt => "enc",
            Operation::Decrypt => "dec",
            Operation::Keygen => "keygen",
            Operation::Sign => "sign",
            Operation::Verify => "verify",
            Operation::Encaps => "encaps",
            Operation::Decaps => "decaps",
            Operation::Derive => "derive",
        }
    }
}

impl Kind {
    /// The name in the driver's protocol.
    pub fn driver(self, operation: Operation) -> &'static str {
        match (self, operation) {
            (Kind::Cipher, _) => "cipher",
            (Kind::Aead, _) => "aead",
            (Kind::Setup, _) => "setup",
            (Kind::Digest, _) => "digest",
            (Kind::Mac, _) => "mac",
            (Kind::Pkey, Operation::Keygen) => "keygen",
            (Kind::Pkey, Operation::Encaps | Operation::Decaps) => "kem",
            (Kind::Pkey, Operation::Derive) => "exchange",
            (Kind::Pkey, _) => "signature",
        }
    }

    /// Whether the cost depends on the length of a message.
    pub fn has_bytes(self) -> bool {
        !matches!(self, Kind::Setup | Kind::Pkey)
    }

    /// The operations that are measured when the case names none.
    pub(super) fn operations(self) -> &'static [Operation] {
        match self {
            Kind::Cipher | Kind::Aead | Kind::Setup => &[Operation::Encrypt, Operation::Decrypt],
            Kind::Digest | Kind::Mac => &[Operation::Encrypt],
            Kind::Pkey => &[],
        }
    }
}
