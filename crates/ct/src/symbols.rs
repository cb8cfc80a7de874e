//! Addresses of the variables and functions that marks name.

use object::elf::STT_GNU_IFUNC;
use object::{File, Object, ObjectSegment, ObjectSymbol, SymbolFlags, SymbolKind};

/// A symbol of a file.
pub struct Symbol {
    pub address: u64,
    pub size: u64,
    /// Why it is not a variable at an address of its own.
    pub no_variable: Option<&'static str>,
    /// Its code chooses the function's: an indirect function.
    pub resolver: bool,
}

impl Symbol {
    /// How many bytes to mark of so many, or of all if none are given. The size of a label may be unknown.
    pub fn bytes(&self, wanted: Option<u64>) -> u64 {
        match (self.size, wanted) {
            (0, Some(wanted)) => wanted,
            (size, wanted) => wanted.map_or(size, |wanted| wanted.min(size)),
        }
    }
}

/// All symbols of this name, with the addresses that the file has. Static functions of several files may share a name.
pub fn find(file: &[u8], name: &str) -> Vec<Symbol> {
    let Ok(elf) = File::parse(file) else { return Vec::new() };
    let all = elf.symbols().chain(elf.dynamic_symbols());
    // The first part leaves out variables of threads and indirect functions.
    let defined = |s: &object::Symbol<'_, '_>| {
        s.is_definition() || (!s.is_undefined() && (s.kind() == SymbolKind::Tls || is_resolver(s)))
    };
    let found = all.filter(|s| defined(s) && s.name() == Ok(name));
    let symbol = |s: object::Symbol<'_, '_>| Symbol {
        address: s.address(),
        size: s.size(),
        resolver: is_resolver(&s),
        no_variable: match s.kind() {
            SymbolKind::Text => Some("it is a function, not a variable"),
            SymbolKind::Tls => Some(
                "it is thread-local; mark it by a client request or, where it is passed on, by --secret-arg",
            ),
            _ => None,
        },
    };
    let mut found: Vec<Symbol> = found.map(symbol).collect();
    found.sort_by_key(|s| s.address);
    found.dedup_by_key(|s| s.address);
    found
}

/// Whether its code chooses the function's.
fn is_resolver(s: &object::Symbol<'_, '_>) -> bool {
    matches!(s.flags(), SymbolFlags::Elf { st_info, .. } if st_info & 15 == STT_GNU_IFUNC)
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
