//! Public-key algorithms. Keys are DER whose last bytes are the raw key, except for RSA.

use super::Job;
use capvec_bench::case::Operation;
use ml_dsa::MlDsaParams;
use ml_kem::array::Array;
use ml_kem::kem::{Decapsulate, KeyExport};
use rsa::pkcs8::{DecodePrivateKey, DecodePublicKey};
use rsa::signature::{SignatureEncoding, Signer, Verifier};

impl Job {
    /// The last `N` bytes of the key.
    fn raw<const N: usize>(&self) -> [u8; N] {
        self.key[self.key.len() - N..].try_into().unwrap()
    }
}

/// A macro, because the trait of the crate's sizes is private.
macro_rules! ml_kem {
    ($size:ty, $job:expr) => {{
        let job: &Job = $job;
        let seed: Array<u8, _> = match job.operation {
            Operation::Keygen => job.input.as_slice().try_into().unwrap(),
            _ => job.raw::<64>().into(),
        };
        let private = ml_kem::DecapsulationKey::<$size>::from_seed(seed);
        let public = private.encapsulation_key();
        match job.operation {
            // The expanded form is what the standard calls dk.
            #[allow(deprecated)]
            Operation::Keygen => {
                use ml_kem::ExpandedKeyEncoding;
                [public.to_bytes().to_vec(), private.to_expanded_bytes().to_vec()].concat()
            }
            Operation::Encaps => {
                let m = job.input.as_slice().try_into().unwrap();
                let (ciphertext, secret) = public.encapsulate_deterministic(m);
                [ciphertext.to_vec(), secret.to_vec()].concat()
            }
            _ => private.decapsulate_slice(&job.input).unwrap().to_vec(),
        }
    }};
}

/// Every public-key operation.
pub fn pkey(job: &Job) -> Vec<u8> {
    match (job.algorithm.as_str(), job.operation) {
        ("RSA", _) => rsa(job),
        ("EC", Operation::Derive) => ecdh(job),
        ("EC", _) => ecdsa(job),
        ("X25519", _) => {
            let peer = job.input.as_slice().try_into().unwrap();
            x25519_dalek::x25519(job.raw(), peer).to_vec()
        }
        ("ED25519", _) => {
            ed25519_dalek::SigningKey::from_bytes(&job.raw()).sign(&job.input).to_vec()
        }
        ("SM2", _) => sm2(job),
        ("ML-KEM-512", _) => ml_kem!(ml_kem::MlKem512, job),
        ("ML-KEM-768", _) => ml_kem!(ml_kem::MlKem768, job),
        ("ML-KEM-1024", _) => ml_kem!(ml_kem::MlKem1024, job),
        ("ML-DSA-44", _) => ml_dsa::<ml_dsa::MlDsa44>(job),
        ("ML-DSA-65", _) => ml_dsa::<ml_dsa::MlDsa65>(job),
        ("ML-DSA-87", _) => ml_dsa::<ml_dsa::MlDsa87>(job),
        ("SLH-DSA-SHA2-128s", _) => slh_dsa::<slh_dsa::Sha2_128s>(job),
        ("SLH-DSA-SHA2-128f", _) => slh_dsa::<slh_dsa::Sha2_128f>(job),
        ("SLH-DSA-SHAKE-128f", _) => slh_dsa::<slh_dsa::Shake128f>(job),
        (other, _) => panic!("no oracle for {other}: write one"),
    }
}

fn rsa(job: &Job) -> Vec<u8> {
    use rsa::pkcs1v15::{Signature, SigningKey, VerifyingKey};
    if job.operation == Operation::Sign {
        let key = rsa::RsaPrivateKey::from_pkcs8_der(&job.key).unwrap();
        return SigningKey::<sha2::Sha256>::new(key).sign(&job.input).to_vec();
    }
    let key = rsa::RsaPublicKey::from_public_key_der(&job.key).unwrap();
    let signature = Signature::try_from(job.aad.as_slice()).unwrap();
    vec![VerifyingKey::<sha2::Sha256>::new(key).verify(&job.input, &signature).is_ok() as u8]
}

