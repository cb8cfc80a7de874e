//! Operations on at most 64 bits, executed once, in short programs and in lanes, against the definition for any width, which
//! constant folding uses.

use super::lanes::{LANES, Lanes};
use super::{Empty, Place};
use crate::code::Code;
use crate::code::alloc::Final;
use crate::code::eval::eval;
use crate::code::{Insn, ones};
use crate::{Direction, Placed, Port, Program, Type};

const CODES: [Code; 39] = [
    Code::Mov,
    Code::Add,
    Code::Sub,
    Code::Mul,
    Code::Div,
    Code::Rem,
    Code::RemOnce,
    Code::SignedDiv,
    Code::SignedRem,
    Code::And,
    Code::Or,
    Code::Xor,
    Code::Not,
    Code::Shl,
    Code::Shr,
    Code::Sra,
    Code::Rotl,
    Code::Rotr,
    Code::Eq,
    Code::Ne,
    Code::Less,
    Code::LessEqual,
    Code::SignedLess,
    Code::SignedLessEqual,
    Code::Select,
    Code::Concat,
    Code::Slice,
    Code::Sext,
    Code::Clz,
    Code::Ctz,
    Code::Cpop,
    Code::Rev8,
    Code::Brev8,
    Code::Clmul,
    Code::RotlBy,
    Code::Xor3,
    Code::XorAndNot,
    Code::XorRotl,
    Code::RotlXor,
];

/// A program of one operation on three operands.
fn program(code: Code, x: u8, y: u8) -> Program {
    let port = |name: &str, input, output, direction| Placed {
        port: Port { name: name.into(), ty: Type::bits(64), direction },
        input,
        output,
        used: true,
    };
    let insn = Insn { code, x, y, wide: 0, d: 3, a: 0, b: 1, c: 2 };
    let code = Final {
        code: vec![insn],
        initial: Vec::new(),
        reasons: Vec::new(),
        slots: 4,
        plain: true,
        alike: 1,
    };
    let inputs = (0..3).map(|n| port("abc", n..n + 1, 0..0, Direction::In));
    let ports = inputs.chain([port("d", 0..0, 3..4, Direction::Out)]).collect();
    Program { code: code.into(), ports }
}

/// The widths of the result and of the operands, and y, that elaboration emits for an operation.
fn shape(code: Code, rng: &mut impl FnMut() -> u64) -> (u8, u8, [u32; 3]) {
    let width = 1 + (rng() % 64) as u32;
    let (x, all) = (width as u8, [width; 3]);
    match code {
        Code::Select => (x, 0, [1, width, width]),
        Code::Shl | Code::Shr | Code::Sra | Code::Rotl | Code::Rotr => {
            (x, 0, [width, 1 + (rng() % 64) as u32, 1])
        }
        Code::Concat => {
            let low = width / 2;
            (x, low as u8, [width - low, low.max(1), 1])
        }
        Code::Slice => (x, (rng() % u64::from(65 - width)) as u8, [64; 3]),
        Code::Sext => {
            let from = 1 + (rng() % u64::from(width)) as u32;
            (x, from as u8, [from; 3])
        }
        Code::Rev8 | Code::Brev8 => {
            let width = width.div_ceil(8) * 8;
            (width as u8, 0, [width; 3])
        }
        Code::RotlBy => (x, (rng() % u64::from(width)) as u8, all),
        Code::XorRotl | Code::RotlXor => (64, (rng() % 64) as u8, [64; 3]),
        _ => (x, 0, all),
    }
}

#[test]
fn operations_equal_their_definition_once_short_and_in_lanes() {
    let mut seed = 1u64;
    let mut rng = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed ^ seed >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    for round in 0..200 {
        for code in CODES {
            let (x, y, widths) = shape(code, &mut rng);
            let program = program(code, x, y);
            let short = program.short().expect("one instruction");
            let (mut once, mut lanes) = (program.machine(), Lanes::new(program));
            // In every third round, an operand is the same in all lanes, as a divisor may be.
            let same = rng();
            let mut wanted = [0; LANES];
            for (lane, wanted) in wanted.iter_mut().enumerate() {
                let mut operands = [0u128; 3];
                for (n, operand) in operands.iter_mut().enumerate() {
                    let number = match rng() % 8 {
                        _ if round % 3 == 0 && n == 1 => same >> (same & 31),
                        0 => 0,
                        1 => u64::MAX,
                        2 => 1 << (widths[n] - 1),
                        3 => rng() >> (rng() & 63),
                        _ => rng(),
                    };
                    *operand = u128::from(number) & ones(widths[n]);
                }
                if code == Code::RemOnce {
                    operands[1] = operands[1].clamp(1, 1 << 63);
                    operands[0] %= 2 * operands[1];
                }
                let mut frame = short.frame();
                for (n, operand) in operands.iter().enumerate() {
                    lanes.input(n)[0][lane] = *operand as u64;
                    once.input(n)[0] = *operand as u64;
                    *frame.word(Place(n as u16)) = *operand as u64;
                }
                *wanted = eval(code, x, y, operands) as u64;
                assert_eq!(once.run(), Ok(()));
                assert_eq!(once.output(3), [*wanted], "{code:?} {x} {y} of {operands:#x?}");
                assert_eq!(short.run(&mut frame, &mut Empty), Ok(()));
                assert_eq!(*frame.word(Place(3)), *wanted, "{code:?} {x} {y} of {operands:#x?}");
            }
            assert_eq!(lanes.run(LANES), Ok(()));
            assert_eq!(lanes.output(3), [wanted], "{code:?} {x} {y}");
        }
    }
}
