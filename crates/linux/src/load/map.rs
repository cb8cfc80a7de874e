//! Mapping a program's segments.

use super::elf::{Program, Segment};
use crate::base::errno::Errno;
use crate::interface::ElfError;
use crate::space::{Backing, FileBytes, FileId, STACK_LIMIT, STACK_TOP, Space, Vma, fill};
use capvec_sim::mem::{PAGE, SPACE};
use std::rc::{Rc, Weak};

/// A program in memory.
#[derive(Clone, Copy, Debug)]
pub struct Loaded {
    /// The load bias: the difference between its addresses in memory and in the file.
    pub bias: u64,
    /// The first page boundary after its segments.
    pub end: u64,
}

fn map_segment(
    space: &mut Space,
    file: &dyn FileBytes,
    id: &Rc<FileId>,
    s: &Segment,
) -> Result<(), Errno> {
    let start = s.vaddr & !(PAGE - 1);
    let lead = s.vaddr - start;
    let file_end = (s.vaddr + s.filesz).div_ceil(PAGE) * PAGE;
    let end = (s.vaddr + s.memsz).div_ceil(PAGE) * PAGE;
    if s.filesz != 0 {
        let mut vma = Vma::anon(file_end, s.perm);
        vma.backing = Backing::File(Weak::new());
        vma.charged = true;
        vma.id = Some(Rc::clone(id));
        vma.offset = s.offset - lead;
        space.map(start, vma)?;
        // Whole pages, as in a mapping of the file; but if the segment is larger in memory, the bytes after its file
        // contents are zero.
        let beyond = if s.memsz > s.filesz { 0 } else { file_end - (s.vaddr + s.filesz) };
        fill(space, file, start, s.offset - lead, lead + s.filesz + beyond)?;
    }
    let anon = if s.filesz != 0 { file_end } else { start };
    if end > anon {
        let mut vma = Vma::anon(end, s.perm);
        vma.charged = true;
        space.map(anon, vma)?;
    }
    Ok(())
}

/// Chooses the load bias.
fn place(space: &Space, program: &Program) -> Result<u64, ElfError> {
    if !program.dynamic {
        return Ok(0);
    }
    let (low, end) = program.span();
    let bytes = end - low;
    let at = match program.interp {
        Some(_) => space.layout.program(),
        // Room to align its start.
        None => {
            let room = bytes.checked_add(program.align - PAGE).ok_or(ElfError::Memory { bytes })?;
            space.find_gap(room).ok_or(ElfError::Memory { bytes })?.next_multiple_of(program.align)
        }
    };
    // Rounded down to the greatest alignment of a segment, as on Linux.
    let at = at & !(program.align - 1);
    if at == 0 {
        return malformed(format!("alignment of {:#x} leaves no place for it", program.align));
    }
    if at.checked_add(bytes).is_none_or(|e| e > SPACE - PAGE) {
        return Err(ElfError::Memory { bytes });
    }
    // Segments of a position-independent file may start anywhere; the difference may wrap.
    Ok(at.wrapping_sub(low))
}

fn malformed<T>(what: String) -> Result<T, ElfError> {
    Err(ElfError::Malformed(what))
}

/// Maps the segments of a program.
///
/// # Errors
/// `ElfError` when memory is exhausted or the file cannot be read.
pub fn map(
    space: &mut Space,
    file: &dyn FileBytes,
    id: &Rc<FileId>,
    program: &Program,
) -> Result<Loaded, ElfError> {
    let bias = place(space, program)?;
    let (low, end) = program.span();
    let (from, to) = (bias.wrapping_add(low), bias.wrapping_add(end));
    if to > STACK_TOP - STACK_LIMIT {
        return malformed(format!(
            "segments up to {to:#x} lie where the stack is, above {:#x}",
            STACK_TOP - STACK_LIMIT
        ));
    }
    if !space.is_free(from, to - from) {
        return malformed(format!("segments at {from:#x} overlap others"));
    }
    for s in &program.segments {
        let moved = Segment { vaddr: bias.wrapping_add(s.vaddr), ..*s };
        map_segment(space, file, id, &moved).map_err(|e| match e {
            Errno::ENOMEM => ElfError::Memory { bytes: end - low },
            e => ElfError::File(e),
        })?;
    }
    Ok(Loaded { bias, end: to })
}
