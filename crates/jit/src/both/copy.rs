//! The copy of an address space on which the reference engine runs.

use capvec_sim::Memory;
use capvec_sim::mem::{Object, OutOfMemory, Perm, memory_file};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// Bytes compared at a time.
const CHUNK: usize = 1 << 16;

/// Mapped ranges with their permissions: see `Memory::mapped`.
type Mapped = Vec<(Range<u64>, Perm)>;
/// Shared ranges: see `Memory::shared_pages`.
type Shared = Vec<(Range<u64>, u64, u64)>;

/// A copy that follows the original.
pub struct Copy {
    pub mem: Memory,
    mapped: Mapped,
    shared: Shared,
    /// Versions of the original.
    map_version: u64,
    code_version: u64,
    decoding_version: u64,
    /// Ranges whose bytes may change: writable pages, and shared pages, which others may write.
    changing: Vec<Range<u64>>,
}

impl Copy {
    /// Copies everything that is mapped.
    pub fn new(mem: &Memory) -> Result<Copy, OutOfMemory> {
        let (copy, mapped, shared) = (Memory::new()?, mem.mapped(), mem.shared_pages());
        for (run, perm) in &mapped {
            copy.map(run.start, run.end - run.start, *perm)?;
        }
        share(&shared, &copy, &mapped)?;
        let mut copy = Copy {
            mem: copy,
            mapped,
            shared,
            map_version: 0,
            code_version: 0,
            decoding_version: 0,
            changing: Vec::new(),
        };
        copy.update_all(mem);
        copy.note_versions(mem);
        Ok(copy)
    }

    /// Updates the copy. Returns false if it has to be made anew, because shared pages have been mapped or unmapped.
    ///
    /// Code is synchronised exactly when that of the original was, since the engines must drop blocks at the same
    /// instruction.
    pub fn follow(&mut self, mem: &Memory) -> Result<bool, OutOfMemory> {
        if self.map_version == mem.map_version() {
            self.changing.iter().for_each(|r| update(mem, &self.mem, r));
        } else {
            if self.shared != mem.shared_pages() {
                return Ok(false);
            }
            self.follow_mappings(mem.mapped())?;
            self.update_all(mem);
        }
        if self.decoding_version != mem.decoding_version() {
            self.mem.decoding_changed();
        } else if self.code_version != mem.code_version() {
            self.mem.code_changed();
        }
        self.note_versions(mem);
        Ok(true)
    }

    /// Records that the copy is up to date.
    pub fn note_versions(&mut self, mem: &Memory) {
        self.map_version = mem.map_version();
        self.code_version = mem.code_version();
        self.decoding_version = mem.decoding_version();
    }

    /// Maps, unmaps and protects what differs. Pages that were mapped anew with the same permissions differ only in their
    /// bytes.
    fn follow_mappings(&mut self, mapped: Mapped) -> Result<(), OutOfMemory> {
        let runs = self.mapped.iter().chain(&mapped);
        let mut bounds: Vec<u64> = runs.flat_map(|(run, _)| [run.start, run.end]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        for (at, end) in bounds.iter().zip(bounds.iter().skip(1)) {
            let len = end - at;
            match (perm(&self.mapped, *at), perm(&mapped, *at)) {
                (None, Some(new)) => self.mem.map(*at, len, new)?,
                (Some(_), None) => self.mem.unmap(*at, len)?,
                (Some(old), Some(new)) if old != new => drop(self.mem.protect(*at, len, new)),
                _ => {}
            }
        }
        self.mapped = mapped;
        Ok(())
    }

    /// Copies the bytes of all pages, apart from private ones that nobody can access.
    fn update_all(&mut self, mem: &Memory) {
        let writable = self.mapped.iter().filter(|(_, perm)| perm.allows(Perm::W));
        let writable = writable.map(|(run, _)| run.clone());
        self.changing = self.shared.iter().map(|(run, ..)| run.clone()).chain(writable).collect();
        let fixed = |perm: &Perm| *perm != Perm::NONE && !perm.allows(Perm::W);
        let fixed = self.mapped.iter().filter(|(_, perm)| fixed(perm)).map(|(run, _)| run);
        fixed.chain(&self.changing).for_each(|run| update(mem, &self.mem, run));
    }

    /// The first byte that differs: its address, its value here, and its value in the original.
    pub fn difference(&self, mem: &Memory) -> Option<(u64, u8, u8)> {
        let mut first = None;
        for range in &self.changing {
            chunks(&self.mem, mem, range, |at, a, b| {
                if first.is_none()
                    && let Some(k) = (0..a.len()).find(|k| a[*k] != b[*k])
                {
                    first = Some((at + k as u64, a[k], b[k]));
                }
            });
        }
        first
    }
}

/// The permissions at an address.
fn perm(mapped: &Mapped, at: u64) -> Option<Perm> {
    let next = mapped.partition_point(|(run, _)| run.end <= at);
    mapped.get(next).filter(|(run, _)| run.start <= at).map(|(_, perm)| *perm)
}

/// Maps shared pages in `copy` so that pages that alias in the original alias in the copy.
fn share(shared: &Shared, copy: &Memory, mapped: &Mapped) -> Result<(), OutOfMemory> {
    let mut objects: HashMap<u64, (Object, u64)> = HashMap::new();
    for (run, object, offset) in shared {
        let end = offset + (run.end - run.start);
        let (_, len) = match objects.entry(*object) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let file = memory_file("copy")?;
                new.insert((Object::numbered(file, *object), 0))
            }
        };
        *len = end.max(*len);
    }
    for (object, len) in objects.values() {
        rustix::fs::ftruncate(object.fd(), *len)?;
    }
    for (run, object, offset) in shared {
        let Some((object, _)) = objects.get(object) else { continue };
        for (part, perm) in mapped {
            let (start, end) = (part.start.max(run.start), part.end.min(run.end));
            if start < end {
                let offset = offset + (start - run.start);
                copy.map_shared(start, end - start, *perm, object, offset)?;
            }
        }
    }
    Ok(())
}

/// Calls `f` with each chunk of the range, as both memories hold it.
fn chunks(a: &Memory, b: &Memory, range: &Range<u64>, mut f: impl FnMut(u64, &[u8], &[u8])) {
    let (mut in_a, mut in_b) = (vec![0; CHUNK], vec![0; CHUNK]);
    for at in range.clone().step_by(CHUNK) {
        let len = CHUNK.min((range.end - at) as usize);
        // Cannot fail: the range is mapped in both.
        let _ = a.read_as(at, &mut in_a[..len], Perm::NONE);
        let _ = b.read_as(at, &mut in_b[..len], Perm::NONE);
        f(at, &in_a[..len], &in_b[..len]);
    }
}

fn update(from: &Memory, to: &Memory, range: &Range<u64>) {
    chunks(from, to, range, |at, new, old| {
        if new != old {
            // Cannot fail: the range is mapped.
            let _ = to.write_as(at, new, Perm::NONE);
        }
    });
}
