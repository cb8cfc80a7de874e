//! Addresses of the variables and functions that marks name.

use object::{File, Object, ObjectSegment, ObjectSymbol};

/// A symbol of a file.
pub struct Symbol {
    pub address: u64,
    pub size: u64,
}

/// All symbols of this name, with the addresses that the file has. Static functions of several files may share a name.
pub fn find(file: &[u8], name: &str) -> Vec<Symbol> {
    let Ok(elf) = File::parse(file) else { return Vec::new() };
    let all = elf.symbols().chain(elf.dynamic_symbols());
    let found = all.filter(|s| s.is_definition() && s.name() == Ok(name));
    let mut found: Vec<Symbol> =
        found.map(|s| Symbol { address: s.address(), size: s.size() }).collect();
    found.sort_by_key(|s| s.address);
    found.dedup_by_key(|s| s.address);
    found
}

/// The difference between addresses in memory and in the file, if its `offset` is mapped at `start`.
pub fn bias(file: &[u8], offset: u64, start: u64) -> Option<u64> {
    let elf = File::parse(file).ok()?;
    let segment = elf.segments().find(|s| {
        let (at, size) = s.file_range();
        (at & !0xfff..at + size).contains(&offset)
    })?;
    let (at, _) = segment.file_range();
    let address = segment.address().wrapping_sub(at).wrapping_add(offset);
    Some(start.wrapping_sub(address))
}
