//! The parts of an ELF file that the scanner uses.

use goblin::elf::Elf;
use goblin::elf::header::{EM_AARCH64, EM_RISCV, EM_X86_64, ET_DYN, ET_EXEC, ET_REL};
use goblin::elf::program_header::{PF_X, PT_LOAD};
use goblin::elf::section_header::{SHF_EXECINSTR, SHT_NOBITS, SHT_SYMTAB};
use serde::Serialize;

/// Architecture of a file's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Machine {
    /// x86-64.
    X86_64,
    /// AArch64.
    Aarch64,
    /// RISC-V, 64 bits.
    Riscv64,
    /// Any other: its instructions are not decoded.
    Other,
}

impl Machine {
    /// The name that `uname -m` prints for it.
    pub fn name(self) -> &'static str {
        match self {
            Machine::X86_64 => "x86_64",
            Machine::Aarch64 => "aarch64",
            Machine::Riscv64 => "riscv64",
            Machine::Other => "other",
        }
    }
}

/// How a file is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Linkage {
    /// A shared library.
    Shared,
    /// A program that loads shared libraries.
    Dynamic,
    /// A program that loads none.
    Static,
    /// A kernel module.
    Module,
    /// An archive of object files.
    Archive,
    /// An object file or the like.
    Other,
}

impl Linkage {
    /// A one-word name.
    pub fn name(self) -> &'static str {
        match self {
            Linkage::Shared => "shared",
            Linkage::Dynamic => "dynamic",
            Linkage::Static => "static",
            Linkage::Module => "module",
            Linkage::Archive => "archive",
            Linkage::Other => "object",
        }
    }
}

/// A run of code.
pub struct Code<'a> {
    /// Address of its first byte; in an object file, which has none yet, its offset in the file.
    pub address: u64,
    /// Its offset in the file.
    pub offset: usize,
    /// The code.
    pub bytes: &'a [u8],
}

/// A symbol that the file defines.
pub struct Symbol<'a> {
    /// Address.
    pub address: u64,
    /// Name.
    pub name: &'a str,
}

/// A parsed file.
pub struct File<'a> {
    pub bytes: &'a [u8],
    pub machine: Machine,
    pub linkage: Linkage,
    pub needed: Vec<String>,
    pub soname: Option<String>,
    /// Without a symbol table other than the dynamic linker's.
    pub stripped: bool,
    pub code: Vec<Code<'a>>,
    /// By address.
    pub symbols: Vec<Symbol<'a>>,
    /// Undefined symbols; their names together are no longer than the file.
    pub undefined: Vec<&'a str>,
    /// Contents of `.go.buildinfo`.
    pub go: Option<&'a [u8]>,
}

fn machine(elf: &Elf) -> Machine {
    match (elf.header.e_machine, elf.is_64 && elf.little_endian) {
        (EM_X86_64, true) => Machine::X86_64,
        (EM_AARCH64, true) => Machine::Aarch64,
        (EM_RISCV, true) => Machine::Riscv64,
        _ => Machine::Other,
    }
}

/// The section by which the loader of kernel modules recognises them (Linux, scripts/mod/modpost.c).
const MODULE: &str = ".modinfo";

fn linkage(elf: &Elf) -> Linkage {
    match elf.header.e_type {
        ET_REL if section(elf, MODULE).is_some() => Linkage::Module,
        ET_DYN if elf.interpreter.is_some() => Linkage::Dynamic,
        // A static program may be position-independent; a library has a soname or no entry point.
        ET_DYN if elf.soname.is_none() && elf.libraries.is_empty() && elf.entry != 0 => {
            Linkage::Static
        }
        ET_DYN => Linkage::Shared,
        ET_EXEC if elf.interpreter.is_some() => Linkage::Dynamic,
        ET_EXEC => Linkage::Static,
        _ => Linkage::Other,
    }
}

/// Up to `size` bytes at `offset`, as many as the file has.
fn part(bytes: &[u8], offset: u64, size: u64) -> &[u8] {
    let begin = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let end = usize::try_from(offset.saturating_add(size)).unwrap_or(usize::MAX).min(bytes.len());
    bytes.get(begin..end).unwrap_or_default()
}

