//! RV32: every computational instruction against the manual's definition in 32-bit arithmetic, independent of the
//! 64-bit registers of the semantics; and where the widths meet, addresses and CSRs.

use capvec_isa::{Decoded, Op};
use capvec_sim::Cause;
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::testing::{CODE, DATA, Rig, Rng, all_exts, config, word};

type Function = fn(u32, u32) -> u32;
type Unary = fn(u32) -> u32;

fn rig() -> Rig {
    Rig::new(Config { xlen: 32, ..config(&all_exts(), 128, Agnostic::Undisturbed) })
}

fn signed(f: fn(i32, i32) -> i32, a: u32, b: u32) -> u32 {
    f(a as i32, b as i32) as u32
}

fn clmul(a: u32, b: u32) -> u64 {
    (0..32).filter(|i| b >> i & 1 != 0).fold(0, |p, i| p ^ u64::from(a) << i)
}

/// Applies `f` to every byte, given by its index.
fn bytes(a: u32, f: impl Fn(u8) -> u8) -> u32 {
    u32::from_le_bytes(a.to_le_bytes().map(f))
}

fn lookup(a: u32, b: u32, bits: u32) -> u32 {
    let mask = (1 << bits) - 1;
    (0..32 / bits).fold(0, |r, k| {
        let index = b >> (k * bits) & mask;
        let taken = if index * bits < 32 { a >> (index * bits) & mask } else { 0 };
        r | taken << (k * bits)
    })
}

/// Instructions on two registers.
const REGISTERS: &[(Op, Function)] = &[
    (Op::Add, u32::wrapping_add),
    (Op::Sub, u32::wrapping_sub),
    (Op::Sll, |a, b| a.wrapping_shl(b)),
    (Op::Slt, |a, b| ((a as i32) < b as i32) as u32),
    (Op::Sltu, |a, b| (a < b) as u32),
    (Op::Xor, |a, b| a ^ b),
    (Op::Srl, |a, b| a.wrapping_shr(b)),
    (Op::Sra, |a, b| (a as i32).wrapping_shr(b) as u32),
    (Op::Or, |a, b| a | b),
    (Op::And, |a, b| a & b),
    (Op::Mul, u32::wrapping_mul),
    (Op::Mulh, |a, b| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32),
    (Op::Mulhsu, |a, b| ((i64::from(a as i32) * i64::from(b)) >> 32) as u32),
    (Op::Mulhu, |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32),
    (Op::Div, |a, b| if b == 0 { u32::MAX } else { signed(i32::wrapping_div, a, b) }),
    (Op::Divu, |a, b| a.checked_div(b).unwrap_or(u32::MAX)),
    (Op::Rem, |a, b| if b == 0 { a } else { signed(i32::wrapping_rem, a, b) }),
    (Op::Remu, |a, b| a.checked_rem(b).unwrap_or(a)),
    (Op::Sh1add, |a, b| (a << 1).wrapping_add(b)),
    (Op::Sh2add, |a, b| (a << 2).wrapping_add(b)),
    (Op::Sh3add, |a, b| (a << 3).wrapping_add(b)),
    (Op::Andn, |a, b| a & !b),
    (Op::Orn, |a, b| a | !b),
    (Op::Xnor, |a, b| !(a ^ b)),
    (Op::Max, |a, b| signed(i32::max, a, b)),
    (Op::Maxu, u32::max),
    (Op::Min, |a, b| signed(i32::min, a, b)),
    (Op::Minu, u32::min),
    (Op::Rol, |a, b| a.rotate_left(b % 32)),
    (Op::Ror, |a, b| a.rotate_right(b % 32)),
    (Op::Bclr, |a, b| a & !(1 << (b % 32))),
    (Op::Bset, |a, b| a | 1 << (b % 32)),
    (Op::Binv, |a, b| a ^ 1 << (b % 32)),
    (Op::Bext, |a, b| a >> (b % 32) & 1),
    (Op::Clmul, |a, b| clmul(a, b) as u32),
    (Op::Clmulh, |a, b| (clmul(a, b) >> 32) as u32),
    (Op::Clmulr, |a, b| (clmul(a, b) >> 31) as u32),
    (Op::Pack, |a, b| a & 0xffff | b << 16),
    (Op::Packh, |a, b| a & 0xff | (b & 0xff) << 8),
    (Op::Xperm4, |a, b| lookup(a, b, 4)),
    (Op::Xperm8, |a, b| lookup(a, b, 8)),
    (Op::CzeroEqz, |a, b| if b == 0 { 0 } else { a }),
    (Op::CzeroNez, |a, b| if b != 0 { 0 } else { a }),
    // Shifts, as in RISC-V Cryptography Extensions Volume I, sections "sha512sig0h" and so on.
    (Op::Sha512sig0l, |a, b| a >> 1 ^ a >> 7 ^ a >> 8 ^ b << 31 ^ b << 25 ^ b << 24),
    (Op::Sha512sig0h, |a, b| a >> 1 ^ a >> 7 ^ a >> 8 ^ b << 31 ^ b << 24),
    (Op::Sha512sig1l, |a, b| a << 3 ^ a >> 6 ^ a >> 19 ^ b >> 29 ^ b << 26 ^ b << 13),
    (Op::Sha512sig1h, |a, b| a << 3 ^ a >> 6 ^ a >> 19 ^ b >> 29 ^ b << 13),
    (Op::Sha512sum0r, |a, b| a << 25 ^ a << 30 ^ a >> 28 ^ b >> 7 ^ b >> 2 ^ b << 4),
    (Op::Sha512sum1r, |a, b| a << 23 ^ a >> 14 ^ a >> 18 ^ b >> 9 ^ b << 18 ^ b << 14),
];

