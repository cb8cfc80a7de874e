//! Bit manipulation of Zbb, Zbkb and Zbkx that is more than one host operation.

/// Applies `f` to each byte of `x`.
fn map_bytes(x: u64, f: impl FnMut(u8) -> u8) -> u64 {
    u64::from_le_bytes(x.to_le_bytes().map(f))
}

/// `brev8`: the bits of each byte reversed.
pub fn brev8(x: u64) -> u64 {
    x.reverse_bits().swap_bytes()
}

/// `orc.b`: each byte all ones unless it is zero.
pub fn orc_b(x: u64) -> u64 {
    map_bytes(x, |byte| if byte == 0 { 0 } else { 0xff })
}

/// `xperm8`: byte i of the result is the byte of `table` that byte i of `index` names, or zero if
/// there is none (index 8 and above).
pub fn xperm8(table: u64, index: u64) -> u64 {
    let bytes = table.to_le_bytes();
    map_bytes(index, |i| bytes.get(i as usize).copied().unwrap_or(0))
}

/// `xperm4`: nibble i of the result is the nibble of `table` that nibble i of `index` names.
pub fn xperm4(table: u64, index: u64) -> u64 {
    let nibble = |i: u8| (table >> (4 * i)) as u8 & 15;
    map_bytes(index, |pair| nibble(pair >> 4) << 4 | nibble(pair & 15))
}

/// `xperm8` of RV32, where an index of 4 and above gives zero.
pub fn xperm8_32(table: u32, index: u32) -> u32 {
    xperm8(table.into(), index.into()) as u32
}

/// `xperm4` of RV32, where an index of 8 and above gives zero.
pub fn xperm4_32(table: u32, index: u32) -> u32 {
    xperm4(table.into(), index.into()) as u32
}

/// `zip` (RV32): bit i of the lower half goes to bit 2i, bit i of the upper half to bit 2i + 1.
pub fn zip(x: u32) -> u32 {
    (0..16).fold(0, |r, i| r | (x >> i & 1) << (2 * i) | (x >> (i + 16) & 1) << (2 * i + 1))
}

/// `unzip` (RV32), the inverse of [`zip`].
pub fn unzip(x: u32) -> u32 {
    (0..16).fold(0, |r, i| r | (x >> (2 * i) & 1) << i | (x >> (2 * i + 1) & 1) << (i + 16))
}

/// `pack` on RV64 and, with `half` = 16, `packw` before sign extension: the lower `half` bits of
/// both operands, `rs2` above `rs1`.
pub fn pack(rs1: u64, rs2: u64, half: u32) -> u64 {
    let mask = (1 << half) - 1;
    (rs2 & mask) << half | rs1 & mask
}
