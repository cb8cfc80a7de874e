//! The oracles: RustCrypto, and two modes that it lacks, written from their standards.

use aes::cipher::{
    Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeEncrypt, InnerIvInit, KeyInit,
    KeyIvInit, StreamCipher, consts::*,
};
use aes::{Aes128, Aes192, Aes256};
use aes_gcm::aead::{Aead, AeadCore, Nonce, Payload};
use sm4::Sm4;

/// A block cipher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// AES-128
    Aes128,
    /// AES-192
    Aes192,
    /// AES-256
    Aes256,
    /// SM4
    Sm4,
}

impl Name {
    /// All of them.
    pub const ALL: [Name; 4] = [Name::Aes128, Name::Aes192, Name::Aes256, Name::Sm4];

    /// Length of its key in bytes.
    pub fn key_len(self) -> usize {
        match self {
            Name::Aes192 => 24,
            Name::Aes256 => 32,
            Name::Aes128 | Name::Sm4 => 16,
        }
    }
}

/// Runs a generic function with a block cipher.
macro_rules! with_cipher {
    ($name:expr, $f:ident($($argument:expr),*)) => {
        match $name {
            Name::Aes128 => $f::<Aes128>($($argument),*),
            Name::Aes192 => $f::<Aes192>($($argument),*),
            Name::Aes256 => $f::<Aes256>($($argument),*),
            Name::Sm4 => $f::<Sm4>($($argument),*),
        }
    };
}

trait Cipher: KeyInit + BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt + Clone {}
impl<C: KeyInit + BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt + Clone> Cipher for C {}

/// A mode without authentication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "their names are the standards'")]
pub enum Mode {
    Ecb,
    Cbc,
    Ctr,
    Cfb,
    Cfb8,
    Cfb1,
    Ofb,
}

/// Encrypts `text`.
pub fn encrypt(name: Name, mode: Mode, key: &[u8], iv: &[u8], text: &[u8]) -> Vec<u8> {
    with_cipher!(name, of_mode(mode, key, iv, text))
}

fn of_mode<C: Cipher>(mode: Mode, key: &[u8], iv: &[u8], text: &[u8]) -> Vec<u8> {
    let mut out = text.to_vec();
    let cipher = C::new_from_slice(key).expect("a key's length");
    match mode {
        Mode::Ecb => each_block::<C>(&mut out, |b| cipher.encrypt_block(b)),
        Mode::Cbc => {
            let iv = iv.try_into().expect("an IV's length");
            let mut cbc = cbc::Encryptor::<C>::inner_iv_init(cipher, iv);
            each_block::<C>(&mut out, |b| cbc.encrypt_block(b));
        }
        Mode::Ctr => {
            ctr::Ctr128BE::<C>::new_from_slices(key, iv).expect("lengths").apply_keystream(&mut out)
        }
        Mode::Ofb => {
            ofb::Ofb::<C>::new_from_slices(key, iv).expect("lengths").apply_keystream(&mut out);
        }
        Mode::Cfb => cfb_mode::Encryptor::inner_iv_slice_init(cipher, iv)
            .expect("an IV's length")
            .encrypt(&mut out),
        Mode::Cfb8 => cfb8::Encryptor::inner_iv_slice_init(cipher, iv)
            .expect("an IV's length")
            .encrypt(&mut out),
        Mode::Cfb1 => cfb1(&cipher, iv, &mut out),
    }
    out
}

fn each_block<C: Cipher>(text: &mut [u8], mut f: impl FnMut(&mut Block<C>)) {
    for block in text.chunks_exact_mut(16) {
        f(block.try_into().expect("a block of 16 bytes"));
    }
}

/// SP 800-38A, 6.3, with one-bit segments, starting with a byte's most significant bit.
fn cfb1<C: Cipher>(cipher: &C, iv: &[u8], out: &mut [u8]) {
    let mut register = u128::from_be_bytes(iv.try_into().expect("an IV's length"));
    for i in 0..out.len() * 8 {
        let mut block: Block<C> = register.to_be_bytes().into();
        cipher.encrypt_block(&mut block);
        out[i / 8] ^= (block[0] >> 7) << (7 - i % 8);
        register = register << 1 | (out[i / 8] >> (7 - i % 8) & 1) as u128;
    }
}

