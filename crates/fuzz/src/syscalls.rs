//! Arguments of system calls.

use capvec_bare::testing::{CODE, DATA, program, word};
use capvec_isa::Op;

/// Bytes of a call: its number, and a choice and a value for each of six arguments.
const CALL: usize = 2 + 6 * 9;
/// Maximum number of calls of a program.
const CALLS: usize = 24;
/// System calls have numbers below this (Linux, `asm-generic/unistd.h`), but for a few.
const NUMBERS: u16 = 470;

/// The value of an argument, chosen so that calls do not reject it at once.
fn argument(choice: u8, value: u64) -> u64 {
    match choice % 12 {
        0 => value,
        1 => value & 0xff,
        2 => value & 0xffff,
        3 => DATA + (value & 0xfff),
        4 => DATA + 0xff8 + (value & 15),
        5 => CODE + (value & 0xfff),
        6 => (value & 0xfff).wrapping_neg(),
        7 => value & 7,
        8 => 1 << (value & 63),
        9 => (1u64 << (value & 63)).wrapping_neg(),
        10 => value & !0xfff & 0x3f_ffff_ffff,
        _ => 0,
    }
}

/// The instructions of one call, preceded by its constants.
fn call(bytes: &[u8]) -> Vec<u32> {
    let number = u16::from_le_bytes([bytes[0], bytes[1]]) % NUMBERS;
    let value = |k: usize| {
        let at = &bytes[2 + 9 * k..2 + 9 * (k + 1)];
        let mut raw = [0; 8];
        raw.copy_from_slice(&at[1..]);
        argument(at[0], u64::from_le_bytes(raw))
    };
    let constants = (0..6).map(value).chain([number as u64]);
    let words: Vec<u32> = constants.flat_map(|v| [v as u32, (v >> 32) as u32]).collect();
    let over = 4 + 4 * words.len() as i64;
    let mut all = vec![word(Op::Jal, 5, 0, 0, over)];
    all.extend(words);
    // a0 to a5, then a7; x5 points at the constants.
    for (k, register) in [10, 11, 12, 13, 14, 15, 17].into_iter().enumerate() {
        all.push(word(Op::Ld, register, 5, 0, 8 * k as i64));
    }
    all.push(word(Op::Ecall, 0, 0, 0, 0));
    all
}

/// Makes calls with hostile arguments, then exits.
pub fn run(data: &[u8]) {
    let mut words: Vec<u32> = data.chunks_exact(CALL).take(CALLS).flat_map(call).collect();
    words.extend([word(Op::Addi, 17, 0, 0, 94), word(Op::Ecall, 0, 0, 0, 0)]);
    super::program::run(&program(&words));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fuzz target would test nothing if its programs were refused.
    #[test]
    fn the_program_runs() {
        // exit(7), by its number and first argument.
        let mut call = vec![0; CALL];
        call[0] = 93;
        call[2] = 1;
        call[3] = 7;
        let words = super::call(&call);
        assert_eq!(crate::program::status(&program(&words)), Some(7));
    }
}
