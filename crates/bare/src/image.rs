//! A program image: segments at physical addresses, entry and symbols.

use crate::error::BareError;
use capvec_sim::mem::{PAGE, SPACE};
use goblin::elf::header::{ELFCLASS32, ELFCLASS64, EM_RISCV, ET_EXEC, machine_to_str};
use goblin::elf::program_header::PT_LOAD;
use goblin::elf::{Elf, ProgramHeader};
use std::ops::Range;

/// Bytes to load at an address, followed by zeros.
#[derive(Clone, Debug)]
pub struct Segment {
    /// First physical address.
    pub addr: u64,
    /// The range of its bytes in the file.
    file: Range<usize>,
    /// Size in memory, at least the length of `file`.
    pub len: u64,
}

/// A program for a hart without an operating system.
#[derive(Clone, Debug)]
pub struct Image {
    /// 32 or 64: the ELF file's class.
    pub xlen: u8,
    /// The address at which the hart starts.
    pub entry: u64,
    /// The segments, of which no two load bytes to the same address.
    pub segments: Vec<Segment>,
    symbols: Vec<(String, u64)>,
    file: Vec<u8>,
}

/// Longest symbol name that is kept. The names of a malicious file can overlap and so be far larger than the file.
const MAX_NAME: usize = 255;

fn segment(p: &ProgramHeader, len: usize, space: u64) -> Result<Segment, BareError> {
    let malformed =
        |what: &str| BareError::Malformed(format!("segment at {:#x} {what}", p.p_paddr));
    if p.p_filesz > p.p_memsz {
        return Err(malformed("has more bytes in the file than in memory"));
    }
    if p.p_paddr.checked_add(p.p_memsz).is_none_or(|end| end > space) {
        let text = format!("leaves the physical address space of {} GiB", space.div_ceil(1 << 30));
        return Err(malformed(&text));
    }
    let end = p.p_offset.checked_add(p.p_filesz).filter(|end| *end <= len as u64);
    let end = end.ok_or_else(|| malformed("is truncated"))?;
    Ok(Segment { addr: p.p_paddr, file: p.p_offset as usize..end as usize, len: p.p_memsz })
}

/// The address, if any, to which bytes of the file are loaded twice.
fn overlap(segments: &[Segment]) -> Option<u64> {
    let mut parts: Vec<_> = segments.iter().map(|s| (s.addr, s.file.len() as u64)).collect();
    parts.retain(|(_, len)| *len > 0);
    parts.sort_unstable();
    parts.windows(2).find(|w| w[1].0 - w[0].0 < w[0].1).map(|w| w[1].0)
}

impl Image {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// The file is malformed, or is for another machine.
    pub fn parse(file: &[u8]) -> Result<Image, BareError> {
        let elf = Elf::parse(file).map_err(|e| BareError::Malformed(e.to_string()))?;
        let h = &elf.header;
        if h.e_machine != EM_RISCV {
            let name = machine_to_str(h.e_machine);
            return Err(BareError::Machine(format!("{name} ({})", h.e_machine)));
        }
        let xlen = match h.e_ident[4] {
            ELFCLASS32 => 32,
            ELFCLASS64 => 64,
            other => return Err(BareError::Machine(format!("ELF class {other}"))),
        };
        if !elf.little_endian {
            return Err(BareError::Machine("big-endian".into()));
        }
        if h.e_type != ET_EXEC {
            return Err(BareError::Malformed("not linked to fixed addresses (ET_EXEC)".into()));
        }
        let loaded = elf.program_headers.iter().filter(|p| p.p_type == PT_LOAD && p.p_memsz > 0);
        let space = if xlen == 32 { 1 << 32 } else { SPACE - PAGE };
        let segments: Vec<Segment> =
            loaded.map(|p| segment(p, file.len(), space)).collect::<Result<_, _>>()?;
        if segments.is_empty() {
            return Err(BareError::Malformed("no segment to load".into()));
        }
        let short = |name: &&str| (1..=MAX_NAME).contains(&name.len());
        let name =
            |s: &goblin::elf::Sym| elf.strtab.get_at(s.st_name).filter(short).map(String::from);
        let symbols = elf.syms.iter().filter_map(|s| Some((name(&s)?, s.st_value))).collect();
        if let Some(at) = overlap(&segments) {
            return Err(BareError::Malformed(format!("segments overlap at {at:#x}")));
        }
        Ok(Image { xlen, entry: h.e_entry, segments, symbols, file: file.to_vec() })
    }

    /// The bytes of a segment in the file.
    pub fn bytes(&self, s: &Segment) -> &[u8] {
        &self.file[s.file.clone()]
    }

    /// The value of a symbol.
    pub fn symbol(&self, name: &str) -> Option<u64> {
        // If several symbols have the name, the last one is global.
        self.symbols.iter().rev().find(|(n, _)| n == name).map(|(_, value)| *value)
    }

    /// The address given by `text`, a number or the name of a symbol.
    ///
    /// # Errors
    /// It is neither a number nor a known symbol.
    pub fn address(&self, text: &str) -> Result<u64, BareError> {
        let number = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        number.or_else(|| self.symbol(text)).ok_or_else(|| BareError::Symbol(text.into()))
    }
}
