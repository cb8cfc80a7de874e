//! Kinds of algorithms, and what is done with them.

use serde::{Deserialize, Serialize};

/// What sort of algorithm: which interface of the library serves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A block or stream cipher in a mode without authentication.
    Cipher,
    /// Authenticated encryption with associated data.
    Aead,
    /// Giving a cipher another key.
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
    /// Encrypt, hash or authenticate; of a key set-up, prepare for that.
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
    /// Take an encapsulated secret out.
    Decaps,
    /// Derive a shared secret, as Diffie and Hellman.
    Derive,
}

impl Operation {
    /// As records and the driver name it.
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
    /// As the driver calls it.
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

    /// Whether what it costs depends on the length of a message.
    pub fn has_bytes(self) -> bool {
        !matches!(self, Kind::Setup | Kind::Pkey)
    }

    /// Operations that are measured when the case names none.
    pub(super) fn operations(self) -> &'static [Operation] {
        match self {
            Kind::Cipher | Kind::Aead | Kind::Setup => &[Operation::Encrypt, Operation::Decrypt],
            Kind::Digest | Kind::Mac => &[Operation::Encrypt],
            Kind::Pkey => &[],
        }
    }
}