/// Deterministic, by RFC 6979.
fn ecdsa(job: &Job) -> Vec<u8> {
    match job.parameter.as_str() {
        "SHA256" => {
            let key = p256::ecdsa::SigningKey::from_slice(&job.raw::<32>()).unwrap();
            let signature: p256::ecdsa::Signature = key.sign(&job.input);
            signature.to_der().to_bytes().to_vec()
        }
        _ => {
            let key = p384::ecdsa::SigningKey::from_slice(&job.raw::<48>()).unwrap();
            let signature: p384::ecdsa::Signature = key.sign(&job.input);
            signature.to_der().to_bytes().to_vec()
        }
    }
}

fn ecdh(job: &Job) -> Vec<u8> {
    if job.input.len() == 65 {
        let own = p256::SecretKey::from_slice(&job.raw::<32>()).unwrap();
        let peer = p256::PublicKey::from_sec1_bytes(&job.input).unwrap();
        let secret = p256::ecdh::diffie_hellman(own.to_nonzero_scalar(), peer.as_affine());
        secret.raw_secret_bytes().to_vec()
    } else {
        let own = p384::SecretKey::from_slice(&job.raw::<48>()).unwrap();
        let peer = p384::PublicKey::from_sec1_bytes(&job.input).unwrap();
        let secret = p384::ecdh::diffie_hellman(own.to_nonzero_scalar(), peer.as_affine());
        secret.raw_secret_bytes().to_vec()
    }
}

/// Verification only, because signatures are random. The driver's signatures are DER, this crate's r || s.
fn sm2(job: &Job) -> Vec<u8> {
    let identity = std::str::from_utf8(&job.iv).unwrap();
    let key = sm2::dsa::VerifyingKey::from_sec1_bytes(identity, &job.raw::<65>()).unwrap();
    let raw = [integer(&job.aad[2..]), integer(&job.aad[4 + job.aad[3] as usize..])].concat();
    let signature = sm2::dsa::Signature::from_slice(&raw).unwrap();
    vec![key.verify(&job.input, &signature).is_ok() as u8]
}

/// A DER integer as 32 bytes.
fn integer(der: &[u8]) -> Vec<u8> {
    let value = &der[2..2 + der[1] as usize];
    let value = value.strip_prefix(&[0]).unwrap_or(value);
    [vec![0; 32 - value.len()], value.to_vec()].concat()
}

fn ml_dsa<P: MlDsaParams>(job: &Job) -> Vec<u8> {
    let seed: [u8; 32] = match job.operation {
        Operation::Keygen => job.input.as_slice().try_into().unwrap(),
        _ => job.raw(),
    };
    let key = ml_dsa::ExpandedSigningKey::<P>::from_seed(&seed.into());
    match job.operation {
        // The expanded form is what the standard calls sk.
        #[allow(deprecated)]
        Operation::Keygen => {
            [key.verifying_key().encode().to_vec(), key.to_expanded().to_vec()].concat()
        }
        _ => key.sign_deterministic(&job.input, &job.iv).unwrap().encode().to_vec(),
    }
}

fn slh_dsa<P: slh_dsa::ParameterSet>(job: &Job) -> Vec<u8> {
    if job.operation == Operation::Keygen {
        let [a, b, c] = [0, 16, 32].map(|at| &job.input[at..at + 16]);
        let key = slh_dsa::SigningKey::<P>::slh_keygen_internal(a, b, c);
        let public: &slh_dsa::VerifyingKey<P> = key.as_ref();
        return [public.to_vec(), key.to_vec()].concat();
    }
    let key = slh_dsa::SigningKey::<P>::try_from(&job.raw::<64>()[..]).unwrap();
    if job.operation == Operation::Verify {
        let public: &slh_dsa::VerifyingKey<P> = key.as_ref();
        let signature = slh_dsa::Signature::<P>::try_from(job.aad.as_slice()).unwrap();
        return vec![public.try_verify_with_context(&job.input, &job.iv, &signature).is_ok() as u8];
    }
    key.try_sign_with_context(&job.input, &job.iv, None).unwrap().to_vec()
}
