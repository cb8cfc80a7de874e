use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes256, hazmat};
use capvec_sim::crypto::{aes as ours, aes_scalar as scalar};
use capvec_sim::testing::Rng;

type Block = [u8; 16];

fn halves(block: Block) -> (u64, u64) {
    let value = u128::from_le_bytes(block);
    (value as u64, (value >> 64) as u64)
}

fn joined(low: u64, high: u64) -> Block {
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}

/// Round keys by `vaeskf1`.
fn keys_128(key: Block) -> Vec<Block> {
    let mut keys = vec![key];
    for round in 1..=10 {
        keys.push(ours::key_forward_128(keys[keys.len() - 1], round));
    }
    keys
}

/// Round keys by `vaeskf2`.
fn keys_256(low: Block, high: Block) -> Vec<Block> {
    let mut keys = vec![low, high];
    for round in 2..=14 {
        keys.push(ours::key_forward_256(keys[keys.len() - 2], keys[keys.len() - 1], round));
    }
    keys
}

/// Round keys by `aes64ks1i` and `aes64ks2`, for AES-128.
fn keys_128_scalar(key: Block) -> Vec<Block> {
    let (mut low, mut high) = halves(key);
    let mut keys = vec![key];
    for round in 0..10 {
        low = scalar::aes64ks2(scalar::aes64ks1i(high, round).unwrap(), low);
        high = scalar::aes64ks2(low, high);
        keys.push(joined(low, high));
    }
    keys
}

/// Round keys by `aes64ks1i` and `aes64ks2`, for AES-256.
fn keys_256_scalar(low: Block, high: Block) -> Vec<Block> {
    let ((mut a, mut b), (mut c, mut d)) = (halves(low), halves(high));
    let mut keys = vec![low, high];
    for round in 0..7 {
        a = scalar::aes64ks2(scalar::aes64ks1i(d, round).unwrap(), a);
        b = scalar::aes64ks2(a, b);
        c = scalar::aes64ks2(scalar::aes64ks1i(b, 10).unwrap(), c);
        d = scalar::aes64ks2(c, d);
        keys.extend([joined(a, b), joined(c, d)]);
    }
    keys.truncate(15);
    keys
}

fn encrypt_vector(keys: &[Block], block: Block) -> Block {
    let [first, middle @ .., last] = keys else { unreachable!() };
    let state = ours::add_round_key(block, *first);
    let state = middle.iter().fold(state, |state, key| ours::encrypt_middle(state, *key));
    ours::encrypt_final(state, *last)
}

fn decrypt_vector(keys: &[Block], block: Block) -> Block {
    let [first, middle @ .., last] = keys else { unreachable!() };
    let state = ours::add_round_key(block, *last);
    let state = middle.iter().rev().fold(state, |state, key| ours::decrypt_middle(state, *key));
    ours::decrypt_final(state, *first)
}

fn encrypt_scalar64(keys: &[Block], block: Block) -> Block {
    let [first, middle @ .., last] = keys else { unreachable!() };
    let mut state = ours::add_round_key(block, *first);
    for key in middle {
        let (a, b) = halves(state);
        let mixed = joined(scalar::aes64esm(a, b), scalar::aes64esm(b, a));
        state = ours::add_round_key(mixed, *key);
    }
    let (a, b) = halves(state);
    ours::add_round_key(joined(scalar::aes64es(a, b), scalar::aes64es(b, a)), *last)
}

/// The equivalent inverse cipher; `aes64im` makes its middle keys.
fn decrypt_scalar64(keys: &[Block], block: Block) -> Block {
    let [first, middle @ .., last] = keys else { unreachable!() };
    let mut state = ours::add_round_key(block, *last);
    for key in middle.iter().rev() {
        let (a, b) = halves(state);
        let mixed = joined(scalar::aes64dsm(a, b), scalar::aes64dsm(b, a));
        let (low, high) = halves(*key);
        state = ours::add_round_key(mixed, joined(scalar::aes64im(low), scalar::aes64im(high)));
    }
    let (a, b) = halves(state);
    ours::add_round_key(joined(scalar::aes64ds(a, b), scalar::aes64ds(b, a)), *first)
}

type Step32 = fn(u32, u32, u32) -> u32;

