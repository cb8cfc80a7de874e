//! Programs that write patterns to CSRs, read them back, and restore them.

use capvec_bare::testing::word;
use capvec_isa::Op;
use capvec_sim::testing::Rng;

/// CSRs that hold what is written, or a part of it. A random value in mtvec or mepc would lead control astray, so random programs do
/// not write these.
const WRITABLE: [i64; 16] = [
    0x008, 0x009, 0x00a, 0x00f, 0x300, 0x304, 0x305, 0x306, 0x340, 0x341, 0x342, 0x343, 0x747,
    0xb00, 0xb02, 0xb03,
];
/// `cycle`, `time` and `instret`.
const COUNTERS: [i64; 3] = [0xc00, 0xc01, 0xc02];

/// Registers: the value, what the CSR held, and what is read.
const VALUE: u8 = 20;
const OLD: u8 = 21;
const READ: u8 = 22;

/// A piece of a program for each CSR.
pub fn pieces(rng: &mut Rng) -> Vec<Vec<u32>> {
    let csr = |op, rd, rs1, n: i64| word(op, rd, rs1, 0, n);
    let read = |n: i64| csr(Op::Csrrs, READ, 0, n);
    let mut pieces = Vec::new();
    for n in WRITABLE {
        // Ones, zeros, and bits at random; then bits are set and cleared.
        for (number, shift) in [(-1, 0), (0, 0), (rng.below(4096) as i64 - 2048, rng.below(53))] {
            pieces.push(vec![
                word(Op::Addi, VALUE, 0, 0, number),
                word(Op::Slli, VALUE, VALUE, 0, shift as i64),
                csr(Op::Csrrw, OLD, VALUE, n),
                read(n),
                csr(Op::Csrrsi, READ, 0b10101, n),
                csr(Op::Csrrc, READ, VALUE, n),
                read(n),
                csr(Op::Csrrw, READ, OLD, n),
                read(n),
            ]);
        }
    }
    // Twice: they count.
    pieces.extend(COUNTERS.map(|n| vec![read(n), read(n)]));
    pieces
}
