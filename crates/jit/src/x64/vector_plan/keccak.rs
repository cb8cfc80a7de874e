//! What sets `vkeccak.vi` apart: its element groups are large, and in some drafts there is exactly one, whatever vl is.

use capvec_isa::Op;

/// Bytes of an element group.
pub const GROUP: u32 = 256;

/// Maximum number of bytes for which code is generated: two groups at a time, the eight of LMUL 8 at VLEN 2048.
pub const MAX_BYTES: u64 = 8 * GROUP as u64;

/// Whether the instruction permutes one group, whatever vl and the tail policy are.
pub fn one_group(op: Op, vlen: u32) -> bool {
    op == Op::VkeccakViZvknhk0p1 || op == Op::VkeccakViZvknhk0p2 && vlen == 128
}
