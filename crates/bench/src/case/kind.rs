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
    /// Connections of TLS 1.3: a client and a server in one process.
    Tls,
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
    /// A connection with a full handshake, of which the server is measured.
    Server,
    /// The same, of which the client is measured.
    Client,
    /// A connection that resumes a session, of which the server is measured.
    #[serde(rename = "server-resumed")]
    ServerResumed,
    /// The same, of which the client is measured.
    #[serde(rename = "client-resumed")]
    ClientResumed,
}

/// What is measured of a connection: both ends, and sending and receiving a record afterwards.
const TLS: [Operation; 6] = [
    Operation::Server,
    Operation::Client,
    Operation::ServerResumed,
    Operation::ClientResumed,
    Operation::Encrypt,
    Operation::Decrypt,
];

/// Bytes of data in a record: as many as fit into an Ethernet packet with the headers, and the most that TLS allows.
const RECORDS: [usize; 2] = [1350, 16384];

impl Operation {
    /// Whether it encrypts or decrypts data.
    pub fn is_of_data(self) -> bool {
        matches!(self, Operation::Encrypt | Operation::Decrypt)
    }

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
            Operation::Server => "server",
            Operation::Client => "client",
            Operation::ServerResumed => "server-resumed",
            Operation::ClientResumed => "client-resumed",
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
            (Kind::Tls, Operation::Encrypt | Operation::Decrypt) => "record",
            (Kind::Tls, Operation::ServerResumed | Operation::ClientResumed) => "resumption",
            (Kind::Tls, _) => "handshake",
        }
    }

    /// The message lengths with which an operation is measured if `asked` are requested; 0 where there is no message.
    pub fn sizes(self, operation: Operation, asked: &[usize]) -> Vec<usize> {
        match self {
            Kind::Setup | Kind::Pkey => vec![0],
            Kind::Tls if operation.is_of_data() => RECORDS.to_vec(),
            Kind::Tls => vec![0],
            Kind::Cipher | Kind::Aead | Kind::Digest | Kind::Mac => asked.to_vec(),
        }
    }

    /// The operations that are measured when the case names none.
    pub(super) fn operations(self) -> &'static [Operation] {
        match self {
            Kind::Cipher | Kind::Aead | Kind::Setup => &[Operation::Encrypt, Operation::Decrypt],
            Kind::Digest | Kind::Mac => &[Operation::Encrypt],
            Kind::Pkey => &[],
            Kind::Tls => &TLS,
        }
    }
}
