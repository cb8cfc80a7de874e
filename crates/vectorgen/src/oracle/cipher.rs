//! Ciphers.

use super::Job;
use aes::cipher::{
    Block, BlockCipherEncrypt, BlockModeEncrypt, InnerIvInit, KeyInit, KeyIvInit, StreamCipher,
    consts::*,
};
use aes::{Aes128, Aes192, Aes256};
use aes_gcm::aead::{Aead, AeadCore, Nonce, Payload};
use sm4::Sm4;

/// Runs a generic function with the block cipher that the algorithm's name begins with.
macro_rules! with_cipher {
    ($job:expr, $f:ident) => {
        match $job.algorithm.get(..7) {
            Some("AES-128") => $f::<Aes128>($job),
            Some("AES-192") => $f::<Aes192>($job),
            Some("AES-256") => $f::<Aes256>($job),
            _ if $job.algorithm.starts_with("SM4-") => $f::<Sm4>($job),
            _ => panic!("no oracle for {}: write one", $job.algorithm),
        }
    };
}

trait Cipher: KeyInit + BlockCipherEncrypt<BlockSize = U16> + Clone {}
impl<C: KeyInit + BlockCipherEncrypt<BlockSize = U16> + Clone> Cipher for C {}

/// Every mode without authentication.
pub fn cipher(job: &Job) -> Vec<u8> {
    match job.algorithm.as_str() {
        "ChaCha20" => chacha20(job),
        // EVP's key size is that of one half of the key.
        "SM4-XTS" => gb_xts(job),
        name if name.ends_with("-XTS") => with_cipher!(job, xts),
        _ => with_cipher!(job, mode),
    }
}

fn mode<C: Cipher>(job: &Job) -> Vec<u8> {
    let (key, iv) = (job.key.as_slice(), job.iv.as_slice());
    let mut out = job.input.clone();
    let cipher = C::new_from_slice(key).unwrap();
    match job.algorithm.rsplit('-').next().unwrap() {
        "ECB" => {
            for block in out.chunks_exact_mut(16) {
                let block: &mut Block<C> = block.try_into().unwrap();
                cipher.encrypt_block(block);
            }
        }
        "CBC" => {
            let mut cbc = cbc::Encryptor::<C>::inner_iv_init(cipher, iv.try_into().unwrap());
            for block in out.chunks_exact_mut(16) {
                let block: &mut Block<C> = block.try_into().unwrap();
                cbc.encrypt_block(block);
            }
        }
        "CTR" => ctr::Ctr128BE::<C>::new_from_slices(key, iv).unwrap().apply_keystream(&mut out),
        "OFB" => ofb::Ofb::<C>::new_from_slices(key, iv).unwrap().apply_keystream(&mut out),
        "CFB" => cfb_mode::Encryptor::inner_iv_slice_init(cipher, iv).unwrap().encrypt(&mut out),
        "CFB8" => cfb8::Encryptor::inner_iv_slice_init(cipher, iv).unwrap().encrypt(&mut out),
        "CFB1" => cfb1(&cipher, iv, &mut out),
        other => panic!("no oracle for {other}: write one"),
    }
    out
}

/// SP 800-38A, section 6.3, with one-bit segments, starting with a byte's most significant bit.
fn cfb1<C: Cipher>(cipher: &C, iv: &[u8], out: &mut [u8]) {
    let mut register = u128::from_be_bytes(iv.try_into().unwrap());
    for i in 0..out.len() * 8 {
        let mut block: Block<C> = register.to_be_bytes().into();
        cipher.encrypt_block(&mut block);
        out[i / 8] ^= (block[0] >> 7) << (7 - i % 8);
        register = register << 1 | (out[i / 8] >> (7 - i % 8) & 1) as u128;
    }
}

/// ChaCha20 with the block counter before the nonce, as EVP expects it.
fn chacha20(job: &Job) -> Vec<u8> {
    use chacha20::cipher::StreamCipherSeek;
    let counter = u32::from_le_bytes(job.iv[..4].try_into().unwrap());
    let mut cipher = chacha20::ChaCha20::new_from_slices(&job.key, &job.iv[4..]).unwrap();
    cipher.seek(counter as u64 * 64);
    let mut out = job.input.clone();
    cipher.apply_keystream(&mut out);
    out
}

fn xts<C: Cipher + aes::cipher::BlockCipherDecrypt>(job: &Job) -> Vec<u8> {
    let (data, tweak) = job.key.split_at(job.key.len() / 2);
    let [data, tweak] = [data, tweak].map(|k| C::new_from_slice(k).unwrap());
    let mut out = job.input.clone();
    let iv = job.iv.as_slice().try_into().unwrap();
    xts_mode::Xts128::new(data, tweak).encrypt_sector(&mut out, iv);
    out
}

