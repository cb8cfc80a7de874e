//! Complete AES, GHASH and SHA-2 computations by vector instructions, with one message or key per element group,
//! against RustCrypto.

use super::setup::{configure, insn, machine, run};
use ::aes::cipher::{BlockCipherEncrypt, KeyInit};
use capvec_isa::{Decoded, Op};
use capvec_sim::hart::Agnostic;
use capvec_sim::testing::{Rig, Rng, all_exts};
use ghash::universal_hash::UniversalHash;

/// Register groups at LMUL up to 8.
pub const V: [u8; 4] = [0, 8, 16, 24];

/// Runs `test` with room for `groups` groups of `egs` elements of `sew` bits, at every VLEN and LMUL.
pub fn configurations(sew: u32, egs: u64, test: impl Fn(&mut Rig, usize, &mut Rng)) {
    let mut rng = Rng::new("configurations");
    for vlen in [128, 256, 512, 1024] {
        for lmul in 0..=3 {
            let mut m = machine(&all_exts(), vlen, Agnostic::Ones);
            configure(&mut m, sew, lmul, 0);
            let groups = m.h.v.vlmax() / egs;
            if groups > 0 {
                configure(&mut m, sew, lmul, groups * egs);
                test(&mut m, groups as usize, &mut rng);
            }
        }
    }
}

pub fn put<const N: usize>(m: &mut Rig, reg: u8, groups: &[[u8; N]]) {
    m.h.v.bytes_mut(reg)[..N * groups.len()].copy_from_slice(groups.as_flattened());
}

pub fn get<const N: usize>(m: &Rig, reg: u8, groups: usize) -> Vec<[u8; N]> {
    m.h.v.bytes(reg)[..N * groups].as_chunks::<N>().0.to_vec()
}

pub fn execute(m: &mut Rig, program: &[Decoded]) {
    run(m, program).unwrap_or_else(|trap| panic!("{trap:?} at {:#x}", m.h.pc));
}

pub fn random<const N: usize>(rng: &mut Rng, count: usize) -> Vec<[u8; N]> {
    (0..count).map(|_| rng.bytes()).collect()
}

/// XORs groups: round 0 with a key per group, for which there is no instruction.
fn xor(a: &[[u8; 16]], b: &[[u8; 16]]) -> Vec<[u8; 16]> {
    a.iter().zip(b).map(|(a, b)| std::array::from_fn(|i| a[i] ^ b[i])).collect()
}

/// AES-128 with `vaeskf1` between the rounds; decryption uses the same keys in reverse order.
#[test]
fn aes_128_with_a_key_per_group() {
    configurations(32, 4, |m, n, rng| {
        let (keys, plain) = (random::<16>(rng, n), random::<16>(rng, n));
        let [state, key, _, _] = V;
        put(m, key, &keys);
        put(m, state, &xor(&plain, &keys));
        let mut schedule = vec![keys.clone()];
        for round in 1..=10 {
            let op = if round < 10 { Op::VaesemVv } else { Op::VaesefVv };
            let next = insn(Op::Vaeskf1Vi, key, key, 0, round);
            execute(m, &[next, insn(op, state, key, 0, 0)]);
            schedule.push(get(m, key, n));
        }
        let cipher = get::<16>(m, state, n);
        for g in 0..n {
            let mut block = plain[g].into();
            ::aes::Aes128::new(&keys[g].into()).encrypt_block(&mut block);
            assert_eq!(cipher[g], <[u8; 16]>::from(block), "group {g} of {n}");
        }
        put(m, state, &xor(&cipher, &schedule[10]));
        for round in (0..10).rev() {
            put(m, key, &schedule[round]);
            let op = if round > 0 { Op::VaesdmVv } else { Op::VaesdfVv };
            execute(m, &[insn(op, state, key, 0, 0)]);
        }
        assert_eq!(get::<16>(m, state, n), plain);
    });
}

