//! A static ELF executable at fixed addresses.

/// One `PT_LOAD` segment.
pub struct Segment<'a> {
    /// Address; a multiple of the page size.
    pub addr: u64,
    /// Contents.
    pub bytes: &'a [u8],
    /// Bytes in memory, at least those of `bytes`; the rest is zero.
    pub memory: u64,
    /// `PF_X` 1, `PF_W` 2, `PF_R` 4.
    pub flags: u32,
}

const HEADER: u64 = 64;
const PROGRAM_HEADER: u64 = 56;
const PAGE: u64 = crate::layout::PAGE;
/// `EF_RISCV_RVC` and the double-float ABI.
const FLAGS: u32 = 1 | 4;

/// The file (System V ABI, chapters "Object Files" and "Program Loading"; RISC-V psABI for `e_machine` and
/// `e_flags`).
pub fn write(entry: u64, segments: &[Segment]) -> Vec<u8> {
    let count = segments.len() as u16;
    let mut out = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let half = |out: &mut Vec<u8>, v: u16| out.extend(v.to_le_bytes());
    let word = |out: &mut Vec<u8>, v: u32| out.extend(v.to_le_bytes());
    let long = |out: &mut Vec<u8>, v: u64| out.extend(v.to_le_bytes());
    // ET_EXEC, EM_RISCV, EV_CURRENT.
    half(&mut out, 2);
    half(&mut out, 243);
    word(&mut out, 1);
    long(&mut out, entry);
    long(&mut out, HEADER);
    long(&mut out, 0);
    word(&mut out, FLAGS);
    for v in [HEADER as u16, PROGRAM_HEADER as u16, count, 64, 0, 0] {
        half(&mut out, v);
    }
    let mut at = (HEADER + PROGRAM_HEADER * count as u64).next_multiple_of(PAGE);
    for s in segments {
        // PT_LOAD
        word(&mut out, 1);
        word(&mut out, s.flags);
        for v in [at, s.addr, s.addr, s.bytes.len() as u64, s.memory, PAGE] {
            long(&mut out, v);
        }
        at = (at + s.bytes.len() as u64).next_multiple_of(PAGE);
    }
    for s in segments {
        out.resize(out.len().next_multiple_of(PAGE as usize), 0);
        out.extend(s.bytes);
    }
    out
}