/// Instructions on one register.
const UNARY: &[(Op, Unary)] = &[
    (Op::Clz, u32::leading_zeros),
    (Op::Ctz, u32::trailing_zeros),
    (Op::Cpop, u32::count_ones),
    (Op::SextB, |a| a as i8 as u32),
    (Op::SextH, |a| a as i16 as u32),
    (Op::ZextHRv32, |a| a & 0xffff),
    (Op::OrcB, |a| bytes(a, |b| if b == 0 { 0 } else { 0xff })),
    (Op::Rev8Rv32, u32::swap_bytes),
    (Op::Brev8, |a| bytes(a, u8::reverse_bits)),
    (Op::Zip, |a| (0..32).fold(0, |r, i| r | (a >> i & 1) << (i % 16 * 2 + i / 16))),
    (Op::Unzip, |a| (0..32).fold(0, |r, i| r | (a >> i & 1) << (i % 2 * 16 + i / 2))),
    (Op::Sha256sig0, |a| a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3),
    (Op::Sha256sig1, |a| a.rotate_right(17) ^ a.rotate_right(19) ^ a >> 10),
    (Op::Sha256sum0, |a| a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)),
    (Op::Sha256sum1, |a| a.rotate_right(6) ^ a.rotate_right(11) ^ a.rotate_right(25)),
    (Op::Sm3p0, |a| a ^ a.rotate_left(9) ^ a.rotate_left(17)),
    (Op::Sm3p1, |a| a ^ a.rotate_left(15) ^ a.rotate_left(23)),
];

/// Instructions with an immediate from the first bound to below the second.
const IMMEDIATES: &[(Op, i64, i64, Function)] = &[
    (Op::Addi, -2048, 2048, u32::wrapping_add),
    (Op::Slti, -2048, 2048, |a, b| ((a as i32) < b as i32) as u32),
    (Op::Sltiu, -2048, 2048, |a, b| (a < b) as u32),
    (Op::Xori, -2048, 2048, |a, b| a ^ b),
    (Op::Ori, -2048, 2048, |a, b| a | b),
    (Op::Andi, -2048, 2048, |a, b| a & b),
    (Op::SlliRv32, 0, 32, |a, b| a << b),
    (Op::SrliRv32, 0, 32, |a, b| a >> b),
    (Op::SraiRv32, 0, 32, |a, b| (a as i32 >> b) as u32),
    (Op::RoriRv32, 0, 32, u32::rotate_right),
    (Op::BclriRv32, 0, 32, |a, b| a & !(1 << b)),
    (Op::BsetiRv32, 0, 32, |a, b| a | 1 << b),
    (Op::BinviRv32, 0, 32, |a, b| a ^ 1 << b),
    (Op::BextiRv32, 0, 32, |a, b| a >> b & 1),
];

fn operand(rng: &mut Rng) -> u32 {
    match rng.below(4) {
        0 => rng.pick(&[0, 1, 2, 31, 32, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, u32::MAX]),
        1 => 1 << rng.below(32),
        _ => rng.next() as u32,
    }
}

