//! Addresses of the variables and functions that marks name.

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSegment, ObjectSymbol};

/// A symbol of a file.
pub struct Symbol {
    pub address: u64,
    pub size: u64,
}

/// The symbol's address in memory, relative to where the file's `offset` is mapped: what has to be added to an address of the
/// file.
pub fn find(file: &[u8], name: &str) -> Option<Symbol> {
    let elf = ElfFile64::<Endianness>::parse(file).ok()?;
    let all = elf.symbols().chain(elf.dynamic_symbols());
    let mut found = all.filter(|s| s.is_definition() && s.name() == Ok(name));
    found.next().map(|s| Symbol { address: s.address(), size: s.size() })
}

/// The difference between addresses in memory and in the file, if its `offset` is mapped at `start`.
pub fn bias(file: &[u8], offset: u64, start: u64) -> Option<u64> {
    let elf = ElfFile64::<Endianness>::parse(file).ok()?;
    let segment = elf.segments().find(|s| {
        let (at, size) = s.file_range();
        (at & !0xfff..at + size).contains(&offset)
    })?;
    let (at, _) = segment.file_range();
    let address = segment.address().wrapping_sub(at).wrapping_add(offset);
    Some(start.wrapping_sub(address))
}
