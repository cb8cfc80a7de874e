//! `crypto/include/capvec.h`.

use std::ffi::{c_char, c_int};

/// A hash, opaque.
#[repr(C)]
pub struct HashKind {
    _private: [u8; 0],
}

macro_rules! contexts {
    ($($name:ident)*) => {
        $(
            /// A context in C: see the header.
            #[repr(C)]
            pub struct $name {
                _private: [u8; 0],
            }
        )*
        /// The contexts, in the order of `c/sizes.c`.
        #[derive(Clone, Copy)]
        pub enum Kind {
            $(
                /// See the header.
                $name,
            )*
        }
        $(
            impl Context for $name {
                const KIND: Kind = Kind::$name;
            }
        )*
    };
}

/// A type of contexts.
pub trait Context {
    /// Which one.
    const KIND: Kind;
}

contexts! { BlockKey Stream Gcm Ccm Ocb Cmac Hash Hmac Chacha20 Poly1305 Chacha20Poly1305 MlKemKey }

/// A parameter set of ML-KEM, opaque.
#[repr(C)]
pub struct MlKemKind {
    _private: [u8; 0],
}

/// A parameter set of ML-DSA, opaque.
#[repr(C)]
pub struct MlDsaKind {
    _private: [u8; 0],
}

/// A key of ML-DSA: `cv_mldsa_key_size` returns its size.
#[repr(C)]
pub struct MlDsaKey {
    _private: [u8; 0],
}

/// A parameter set of SLH-DSA, opaque.
#[repr(C)]
pub struct SlhDsaKind {
    _private: [u8; 0],
}

/// A function over whole blocks that updates an IV.
pub type Chain = unsafe extern "C" fn(*const BlockKey, *mut u8, *const u8, usize, *mut u8);
/// A stream function.
pub type Streaming = unsafe extern "C" fn(*mut Stream, *mut u8, *const u8, usize);
/// A data unit of XTS.
pub type Unit = unsafe extern "C" fn(
    *const BlockKey,
    *const BlockKey,
    *mut u8,
    *const u8,
    usize,
    *const u8,
) -> c_int;

macro_rules! functions {
    ($($name:ident($($t:ty),*) $(-> $r:ty)?;)*) => {
        unsafe extern "C" {
            $(pub fn $name($(_: $t),*) $(-> $r)?;)*
        }
    };
}

type Out = *mut u8;
type In = *const u8;

#[expect(missing_docs, reason = "the header has them")]
mod declared {
    use super::*;

    unsafe extern "C" {
        pub static cv_test_sizes: [usize; 12];
        pub static cv_sha1: HashKind;
        pub static cv_sha224: HashKind;
        pub static cv_sha256: HashKind;
        pub static cv_sha384: HashKind;
        pub static cv_sha512: HashKind;
        pub static cv_sha512_224: HashKind;
        pub static cv_sha512_256: HashKind;
        pub static cv_sha3_224: HashKind;
        pub static cv_sha3_256: HashKind;
        pub static cv_sha3_384: HashKind;
        pub static cv_sha3_512: HashKind;
        pub static cv_shake128: HashKind;
        pub static cv_shake256: HashKind;
        pub static cv_sm3: HashKind;
        pub static cv_mldsa44: MlDsaKind;
        pub static cv_mldsa65: MlDsaKind;
        pub static cv_mldsa87: MlDsaKind;
        pub static cv_mlkem512: MlKemKind;
        pub static cv_mlkem768: MlKemKind;
        pub static cv_mlkem1024: MlKemKind;
        pub static cv_slhdsa_sha2_128s: SlhDsaKind;
        pub static cv_slhdsa_sha2_128f: SlhDsaKind;
        pub static cv_slhdsa_sha2_192s: SlhDsaKind;
        pub static cv_slhdsa_sha2_192f: SlhDsaKind;
        pub static cv_slhdsa_sha2_256s: SlhDsaKind;
        pub static cv_slhdsa_sha2_256f: SlhDsaKind;
        pub static cv_slhdsa_shake_128s: SlhDsaKind;
        pub static cv_slhdsa_shake_128f: SlhDsaKind;
        pub static cv_slhdsa_shake_192s: SlhDsaKind;
        pub static cv_slhdsa_shake_192f: SlhDsaKind;
        pub static cv_slhdsa_shake_256s: SlhDsaKind;
        pub static cv_slhdsa_shake_256f: SlhDsaKind;
    }

