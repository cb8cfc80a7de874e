use capvec_sim::crypto::sm3::{compress2, message_expand, p0, p1};
use capvec_sim::testing::Rng;
use sm3::{Digest, Sm3};

/// The initial value, GB/T 32905-2016 section 4.1.
const IV: [u32; 8] = [
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];

/// Compresses one block by `vsm3me` and `vsm3c`; words are loaded little-endian, as they are in memory.
fn compress(state: [u32; 8], block: &[u8]) -> [u32; 8] {
    let mut w: Vec<u32> =
        block.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let group = |w: &[u32], from: usize| std::array::from_fn::<u32, 8, _>(|i| w[from + i]);
    while w.len() < 72 {
        let end = w.len();
        w.extend(message_expand(group(&w, end - 16), group(&w, end - 8)));
    }
    let mut next = state;
    for pair in 0..32usize {
        let mut words = [0; 8];
        for i in [0, 1, 4, 5] {
            words[i] = w[2 * pair + i];
        }
        next = compress2(next, words, pair as u32);
    }
    std::array::from_fn(|i| next[i] ^ state[i])
}

fn hash(message: &[u8]) -> Vec<u8> {
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((8 * message.len() as u64).to_be_bytes());
    let state = padded.chunks(64).fold(IV.map(u32::swap_bytes), compress);
    state.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn whole_sm3_is_that_of_rustcrypto() {
    let mut rng = Rng::new("whole_sm3_is_that_of_rustcrypto");
    for length in 0..200 {
        let message = &rng.bytes::<200>()[..length];
        assert_eq!(hash(message), Sm3::digest(message).as_slice(), "length {length}");
    }
}

#[test]
fn sm3_of_abc_is_the_standards_example() {
    // GB/T 32905-2016 appendix A.1.
    let digest: String = hash(b"abc").iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
}

/// The message words that `vsm3c` does not use may hold anything.
#[test]
fn unused_message_words_are_ignored() {
    let mut rng = Rng::new("unused_message_words_are_ignored");
    let (state, mut words) =
        ([0; 8].map(|_: u32| rng.next() as u32), [0; 8].map(|_: u32| rng.next() as u32));
    for round in 0..32 {
        let expected = compress2(state, words, round);
        for i in [2, 3, 6, 7] {
            words[i] = rng.next() as u32;
        }
        assert_eq!(compress2(state, words, round), expected);
    }
}

/// P0 and P1 are multiplications by 1 + x^9 + x^17 and 1 + x^15 + x^23 modulo x^32 + 1.
#[test]
fn scalar_permutations_are_circulant() {
    let mut rng = Rng::new("scalar_permutations_are_circulant");
    for permutation in [p0, p1] {
        assert_eq!(permutation(u32::MAX), u32::MAX);
        let x = rng.next() as u32;
        for n in 0..32 {
            assert_eq!(permutation(x.rotate_left(n)), permutation(x).rotate_left(n));
        }
    }
    assert_eq!((p0(1), p1(1)), (1 | 1 << 9 | 1 << 17, 1 | 1 << 15 | 1 << 23));
}