/// A round by four times four `aes32*`; row r of column c comes from column c + `direction`·r.
fn round32(step: Step32, direction: usize, state: Block, key: Block) -> Block {
    let (x, k) = (ours::words(state), ours::words(key));
    ours::from_words(std::array::from_fn(|c| {
        (0..4).fold(k[c], |sum, r| step(sum, x[(c + direction * r) % 4], r as u32))
    }))
}

fn encrypt_scalar32(keys: &[Block], block: Block) -> Block {
    let [first, middle @ .., last] = keys else { unreachable!() };
    let state = ours::add_round_key(block, *first);
    let state = middle.iter().fold(state, |s, key| round32(scalar::aes32esmi, 1, s, *key));
    round32(scalar::aes32esi, 1, state, *last)
}

fn decrypt_scalar32(keys: &[Block], block: Block) -> Block {
    let [first, middle @ .., last] = keys else { unreachable!() };
    let state = ours::add_round_key(block, *last);
    let state = middle
        .iter()
        .rev()
        .fold(state, |s, key| round32(scalar::aes32dsmi, 3, s, ours::inv_mix_columns(*key)));
    round32(scalar::aes32dsi, 3, state, *first)
}

/// Checks all implementations here against the expected pair.
fn check(keys: &[Block], plain: Block, cipher: Block) {
    for encrypt in [encrypt_vector, encrypt_scalar64, encrypt_scalar32] {
        assert_eq!(encrypt(keys, plain), cipher);
    }
    for decrypt in [decrypt_vector, decrypt_scalar64, decrypt_scalar32] {
        assert_eq!(decrypt(keys, cipher), plain);
    }
}

#[test]
fn whole_aes_128_is_that_of_rustcrypto() {
    let mut rng = Rng::new("whole_aes_128_is_that_of_rustcrypto");
    for _ in 0..200 {
        let (key, plain): (Block, Block) = (rng.bytes(), rng.bytes());
        let keys = keys_128(key);
        assert_eq!(keys_128_scalar(key), keys);
        let mut block = plain.into();
        let oracle = Aes128::new(&key.into());
        oracle.encrypt_block(&mut block);
        check(&keys, plain, block.into());
        oracle.decrypt_block(&mut block);
        assert_eq!(plain, <Block>::from(block));
    }
}

#[test]
fn whole_aes_256_is_that_of_rustcrypto() {
    let mut rng = Rng::new("whole_aes_256_is_that_of_rustcrypto");
    for _ in 0..200 {
        let (low, high, plain): (Block, Block, Block) = (rng.bytes(), rng.bytes(), rng.bytes());
        let keys = keys_256(low, high);
        assert_eq!(keys.len(), 15);
        assert_eq!(keys_256_scalar(low, high), keys);
        let mut key = [0; 32];
        key[..16].copy_from_slice(&low);
        key[16..].copy_from_slice(&high);
        let mut block = plain.into();
        Aes256::new(&key.into()).encrypt_block(&mut block);
        check(&keys, plain, block.into());
    }
}

#[test]
fn single_rounds_are_those_of_rustcrypto_hazmat() {
    let mut rng = Rng::new("single_rounds_are_those_of_rustcrypto_hazmat");
    for _ in 0..1000 {
        let (state, key): (Block, Block) = (rng.bytes(), rng.bytes());
        let with = |f: fn(&mut aes::Block, &aes::Block)| {
            let mut block = state.into();
            f(&mut block, &key.into());
            Block::from(block)
        };
        assert_eq!(ours::encrypt_middle(state, key), with(hazmat::cipher_round));
        // The equivalent inverse cipher mixes before it adds the key, so its key must be mixed as well.
        let equivalent = ours::add_round_key(
            ours::inv_mix_columns(ours::inv_sub_bytes(ours::inv_shift_rows(state))),
            key,
        );
        assert_eq!(equivalent, with(hazmat::equiv_inv_cipher_round));
        assert_eq!(ours::mix_columns(state), with(|block, _| hazmat::mix_columns(block)));
        assert_eq!(ours::inv_mix_columns(state), with(|block, _| hazmat::inv_mix_columns(block)));
    }
}

#[test]
fn reserved_round_numbers_of_aes64ks1i_have_no_result() {
    assert!(scalar::aes64ks1i(1, 10).is_some());
    assert!((11..16).all(|rnum| scalar::aes64ks1i(1, rnum).is_none()));
}