/// A section's header by its name.
fn section<'e>(elf: &'e Elf, name: &str) -> Option<&'e goblin::elf::SectionHeader> {
    elf.section_headers.iter().find(|h| elf.shdr_strtab.get_at(h.sh_name) == Some(name))
}

/// A run of code at an offset; addresses of object files are offsets.
fn run<'a>(elf: &Elf, bytes: &'a [u8], address: u64, offset: u64, size: u64) -> Code<'a> {
    let address = if elf.header.e_type == ET_REL { offset } else { address };
    let bytes = part(bytes, offset, size);
    Code { address, offset: usize::try_from(offset).unwrap_or(usize::MAX), bytes }
}

fn code<'a>(elf: &Elf, bytes: &'a [u8]) -> Vec<Code<'a>> {
    let executable = |h: &&goblin::elf::SectionHeader| {
        h.sh_flags & u64::from(SHF_EXECINSTR) != 0 && h.sh_type != SHT_NOBITS
    };
    let sections = elf.section_headers.iter().filter(executable);
    let mut code: Vec<Code> =
        sections.map(|h| run(elf, bytes, h.sh_addr, h.sh_offset, h.sh_size)).collect();
    if code.is_empty() {
        // A file without section headers.
        let loaded = elf.program_headers.iter().filter(|p| p.p_type == PT_LOAD);
        code = loaded
            .filter(|p| p.p_flags & PF_X != 0)
            .map(|p| run(elf, bytes, p.p_vaddr, p.p_offset, p.p_filesz))
            .collect();
    }
    // The headers of a malicious file can refer to the same bytes again and again.
    let mut left = bytes.len();
    code.retain(|c| {
        let fits = c.bytes.len() <= left;
        left -= if fits { c.bytes.len() } else { 0 };
        fits
    });
    code
}

/// Maximum length of a name. The names of a malicious file can overlap, and so be far larger than the file.
const LONGEST_NAME: usize = 4096;

/// The libraries that the file needs; their names together are no longer than the file.
fn needed(elf: &Elf, bytes: &[u8]) -> Vec<String> {
    let mut left = bytes.len();
    let fits = |name: &&&str| {
        let fits = name.len() <= LONGEST_NAME.min(left);
        left -= if fits { name.len() } else { 0 };
        fits
    };
    elf.libraries.iter().filter(fits).map(|l| l.to_string()).collect()
}

fn symbols<'a>(elf: &Elf<'a>) -> Vec<Symbol<'a>> {
    let of_file = elf.syms.iter().map(|s| (s, elf.strtab.get_at(s.st_name)));
    let dynamic = elf.dynsyms.iter().map(|s| (s, elf.dynstrtab.get_at(s.st_name)));
    // Symbol values of object files are offsets in their sections.
    let place = |s: &goblin::elf::Sym| match elf.header.e_type {
        ET_REL => Some(elf.section_headers.get(s.st_shndx)?.sh_offset.wrapping_add(s.st_value)),
        _ => Some(s.st_value).filter(|v| *v != 0),
    };
    let mut symbols: Vec<Symbol> = of_file
        .chain(dynamic)
        .filter(|(s, _)| s.st_shndx != 0)
        // `$d` and `$x` mark data and code within a function; `.L` begins compilers' local labels.
        .filter_map(|(s, name)| {
            let local = |n: &str| n.starts_with('$') || n.starts_with(".L");
            let usable = |n: &&str| !n.is_empty() && !local(n) && n.len() <= LONGEST_NAME;
            Some((place(&s)?, name.filter(usable)?))
        })
        .map(|(address, name)| Symbol { address, name })
        .collect();
    symbols.sort_by(|a, b| a.address.cmp(&b.address).then(a.name.cmp(b.name)));
    symbols
}

/// Names of undefined symbols.
fn undefined<'a>(elf: &Elf<'a>, bytes: &[u8]) -> Vec<&'a str> {
    let of_file = elf.syms.iter().filter(|s| s.st_shndx == 0);
    let of_file = of_file.filter_map(|s| elf.strtab.get_at(s.st_name));
    let dynamic = elf.dynsyms.iter().filter(|s| s.st_shndx == 0);
    let dynamic = dynamic.filter_map(|s| elf.dynstrtab.get_at(s.st_name));
    let mut left = bytes.len();
    let fits = |name: &&str| {
        let fits = !name.is_empty() && name.len() <= LONGEST_NAME.min(left);
        left -= if fits { name.len() } else { 0 };
        fits
    };
    of_file.chain(dynamic).filter(fits).collect()
}