/// XTS of GB/T 17964-2021: differs from IEEE 1619 only in the multiplication of the tweak, whose first bit, the most
/// significant of the first byte, is the coefficient of x^0.
fn gb_xts(job: &Job) -> Vec<u8> {
    let (data, tweak) = job.key.split_at(16);
    let [data, tweaker] = [data, tweak].map(|k| Sm4::new_from_slice(k).unwrap());
    let encrypt = |cipher: &Sm4, block: u128| {
        let mut block: Block<Sm4> = block.to_be_bytes().into();
        cipher.encrypt_block(&mut block);
        u128::from_be_bytes(block.into())
    };
    let mut tweak = encrypt(&tweaker, u128::from_be_bytes(job.iv.as_slice().try_into().unwrap()));
    let mut out = job.input.clone();
    let whole = out.len() / 16 * 16;
    let mut last = 0..16;
    for at in (0..whole).step_by(16) {
        last = at..at + 16;
        let block = u128::from_be_bytes(out[last.clone()].try_into().unwrap());
        out[last.clone()].copy_from_slice(&(encrypt(&data, block ^ tweak) ^ tweak).to_be_bytes());
        tweak = tweak >> 1 ^ if tweak & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    if out.len() > whole {
        // Ciphertext stealing: the last whole block completes the partial one and is encrypted again.
        let rest = out.len() - whole;
        let mut block: [u8; 16] = out[last.clone()].try_into().unwrap();
        let stolen = block[..rest].to_vec();
        block[..rest].copy_from_slice(&out[whole..]);
        let block = encrypt(&data, u128::from_be_bytes(block) ^ tweak) ^ tweak;
        out[last].copy_from_slice(&block.to_be_bytes());
        out[whole..].copy_from_slice(&stolen);
    }
    out
}

/// Ciphertext and tag.
pub fn aead(job: &Job) -> Vec<u8> {
    match job.algorithm.as_str() {
        "ChaCha20-Poly1305" => seal::<chacha20poly1305::ChaCha20Poly1305>(job),
        _ => with_cipher!(job, aead_mode),
    }
}

fn aead_mode<C: Cipher + aes::cipher::BlockCipherDecrypt>(job: &Job) -> Vec<u8> {
    let mode = job.algorithm.rsplit('-').next().unwrap();
    // RustCrypto has sizes as types; these are all pairs that vectors use.
    macro_rules! sizes {
        ($($mode:literal $tag:literal $nonce:literal => $aead:ty,)*) => {
            match (mode, job.parameter.as_str(), job.iv.len()) {
                $(($mode, $tag, $nonce) => seal::<$aead>(job),)*
                other => panic!("no oracle for {other:?}: write one"),
            }
        };
    }
    sizes! {
        "GCM" "" 1 => aes_gcm::AesGcm<C, U1>,
        "GCM" "" 12 => aes_gcm::AesGcm<C, U12>,
        "GCM" "" 128 => aes_gcm::AesGcm<C, U128>,
        "CCM" "" 7 => ccm::Ccm<C, U16, U7>,
        "CCM" "" 8 => ccm::Ccm<C, U16, U8>,
        "CCM" "" 9 => ccm::Ccm<C, U16, U9>,
        "CCM" "" 10 => ccm::Ccm<C, U16, U10>,
        "CCM" "" 11 => ccm::Ccm<C, U16, U11>,
        "CCM" "" 12 => ccm::Ccm<C, U16, U12>,
        "CCM" "" 13 => ccm::Ccm<C, U16, U13>,
        "CCM" "8" 12 => ccm::Ccm<C, U8, U12>,
        "CCM" "4" 13 => ccm::Ccm<C, U4, U13>,
        "CCM" "6" 13 => ccm::Ccm<C, U6, U13>,
        "CCM" "8" 13 => ccm::Ccm<C, U8, U13>,
        "CCM" "10" 13 => ccm::Ccm<C, U10, U13>,
        "CCM" "12" 13 => ccm::Ccm<C, U12, U13>,
        "CCM" "14" 13 => ccm::Ccm<C, U14, U13>,
        "CCM" "4" 7 => ccm::Ccm<C, U4, U7>,
        "OCB" "" 12 => ocb3::Ocb3<C, U12>,
    }
}

fn seal<A: KeyInit + Aead + AeadCore>(job: &Job) -> Vec<u8> {
    let nonce: &Nonce<A> = job.iv.as_slice().try_into().unwrap();
    let payload = Payload { msg: &job.input, aad: &job.aad };
    A::new_from_slice(&job.key).unwrap().encrypt(nonce, payload).unwrap()
}
