//! Source lines of instructions, from the line tables of programs, libraries and their detached files.

use crate::findings::{Source, Step};
use addr2line::Context;
use addr2line::gimli::{Dwarf, DwarfSections, EndianSlice, LittleEndian, SectionId};
use capvec_profile::detached;
use capvec_sim::calls::Read;
use object::{Object, ObjectSection};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// The largest section that is decompressed: more than the debugging information of any library of Debian.
const LARGEST: u64 = 1 << 30;

type Elf<'a> = object::File<'a>;
type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// The files with line tables.
#[derive(Default)]
pub struct Lines {
    /// By the guest's path of the program or library; nothing for one without line tables.
    files: HashMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Lines {
    /// Keeps the file with the line tables of a program or library: the file itself, or the detached one.
    pub fn add(&mut self, path: &[u8], read: Read<'_>) {
        if path.starts_with(b"[") || self.files.contains_key(path) {
            return;
        }
        let found = read(path).and_then(|bytes| match has_lines(&bytes) {
            true => Some(bytes),
            false => detached(path, &bytes, read).filter(|detached| has_lines(detached)),
        });
        self.files.insert(path.to_vec(), found);
    }

    /// Adds the source lines of these instructions.
    pub fn resolve(&self, steps: &mut [&mut Step]) {
        let objects: BTreeSet<String> = steps.iter().map(|s| s.object.clone()).collect();
        for object in objects {
            let Some(Some(file)) = self.files.get(object.as_bytes()) else { continue };
            let own = steps.iter_mut().filter(|s| s.object == object);
            let _ = add_sources(file, own);
        }
    }
}

fn has_lines(file: &[u8]) -> bool {
    Elf::parse(file).is_ok_and(|elf| elf.section_by_name(".debug_line").is_some())
}

/// Adds what the file's line tables say; nothing if they are not valid.
fn add_sources<'s, 'a: 's>(
    file: &[u8],
    steps: impl Iterator<Item = &'s mut &'a mut Step>,
) -> Option<()> {
    let elf = Elf::parse(file).ok()?;
    let load = |id: SectionId| Ok::<_, addr2line::gimli::Error>(section(&elf, id));
    let sections = DwarfSections::load(load).ok()?;
    let dwarf: Dwarf<Bytes<'_>> = sections.borrow(|s| EndianSlice::new(s, LittleEndian));
    let context = Context::from_dwarf(dwarf).ok()?;
    for step in steps {
        step.source = source(&context, step.address);
    }
    Some(())
}

/// A section, decompressed; nothing if there is none.
fn section<'a>(elf: &Elf<'a>, id: SectionId) -> Cow<'a, [u8]> {
    let found = elf.section_by_name(id.name());
    let small = found.filter(|s| {
        s.compressed_file_range().is_ok_and(|range| range.uncompressed_size <= LARGEST)
    });
    small.and_then(|s| s.uncompressed_data().ok()).unwrap_or_default()
}

fn source(context: &Context<Bytes<'_>>, address: u64) -> Option<Source> {
    let found = context.find_location(address).ok().flatten()?;
    // A compiler gives line 0 to instructions that belong to no line.
    let line = found.line.filter(|line| *line > 0)?;
    Some(Source { file: found.file?.into(), line, column: found.column.filter(|c| *c > 0) })
}
