//! ELF headers. Nothing in them is trusted until it has been checked here.

use crate::interface::ElfError;
use crate::space::{FileBytes, MMAP_MIN};
use capvec_sim::mem::{PAGE, Perm, SPACE};
use goblin::container::{Container, Ctx, Endian};
use goblin::elf::header::{self, header64};
use goblin::elf::program_header::{self as ph, ProgramHeader};

/// Maximum length of an interpreter's path (`PATH_MAX`).
const PATH_MAX: u64 = 4096;
/// Maximum number of program headers: together they take at most 64 KiB (Linux's bound).
const MAX_HEADERS: u16 = (0x1_0000 / PHDR) as u16;
const PHDR: usize = 56;
/// `EF_RISCV_RVE` (RISC-V ELF psABI, "File Header").
const EF_RISCV_RVE: u32 = 8;

/// A loadable segment, checked: its pages lie in the space and its bytes in the file.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// First address, before relocation.
    pub vaddr: u64,
    /// Bytes in memory.
    pub memsz: u64,
    /// Bytes from the file; the rest is zero.
    pub filesz: u64,
    /// Offset of those bytes; congruent to `vaddr` modulo the page size.
    pub offset: u64,
    /// Permissions.
    pub perm: Perm,
}

/// The headers of a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Position-independent (`ET_DYN`).
    pub dynamic: bool,
    /// Entry point, before relocation.
    pub entry: u64,
    /// Address of the program headers in memory before relocation, 0 if they are not loaded.
    pub phdr: u64,
    /// Number of program headers.
    pub phnum: u64,
    /// At least one; ascending, disjoint.
    pub segments: Vec<Segment>,
    /// The greatest alignment of a segment, at least a page.
    pub align: u64,
    /// Path of the interpreter.
    pub interp: Option<Vec<u8>>,
}

impl Program {
    /// First and last page boundary of the segments.
    pub fn span(&self) -> (u64, u64) {
        let low = self.segments.iter().map(|s| s.vaddr).min().unwrap_or(0) & !(PAGE - 1);
        let end = self.segments.iter().map(|s| s.vaddr + s.memsz).max().unwrap_or(0);
        (low, end.div_ceil(PAGE) * PAGE)
    }
}

fn malformed<T>(what: impl Into<String>) -> Result<T, ElfError> {
    Err(ElfError::Malformed(what.into()))
}

fn read_exact(file: &dyn FileBytes, at: u64, len: u64, what: &str) -> Result<Vec<u8>, ElfError> {
    let size = file.size();
    let end = at.saturating_add(len);
    let truncated = || ElfError::Truncated { what: what.into(), end, size };
    if end > size {
        return Err(truncated());
    }
    let mut bytes = vec![0; len as usize];
    let mut done = 0;
    while done < bytes.len() {
        match file.read_at(at + done as u64, &mut bytes[done..])? {
            0 => return Err(truncated()),
            n => done += n,
        }
    }
    Ok(bytes)
}

fn read_header(file: &dyn FileBytes) -> Result<header64::Header, ElfError> {
    let mut magic = [0; 6];
    let n = file.read_at(0, &mut magic)?;
    if n < 4 || magic[..4] != *header::ELFMAG {
        return Err(ElfError::NotElf);
    }
    match magic[header::EI_CLASS] {
        header::ELFCLASS64 => {}
        header::ELFCLASS32 => return Err(ElfError::Class32),
        other => return malformed(format!("class {other}")),
    }
    match magic[header::EI_DATA] {
        header::ELFDATA2LSB => {}
        header::ELFDATA2MSB => return Err(ElfError::BigEndian),
        other => return malformed(format!("data encoding {other}")),
    }
    let bytes = read_exact(file, 0, header64::SIZEOF_EHDR as u64, "the ELF header")?;
    let h = header64::Header::parse(&bytes).map_err(|e| ElfError::Malformed(e.to_string()))?;
    if h.e_machine != header::EM_RISCV {
        let name = header::machine_to_str(h.e_machine);
        return Err(ElfError::Machine(format!("{} ({})", name, h.e_machine)));
    }
    if !matches!(h.e_type, header::ET_EXEC | header::ET_DYN) {
        return Err(ElfError::Type(header::et_to_str(h.e_type).into()));
    }
    if h.e_flags & EF_RISCV_RVE != 0 {
        return Err(ElfError::Embedded);
    }
    if h.e_phentsize as usize != PHDR || h.e_phnum == 0 || h.e_phnum > MAX_HEADERS {
        return malformed(format!("{} program headers of {} bytes", h.e_phnum, h.e_phentsize));
    }
    Ok(h)
}

