//! Just enough of OpenPGP (RFC 4880; RFC 9580, "Algorithm-Specific Part for EdDSALegacy") to verify an Ed25519
//! signature over a document without GnuPG.

use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha256, Sha512};

const SIGNATURE: u8 = 2;
const PUBLIC_KEY: u8 = 6;
const EDDSA_LEGACY: u8 = 22;
const SHA256: u8 = 8;
const SHA512: u8 = 10;

/// Takes `n` bytes.
fn take<'a>(from: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (head, rest) = from.split_at_checked(n)?;
    *from = rest;
    Some(head)
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |n, b| n << 8 | usize::from(*b))
}

/// The first packet's type and contents (RFC 4880, section 4.2).
fn packet(mut file: &[u8]) -> Option<(u8, &[u8])> {
    let tag = take(&mut file, 1)?[0];
    let (kind, len) = if tag & 0x40 == 0 {
        (tag >> 2 & 15, number(take(&mut file, 1 << (tag & 3))?))
    } else {
        match usize::from(take(&mut file, 1)?[0]) {
            n @ 0..192 => (tag & 63, n),
            n @ 192..224 => (tag & 63, ((n - 192) << 8) + number(take(&mut file, 1)?) + 192),
            _ => (tag & 63, number(take(&mut file, 4)?)),
        }
    };
    Some((kind, take(&mut file, len)?))
}

/// A multiprecision integer (section 3.2).
fn mpi<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let bits = number(take(from, 2)?);
    take(from, bits.div_ceil(8))
}

/// The number as 32 bytes, padded with zeros on the left.
fn padded(n: &[u8]) -> Option<[u8; 32]> {
    let mut out = [0; 32];
    out.get_mut(32usize.checked_sub(n.len())?..)?.copy_from_slice(n);
    Some(out)
}

/// The primary key of an exported key.
fn key(file: &[u8]) -> Option<VerifyingKey> {
    let (PUBLIC_KEY, mut body) = packet(file)? else { return None };
    // Version, time, algorithm, curve.
    let [4, _, _, _, _, EDDSA_LEGACY] = *take(&mut body, 6)? else { return None };
    let oid = take(&mut body, 1)?[0];
    take(&mut body, oid.into())?;
    // The prefix 0x40 marks a point in the encoding of RFC 8032.
    let (0x40, point) = mpi(&mut body)?.split_first()? else { return None };
    VerifyingKey::from_bytes(point.try_into().ok()?).ok()
}

/// The digest of the signed data (section 5.2.4), and the signature.
fn signed(file: &[u8], document: &[u8]) -> Option<(Vec<u8>, Signature)> {
    let (SIGNATURE, body) = packet(file)? else { return None };
    let mut rest = body;
    let [4, 0, EDDSA_LEGACY, hash, a, b] = *take(&mut rest, 6)? else { return None };
    let hashed = &body[..6 + number(&[a, b])];
    take(&mut rest, hashed.len() - 6)?;
    let unhashed = number(take(&mut rest, 2)?);
    // The left 16 bits of the digest follow.
    take(&mut rest, unhashed)?;
    let left = take(&mut rest, 2)?;
    let length = (hashed.len() as u32).to_be_bytes();
    let data = [document, hashed, &[4, 0xff], &length].concat();
    let digest = match hash {
        SHA256 => Sha256::digest(&data).to_vec(),
        SHA512 => Sha512::digest(&data).to_vec(),
        _ => return None,
    };
    if !digest.starts_with(left) {
        return None;
    }
    let (r, s) = (padded(mpi(&mut rest)?)?, padded(mpi(&mut rest)?)?);
    Some((digest, Signature::from_components(r, s)))
}

/// Verifies a detached signature of a document by the primary key of an exported key.
pub fn verify(key_file: &[u8], signature: &[u8], document: &[u8]) -> Result<(), String> {
    let key = key(key_file).ok_or("no Ed25519 key")?;
    let (digest, signature) =
        signed(signature, document).ok_or("not a signature of this document")?;
    key.verify_strict(&digest, &signature).map_err(|e| e.to_string())
}
