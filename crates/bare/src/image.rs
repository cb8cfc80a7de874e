//! The program: its segments at physical addresses, its entry and its symbols.

use crate::error::BareError;
use capvec_sim::mem::{PAGE, SPACE};
use goblin::elf::header::{ELFCLASS32, ELFCLASS64, EM_RISCV, ET_EXEC, machine_to_str};
use goblin::elf::program_header::PT_LOAD;
use goblin::elf::{Elf, ProgramHeader};
use std::collections::BTreeMap;

/// Bytes to load at an address, followed by zeros.
#[derive(Clone, Debug)]
pub struct Segment {
    /// First physical address.
    pub addr: u64,
    /// Bytes of the file.
    pub bytes: Vec<u8>,
    /// Bytes in memory, at least as many.
    pub len: u64,
}

/// A program for a bare hart.
#[derive(Clone, Debug)]
pub struct Image {
    /// 32 or 64: the ELF file's class.
    pub xlen: u8,
    /// Where the hart begins.
    pub entry: u64,
    /// What is loaded.
    pub segments: Vec<Segment>,
    symbols: BTreeMap<String, u64>,
}

fn segment(p: &ProgramHeader, file: &[u8], space: u64) -> Result<Segment, BareError> {
    let malformed =
        |what: &str| BareError::Malformed(format!("segment at {:#x} {what}", p.p_paddr));
    if p.p_filesz > p.p_memsz {
        return Err(malformed("has more bytes in the file than in memory"));
    }
    if p.p_paddr.checked_add(p.p_memsz).is_none_or(|end| end > space) {
        let text = format!("leaves the physical address space of {} GiB", space.div_ceil(1 << 30));
        return Err(malformed(&text));
    }
    let end = p.p_offset.checked_add(p.p_filesz).filter(|end| *end <= file.len() as u64);
    let end = end.ok_or_else(|| malformed("is truncated"))?;
    let bytes = file[p.p_offset as usize..end as usize].to_vec();
    Ok(Segment { addr: p.p_paddr, bytes, len: p.p_memsz })
}

impl Image {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// What is wrong with it.
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
            loaded.map(|p| segment(p, file, space)).collect::<Result<_, _>>()?;
        if segments.is_empty() {
            return Err(BareError::Malformed("no segment to load".into()));
        }
        let name = |s: &goblin::elf::Sym| elf.strtab.get_at(s.st_name).map(String::from);
        let symbols = elf.syms.iter().filter_map(|s| Some((name(&s)?, s.st_value))).collect();
        Ok(Image { xlen, entry: h.e_entry, segments, symbols })
    }

    /// The address of a symbol.
    pub fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.get(name).copied().filter(|_| !name.is_empty())
    }

    /// The address that `text` is or names.
    ///
    /// # Errors
    /// If it is no number and no symbol.
    pub fn address(&self, text: &str) -> Result<u64, BareError> {
        let number = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        number.or_else(|| self.symbol(text)).ok_or_else(|| BareError::Symbol(text.into()))
    }
}