/// The value as a register of RV32 holds it.
fn extended(v: u32) -> u64 {
    v as i32 as u64
}

/// Executes `op` on random registers, sometimes x0 or the same register twice.
fn check(m: &mut Rig, rng: &mut Rng, op: Op, imm: i64, f: impl Fn(u32, u32) -> u32) {
    let [rd, rs1, rs2] = [0; 3].map(|_| rng.below(32) as u8);
    let two = op.row().args.contains("rs2");
    let rs2 = if two { rs2 } else { 0 };
    (1..32).for_each(|r| m.h.write_x(r, extended(operand(rng))));
    let (a, b) = (m.h.x(rs1) as u32, if two { m.h.x(rs2) as u32 } else { imm as u32 });
    let set = |d: &mut Decoded| (d.rd, d.rs1, d.rs2, d.imm) = (rd, rs1, rs2, imm);
    assert_eq!(m.run(&[word(op, set)]).cause, Cause::Breakpoint, "{}", op.name());
    let wanted = if rd == 0 { 0 } else { extended(f(a, b)) };
    assert_eq!(m.h.x(rd), wanted, "{} {a:#x} {b:#x}", op.name());
}

#[test]
fn results_are_those_of_32_bit_arithmetic() {
    let mut rng = Rng::new("results_are_those_of_32_bit_arithmetic");
    let mut m = rig();
    for (op, f) in REGISTERS {
        (0..300).for_each(|_| check(&mut m, &mut rng, *op, 0, *f));
    }
    for (op, f) in UNARY {
        (0..300).for_each(|_| check(&mut m, &mut rng, *op, 0, |a, _| f(a)));
    }
    for (op, least, bound, f) in IMMEDIATES {
        for _ in 0..300 {
            let imm = least + rng.below((bound - least) as u64) as i64;
            check(&mut m, &mut rng, *op, imm, *f);
        }
    }
}

/// One AES round, encrypting or decrypting, by four instructions per column, against RustCrypto's cipher.
#[test]
fn aes_rounds_are_the_ciphers() {
    use aes::hazmat::{cipher_round, equiv_inv_cipher_round};
    let mut rng = Rng::new("aes_rounds_are_the_ciphers");
    let mut m = rig();
    let step =
        |op, bs: usize, rs2| word(op, |d| (d.rd, d.rs1, d.rs2, d.imm) = (10, 10, rs2, bs as i64));
    for _ in 0..100 {
        let (state, key): ([u8; 16], [u8; 16]) = (rng.bytes(), rng.bytes());
        for (op, shift, round) in [
            (Op::Aes32esmi, 1, cipher_round as fn(&mut aes::Block, &aes::Block)),
            (Op::Aes32dsmi, 3, equiv_inv_cipher_round),
        ] {
            let mut wanted = state.into();
            round(&mut wanted, &key.into());
            for (column, wanted) in wanted.chunks(4).enumerate() {
                let load = |bytes: &[u8], c: usize| {
                    u32::from_le_bytes(bytes[4 * c..4 * c + 4].try_into().expect("four"))
                };
                (0..4).for_each(|c| m.h.write_x(20 + c as u8, extended(load(&state, c))));
                m.h.write_x(10, extended(load(&key, column)));
                // Row r of a column comes from the column r further on, or before.
                let words: Vec<u32> =
                    (0..4).map(|r| step(op, r, 20 + ((column + shift * r) % 4) as u8)).collect();
                assert_eq!(m.run(&words).cause, Cause::Breakpoint);
                assert_eq!((m.h.x(10) as u32).to_le_bytes(), wanted, "{}", op.name());
            }
        }
    }
}

