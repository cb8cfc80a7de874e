//! What a connection of TLS 1.3 must agree on, and the data that must arrive: both follow from the case alone.

use super::Job;

/// Object identifiers of keys, in DER, and the names of their types in OpenSSL.
const KEYS: [(&[u8], &str); 3] = [
    // rsaEncryption (RFC 8017), id-ecPublicKey (RFC 5480), id-ml-dsa-65 (RFC 9881).
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01], "RSA"),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01], "EC"),
    (&[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x12], "ML-DSA-65"),
];

/// The text of a handshake, or the data of a record.
pub fn tls(job: &Job) -> Vec<u8> {
    if job.operation.is_of_data() {
        return job.input.clone();
    }
    let has = |oid: &[u8]| job.key.windows(oid.len()).any(|w| w == oid);
    let (_, key) = KEYS.iter().find(|(oid, _)| has(oid)).expect("a key of a known type");
    // OpenSSL writes the names of elliptic curves in lower case.
    let group = match job.algorithm.as_str() {
        "X25519" => "x25519",
        other => other,
    };
    let how = if job.operation.name().ends_with("resumed") { "resumed" } else { "full" };
    format!("TLSv1.3 {group} {key} {} {how}", job.parameter).into_bytes()
}
