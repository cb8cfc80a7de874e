//! Keccak-f[1600] in the language, against the crate `keccak`.

use capvec_language::{Direction, Port, Source, Type, compile};

pub const KECCAK: &str = r#"
// FIPS 202, section 3: lane x + 5y is A[x, y].
const RC: bits(64)[24] = [
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
];

fn round(a: bits(64)[25], rc: bits(64)) -> bits(64)[25] {
    // θ
    var c: bits(64)[5];
    for x in 0..5 {
        c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }
    var d: bits(64)[5];
    for x in 0..5 {
        d[x] = c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
    }
    var t = a;
    for i in 0..25 {
        t[i] ^= d[i % 5];
    }
    // ρ and π
    var b = t;
    var x = 1;
    var y = 0;
    for n in 0..24 {
        let lane = t[x + 5 * y];
        let next = (2 * x + 3 * y) % 5;
        x = y;
        y = next;
        b[x + 5 * y] = rotl(lane, (n + 1) * (n + 2) / 2);
    }
    // χ and ι
    var r: bits(64)[25];
    for i in 0..25 {
        let row = i - i % 5;
        r[i] = b[i] ^ ~b[row + (i + 1) % 5] & b[row + (i + 2) % 5];
    }
    r[0] ^= rc;
    return r;
}

for i in 0..24 {
    state = round(state, RC[i]);
}
"#;

#[test]
fn keccak_is_the_published_one() {
    let ports =
        [Port { name: "state".into(), ty: Type::array(64, 25), direction: Direction::InOut }];
    let source = Source { file: "keccak", line: 1, text: KECCAK };
    let program = compile(&source, &ports, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut machine = program.machine();
    let mut state: [u64; 25] =
        std::array::from_fn(|i| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..100 {
        machine.input(0).copy_from_slice(&state);
        machine.run().unwrap();
        keccak::Keccak::new().with_f1600(|f| f(&mut state));
        assert_eq!(machine.output(0), state);
    }
    // The steps of each round, after pairs of operations have been joined: 10 and 5 for θ, 25 for the rest of θ with ρ, 25
    // for χ, 1 for ι. No step copies the result: the last round computes the output in its place.
    assert_eq!(program.steps(), 24 * (10 + 5 + 25 + 25 + 1));
}
