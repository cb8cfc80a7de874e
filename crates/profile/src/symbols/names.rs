//! Symbol tables.

use super::{Elf, Symbol};
use object::elf::{STB_LOCAL, STB_WEAK, STT_FUNC, STT_GNU_IFUNC, STT_NOTYPE};
use object::{Endianness, Object as _, ObjectSymbol, SymbolSection};
use std::cmp::Reverse;

/// A symbol of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub start: u64,
    /// 0 if the table does not say.
    pub size: u64,
    pub name: String,
    /// Of several names of a function, the one with the smallest rank is shown.
    pub rank: u8,
}

/// The functions of `.symtab`.
pub fn symtab(elf: &Elf<'_>) -> Vec<Named> {
    elf.symbols().filter_map(|s| named(&s)).collect()
}

/// The functions of `.dynsym`.
pub fn dynsym(elf: &Elf<'_>) -> Vec<Named> {
    elf.dynamic_symbols().filter_map(|s| named(&s)).collect()
}

fn named(s: &object::read::elf::ElfSymbol64<'_, '_, Endianness>) -> Option<Named> {
    let raw = s.elf_symbol();
    let (kind, binding) = (raw.st_type(), raw.st_bind());
    let function = match kind {
        STT_FUNC | STT_GNU_IFUNC => true,
        // Labels of hand-written code; local ones are targets of branches in most cases.
        STT_NOTYPE => binding != STB_LOCAL,
        _ => false,
    };
    if !function || !matches!(s.section(), SymbolSection::Section(_)) {
        return None;
    }
    let name = s.name().ok().filter(|n| !n.is_empty() && !n.starts_with('$'))?;
    let underscores = name.bytes().take_while(|b| *b == b'_').count().min(3) as u8;
    let rank = match binding {
        STB_LOCAL => 8,
        STB_WEAK => 4,
        _ => 0,
    } + underscores
        + if kind == STT_NOTYPE { 16 } else { 0 };
    Some(Named { start: s.address(), size: s.size(), name: name.to_owned(), rank })
}

/// Ranges that do not overlap: each address belongs to the function that starts last before it. `code` are the ranges of
/// code, `starts` those of functions that may have no name, in the file `file`.
pub fn flatten(
    mut named: Vec<Named>,
    code: &[(u64, u64)],
    starts: &[u64],
    file: &str,
) -> Vec<Symbol> {
    let section = |at: u64| code.iter().find(|(start, end)| (*start..*end).contains(&at));
    named.retain(|n| section(n.start).is_some());
    named.sort_by(|a, b| {
        (a.start, Reverse(a.size), a.rank, &a.name).cmp(&(
            b.start,
            Reverse(b.size),
            b.rank,
            &b.name,
        ))
    });
    named.dedup_by_key(|n| n.start);
    let mut symbols: Vec<Symbol> = Vec::with_capacity(named.len());
    for (k, n) in named.iter().enumerate() {
        let limit = section(n.start).map_or(n.start, |s| s.1);
        let next = named.get(k + 1).map_or(u64::MAX, |n| n.start).min(limit);
        let end = if n.size == 0 { next } else { n.start.saturating_add(n.size).min(next) };
        let part_of = n.name.split_once(".cold").map(|(whole, _)| whole.to_owned());
        symbols.push(Symbol { start: n.start, end, name: n.name.clone(), part_of });
    }
    add_unnamed(&mut symbols, code, starts, file);
    symbols
}

/// Adds the functions that have no symbol.
fn add_unnamed(symbols: &mut Vec<Symbol>, code: &[(u64, u64)], starts: &[u64], file: &str) {
    let mut added = Vec::new();
    for (k, start) in starts.iter().enumerate() {
        let at = symbols.partition_point(|s| s.end <= *start);
        let next = symbols.get(at).map_or(u64::MAX, |s| s.start);
        let limit = code.iter().find(|(from, to)| (*from..*to).contains(start)).map(|s| s.1);
        let Some(limit) = limit.filter(|_| next > *start) else { continue };
        let following = starts.get(k + 1).copied().unwrap_or(u64::MAX);
        let end = limit.min(next).min(following);
        let name = format!("{file}+{start:#x}");
        added.push(Symbol { start: *start, end, name, part_of: None });
    }
    symbols.extend(added);
    symbols.sort_by_key(|s| s.start);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(start: u64, size: u64, name: &str, rank: u8) -> Named {
        Named { start, size, name: name.into(), rank }
    }

    fn ranges(named: Vec<Named>, starts: &[u64]) -> Vec<(u64, u64, String)> {
        let all = flatten(named, &[(0x100, 0x200), (0x300, 0x400)], starts, "f");
        all.into_iter().map(|s| (s.start, s.end, s.name)).collect()
    }

    #[test]
    fn each_address_has_one_function() {
        let found = ranges(
            vec![
                named(0x100, 0x20, "alias", 4),
                named(0x100, 0x20, "name", 0),
                named(0x110, 0x4, "inner", 0),
                named(0x140, 0, "sizeless", 16),
                named(0x1f0, 0x100, "beyond", 0),
                named(0x250, 8, "data", 0),
            ],
            &[],
        );
        let expected = [
            (0x100, 0x110, "name"),
            (0x110, 0x114, "inner"),
            (0x140, 0x1f0, "sizeless"),
            (0x1f0, 0x200, "beyond"),
        ];
        assert_eq!(found, expected.map(|(start, end, name)| (start, end, name.to_owned())));
    }

    #[test]
    fn functions_without_a_name_fill_the_gaps() {
        let found =
            ranges(vec![named(0x120, 0x10, "name", 0)], &[0x110, 0x120, 0x130, 0x180, 0x500]);
        let expected = [
            (0x110, 0x120, "f+0x110"),
            (0x120, 0x130, "name"),
            (0x130, 0x180, "f+0x130"),
            (0x180, 0x200, "f+0x180"),
        ];
        assert_eq!(found, expected.map(|(start, end, name)| (start, end, name.to_owned())));
    }
}
