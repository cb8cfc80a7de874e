//! Valgrind's client requests, so that programs annotated for memcheck run unchanged (ctgrind, TIMECOP).
//!
//! The sequence and registers are those of VEX's `guest_riscv64_toIR.c`; the numbers are those of `valgrind.h` and
//! `memcheck.h`.

use crate::checker::State;
use crate::marks::{readable, word};
use capvec_sim::Hart;
use capvec_sim::mem::Perm;

/// Register with the result.
pub const RESULT: u8 = 13;
/// Register with the address of the request's words.
pub const WORDS: u8 = 14;

/// `VG_USERREQ__RUNNING_ON_VALGRIND`.
pub const RUNNING: u64 = 0x1001;
/// `VG_USERREQ_TOOL_BASE('M', 'C')`.
const MEMCHECK: u64 = 0x4d43_0000;
/// `VG_USERREQ__MAKE_MEM_UNDEFINED`.
pub const MAKE_UNDEFINED: u64 = MEMCHECK + 1;
/// `VG_USERREQ__MAKE_MEM_DEFINED`.
pub const MAKE_DEFINED: u64 = MEMCHECK + 2;
/// `VG_USERREQ__GET_VBITS`.
const GET_VBITS: u64 = MEMCHECK + 8;
/// `VG_USERREQ__SET_VBITS`.
const SET_VBITS: u64 = MEMCHECK + 9;
/// `VG_USERREQ__MAKE_MEM_DEFINED_IF_ADDRESSABLE`.
pub const MAKE_DEFINED_IF_ADDRESSABLE: u64 = MEMCHECK + 11;

/// Results of the last two: it is done; some memory cannot be accessed.
const DONE: u64 = 1;
const NOT_ADDRESSABLE: u64 = 3;
/// Bytes of memory that are handled together.
const CHUNK: u64 = 1 << 16;
/// How findings name a secret that a client request has marked.
const MARK: &str = "client request";

/// The instructions of the preamble.
const WORDS_OF_PREAMBLE: [u32; 4] = [0x0030_5013, 0x00d0_5013, 0x0330_5013, 0x03d0_5013];
/// `OP-IMM` and `LOAD-FP`.
const OPCODE_OF_PREAMBLE: u32 = 0x13;
const OPCODE_OF_LOADS: u32 = 7;

/// Where RV64 code at `addr` has client requests, or fault-only-first loads, which would end early at a hidden page.
pub fn find(code: &[u8], addr: u64) -> Vec<u64> {
    let word = |at: usize| match code.get(at..at + 4) {
        Some(bytes) => u32::from_le_bytes(bytes.try_into().expect("four bytes")),
        None => 0,
    };
    let is_preamble =
        |at: usize| (0..).zip(WORDS_OF_PREAMBLE).all(|(k, wanted)| word(at + 4 * k) == wanted);
    const FIRST: u32 = WORDS_OF_PREAMBLE[0];
    let mut found = Vec::new();
    for (k, half) in code.chunks_exact(2).enumerate() {
        // Programs have millions of halfwords, few of which begin either.
        let (at, low) = (2 * k, u32::from(half[0]));
        let stops = match low & 0x7f {
            OPCODE_OF_PREAMBLE => word(at) == FIRST && is_preamble(at),
            OPCODE_OF_LOADS => is_fault_only_first(word(at)),
            _ => false,
        };
        if stops {
            found.push(addr + at as u64);
        }
    }
    found
}

/// A vector load of which only the first element faults (Unprivileged ISA manual, "Unit-stride Fault-Only-First Loads").
fn is_fault_only_first(word: u32) -> bool {
    let vector = matches!(word >> 12 & 7, 0 | 5 | 6 | 7);
    vector && word & 0x0df0_007f == 0x0100_0007
}

impl State {
    /// A client request: the words at `a4`, the result in `a3`.
    pub fn request(&mut self, h: &mut Hart) {
        let at = h.config.address(h.x(WORDS));
        let size = u64::from(h.config.xlen / 8);
        let [request, addr, second, third] =
            [0, 1, 2, 3].map(|k| word(h, at.wrapping_add(size * k)));
        let bytes = readable(h, addr, second);
        let result = match request {
            RUNNING => 1,
            MAKE_UNDEFINED => {
                self.mark(addr, bytes, MARK);
                u64::MAX
            }
            MAKE_DEFINED | MAKE_DEFINED_IF_ADDRESSABLE => {
                self.shadow.fill(addr, bytes, false);
                u64::MAX
            }
            GET_VBITS => self.get_bits(h, addr, second, third),
            SET_VBITS => self.set_bits(h, addr, second, third),
            _ => return,
        };
        h.write_x(RESULT, result);
        self.shadow.set_x(RESULT, 0);
    }

    /// Writes the bits of memory that are secret to the guest's memory at `to`.
    fn get_bits(&mut self, h: &Hart, addr: u64, to: u64, bytes: u64) -> u64 {
        if !h.mem.allows(addr, bytes, Perm::R) || !h.mem.allows(to, bytes, Perm::W) {
            return NOT_ADDRESSABLE;
        }
        for at in (0..bytes).step_by(CHUNK as usize) {
            let len = CHUNK.min(bytes - at);
            let clean = || vec![0; len as usize];
            let masks = self.shadow.masks(self.space, addr + at, len).unwrap_or_else(clean);
            // It can be written.
            let _ = h.mem.write(to + at, &masks);
        }
        self.shadow.fill(to, bytes, false);
        DONE
    }

    /// Makes bits of memory secret, and the others public, as the guest's memory at `from` says.
    fn set_bits(&mut self, h: &Hart, addr: u64, from: u64, bytes: u64) -> u64 {
        if !h.mem.allows(addr, bytes, Perm::R) || !h.mem.allows(from, bytes, Perm::R) {
            return NOT_ADDRESSABLE;
        }
        for at in (0..bytes).step_by(CHUNK as usize) {
            let mut masks = vec![0; CHUNK.min(bytes - at) as usize];
            // It can be read.
            let _ = h.mem.read(from + at, &mut masks);
            self.mark_bits(addr + at, &masks, MARK);
        }
        DONE
    }
}