#[test]
fn six_bit_shift_amounts_and_rv64_instructions_are_illegal() {
    let mut m = rig();
    let set = |d: &mut Decoded| (d.rd, d.rs1, d.imm) = (10, 11, 33);
    for op in [Op::Slli, Op::Srli, Op::Srai, Op::Rori, Op::Bclri, Op::Bexti, Op::CSlli, Op::CSrai] {
        let set = |d: &mut Decoded| (d.rd, d.rs1, d.imm) = (10, 10, 33);
        assert_eq!(m.run(&[word(op, set)]).cause, Cause::Illegal, "{}", op.name());
    }
    assert_eq!(m.run(&[word(Op::Slliw, |d| d.imm = 3)]).cause, Cause::Illegal);
    assert_eq!(m.run(&[word(Op::Ld, |d| d.rd = 10)]).cause, Cause::Illegal);
    let mut wide = Rig::new(config(&all_exts(), 128, Agnostic::Undisturbed));
    assert_eq!(wide.run(&[word(Op::Slli, set)]).cause, Cause::Breakpoint);
    for op in [Op::Zip, Op::Aes32esi, Op::Sha512sum0r] {
        assert_eq!(wide.run(&[word(op, |_| ())]).cause, Cause::Illegal, "{}", op.name());
    }
}

/// Addresses wrap at 4 GiB, also when a register holds one sign-extended; a trap reports them zero-extended.
#[test]
fn addresses_have_32_bits() {
    let mut m = rig();
    let load = |rs1: u8, imm: i64| word(Op::Lw, |d| (d.rd, d.rs1, d.imm) = (10, rs1, imm));
    m.h.mem.store::<u32>(DATA, 0x8765_4321).expect("mapped");
    m.h.write_x(11, extended(u32::MAX));
    m.h.write_x(12, extended(DATA as u32 - 16));
    m.h.write_x(13, extended(0x8000_0000));
    assert_eq!(m.run(&[load(12, 16)]).cause, Cause::Breakpoint);
    assert_eq!(m.h.x(10), extended(0x8765_4321));
    for (rs1, imm, at) in [(11, 1, 0), (13, 0, 0x8000_0000), (13, -4, 0x7fff_fffc)] {
        let trap = m.run(&[load(rs1, imm)]);
        assert_eq!((trap.cause, trap.tval), (Cause::LoadPage, at));
    }
    for (op, cause) in [(Op::AmoaddW, Cause::StorePage), (Op::LrW, Cause::LoadPage)] {
        let trap = m.run(&[word(op, |d| (d.rd, d.rs1) = (10, 13))]);
        assert_eq!((trap.cause, trap.tval), (cause, 0x8000_0000));
    }
    let jump = word(Op::Jalr, |d| (d.rd, d.rs1) = (1, 13));
    let trap = m.run(&[jump]);
    assert_eq!((trap.cause, trap.tval, m.h.pc), (Cause::InstructionPage, 0x8000_0000, 0x8000_0000));
    assert_eq!(m.h.x(1), CODE + 4);
    let back = word(Op::Jal, |d| d.imm = -(1 << 20));
    let trap = m.run(&[back]);
    assert_eq!(trap.tval, u64::from((CODE as u32).wrapping_sub(1 << 20)));
}

/// The halves of counters, and the CSRs that only RV32 has.
#[test]
fn csrs_have_32_bits() {
    let mut m = rig();
    m.h.reset_machine();
    let read = |csr| word(Op::Csrrs, |d| (d.rd, d.imm) = (10, csr));
    let write = |csr| word(Op::Csrrw, |d| (d.rs1, d.imm) = (11, csr));
    // misa: MXL 1 in the highest bits.
    m.run(&[read(0x301)]);
    assert_eq!(m.h.x(10) as u32 >> 30, 1);
    m.h.write_x(11, extended(0xffff_fff0));
    // mcycle's halves are written one by one, and read as user mode's cycle.
    let trap = m.run(&[write(0xb80), write(0xb00), read(0xc80)]);
    assert_eq!((trap.cause, m.h.x(10)), (Cause::Breakpoint, extended(0xffff_fff0)));
    m.run(&[read(0xb02), read(0xc82)]);
    assert_eq!(m.h.x(10), 0);
    // mepc is an address.
    m.h.write_x(11, extended(0x8000_0010));
    m.run(&[write(0x341), word(Op::Mret, |_| ())]);
    assert_eq!(m.h.pc, 0x8000_0010);
    let mut wide = Rig::new(config(&all_exts(), 128, Agnostic::Undisturbed));
    m.h.reset_machine();
    wide.h.reset_machine();
    for csr in [0x310, 0x31a, 0x757, 0xb80, 0xb82, 0xc80, 0xc82] {
        assert_eq!(wide.run(&[read(csr)]).cause, Cause::Illegal, "{csr:#x}");
        assert_eq!(m.run(&[read(csr)]).cause, Cause::Breakpoint, "{csr:#x}");
    }
}
