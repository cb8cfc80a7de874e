//! The procedure linkage table, which has no symbols: its entries take the names of their relocations.

use super::Elf;
use super::names::Named;
use object::read::elf::{FileHeader, SectionHeader};
use object::{Object as _, ObjectSection};

/// Bytes of the table's head and of an entry (RISC-V ELF psABI, "Procedure Linkage Table").
const HEAD: u64 = 32;
const ENTRY: u64 = 16;

/// The entries of `.plt`.
pub fn entries(elf: &Elf<'_>) -> Vec<Named> {
    let Some(plt) = elf.section_by_name(".plt") else { return Vec::new() };
    let (start, size) = (plt.address(), plt.size());
    let mut all = vec![Named { start, size: HEAD, name: "[plt]".into(), rank: 0 }];
    let names = names(elf).unwrap_or_default();
    for (k, name) in names.into_iter().enumerate() {
        let at = HEAD + k as u64 * ENTRY;
        if at < size {
            let name = format!("{name}@plt");
            all.push(Named { start: start.saturating_add(at), size: ENTRY, name, rank: 0 });
        }
    }
    all
}

/// The symbols of `.rela.plt`, in order.
fn names(elf: &Elf<'_>) -> Option<Vec<String>> {
    let (endian, data) = (elf.endian(), elf.data());
    let sections = elf.elf_header().sections(endian, data).ok()?;
    let (_, section) = sections.section_by_name(endian, b".rela.plt")?;
    let (rows, link) = section.rela(endian, data).ok()??;
    let symbols = sections.symbol_table_by_index(endian, data, link).ok()?;
    let name = |r: &object::elf::Rela64<_>| {
        let symbol = symbols.symbol(object::SymbolIndex(r.r_sym(endian, false) as usize)).ok()?;
        let name = symbols.symbol_name(endian, symbol).ok()?;
        Some(String::from_utf8_lossy(name).into_owned())
    };
    Some(rows.iter().map(|r| name(r).unwrap_or_else(|| "[resolver]".into())).collect())
}
