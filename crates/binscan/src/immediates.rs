//! Constants that RISC-V and AArch64 code builds with two or more instructions.

/// Called for each value with the offset of the instruction that completes it, and 32 bits of the value: on RISC-V the
/// lower half, on AArch64 the half that the instruction has set.
pub type Value<'a> = dyn FnMut(usize, u32) + 'a;

/// Bits `high` to `low`.
fn bits(word: u32, high: u32, low: u32) -> u32 {
    word >> low & (u32::MAX >> (31 - (high - low)))
}

/// RISC-V: `lui`, then `addi` or `addiw` of the same register, not necessarily adjacent; also in compressed form
/// (Unprivileged ISA, 2.4.1 and "C" extension, CI format).
pub fn riscv(code: &[u8], emit: &mut Value) {
    let mut upper = [None; 32];
    let mut at = 0;
    while let Some(&[a, b]) = code.get(at..at + 2) {
        let low = u16::from_le_bytes([a, b]);
        if low & 3 != 3 {
            compressed(at, u32::from(low), &mut upper, emit);
            at += 2;
            continue;
        }
        let Some(word) = code.get(at..at + 4).and_then(|w| w.try_into().ok()) else { return };
        let word = u32::from_le_bytes(word);
        let (rd, rs1) = (bits(word, 11, 7) as usize, bits(word, 19, 15) as usize);
        match (bits(word, 6, 0), bits(word, 14, 12)) {
            (0x37, _) => {
                upper[rd] = Some(word & 0xffff_f000);
                emit(at, word & 0xffff_f000);
            }
            (0x13 | 0x1b, 0) => {
                let immediate = (word as i32 >> 20) as u32;
                if let Some(u) = upper[rs1] {
                    emit(at, u.wrapping_add(immediate));
                }
            }
            _ => {}
        }
        at += 4;
    }
}

fn compressed(at: usize, half: u32, upper: &mut [Option<u32>; 32], emit: &mut Value) {
    let rd = bits(half, 11, 7) as usize;
    let six = bits(half, 12, 12) << 5 | bits(half, 6, 2);
    let signed = (six << 26) as i32 >> 26;
    match (half & 3, bits(half, 15, 13)) {
        // c.addi, c.addiw
        (1, 0 | 1) => {
            if let Some(u) = upper[rd] {
                emit(at, u.wrapping_add(signed as u32));
            }
        }
        // c.lui
        (1, 3) if rd != 2 => upper[rd] = Some((signed as u32) << 12),
        _ => {}
    }
}

/// AArch64: `movz` or `movn`, then `movk` (Arm ARM, C6.2 "MOVZ", "MOVN", "MOVK"); both halves of a 64-bit value are reported.
pub fn arm(code: &[u8], emit: &mut Value) {
    let mut values = [0u64; 32];
    for (i, word) in code.chunks_exact(4).enumerate() {
        let word = word.try_into().map_or(0, u32::from_le_bytes);
        let shift = 16 * bits(word, 22, 21);
        let part = u64::from(bits(word, 20, 5)) << shift;
        let value = &mut values[bits(word, 4, 0) as usize];
        match word & 0x7f80_0000 {
            0x5280_0000 => *value = part,
            0x1280_0000 => *value = !part,
            0x7280_0000 => *value = *value & !(0xffff << shift) | part,
            _ => continue,
        }
        emit(4 * i, if shift < 32 { *value as u32 } else { (*value >> 32) as u32 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: fn(&[u8], &mut Value), words: &[u32]) -> Vec<u32> {
        let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let mut all = Vec::new();
        of(&code, &mut |_, v| all.push(v));
        all
    }

    /// The words follow the formats in the manuals.
    #[test]
    fn halves_of_an_immediate_are_combined() {
        // lui a5, 0x428a3; nop; addiw a4, a5, -104
        assert!(values(riscv, &[0x428a_37b7, 0x13, 0xf987_871b]).contains(&0x428a_2f98));
        // lui a5, 0x5a828; c.nop; c.nop; addi a5, a5, -1639
        assert!(values(riscv, &[0x5a82_87b7, 0x0001_0001, 0x9997_8793]).contains(&0x5a82_7999));
        // lui a5, 0x5a828; c.addiw a5, -1; c.nop
        assert!(values(riscv, &[0x5a82_87b7, 0x0001_37fd]).contains(&0x5a82_7fff));
        // mov w3, #0x2f98; movk w3, #0x428a, lsl #16
        assert!(values(arm, &[0x5285_f303, 0x72a8_5143]).contains(&0x428a_2f98));
        // mov x2, #0xae22; movk x2, #0xd728, lsl #16; movk …, #0x2f98, lsl #32; movk …, #0x428a, lsl #48
        let wide = values(arm, &[0xd295_c442, 0xf2ba_e502, 0xf2c5_f302, 0xf2e8_5142]);
        assert!(wide.contains(&0xd728_ae22) && wide.contains(&0x428a_2f98), "{wide:x?}");
    }
}
