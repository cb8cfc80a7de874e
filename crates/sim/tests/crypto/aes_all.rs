//! AES with all rounds against RustCrypto.

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes256};
use capvec_sim::crypto::aes_all::{
    decrypt_128, decrypt_256, encrypt_128, encrypt_256, schedule_128, schedule_256,
};
use capvec_sim::testing::Rng;

#[test]
fn both_ciphers_are_those_of_rustcrypto_in_both_directions() {
    let mut rng = Rng::new("both_ciphers_are_those_of_rustcrypto_in_both_directions");
    for _ in 0..500 {
        let (data, low, high): ([u8; 16], [u8; 16], [u8; 16]) =
            (rng.bytes(), rng.bytes(), rng.bytes());
        let mut wanted = data.into();
        Aes128::new(&low.into()).encrypt_block(&mut wanted);
        assert_eq!(encrypt_128(data, low), wanted.as_slice());
        let mut wanted = data.into();
        Aes128::new(&low.into()).decrypt_block(&mut wanted);
        assert_eq!(decrypt_128(data, schedule_128(low)[10]), wanted.as_slice());

        let key: [u8; 32] = std::array::from_fn(|i| if i < 16 { low[i] } else { high[i - 16] });
        let mut wanted = data.into();
        Aes256::new(&key.into()).encrypt_block(&mut wanted);
        assert_eq!(encrypt_256(data, [low, high]), wanted.as_slice());
        let mut wanted = data.into();
        Aes256::new(&key.into()).decrypt_block(&mut wanted);
        let keys = schedule_256([low, high]);
        assert_eq!(decrypt_256(data, [keys[13], keys[14]]), wanted.as_slice());
    }
}