/// Encrypts a data unit with XTS; `key` is the text's key followed by the tweak's.
pub fn xts(name: Name, key: &[u8], tweak: [u8; 16], text: &[u8]) -> Vec<u8> {
    fn of<C: Cipher>(key: &[u8], tweak: [u8; 16], text: &[u8]) -> Vec<u8> {
        let (data, tweaker) = key.split_at(key.len() / 2);
        let [data, tweaker] = [data, tweaker].map(|k| C::new_from_slice(k).expect("lengths"));
        let mut out = text.to_vec();
        xts_mode::Xts128::new(data, tweaker).encrypt_sector(&mut out, tweak.into());
        out
    }
    with_cipher!(name, of(key, tweak, text))
}

/// XTS of GB/T 17964-2021: differs from IEEE 1619 only in the multiplication of the tweak, whose first bit, the most
/// significant of the first byte, is the coefficient of x^0.
pub fn xts_gb(name: Name, key: &[u8], tweak: [u8; 16], text: &[u8]) -> Vec<u8> {
    let (data, tweaker) = key.split_at(key.len() / 2);
    let one = |key: &[u8], block: u128| {
        let out = encrypt(name, Mode::Ecb, key, &[], &block.to_be_bytes());
        u128::from_be_bytes(out.try_into().expect("a block"))
    };
    let number = |b: &[u8]| u128::from_be_bytes(b.try_into().expect("a block"));
    let mut tweak = one(tweaker, number(&tweak));
    let mut out = text.to_vec();
    let (whole, mut last) = (out.len() / 16 * 16, 0);
    for at in (0..whole).step_by(16) {
        let block = one(data, number(&out[at..at + 16]) ^ tweak) ^ tweak;
        out[at..at + 16].copy_from_slice(&block.to_be_bytes());
        tweak = tweak >> 1 ^ if tweak & 1 == 1 { 0xe1 << 120 } else { 0 };
        last = at;
    }
    let rest = out.len() - whole;
    if rest > 0 {
        // Ciphertext stealing: the last whole block completes the partial one and is encrypted again.
        let mut block = out[last..whole].to_vec();
        let stolen = block[..rest].to_vec();
        block[..rest].copy_from_slice(&out[whole..]);
        let block = one(data, number(&block) ^ tweak) ^ tweak;
        out[last..whole].copy_from_slice(&block.to_be_bytes());
        out[whole..].copy_from_slice(&stolen);
    }
    out
}

/// A message of an AEAD.
pub struct Message<'a> {
    /// Key.
    pub key: &'a [u8],
    /// Nonce.
    pub nonce: &'a [u8],
    /// Associated data.
    pub aad: &'a [u8],
    /// Text.
    pub text: &'a [u8],
}

/// Ciphertext and tag.
fn seal<A: KeyInit + Aead + AeadCore>(m: &Message) -> Vec<u8> {
    let nonce: &Nonce<A> = m.nonce.try_into().expect("a nonce's length");
    let aead = A::new_from_slice(m.key).expect("a key's length");
    aead.encrypt(nonce, Payload { msg: m.text, aad: m.aad }).expect("a short message")
}

/// RustCrypto has lengths as types: defines a function for the listed ones, and the list.
macro_rules! sizes {
    ($f:ident $all:ident: $(($nonce:literal, $tag:literal) => $aead:ty,)*) => {
        /// Pairs of lengths of nonce and tag that `$f` knows.
        pub const $all: &[(usize, usize)] = &[$(($nonce, $tag)),*];

        #[doc = concat!("Ciphertext and tag of ", stringify!($f), ", with lengths of `", stringify!($all), "`.")]
        pub fn $f(name: Name, m: &Message, tag_len: usize) -> Vec<u8> {
            fn of<C: Cipher>(m: &Message, tag_len: usize) -> Vec<u8> {
                match (m.nonce.len(), tag_len) {
                    $(($nonce, $tag) => seal::<$aead>(m),)*
                    other => panic!("no oracle for nonce and tag of {other:?} bytes"),
                }
            }
            with_cipher!(name, of(m, tag_len))
        }
    };
}