/// AES-256 with one key for all groups, its schedule expanded by `vaeskf2` into v16..v30 at LMUL 1.
#[test]
fn aes_256_with_one_key() {
    configurations(32, 4, |m, n, rng| {
        let (low, high): ([u8; 16], [u8; 16]) = (rng.bytes(), rng.bytes());
        let plain = random::<16>(rng, n);
        let (sew, lmul, vl) = (m.h.v.vtype.sew, m.h.v.vtype.lmul, m.h.v.vl);
        configure(m, sew, 0, 4);
        put(m, 16, &[low]);
        put(m, 17, &[high]);
        for round in 2..=14u8 {
            let (next, current) = (16 + round, 15 + round);
            let previous = get::<16>(m, next - 2, 1);
            put(m, next, &previous);
            execute(m, &[insn(Op::Vaeskf2Vi, next, current, 0, round as i64)]);
        }
        configure(m, sew, lmul, vl);
        let state = 8;
        put(m, state, &plain);
        let mut program = vec![insn(Op::VaeszVs, state, 16, 0, 0)];
        program.extend((17..30).map(|key| insn(Op::VaesemVs, state, key, 0, 0)));
        program.push(insn(Op::VaesefVs, state, 30, 0, 0));
        execute(m, &program);
        let cipher = get::<16>(m, state, n);
        let mut key = [0; 32];
        key[..16].copy_from_slice(&low);
        key[16..].copy_from_slice(&high);
        let oracle = ::aes::Aes256::new(&key.into());
        for g in 0..n {
            let mut block = plain[g].into();
            oracle.encrypt_block(&mut block);
            assert_eq!(cipher[g], <[u8; 16]>::from(block), "group {g} of {n}");
        }
        let mut program = vec![insn(Op::VaeszVs, state, 30, 0, 0)];
        program.extend((17..30).rev().map(|key| insn(Op::VaesdmVs, state, key, 0, 0)));
        program.push(insn(Op::VaesdfVs, state, 16, 0, 0));
        execute(m, &program);
        assert_eq!(get::<16>(m, state, n), plain);
    });
}

#[test]
fn ghash_with_a_key_per_group() {
    configurations(32, 4, |m, n, rng| {
        let keys = random::<16>(rng, n);
        let [y, h, x, t] = V;
        put(m, h, &keys);
        put(m, y, &vec![[0; 16]; n]);
        let mut oracles: Vec<_> =
            keys.iter().map(|key| ghash::GHash::new(&(*key).into())).collect();
        for round in 0..6 {
            let blocks = random::<16>(rng, n);
            if round % 2 == 0 {
                put(m, x, &blocks);
                execute(m, &[insn(Op::VghshVv, y, h, x, 0)]);
            } else {
                // vgmul after an XOR is the same step.
                let sum = xor(&get(m, y, n), &blocks);
                put(m, t, &sum);
                execute(m, &[insn(Op::VgmulVv, t, h, 0, 0)]);
                let product = get::<16>(m, t, n);
                put(m, y, &product);
            }
            for (oracle, block) in oracles.iter_mut().zip(blocks) {
                oracle.update(&[block.into()]);
            }
        }
        for (ours, oracle) in get::<16>(m, y, n).iter().zip(oracles) {
            assert_eq!(ours, oracle.finalize().as_slice());
        }
    });
}

/// The message groups {4i..4i+4} of `w`, one list per message, as register contents.
fn pick<const N: usize, W: Copy>(
    w: &[Vec<W>],
    at: [usize; 4],
    bytes: impl Fn([W; 4]) -> [u8; N],
) -> Vec<[u8; N]> {
    w.iter().map(|w| bytes(at.map(|i| w[i]))).collect()
}