    functions! {
        cv_init(*const c_char) -> c_int;
        cv_caps(*mut c_char, usize) -> usize;
        cv_wipe(Out, usize);
        cv_sm4_init(*mut BlockKey, In);
        cv_aes_init(*mut BlockKey, In, usize) -> c_int;
        cv_ecb_encrypt(*const BlockKey, Out, In, usize);
        cv_ecb_decrypt(*const BlockKey, Out, In, usize);
        cv_cbc_encrypt(*const BlockKey, Out, In, usize, Out);
        cv_cbc_decrypt(*const BlockKey, Out, In, usize, Out);
        cv_stream_init(*mut Stream, *const BlockKey, In);
        cv_ctr(*mut Stream, Out, In, usize);
        cv_cfb_encrypt(*mut Stream, Out, In, usize);
        cv_cfb_decrypt(*mut Stream, Out, In, usize);
        cv_cfb8_encrypt(*mut Stream, Out, In, usize);
        cv_cfb8_decrypt(*mut Stream, Out, In, usize);
        cv_cfb1_encrypt(*mut Stream, Out, In, usize);
        cv_cfb1_decrypt(*mut Stream, Out, In, usize);
        cv_ofb(*mut Stream, Out, In, usize);
        cv_xts_encrypt(*const BlockKey, *const BlockKey, Out, In, usize, In) -> c_int;
        cv_xts_decrypt(*const BlockKey, *const BlockKey, Out, In, usize, In) -> c_int;
        cv_xts_gb_encrypt(*const BlockKey, *const BlockKey, Out, In, usize, In) -> c_int;
        cv_xts_gb_decrypt(*const BlockKey, *const BlockKey, Out, In, usize, In) -> c_int;
        cv_gcm_init(*mut Gcm, *const BlockKey);
        cv_gcm_start(*mut Gcm, In, usize) -> c_int;
        cv_gcm_aad(*mut Gcm, In, usize) -> c_int;
        cv_gcm_encrypt(*mut Gcm, Out, In, usize) -> c_int;
        cv_gcm_decrypt(*mut Gcm, Out, In, usize) -> c_int;
        cv_gcm_tag(*mut Gcm, Out, usize) -> c_int;
        cv_gcm_verify(*mut Gcm, In, usize) -> c_int;
        cv_gcm_open(*mut Gcm, Out, In, usize, In, usize, In, usize, In, usize) -> c_int;
        cv_gcm_seal(*mut Gcm, Out, In, usize, In, usize, In, usize, Out, usize) -> c_int;
        cv_ccm_seal(*const BlockKey, Out, In, usize, In, usize, In, usize, Out, usize) -> c_int;
        cv_ccm_open(*const BlockKey, Out, In, usize, In, usize, In, usize, In, usize) -> c_int;
        cv_ccm_start(*mut Ccm, *const BlockKey, usize, In, usize, In, usize, usize) -> c_int;
        cv_ccm_encrypt(*mut Ccm, Out, In, usize) -> c_int;
        cv_ccm_decrypt(*mut Ccm, Out, In, usize) -> c_int;
        cv_ccm_tag(*mut Ccm, Out, usize) -> c_int;
        cv_ocb_init(*mut Ocb, *const BlockKey);
        cv_ocb_start(*mut Ocb, In, usize, usize) -> c_int;
        cv_ocb_aad(*mut Ocb, In, usize) -> c_int;
        cv_ocb_encrypt(*mut Ocb, Out, *mut usize, In, usize) -> c_int;
        cv_ocb_decrypt(*mut Ocb, Out, *mut usize, In, usize) -> c_int;
        cv_ocb_tag(*mut Ocb, Out, *mut usize, Out) -> c_int;
        cv_ocb_verify(*mut Ocb, Out, *mut usize, In) -> c_int;
        cv_cmac_init(*mut Cmac, *const BlockKey);
        cv_cmac_update(*mut Cmac, In, usize);
        cv_cmac_final(*mut Cmac, Out, usize) -> c_int;
        cv_hash_size(*const HashKind) -> usize;
        cv_hash_block(*const HashKind) -> usize;
        cv_hash_init(*mut Hash, *const HashKind);
        cv_hash_update(*mut Hash, In, usize);
        cv_hash_final(*mut Hash, Out);
        cv_hash_message(*const HashKind, Out, In, usize);
        cv_hash_many(*const HashKind, *const Out, usize, *const In, usize, usize);
        cv_xof_squeeze(*mut Hash, Out, usize);
        cv_cshake_init(*mut Hash, *const HashKind, In, usize, In, usize);
        cv_kmac_init(*mut Hash, *const HashKind, In, usize, In, usize);
        cv_kmac_final(*mut Hash, Out, usize);
        cv_kmac_final_xof(*mut Hash);
        cv_hmac_init(*mut Hmac, *const HashKind, In, usize) -> c_int;
        cv_hmac_update(*mut Hmac, In, usize);
        cv_hmac_final(*mut Hmac, Out);
        cv_hmac_restart(*mut Hmac);
        cv_chacha20_init(*mut Chacha20, In, In, u32);
        cv_chacha20_update(*mut Chacha20, Out, In, usize);
        cv_poly1305_init(*mut Poly1305, In);
        cv_poly1305_update(*mut Poly1305, In, usize);
        cv_poly1305_final(*mut Poly1305, Out);
        cv_poly1305_message(In, Out, In, usize);
        cv_chacha20_poly1305_init(*mut Chacha20Poly1305, In, In);
        cv_chacha20_poly1305_aad(*mut Chacha20Poly1305, In, usize) -> c_int;
        cv_chacha20_poly1305_encrypt(*mut Chacha20Poly1305, Out, In, usize) -> c_int;
        cv_chacha20_poly1305_decrypt(*mut Chacha20Poly1305, Out, In, usize) -> c_int;
        cv_chacha20_poly1305_tag(*mut Chacha20Poly1305, Out) -> c_int;
        cv_chacha20_poly1305_verify(*mut Chacha20Poly1305, In) -> c_int;
        cv_chacha20_poly1305_seal(In, In, In, usize, Out, In, usize, Out) -> c_int;
        cv_chacha20_poly1305_open(In, In, In, usize, Out, In, usize, In) -> c_int;
        cv_mlkem_public_size(*const MlKemKind) -> usize;
        cv_mlkem_private_size(*const MlKemKind) -> usize;
        cv_mlkem_ciphertext_size(*const MlKemKind) -> usize;
        cv_mlkem_generate(*mut MlKemKey, *const MlKemKind, In);
        cv_mlkem_import_public(*mut MlKemKey, *const MlKemKind, In, usize) -> c_int;
        cv_mlkem_import_private(*mut MlKemKey, *const MlKemKind, In, usize) -> c_int;
        cv_mlkem_export_public(*const MlKemKey, Out) -> c_int;
        cv_mlkem_export_private(*const MlKemKey, Out) -> c_int;
        cv_mlkem_export_seed(*const MlKemKey, Out) -> c_int;
        cv_mlkem_encaps(*const MlKemKey, Out, Out, In) -> c_int;
        cv_mlkem_decaps(*const MlKemKey, Out, In, usize) -> c_int;
        cv_mldsa_public_size(*const MlDsaKind) -> usize;
        cv_mldsa_private_size(*const MlDsaKind) -> usize;
        cv_mldsa_signature_size(*const MlDsaKind) -> usize;
        cv_mldsa_key_size(*const MlDsaKind) -> usize;
        cv_mldsa_secret_size(*const MlDsaKind) -> usize;
        cv_mldsa_generate(*mut MlDsaKey, *const MlDsaKind, In);
        cv_mldsa_import_public(*mut MlDsaKey, *const MlDsaKind, In, usize) -> c_int;
        cv_mldsa_import_private(*mut MlDsaKey, *const MlDsaKind, In, usize) -> c_int;
        cv_mldsa_export_public(*const MlDsaKey, Out) -> c_int;
        cv_mldsa_export_private(*const MlDsaKey, Out) -> c_int;
        cv_mldsa_export_seed(*const MlDsaKey, Out) -> c_int;
        cv_mldsa_sign(*const MlDsaKey, Out, In, usize, In, usize, In) -> c_int;
        cv_mldsa_verify(*const MlDsaKey, In, usize, In, usize, In, usize) -> c_int;
        cv_mldsa_sign_digest(*const MlDsaKey, Out, *const HashKind, In, usize, In, usize, In) -> c_int;
        cv_mldsa_verify_digest(*const MlDsaKey, In, usize, *const HashKind, In, usize, In, usize) -> c_int;
        cv_mldsa_mu_init(*const MlDsaKey, *mut Hash, In, usize) -> c_int;
        cv_mldsa_sign_mu(*const MlDsaKey, Out, In, In) -> c_int;
        cv_mldsa_verify_mu(*const MlDsaKey, In, usize, In) -> c_int;
        cv_slhdsa_seed_size(*const SlhDsaKind) -> usize;
        cv_slhdsa_random_size(*const SlhDsaKind) -> usize;
        cv_slhdsa_public_size(*const SlhDsaKind) -> usize;
        cv_slhdsa_private_size(*const SlhDsaKind) -> usize;
        cv_slhdsa_signature_size(*const SlhDsaKind) -> usize;
        cv_slhdsa_generate(*const SlhDsaKind, Out, In);
        cv_slhdsa_sign(*const SlhDsaKind, In, usize, Out, In, usize, In, usize, In) -> c_int;
        cv_slhdsa_verify(*const SlhDsaKind, In, usize, In, usize, In, usize, In, usize) -> c_int;
        cv_slhdsa_sign_digest(*const SlhDsaKind, In, usize, Out, *const HashKind, In, usize, In, usize, In) -> c_int;
        cv_slhdsa_verify_digest(*const SlhDsaKind, In, usize, In, usize, *const HashKind, In, usize, In, usize) -> c_int;
        cv_test_gcm_at(*mut Gcm, u64, u64);
        cv_test_ocb_at(*mut Ocb, u64, u64);
        cv_test_chacha20_poly1305_at(*mut Chacha20Poly1305, u64);
    }
}

pub use declared::*;

/// See the header.
pub const CV_OK: c_int = 0;
/// Invalid length.
pub const CV_ERR_LENGTH: c_int = -1;
/// Unknown extension.
pub const CV_ERR_CAPS: c_int = -2;
/// Authentication failure.
pub const CV_ERR_TAG: c_int = -3;

/// A key that is refused, or that lacks a part.
pub const CV_ERR_KEY: c_int = -4;

/// A signature that is not valid.
pub const CV_ERR_SIGNATURE: c_int = -5;

/// Calls a function of libcapvec on [`crate::guarded::Guarded`] buffers and contexts.
macro_rules! c {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        // SAFETY: targets pass pointers to buffers and contexts that outlive the call and have the stated size; input
        // and output are the same or disjoint. What C does beyond that is what is being tested.
        unsafe { $crate::ffi::$function($($argument),*) }
    }};
}
pub(crate) use c;
