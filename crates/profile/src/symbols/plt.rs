//! The procedure linkage table, which has no symbols: its entries take the names of their relocations.

use super::Elf;
use super::names::{Named, bounded};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Object as _, ObjectSection};

/// Bytes of the table's head and of an entry (RISC-V ELF psABI, "Procedure Linkage Table").
const HEAD: u64 = 32;
const ENTRY: u64 = 16;

/// The entries of `.plt`. Only programs for Linux have one, and Linux runs RV64.
pub fn entries(elf: &Elf<'_>) -> Vec<Named> {
    let Some(plt) = elf.section_by_name(".plt") else { return Vec::new() };
    let (start, size) = (plt.address(), plt.size());
    let mut all = vec![Named { start, size: HEAD, name: "[plt]".into(), rank: 0 }];
    all.extend(named(elf, start, size).unwrap_or_default());
    all
}

/// The entries after the head, by the symbols of `.rela.plt`, which have the same order.
fn named(file: &Elf<'_>, start: u64, size: u64) -> Option<Vec<Named>> {
    let Elf::Elf64(elf) = file else { return None };
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
    let entries = rows.iter().enumerate().map_while(|(k, r)| {
        let at = HEAD + k as u64 * ENTRY;
        let name = format!("{}@plt", name(r).unwrap_or_else(|| "[resolver]".into()));
        let start = start.saturating_add(at);
        (at < size).then_some(Named { start, size: ENTRY, name, rank: 0 })
    });
    Some(bounded(file, entries))
}
