//! Symbol tables.

use super::{Elf, Symbol};
use object::elf::{STB_LOCAL, STB_WEAK, STT_FUNC, STT_GNU_IFUNC, STT_NOTYPE};
use object::{Object as _, ObjectSymbol, SymbolFlags, SymbolSection};
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
    bounded(elf, elf.symbols().filter_map(|s| named(&s)))
}

/// The functions of `.dynsym`.
pub fn dynsym(elf: &Elf<'_>) -> Vec<Named> {
    bounded(elf, elf.dynamic_symbols().filter_map(|s| named(&s)))
}

/// The first symbols, whose names together are at most four times as long as the file: a hostile file can give all its
/// symbols one long name.
pub fn bounded(elf: &Elf<'_>, symbols: impl Iterator<Item = Named>) -> Vec<Named> {
    let bytes = match elf {
        Elf::Elf32(elf) => elf.data().len(),
        Elf::Elf64(elf) => elf.data().len(),
        _ => 0,
    };
    let mut left = bytes.saturating_mul(4);
    let fits = |n: &Named| {
        let rest = left.checked_sub(n.name.len());
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    symbols.take_while(fits).collect()
}

/// Ranges of code in order.
pub struct Code(Vec<(u64, u64)>);

impl Code {
    /// Of these ranges. Ranges that overlap are cut.
    pub fn new(mut ranges: Vec<(u64, u64)>) -> Code {
        ranges.sort_unstable();
        let mut code: Vec<(u64, u64)> = Vec::new();
        for (start, end) in ranges {
            let start = code.last().map_or(start, |last| start.max(last.1));
            if start < end {
                code.push((start, end));
            }
        }
        Code(code)
    }

    /// The end of the range that contains the address.
    fn end(&self, at: u64) -> Option<u64> {
        let (start, end) = self.0.get(self.0.partition_point(|(_, end)| *end <= at))?;
        (*start <= at).then_some(*end)
    }
}

fn named(s: &object::Symbol<'_, '_>) -> Option<Named> {
    let SymbolFlags::Elf { st_info, .. } = s.flags() else { return None };
    let (kind, binding) = (st_info & 15, st_info >> 4);
    let function = match kind {
        STT_FUNC | STT_GNU_IFUNC => true,
        // Labels of hand-written code; local ones are targets of branches in most cases.
        STT_NOTYPE => binding != STB_LOCAL,
        _ => false,
    };
    if !function || !matches!(s.section(), SymbolSection::Section(_)) {
        return None;
    }
    let name = s.name().ok().filter(|n| !n.starts_with('$')).map(without_version)?;
    if name.is_empty() {
        return None;
    }
    let underscores = name.bytes().take_while(|b| *b == b'_').count().min(3) as u8;
    let rank = match binding {
        STB_LOCAL => 8,
        STB_WEAK => 4,
        _ => 0,
    } + underscores
        + if kind == STT_NOTYPE { 16 } else { 0 };
    Some(Named { start: s.address(), size: s.size(), name: name.to_owned(), rank })
}

/// The name of `name@@VERSION`, as linkers write the exported functions of a library with versions into `.symtab`.
fn without_version(name: &str) -> &str {
    name.split_once('@').map_or(name, |(plain, _)| plain)
}

/// Ranges that do not overlap: each address belongs to the function that starts last before it. `code` are the ranges of
/// code, `starts` those of functions that may have no name, in the file `file`.
pub fn flatten(mut named: Vec<Named>, code: &Code, starts: &[u64], file: &str) -> Vec<Symbol> {
    named.retain(|n| code.end(n.start).is_some());
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
        let limit = code.end(n.start).unwrap_or(n.start);
        let next = named.get(k + 1).map_or(u64::MAX, |n| n.start).min(limit);
        let end = if n.size == 0 { next } else { n.start.saturating_add(n.size).min(next) };
        let part_of = n.name.split_once(".cold").map(|(whole, _)| whole.to_owned());
        symbols.push(Symbol { start: n.start, end, name: n.name.clone(), part_of });
    }
    add_unnamed(&mut symbols, code, starts, file);
    symbols
}

/// Adds the functions that have no symbol.
fn add_unnamed(symbols: &mut Vec<Symbol>, code: &Code, starts: &[u64], file: &str) {
    let mut added = Vec::new();
    for (k, start) in starts.iter().enumerate() {
        let at = symbols.partition_point(|s| s.end <= *start);
        let next = symbols.get(at).map_or(u64::MAX, |s| s.start);
        let Some(limit) = code.end(*start).filter(|_| next > *start) else { continue };
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
        let code = Code::new(vec![(0x300, 0x400), (0x100, 0x200)]);
        let all = flatten(named, &code, starts, "f");
        all.into_iter().map(|s| (s.start, s.end, s.name)).collect()
    }

    #[test]
    fn versions_are_no_part_of_a_name() {
        for (written, name) in [("f", "f"), ("f@@V_2.27", "f"), ("f@V_1", "f"), ("@V", "")] {
            assert_eq!(without_version(written), name);
        }
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
