//! What the instructions compute, at any width. Constants are folded with it, and values of more than 64 bits are computed with it.

use super::{Code, ones};

/// The result of an instruction without control flow.
pub(crate) fn eval(code: Code, x: u8, y: u8, [a, b, c]: [u128; 3]) -> u128 {
    let width = u32::from(x);
    let y = u32::from(y);
    let result = match code {
        Code::Add => a.wrapping_add(b),
        Code::Sub => a.wrapping_sub(b),
        Code::Mul => a.wrapping_mul(b),
        Code::Div => a.checked_div(b).unwrap_or(u128::MAX),
        Code::Rem => a.checked_rem(b).unwrap_or(a),
        Code::RemOnce if a < b => a,
        Code::RemOnce => a.wrapping_sub(b),
        Code::SignedDiv if b == 0 => u128::MAX,
        Code::SignedRem if b == 0 => a,
        Code::SignedDiv => signed(a, width).wrapping_div(signed(b, width)) as u128,
        Code::SignedRem => signed(a, width).wrapping_rem(signed(b, width)) as u128,
        Code::And => a & b,
        Code::Or => a | b,
        Code::Xor => a ^ b,
        Code::Not => !a,
        Code::Shl => shift(b).map_or(0, |n| a.checked_shl(n).unwrap_or(0)),
        Code::Shr => shift(b).map_or(0, |n| a.checked_shr(n).unwrap_or(0)),
        Code::Sra => (signed(a, width) >> b.min(127)) as u128,
        Code::Rotl => rotl(a, b, width),
        Code::Rotr => rotl(a, u128::from(width) - b % u128::from(width), width),
        Code::RotlBy => rotl(a, u128::from(y), width),
        Code::Eq => u128::from(a == b),
        Code::Ne => u128::from(a != b),
        Code::Less => u128::from(a < b),
        Code::LessEqual => u128::from(a <= b),
        Code::SignedLess => u128::from(signed(a, width) < signed(b, width)),
        Code::SignedLessEqual => u128::from(signed(a, width) <= signed(b, width)),
        Code::Select => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Code::Concat => a.checked_shl(y).unwrap_or(0) | b,
        Code::Slice => a >> y,
        Code::Sext => signed(a, y) as u128,
        Code::Clz => u128::from(a.leading_zeros() - (128 - width)),
        Code::Ctz => u128::from(a.trailing_zeros().min(width)),
        Code::Cpop => u128::from(a.count_ones()),
        Code::Rev8 => a.swap_bytes() >> (128 - width),
        Code::Brev8 => a.swap_bytes().reverse_bits(),
        Code::Clmul => clmul(a, b),
        Code::Xor3 => a ^ b ^ c,
        Code::XorAndNot => a ^ !b & c,
        Code::XorRotl => a ^ rotl(b, u128::from(y), width),
        Code::RotlXor => rotl(a ^ b, u128::from(y), width),
        Code::Mov => a,
        Code::Load | Code::Store | Code::Fetch | Code::Put => 0,
        Code::Jump | Code::JumpIfZero | Code::Label | Code::Illegal => 0,
    };
    result & ones(width)
}

fn signed(a: u128, width: u32) -> i128 {
    (a << (128 - width)) as i128 >> (128 - width)
}

fn shift(n: u128) -> Option<u32> {
    u32::try_from(n).ok()
}

fn rotl(a: u128, n: u128, width: u32) -> u128 {
    let n = (n % u128::from(width)) as u32;
    a << n | a.checked_shr(width - n).unwrap_or(0)
}

fn clmul(a: u128, b: u128) -> u128 {
    let product = |sum: u128, i: u32| if b >> i & 1 == 1 { sum ^ a << i } else { sum };
    (0..128 - b.leading_zeros()).fold(0, product)
}
