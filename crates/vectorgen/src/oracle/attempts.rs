//! How many attempts a signature of ML-DSA took (FIPS 204, algorithm 7), from key, message and signature.
//!
//! A signature holds z = y + c s1, where y depends on the number of the attempt and c s1 is small. So the attempt is the one whose
//! y is close to z.

use super::Job;
use capvec_bench::case::{Kind, Operation};
use shake::digest::{ExtendableOutput, Update, XofReader};

/// A parameter set (FIPS 204, table 1).
struct Set {
    /// Bytes of the challenge's hash.
    challenge: usize,
    /// Bits of a coefficient of y.
    bits: usize,
    /// Polynomials in y.
    polynomials: u16,
    /// No coefficient of c s1 is larger.
    most: i64,
}

/// Coefficients of a polynomial.
const N: usize = 256;
/// More attempts than any signature takes.
const MOST: u16 = 1000;

fn set(algorithm: &str) -> Set {
    match algorithm {
        "ML-DSA-44" => Set { challenge: 32, bits: 18, polynomials: 4, most: 78 },
        "ML-DSA-65" => Set { challenge: 48, bits: 20, polynomials: 5, most: 196 },
        "ML-DSA-87" => Set { challenge: 64, bits: 20, polynomials: 7, most: 120 },
        other => panic!("{other} makes no attempts"),
    }
}

fn shake256<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut hash = shake::Shake256::default();
    parts.iter().for_each(|p| hash.update(p));
    let mut out = [0; N];
    hash.finalize_xof().read(&mut out);
    out
}

/// The numbers of `bits` bits each that bytes hold, the lowest first.
fn numbers(bytes: &[u8], bits: usize) -> Vec<i64> {
    let bit = |k: usize| i64::from(bytes[k / 8] >> (k % 8) & 1);
    (0..N).map(|i| (0..bits).map(|k| bit(i * bits + k) << k).sum()).collect()
}

/// The number of attempts of the deterministic signature of `job`, whose operation is signing.
pub fn attempts(job: &Job) -> u32 {
    let set = set(&job.algorithm);
    let signature = job.oracle(Kind::Pkey);
    let key = Job {
        algorithm: job.algorithm.clone(),
        parameter: String::new(),
        operation: Operation::Keygen,
        key: Vec::new(),
        iv: Vec::new(),
        aad: Vec::new(),
        input: job.key[job.key.len() - 32..].to_vec(),
    };
    let both = key.oracle(Kind::Pkey);
    // The public key is rho || t1, and rho begins the private key: rho || K || tr.
    let private = (32..both.len() - 32).find(|i| both[*i..i + 32] == both[..32]);
    let private = &both[private.expect("the private key begins with rho")..];
    let (secret, tr) = (&private[32..64], &private[64..128]);
    let context = [0, u8::try_from(job.iv.len()).expect("at most 255 bytes")];
    let mu: [u8; 64] = shake256(&[tr, &context, &job.iv, &job.input]);
    let rho: [u8; 64] = shake256(&[secret, &[0; 32], &mu]);
    let z = numbers(&signature[set.challenge..], set.bits);
    let found = (0..MOST).find(|attempt| {
        let nonce = attempt * set.polynomials;
        let y: [u8; N * 20 / 8] = shake256(&[&rho, &nonce.to_le_bytes()]);
        let y = numbers(&y, set.bits);
        z.iter().zip(&y).all(|(z, y)| (z - y).abs() <= set.most)
    });
    u32::from(found.expect("an attempt within reach")) + 1
}
