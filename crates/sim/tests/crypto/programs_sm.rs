//! Complete SM3 and SM4 computations by vector instructions, against RustCrypto.

use super::programs::{V, configurations, execute, get, put, random};
use super::setup::{configure, insn};
use ::sm3::Digest;
use ::sm4::cipher::{BlockCipherEncrypt, KeyInit};
use capvec_isa::Op;

/// FK, GB/T 32907-2016 section 7.2.
const FK: [u32; 4] = [0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc];

fn big_endian(block: [u8; 16]) -> [u32; 4] {
    std::array::from_fn(|i| u32::from_be_bytes(std::array::from_fn(|j| block[4 * i + j])))
}

fn element_bytes(words: [u32; 4]) -> [u8; 16] {
    std::array::from_fn(|i| words[i / 4].to_le_bytes()[i % 4])
}

/// The result's words are in reverse order and big-endian, so this reverses the bytes of each group.
fn reversed<const N: usize>(groups: Vec<[u8; N]>) -> Vec<[u8; N]> {
    let reverse = |mut group: [u8; N]| {
        group.reverse();
        group
    };
    groups.into_iter().map(reverse).collect()
}

#[test]
fn sm4_with_a_key_per_group() {
    configurations(32, 4, |m, n, rng| {
        let (keys, plain) = (random::<16>(rng, n), random::<16>(rng, n));
        let [state, key, _, _] = V;
        let start = |key: &[u8; 16]| {
            let words = big_endian(*key);
            element_bytes(std::array::from_fn(|i| words[i] ^ FK[i]))
        };
        put(m, key, &keys.iter().map(start).collect::<Vec<_>>());
        put(m, state, &plain.iter().map(|b| element_bytes(big_endian(*b))).collect::<Vec<_>>());
        let mut schedule = Vec::new();
        for group in 0..8 {
            let next = insn(Op::Vsm4kVi, key, key, 0, group);
            execute(m, &[next, insn(Op::Vsm4rVv, state, key, 0, 0)]);
            schedule.push(get::<16>(m, key, n));
        }
        let cipher = reversed(get::<16>(m, state, n));
        for g in 0..n {
            let mut block = plain[g].into();
            ::sm4::Sm4::new(&keys[g].into()).encrypt_block(&mut block);
            assert_eq!(cipher[g], <[u8; 16]>::from(block), "group {g} of {n}");
        }
        put(m, state, &cipher.iter().map(|b| element_bytes(big_endian(*b))).collect::<Vec<_>>());
        for keys in schedule.iter().rev() {
            // The four words of each group in reverse order.
            let reverse = |group: &[u8; 16]| std::array::from_fn(|i| group[i ^ 12]);
            put(m, key, &keys.iter().map(reverse).collect::<Vec<[u8; 16]>>());
            execute(m, &[insn(Op::Vsm4rVv, state, key, 0, 0)]);
        }
        assert_eq!(reversed(get::<16>(m, state, n)), plain);
    });
}

/// The same with one key for all groups.
#[test]
fn sm4_with_one_key() {
    configurations(32, 4, |m, n, rng| {
        let (key, plain): ([u8; 16], _) = (rng.bytes(), random::<16>(rng, n));
        let (lmul, vl) = (m.h.v.vtype.lmul, m.h.v.vl);
        configure(m, 32, 0, 4);
        let words = big_endian(key);
        put(m, 16, &[element_bytes(std::array::from_fn(|i| words[i] ^ FK[i]))]);
        let schedule: Vec<_> =
            (0..8).map(|i| insn(Op::Vsm4kVi, 17 + i, 16 + i, 0, i as i64)).collect();
        execute(m, &schedule);
        configure(m, 32, lmul, vl);
        put(m, 8, &plain.iter().map(|b| element_bytes(big_endian(*b))).collect::<Vec<_>>());
        let rounds: Vec<_> = (0..8).map(|i| insn(Op::Vsm4rVs, 8, 17 + i, 0, 0)).collect();
        execute(m, &rounds);
        let cipher = reversed(get::<16>(m, 8, n));
        let oracle = ::sm4::Sm4::new(&key.into());
        for g in 0..n {
            let mut block = plain[g].into();
            oracle.encrypt_block(&mut block);
            assert_eq!(cipher[g], <[u8; 16]>::from(block), "group {g} of {n}");
        }
    });
}

/// The initial value of SM3, GB/T 32905-2016 section 4.1.
const SM3_IV: [u32; 8] = [
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];

/// One-block messages, so that one compression is the whole hash.
#[test]
fn sm3_with_a_message_per_group() {
    configurations(32, 8, |m, n, rng| {
        let messages: Vec<Vec<u8>> = (0..n)
            .map(|_| {
                let length = rng.below(56) as usize;
                rng.bytes::<55>()[..length.min(55)].to_vec()
            })
            .collect();
        let pad = |message: &Vec<u8>| {
            let mut block = message.clone();
            block.push(0x80);
            block.resize(56, 0);
            block.extend((8 * message.len() as u64).to_be_bytes());
            block
        };
        let mut words: Vec<Vec<u8>> = messages.iter().map(pad).collect();
        let [v0, v1, v2, _] = V;
        let eight = |words: &[Vec<u8>], from: usize| -> Vec<[u8; 32]> {
            words.iter().map(|w| std::array::from_fn(|i| w[4 * from + i])).collect()
        };
        for from in (0..56).step_by(8) {
            put(m, v1, &eight(&words, from));
            put(m, v2, &eight(&words, from + 8));
            execute(m, &[insn(Op::Vsm3meVv, v0, v2, v1, 0)]);
            for (w, next) in words.iter_mut().zip(get::<32>(m, v0, n)) {
                w.extend(next);
            }
        }
        let iv: [u8; 32] = std::array::from_fn(|i| SM3_IV[i / 4].to_be_bytes()[i % 4]);
        put(m, v0, &vec![iv; n]);
        for pair in 0..32 {
            put(m, v1, &eight(&words, 2 * pair));
            execute(m, &[insn(Op::Vsm3cVi, v0, v1, 0, pair as i64)]);
        }
        for (message, state) in messages.iter().zip(get::<32>(m, v0, n)) {
            let digest: [u8; 32] = std::array::from_fn(|i| state[i] ^ iv[i]);
            assert_eq!(digest, ::sm3::Sm3::digest(message).as_slice());
        }
    });
}