fn segment(p: &ProgramHeader, size: u64) -> Result<Segment, ElfError> {
    let at = format!("segment at {:#x}", p.p_vaddr);
    if p.p_filesz > p.p_memsz {
        return malformed(format!("{at} has more bytes in the file than in memory"));
    }
    if p.p_vaddr.checked_add(p.p_memsz).is_none_or(|end| end > SPACE - PAGE) {
        return malformed(format!("{at} of {:#x} bytes leaves the address space", p.p_memsz));
    }
    match p.p_offset.checked_add(p.p_filesz) {
        Some(end) if end <= size => {}
        end => {
            let end = end.unwrap_or(u64::MAX);
            return Err(ElfError::Truncated { what: format!("the {at}"), end, size });
        }
    }
    if p.p_vaddr % PAGE != p.p_offset % PAGE {
        return malformed(format!("{at} and its file offset differ within a page"));
    }
    if p.p_align > 1 && !p.p_align.is_power_of_two() {
        return malformed(format!(
            "{at} has the alignment {:#x}, which is not a power of two",
            p.p_align
        ));
    }
    if p.p_align > 1 && p.p_vaddr % p.p_align != p.p_offset % p.p_align {
        return malformed(format!("{at} and its file offset differ modulo its alignment"));
    }
    let bit = |flag, perm| if p.p_flags & flag != 0 { perm } else { Perm::NONE };
    let perm = bit(ph::PF_R, Perm::R).union(bit(ph::PF_W, Perm::W)).union(bit(ph::PF_X, Perm::X));
    Ok(Segment { vaddr: p.p_vaddr, memsz: p.p_memsz, filesz: p.p_filesz, offset: p.p_offset, perm })
}

fn segments(headers: &[ProgramHeader], size: u64) -> Result<Vec<Segment>, ElfError> {
    let mut all: Vec<Segment> = Vec::new();
    for p in headers.iter().filter(|p| p.p_type == ph::PT_LOAD && p.p_memsz != 0) {
        let s = segment(p, size)?;
        if let Some(before) = all.last()
            && s.vaddr < before.vaddr + before.memsz
        {
            return malformed(format!(
                "segment at {:#x} overlaps or precedes the one at {:#x}",
                s.vaddr, before.vaddr
            ));
        }
        all.push(s);
    }
    if all.is_empty() {
        return malformed("no segment to load");
    }
    Ok(all)
}

fn interpreter(
    file: &dyn FileBytes,
    headers: &[ProgramHeader],
) -> Result<Option<Vec<u8>>, ElfError> {
    let Some(p) = headers.iter().find(|p| p.p_type == ph::PT_INTERP) else { return Ok(None) };
    if p.p_filesz < 2 || p.p_filesz > PATH_MAX {
        return malformed(format!("interpreter's path of {} bytes", p.p_filesz));
    }
    let mut path = read_exact(file, p.p_offset, p.p_filesz, "the interpreter's path")?;
    match path.iter().position(|b| *b == 0) {
        Some(0) | None => malformed("interpreter's path is empty or has no terminating NUL"),
        Some(end) => {
            path.truncate(end);
            Ok(Some(path))
        }
    }
}

/// Reads and checks the headers of a program or interpreter.
///
/// # Errors
/// What is wrong with the file.
pub fn parse(file: &dyn FileBytes) -> Result<Program, ElfError> {
    let h = read_header(file)?;
    let count = h.e_phnum as usize;
    let bytes = read_exact(file, h.e_phoff, (count * PHDR) as u64, "the program header table")?;
    let ctx = Ctx::new(Container::Big, Endian::Little);
    let headers = ProgramHeader::parse(&bytes, 0, count, ctx)
        .map_err(|e| ElfError::Malformed(e.to_string()))?;
    let segments = segments(&headers, file.size())?;
    let dynamic = h.e_type == header::ET_DYN;
    if !dynamic && segments[0].vaddr < MMAP_MIN {
        return malformed(format!(
            "segment at {:#x} lies below the lowest address {MMAP_MIN:#x}",
            segments[0].vaddr
        ));
    }
    let holds = |s: &&Segment| h.e_entry.wrapping_sub(s.vaddr) < s.memsz;
    if !segments.iter().find(holds).is_some_and(|s| s.perm.allows(Perm::X)) {
        return malformed(format!("entry point {:#x} is not in an executable segment", h.e_entry));
    }
    let table = h.e_phoff..h.e_phoff + (count * PHDR) as u64;
    let phdr = segments
        .iter()
        .find(|s| s.offset <= table.start && table.end <= s.offset + s.filesz)
        .map_or(0, |s| s.vaddr + (table.start - s.offset));
    let interp = interpreter(file, &headers)?;
    let loaded = headers.iter().filter(|p| p.p_type == ph::PT_LOAD);
    let align = loaded.map(|p| p.p_align).fold(PAGE, u64::max);
    Ok(Program { align, dynamic, entry: h.e_entry, phdr, phnum: count as u64, segments, interp })
}
