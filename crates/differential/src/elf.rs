//! Writes a static ELF executable at fixed addresses.

/// One `PT_LOAD` segment.
pub struct Segment<'a> {
    /// Address; a multiple of the page size.
    pub addr: u64,
    /// Contents.
    pub bytes: &'a [u8],
    /// Size in memory, at least the length of `bytes`; the rest is zero.
    pub memory: u64,
    /// `PF_X` 1, `PF_W` 2, `PF_R` 4.
    pub flags: u32,
}

const HEADER: u64 = 64;
const PROGRAM_HEADER: u64 = 56;
const PAGE: u64 = crate::layout::PAGE;
/// `EF_RISCV_RVC` and the double-float ABI.
const FLAGS: u32 = 1 | 4;

/// An ELF file with these symbols (System V ABI, chapters "Object Files" and "Program Loading"; RISC-V psABI for
/// `e_machine` and `e_flags`).
pub fn write(entry: u64, segments: &[Segment], symbols: &[(&str, u64)]) -> Vec<u8> {
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
    if !symbols.is_empty() {
        write_symbols(&mut out, symbols);
    }
    out
}

/// Appends the symbol table, the names and both section headers, and enters them into the file header.
fn write_symbols(out: &mut Vec<u8>, symbols: &[(&str, u64)]) {
    const SECTION_HEADER: u16 = 64;
    /// `e_shoff` and `e_shentsize`.
    const OFFSET_AT: usize = 40;
    const SIZE_AT: usize = 58;
    // Includes the sections' own names, which some readers look up.
    let mut names = b"\0.symtab\0.strtab\0".to_vec();
    let mut table = vec![0; 24];
    for (name, value) in symbols {
        table.extend((names.len() as u32).to_le_bytes());
        // STB_GLOBAL, SHN_ABS.
        table.extend([0x10, 0, 0xf1, 0xff]);
        table.extend(value.to_le_bytes());
        table.extend([0; 8]);
        names.extend(name.as_bytes());
        names.push(0);
    }
    let at_table = out.len().next_multiple_of(8);
    out.resize(at_table, 0);
    out.extend(&table);
    let at_names = out.len();
    out.extend(&names);
    let at_headers = out.len().next_multiple_of(8);
    out.resize(at_headers, 0);
    let mut header = |name: u32, kind: u32, at: usize, len: usize, link: u32, entry: u64| {
        [name, kind].iter().for_each(|v| out.extend(v.to_le_bytes()));
        [0, 0, at as u64, len as u64].iter().for_each(|v| out.extend(v.to_le_bytes()));
        [link, link.min(1)].iter().for_each(|v| out.extend(v.to_le_bytes()));
        [8, entry].iter().for_each(|v| out.extend(v.to_le_bytes()));
    };
    header(0, 0, 0, 0, 0, 0);
    // SHT_SYMTAB with its names in section 2, no local symbol but the first; SHT_STRTAB.
    header(1, 2, at_table, table.len(), 2, 24);
    header(9, 3, at_names, names.len(), 0, 0);
    out[OFFSET_AT..OFFSET_AT + 8].copy_from_slice(&(at_headers as u64).to_le_bytes());
    for (n, v) in [SECTION_HEADER, 3, 2].into_iter().enumerate() {
        out[SIZE_AT + 2 * n..SIZE_AT + 2 * n + 2].copy_from_slice(&v.to_le_bytes());
    }
}