/// One block of SHA-2 per group. `state` is a..h, `k` the round constants.
fn sha2<const N: usize, W: Copy>(
    m: &mut Rig,
    state: &[[W; 8]],
    blocks: Vec<Vec<W>>,
    k: &[W],
    add: fn(W, W) -> W,
    to: fn([W; 4]) -> [u8; N],
    from: fn([u8; N]) -> [W; 4],
) -> Vec<[W; 8]> {
    let n = state.len();
    let [v0, v1, v2, _] = V;
    let mut w = blocks;
    while w[0].len() < k.len() {
        let b = w[0].len() - 16;
        put(m, v0, &pick(&w, [b, b + 1, b + 2, b + 3], to));
        put(m, v1, &pick(&w, [b + 4, b + 9, b + 10, b + 11], to));
        put(m, v2, &pick(&w, [b + 12, b + 13, b + 14, b + 15], to));
        execute(m, &[insn(Op::Vsha2msVv, v0, v1, v2, 0)]);
        for (w, next) in w.iter_mut().zip(get::<N>(m, v0, n)) {
            w.extend(from(next));
        }
    }
    let pack = |[a, b, c, d, e, f, g, h]: [W; 8]| (to([f, e, b, a]), to([h, g, d, c]));
    let (feba, hgdc): (Vec<_>, Vec<_>) = state.iter().map(|s| pack(*s)).unzip();
    put(m, v1, &feba);
    put(m, v0, &hgdc);
    for i in (0..k.len()).step_by(4) {
        let sums: Vec<[u8; N]> =
            w.iter().map(|w| to(std::array::from_fn(|j| add(w[i + j], k[i + j])))).collect();
        put(m, v2, &sums);
        let low = insn(Op::Vsha2clVv, v0, v1, v2, 0);
        let high = insn(Op::Vsha2chVv, v1, v0, v2, 0);
        execute(m, &[low, high]);
    }
    let (feba, hgdc) = (get::<N>(m, v1, n), get::<N>(m, v0, n));
    let unpack = |g: usize| {
        let ([f, e, b, a], [h, g, d, c]) = (from(feba[g]), from(hgdc[g]));
        [a, b, c, d, e, f, g, h]
    };
    (0..n)
        .map(|g| {
            let new = unpack(g);
            std::array::from_fn(|i| add(new[i], state[g][i]))
        })
        .collect()
}

#[test]
fn sha_256_with_a_message_per_group() {
    let k: Vec<u32> = super::sha2::constants(64).iter().map(|k| (k >> 32) as u32).collect();
    configurations(32, 4, |m, n, rng| {
        let state: Vec<[u32; 8]> =
            (0..n).map(|_| std::array::from_fn(|_| rng.next() as u32)).collect();
        let blocks = random::<64>(rng, n);
        let words = |block: &[u8; 64]| {
            block.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word)).collect()
        };
        let to = |w: [u32; 4]| std::array::from_fn::<u8, 16, _>(|i| w[i / 4].to_le_bytes()[i % 4]);
        let from = |b: [u8; 16]| {
            std::array::from_fn(|i| u32::from_le_bytes(std::array::from_fn(|j| b[4 * i + j])))
        };
        let lists = blocks.iter().map(words).collect();
        let ours = sha2(m, &state, lists, &k, u32::wrapping_add, to, from);
        for g in 0..n {
            let mut wanted = state[g];
            ::sha2::block_api::compress256(&mut wanted, &[blocks[g]]);
            assert_eq!(ours[g], wanted, "group {g} of {n}");
        }
    });
}

#[test]
fn sha_512_with_a_message_per_group() {
    let k = super::sha2::constants(80);
    configurations(64, 4, |m, n, rng| {
        let state: Vec<[u64; 8]> = (0..n).map(|_| std::array::from_fn(|_| rng.next())).collect();
        let blocks = random::<128>(rng, n);
        let words = |block: &[u8; 128]| {
            block.as_chunks::<8>().0.iter().map(|word| u64::from_be_bytes(*word)).collect()
        };
        let to = |w: [u64; 4]| std::array::from_fn::<u8, 32, _>(|i| w[i / 8].to_le_bytes()[i % 8]);
        let from = |b: [u8; 32]| {
            std::array::from_fn(|i| u64::from_le_bytes(std::array::from_fn(|j| b[8 * i + j])))
        };
        let lists = blocks.iter().map(words).collect();
        let ours = sha2(m, &state, lists, &k, u64::wrapping_add, to, from);
        for g in 0..n {
            let mut wanted = state[g];
            ::sha2::block_api::compress512(&mut wanted, &[blocks[g]]);
            assert_eq!(ours[g], wanted, "group {g} of {n}");
        }
    });
}