// Shorter GCM tags are prefixes of the full one.
sizes! { gcm GCM_SIZES:
    (1, 16) => aes_gcm::AesGcm<C, U1>,
    (8, 16) => aes_gcm::AesGcm<C, U8>,
    (12, 16) => aes_gcm::AesGcm<C, U12>,
    (16, 16) => aes_gcm::AesGcm<C, U16>,
    (17, 16) => aes_gcm::AesGcm<C, U17>,
    (60, 16) => aes_gcm::AesGcm<C, U60>,
    (128, 16) => aes_gcm::AesGcm<C, U128>,
}
sizes! { ccm CCM_SIZES:
    (7, 16) => ccm::Ccm<C, U16, U7>,
    (8, 16) => ccm::Ccm<C, U16, U8>,
    (9, 16) => ccm::Ccm<C, U16, U9>,
    (10, 16) => ccm::Ccm<C, U16, U10>,
    (11, 16) => ccm::Ccm<C, U16, U11>,
    (12, 16) => ccm::Ccm<C, U16, U12>,
    (13, 16) => ccm::Ccm<C, U16, U13>,
    (13, 4) => ccm::Ccm<C, U4, U13>,
    (13, 6) => ccm::Ccm<C, U6, U13>,
    (12, 8) => ccm::Ccm<C, U8, U12>,
    (13, 10) => ccm::Ccm<C, U10, U13>,
    (13, 12) => ccm::Ccm<C, U12, U13>,
    (7, 14) => ccm::Ccm<C, U14, U7>,
}
sizes! { ocb OCB_SIZES:
    (6, 16) => ocb3::Ocb3<C, U6, U16>,
    (12, 16) => ocb3::Ocb3<C, U12, U16>,
    (12, 12) => ocb3::Ocb3<C, U12, U12>,
    (12, 8) => ocb3::Ocb3<C, U12, U8>,
    (13, 16) => ocb3::Ocb3<C, U13, U16>,
    (15, 16) => ocb3::Ocb3<C, U15, U16>,
}

/// Ciphertext and tag.
pub fn chacha20_poly1305(m: &Message) -> Vec<u8> {
    seal::<chacha20poly1305::ChaCha20Poly1305>(m)
}

/// ChaCha20 from block `counter` on. A carry into the nonce acts like a 64-bit counter.
pub fn chacha20(key: &[u8], nonce: &[u8], counter: u32, text: &[u8]) -> Vec<u8> {
    use chacha20::cipher::StreamCipherSeek;
    let mut out = text.to_vec();
    if counter as usize + text.len() / 64 + 1 < 1 << 32 {
        let mut cipher = chacha20::ChaCha20::new_from_slices(key, nonce).expect("lengths");
        cipher.seek(counter as u64 * 64);
        cipher.apply_keystream(&mut out);
        return out;
    }
    let (high, nonce) = nonce.split_at(4);
    let high = u32::from_le_bytes(high.try_into().expect("4 bytes"));
    let mut cipher = chacha20::ChaCha20Legacy::new_from_slices(key, nonce).expect("lengths");
    cipher.seek(((high as u128) << 32 | counter as u128) * 64);
    cipher.apply_keystream(&mut out);
    out
}

macro_rules! cmac_of {
    ($cipher:ty, $key:expr, $text:expr) => {{
        let mut mac = <cmac::Cmac<$cipher> as KeyInit>::new_from_slice($key).expect("a key");
        cmac::Mac::update(&mut mac, $text);
        cmac::Mac::finalize(mac).into_bytes().to_vec()
    }};
}

/// CMAC.
pub fn cmac(name: Name, key: &[u8], text: &[u8]) -> Vec<u8> {
    match name {
        Name::Aes128 => cmac_of!(Aes128, key, text),
        Name::Aes192 => cmac_of!(Aes192, key, text),
        Name::Aes256 => cmac_of!(Aes256, key, text),
        Name::Sm4 => cmac_of!(Sm4, key, text),
    }
}

/// Poly1305.
pub fn poly1305(key: &[u8], text: &[u8]) -> Vec<u8> {
    let key = key.try_into().expect("a key's length");
    poly1305::Poly1305::new(key).compute_unpadded(text).to_vec()
}
