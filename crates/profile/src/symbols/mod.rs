//! The functions of an ELF file: from `.symtab`, the detached file with it, or `.dynsym`. Functions that none of these
//! has come from the unwind table, which covers stripped code but has no names.

mod names;
mod plt;
mod unwind;

use crate::tree::{Function, Tree};
use capvec_sim::calls::Read;
use names::{Code, flatten};
use object::elf::{PF_X, SHF_EXECINSTR};
use object::{Object as _, ObjectSection, ObjectSegment, SectionFlags, SegmentFlags};
use std::rc::Rc;

/// A function's range of addresses in an address space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    pub start: u64,
    pub end: u64,
    /// Index of the function.
    pub function: u32,
}

impl Extent {
    pub fn contains(&self, pc: u64) -> bool {
        (self.start..self.end).contains(&pc)
    }
}

/// A function, without the file that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub start: u64,
    pub end: u64,
    pub name: String,
    /// The function whose part this is: a compiler moves what is rarely executed to a symbol of its own.
    pub part_of: Option<String>,
}

/// A segment: offset in the file, address, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    offset: u64,
    address: u64,
    size: u64,
    executable: bool,
}

/// What is read from a file.
#[derive(Default)]
pub struct Symbols {
    segments: Vec<Segment>,
    symbols: Vec<Symbol>,
}

/// An ELF file of either class.
type Elf<'a> = object::File<'a>;

impl Symbols {
    /// Reads the file at the guest's `path`, and the detached file with its symbols. Nothing, if it cannot be read.
    pub fn read(path: &[u8], read: Read<'_>) -> Symbols {
        let Some(bytes) = read(path) else { return Symbols::default() };
        let Ok(elf) = Elf::parse(&*bytes) else { return Symbols::default() };
        let mut named = names::symtab(&elf);
        if named.is_empty()
            && let Some(bytes) = detached(path, &bytes, read)
            && let Ok(debug) = Elf::parse(&*bytes)
        {
            named = names::symtab(&debug);
        }
        if named.is_empty() {
            named = names::dynsym(&elf);
        }
        named.extend(plt::entries(&elf));
        let file = path.rsplit(|b| *b == b'/').next().unwrap_or_default();
        let file = String::from_utf8_lossy(file);
        let symbols = flatten(named, &code(&elf), &unwind::starts(&elf), &file);
        Symbols { segments: segments(&elf), symbols }
    }
}

fn segments(elf: &Elf<'_>) -> Vec<Segment> {
    let executable = |flags| matches!(flags, SegmentFlags::Elf { p_flags } if p_flags & PF_X != 0);
    let load = elf.segments().map(|s| {
        let (offset, size) = s.file_range();
        Segment { offset, address: s.address(), size, executable: executable(s.flags()) }
    });
    load.collect()
}

/// The address ranges of code.
fn code(elf: &Elf<'_>) -> Code {
    let executable = |s: &object::Section<'_, '_>| match s.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags & u64::from(SHF_EXECINSTR) != 0,
        _ => false,
    };
    let sections = elf.sections().filter(executable);
    Code::new(sections.map(|s| (s.address(), s.address().saturating_add(s.size()))).collect())
}

/// The detached file with the symbols and line tables of the ELF file `bytes`, which is at the guest's `path`.
pub fn detached(path: &[u8], bytes: &[u8], read: Read<'_>) -> Option<Vec<u8>> {
    let elf = Elf::parse(bytes).ok()?;
    let id = elf.build_id().ok().flatten();
    // A file that is there may be of another build.
    let matches = |found: &Vec<u8>| {
        Elf::parse(&**found).is_ok_and(|debug| debug.build_id().ok().flatten() == id)
    };
    detached_paths(path, &elf).iter().filter_map(|p| read(p)).find(matches)
}

/// Paths at which a distribution installs the symbols of a file (gdb's manual, "Debugging Information in Separate Files").
fn detached_paths(path: &[u8], elf: &Elf<'_>) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    if let Ok(Some(id)) = elf.build_id()
        && let Some((first, rest)) = id.split_first()
    {
        let rest: String = rest.iter().map(|b| format!("{b:02x}")).collect();
        paths.push(format!("/usr/lib/debug/.build-id/{first:02x}/{rest}.debug").into_bytes());
    }
    let directory = path.rsplitn(2, |b| *b == b'/').nth(1).unwrap_or_default();
    if let Ok(Some((link, _))) = elf.gnu_debuglink()
        && !link.contains(&b'/')
    {
        paths.push([directory, b"/", link].concat());
        paths.push([directory, b"/.debug/", link].concat());
        paths.push([b"/usr/lib/debug", directory, b"/", link].concat());
    }
    paths.push([b"/usr/lib/debug", path, b".debug"].concat());
    paths
}

