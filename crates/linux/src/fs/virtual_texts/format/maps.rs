//! `/proc/PID/maps`.

use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::stat::split_dev;
use crate::fs::virtual_texts::queries::Mapping;

/// The text for the mappings that `visit` passes on. It is measured first, and `room` charges memory for its length
/// before it is made: a path may be long, and many mappings may have it.
///
/// # Errors
/// `ESRCH` when the process is gone; those of `room`.
pub(crate) fn maps(
    visit: impl Fn(&mut dyn FnMut(&Mapping<'_>)) -> Option<()>,
    room: impl FnOnce(u64) -> Result<Charge>,
) -> Result<Vec<u8>> {
    let mut len = 0;
    let newlines = |path: &[u8]| path.iter().filter(|b| **b == b'\n').count();
    let each = &mut |m: &Mapping<'_>| {
        len += mapping(m).len() + m.path.len() + newlines(m.path) * (NEWLINE.len() - 1) + 1;
    };
    visit(each).ok_or(Errno::ESRCH)?;
    let _room = room(len as u64)?;
    let mut out = Vec::with_capacity(len);
    let each = &mut |m: &Mapping<'_>| {
        out.extend_from_slice(mapping(m).as_bytes());
        for (n, part) in m.path.split(|b| *b == b'\n').enumerate() {
            out.extend_from_slice(if n > 0 { NEWLINE } else { b"" });
            out.extend_from_slice(part);
        }
        out.push(b'\n');
    };
    visit(each).ok_or(Errno::ESRCH)?;
    Ok(out)
}

/// A newline in a path would look like another line.
const NEWLINE: &[u8] = b"\\012";

/// A line of `/proc/PID/maps` up to the path.
fn mapping(m: &Mapping<'_>) -> String {
    /// The kernel pads to this column (fs/proc/task_mmu.c, show_vma_header_prefix).
    const COLUMN: usize = 73;
    let (major, minor) = split_dev(m.dev_ino.0);
    let perms = String::from_utf8_lossy(&m.perms);
    let text = format!(
        "{:08x}-{:08x} {perms} {:08x} {major:02x}:{minor:02x} {} ",
        m.start, m.end, m.offset, m.dev_ino.1
    );
    if m.path.is_empty() { text } else { format!("{text:COLUMN$}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::charge::Meter;
    use std::cell::Cell;
    use std::rc::Rc;

    /// Counts, up to a limit.
    struct Room(Cell<u64>, u64);

    impl Meter for Room {
        fn charge(&self, bytes: u64) -> Result<()> {
            self.0.set(self.0.get() + bytes);
            if self.0.get() <= self.1 { Ok(()) } else { Err(Errno::ENOMEM) }
        }

        fn release(&self, _: u64) {}
    }

    #[test]
    fn the_text_of_a_memory_map_is_charged_before_it_is_made() {
        let path = [&[b'a'; 3000][..], b"\n b\n\nc"].concat();
        let mapping = |i: u64| Mapping {
            start: i << 12,
            end: (i + 1) << 12,
            perms: *b"r--p",
            offset: 0,
            dev_ino: (0, i),
            path: if i.is_multiple_of(3) { b"" } else { &path },
        };
        let visits = Cell::new(0);
        let visit = |each: &mut dyn FnMut(&Mapping<'_>)| {
            visits.set(visits.get() + 1);
            (0..100).for_each(|i| each(&mapping(i)));
            Some(())
        };
        let limited = |limit| {
            let room = Rc::new(Room(Cell::new(0), limit));
            (Rc::clone(&room), maps(visit, |len| Charge::new(room, len)))
        };
        let (room, text) = limited(u64::MAX);
        let text = text.expect("memory for the text");
        assert_eq!(text.len() as u64, room.0.get());
        let lines: Vec<_> = text.split(|b| *b == b'\n').collect();
        assert_eq!((lines.len(), lines[1].len()), (101, 73 + path.len() + 3 * 3));
        assert!(lines[1].ends_with(b"aa\\012 b\\012\\012c"));
        // Where memory does not suffice, the text is only measured.
        visits.set(0);
        assert_eq!(limited(text.len() as u64 - 1).1, Err(Errno::ENOMEM));
        assert_eq!(visits.get(), 1);
    }
}
