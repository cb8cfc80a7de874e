//! AES with all its rounds and its key schedule (FIPS 197), as the draft Zvknf composes them.

use super::aes::{
    Block, add_round_key, decrypt_final, decrypt_middle, encrypt_final, encrypt_middle, from_words,
    key_forward_128, key_forward_256, rot_word, round_constant, sub_word, words,
};
use std::array::from_fn;

/// Round keys 0 to 10 of an AES-128 key.
pub fn schedule_128(key: Block) -> [Block; 11] {
    let mut keys = [key; 11];
    for round in 1..keys.len() {
        keys[round] = key_forward_128(keys[round - 1], round as u32);
    }
    keys
}

/// Round keys 0 to 14 of an AES-256 key, whose halves are the first two.
pub fn schedule_256(key: [Block; 2]) -> [Block; 15] {
    let mut keys: [Block; 15] = from_fn(|round| key[round % 2]);
    for round in 2..keys.len() {
        keys[round] = key_forward_256(keys[round - 2], keys[round - 1], round as u32);
    }
    keys
}

/// The words before those of a step of the schedule: each word of `next` is the one before it, xored with its
/// predecessor in `next`; the first is xored with `start`.
fn previous(next: Block, start: impl Fn([u32; 4]) -> u32) -> Block {
    let n = words(next);
    let mut p: [u32; 4] = from_fn(|k| if k == 0 { 0 } else { n[k] ^ n[k - 1] });
    p[0] = n[0] ^ start(p);
    from_words(p)
}

/// Round keys 0 to 10 from round key 10.
pub fn schedule_128_from_last(last: Block) -> [Block; 11] {
    let mut keys = [last; 11];
    for round in (1..keys.len()).rev() {
        let constant = round_constant(round as u32 - 1);
        keys[round - 1] = previous(keys[round], |p| sub_word(rot_word(p[3])) ^ constant);
    }
    keys
}

/// Round keys 0 to 14 from round keys 13 and 14.
pub fn schedule_256_from_last(last: [Block; 2]) -> [Block; 15] {
    let mut keys: [Block; 15] = from_fn(|round| last[(round + 1) % 2]);
    for round in (2..keys.len()).rev() {
        let word = words(keys[round - 1])[3];
        let start = match round % 2 {
            0 => sub_word(rot_word(word)) ^ round_constant(round as u32 / 2 - 1),
            _ => sub_word(word),
        };
        keys[round - 2] = previous(keys[round], |_| start);
    }
    keys
}

fn encrypt(data: Block, keys: &[Block]) -> Block {
    let (last, middle) = keys[1..].split_last().expect("a cipher has rounds");
    let state = middle.iter().fold(add_round_key(data, keys[0]), |s, key| encrypt_middle(s, *key));
    encrypt_final(state, *last)
}

fn decrypt(data: Block, keys: &[Block]) -> Block {
    let (last, others) = keys.split_last().expect("a cipher has round keys");
    let state =
        others[1..].iter().rev().fold(add_round_key(data, *last), |s, key| decrypt_middle(s, *key));
    decrypt_final(state, keys[0])
}

/// `vaese128`.
pub fn encrypt_128(data: Block, key: Block) -> Block {
    encrypt(data, &schedule_128(key))
}

/// `vaesd128`, with round key 10.
pub fn decrypt_128(data: Block, last: Block) -> Block {
    decrypt(data, &schedule_128_from_last(last))
}

/// `vaese256`.
pub fn encrypt_256(data: Block, key: [Block; 2]) -> Block {
    encrypt(data, &schedule_256(key))
}

/// `vaesd256`, with round keys 13 and 14.
pub fn decrypt_256(data: Block, last: [Block; 2]) -> Block {
    decrypt(data, &schedule_256_from_last(last))
}

/// `vaes256k13`.
pub fn key_13_of_256(_: Block, key: [Block; 2]) -> Block {
    schedule_256(key)[13]
}

/// `vaes256k14`.
pub fn key_14_of_256(_: Block, key: [Block; 2]) -> Block {
    schedule_256(key)[14]
}