/// A file that has been mapped, with its functions.
pub struct Object {
    segments: Vec<Segment>,
    /// In order of their addresses.
    extents: Vec<Extent>,
    /// The function of everything else.
    rest: u32,
}

impl Object {
    /// The object of this path; its functions become functions of the tree.
    pub fn new(tree: &mut Tree, path: String, symbols: Symbols) -> Object {
        let path: Rc<str> = path.into();
        let file = path.rsplit('/').next().unwrap_or_default().to_owned();
        let rest_name = if path.starts_with('[') { file } else { format!("[{file}]") };
        let rest =
            tree.function(Function { name: rest_name, object: Rc::clone(&path), address: 0 });
        let mut by_name = std::collections::HashMap::new();
        let mut extents = Vec::with_capacity(symbols.symbols.len());
        let (parts, whole): (Vec<Symbol>, Vec<Symbol>) =
            symbols.symbols.into_iter().partition(|s| s.part_of.is_some());
        for s in whole.into_iter().chain(parts) {
            let (start, end) = (s.start, s.end);
            let same = s.part_of.as_ref().and_then(|whole| by_name.get(whole).copied());
            let function = same.unwrap_or_else(|| {
                let of =
                    Function { name: s.name.clone(), object: Rc::clone(&path), address: start };
                tree.function(of)
            });
            by_name.entry(s.name).or_insert(function);
            extents.push(Extent { start, end, function });
        }
        extents.sort_by_key(|e| e.start);
        Object { segments: symbols.segments, extents, rest }
    }

    /// The address, as the file has it, of the byte at `offset` in the file, which is mapped executable. In a small file,
    /// segments of code and of data share a page, and so have offsets in common.
    pub fn address(&self, offset: u64) -> u64 {
        let inside = |s: &&Segment| {
            let page = 4096;
            (s.offset & !(page - 1)..s.offset.saturating_add(s.size)).contains(&offset)
        };
        let code = self.segments.iter().rfind(|s| s.executable && inside(s));
        // Data that the program has made executable.
        code.or_else(|| self.segments.iter().rfind(inside))
            .map_or(offset, |s| s.address.wrapping_add(offset).wrapping_sub(s.offset))
    }

    /// The function at an address of the file.
    pub fn find(&self, address: u64) -> Extent {
        let at = self.extents.partition_point(|e| e.end <= address);
        match self.extents.get(at) {
            Some(e) if e.start <= address => *e,
            // Between functions.
            next => Extent {
                start: at.checked_sub(1).map_or(0, |before| self.extents[before].end),
                end: next.map_or(u64::MAX, |e| e.start),
                function: self.rest,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A segment of zeros alone has no bytes in the file, whatever its offset says.
    #[test]
    fn offsets_belong_to_segments_with_bytes_in_the_file() {
        let segment = |offset, address, size| Segment { offset, address, size, executable: false };
        let segments = vec![
            segment(0, 0x1000, 0x2fc70),
            segment(0x309e0, 0x409e0, 0x3758),
            segment(0, 0x10_0000, 0),
        ];
        let symbols = Symbols { segments, symbols: Vec::new() };
        let object = Object::new(&mut Tree::default(), "/f".into(), symbols);
        assert_eq!([0, 0x4490, 0x30a00].map(|o| object.address(o)), [0x1000, 0x5490, 0x40a00]);
    }

    /// The segments of a small dynamic program, as GNU ld lays them out.
    #[test]
    fn code_is_found_in_a_page_that_it_shares_with_data() {
        let code = Segment { offset: 0, address: 0, size: 0x804, executable: true };
        let data = Segment { offset: 0xdd0, address: 0x1dd0, size: 0x250, executable: false };
        let symbols = Symbols { segments: vec![code, data], symbols: Vec::new() };
        let object = Object::new(&mut Tree::default(), "/f".into(), symbols);
        assert_eq!(object.address(0x720), 0x720);
    }
}
