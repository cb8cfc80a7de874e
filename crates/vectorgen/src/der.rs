//! Encodes raw keys in the formats that libraries read.

/// A DER value with this tag.
fn value(tag: u8, content: &[u8]) -> Vec<u8> {
    let len = content.len();
    let head = match len {
        0..128 => vec![tag, len as u8],
        128..256 => vec![tag, 0x81, len as u8],
        _ => vec![tag, 0x82, (len >> 8) as u8, len as u8],
    };
    [&head[..], content].concat()
}

const INTEGER: u8 = 2;
const BIT_STRING: u8 = 3;
const OCTET_STRING: u8 = 4;
const OID: u8 = 6;
const SEQUENCE: u8 = 0x30;

/// PrivateKeyInfo (RFC 5958) of a key, for the algorithm with these identifiers.
fn private(identifiers: &[&[u8]], key: &[u8]) -> Vec<u8> {
    let ids: Vec<u8> = identifiers.iter().flat_map(|id| value(OID, id)).collect();
    let all = [value(INTEGER, &[0]), value(SEQUENCE, &ids), value(OCTET_STRING, key)];
    value(SEQUENCE, &all.concat())
}

/// The identifier id-ecPublicKey, and those of P-256 and P-384 (RFC 5480).
const EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const P384: &[u8] = &[0x2b, 0x81, 4, 0, 34];
/// id-X25519 (RFC 8410).
const X25519: &[u8] = &[0x2b, 0x65, 0x6e];

/// A private key of P-256 or P-384: ECPrivateKey (RFC 5915) in PrivateKeyInfo. `key` is a big-endian integer with or
/// without leading zeros.
pub fn ec_private(p384: bool, key: &[u8]) -> Vec<u8> {
    let size = if p384 { 48 } else { 32 };
    let from = key.iter().position(|b| *b != 0).unwrap_or(key.len());
    let short = &key[from..];
    let padded = [vec![0; size - short.len().min(size)], short.to_vec()].concat();
    let inner = [value(INTEGER, &[1]), value(OCTET_STRING, &padded)].concat();
    private(&[EC, if p384 { P384 } else { P256 }], &value(SEQUENCE, &inner))
}

/// A private key of X25519.
pub fn x25519_private(key: &[u8]) -> Vec<u8> {
    private(&[X25519], &value(OCTET_STRING, key))
}

/// id-alg-ml-kem-512, -768, -1024 end in 1, 2, 3 (RFC 9935).
fn ml_kem(last: u8) -> [u8; 9] {
    [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, last]
}

/// A private key of ML-KEM: the seed d || z, which has the tag `[0]`.
pub fn ml_kem_private(last: u8, seed: &[u8]) -> Vec<u8> {
    private(&[&ml_kem(last)], &value(0x80, seed))
}

/// A private key of ML-KEM: what the standard calls dk.
pub fn ml_kem_expanded(last: u8, key: &[u8]) -> Vec<u8> {
    private(&[&ml_kem(last)], &value(OCTET_STRING, key))
}

/// id-ml-dsa-44, -65, -87 end in 17, 18, 19 (RFC 9881).
fn ml_dsa(last: u8) -> [u8; 9] {
    [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, last]
}

/// A private key of ML-DSA: the seed, which has the tag `[0]`.
pub fn ml_dsa_private(last: u8, seed: &[u8]) -> Vec<u8> {
    private(&[&ml_dsa(last)], &value(0x80, seed))
}

/// A private key of ML-DSA: what the standard calls sk.
pub fn ml_dsa_expanded(last: u8, key: &[u8]) -> Vec<u8> {
    private(&[&ml_dsa(last)], &value(OCTET_STRING, key))
}

/// A private key of ML-DSA in its expanded form, or of SLH-DSA, whose key is not wrapped in a further string (RFC 9909). Identifiers of
/// SLH-DSA follow ML-DSA's.
pub fn signature_private(last: u8, key: &[u8]) -> Vec<u8> {
    match last {
        17..20 => ml_dsa_expanded(last, key),
        _ => private(&[&ml_dsa(last)], key),
    }
}

/// A public key of ML-DSA or SLH-DSA.
pub fn signature_public(last: u8, key: &[u8]) -> Vec<u8> {
    public(&ml_dsa(last), key)
}

/// A public key of ML-KEM.
pub fn ml_kem_public(last: u8, key: &[u8]) -> Vec<u8> {
    public(&ml_kem(last), key)
}

/// SubjectPublicKeyInfo (RFC 5280) of a key.
fn public(identifier: &[u8], key: &[u8]) -> Vec<u8> {
    let id = value(SEQUENCE, &value(OID, identifier));
    let bits = value(BIT_STRING, &[&[0], key].concat());
    value(SEQUENCE, &[id, bits].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodings of the same keys from other sources: RFC 8410's prefix, cases/ml-kem.toml, and RustCrypto.
    #[test]
    fn encodings_of_keys_agree_with_other_sources() {
        let x = hex::encode(x25519_private(&[7; 32]));
        assert_eq!(x, format!("302e020100300506032b656e04220420{}", "07".repeat(32)));
        let m = hex::encode(ml_kem_private(1, &[7; 64]));
        assert_eq!(
            m,
            format!("3054020100300b06096086480165030404010442 8040{}", "07".repeat(64))
                .replace(' ', "")
        );
        use p256::pkcs8::DecodePrivateKey;
        let key = p256::SecretKey::from_pkcs8_der(&ec_private(false, &[0, 0, 5])).unwrap();
        assert_eq!(key.to_bytes()[31], 5);
        let key = p384::SecretKey::from_pkcs8_der(&ec_private(true, &[5])).unwrap();
        assert_eq!(key.to_bytes()[47], 5);
    }
}