impl<'a> File<'a> {
    /// Parses a file.
    ///
    /// # Errors
    /// The first thing that is malformed.
    pub fn read(bytes: &'a [u8]) -> Result<File<'a>, goblin::error::Error> {
        let elf = Elf::parse(bytes)?;
        let go = section(&elf, ".go.buildinfo").map(|h| part(bytes, h.sh_offset, h.sh_size));
        Ok(File {
            bytes,
            machine: machine(&elf),
            linkage: linkage(&elf),
            needed: needed(&elf, bytes),
            soname: elf.soname.filter(|n| n.len() <= LONGEST_NAME).map(String::from),
            stripped: !elf.section_headers.iter().any(|h| h.sh_type == SHT_SYMTAB),
            code: code(&elf, bytes),
            symbols: symbols(&elf),
            undefined: undefined(&elf, bytes),
            go,
        })
    }

    /// Name of the last symbol at or before an address.
    pub fn symbol_at(&self, address: u64) -> Option<&'a str> {
        let after = self.symbols.partition_point(|s| s.address <= address);
        Some(self.symbols.get(after.checked_sub(1)?)?.name)
    }

    /// Whether the file defines this symbol.
    pub fn defines(&self, name: &str) -> bool {
        self.symbols.iter().any(|s| s.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shared library that needs others and defines functions; all their names are suffixes of one long string.
    fn nested_names(count: u64, text: usize) -> Vec<u8> {
        const HEADERS: u64 = 64 + 2 * 56;
        let strings = [&[0][..], &vec![b'a'; text], &[0]].concat();
        let symbol = |i: u64| {
            let words = [HEADERS, 0].map(u64::to_le_bytes).concat();
            [&(1 + i as u32).to_le_bytes()[..], &[0x12, 0, 1, 0], &words].concat()
        };
        let symbols: Vec<u8> = (0..count).flat_map(symbol).collect();
        let hash = [1u32.to_le_bytes(), (count as u32).to_le_bytes()].concat();
        let (strings_at, symbols_at) = (HEADERS, HEADERS + strings.len() as u64);
        let hash_at = symbols_at + symbols.len() as u64;
        let dynamic_at = hash_at + hash.len() as u64;
        let tables =
            [(5, strings_at), (10, strings.len() as u64), (6, symbols_at), (11, 24), (4, hash_at)];
        let entries = (0..count).map(|i| (1, 1 + i)).chain(tables).chain([(0, 0)]);
        let dynamic: Vec<u8> = entries
            .flat_map(|(tag, v): (u64, u64)| [tag, v].map(u64::to_le_bytes).concat())
            .collect();
        let end = dynamic_at + dynamic.len() as u64;
        let header = |kind: u32, at: u64, len: u64| {
            let words = [at, at, at, len, len, 8].map(u64::to_le_bytes).concat();
            [&kind.to_le_bytes()[..], &5u32.to_le_bytes(), &words].concat()
        };
        let ident = [&b"\x7fELF\x02\x01\x01"[..], &[0; 9], &[3, 0, 62, 0, 1, 0, 0, 0]].concat();
        let words = [HEADERS, 64, 0].map(u64::to_le_bytes).concat();
        let sizes = [0, 0, 64, 56, 2, 64, 0, 0].map(u16::to_le_bytes).concat();
        let segments = [header(1, 0, end), header(2, dynamic_at, end - dynamic_at)].concat();
        [ident, words, sizes, segments, strings, symbols, hash, dynamic].concat()
    }

    #[test]
    fn overlapping_names_do_not_take_more_memory_than_the_file() {
        let bytes = nested_names(2000, 1 << 20);
        let file = File::read(&bytes).expect("an ELF file");
        assert!(file.needed.iter().map(String::len).sum::<usize>() <= bytes.len());
        assert!(file.symbols.iter().all(|s| s.name.len() <= LONGEST_NAME));
        // Short names are all read.
        let bytes = nested_names(20, 20);
        let file = File::read(&bytes).expect("an ELF file");
        assert_eq!((file.needed.len(), file.symbols.len()), (20, 20));
    }
}
