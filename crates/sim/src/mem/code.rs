//! Which pages with decoded code may have changed.
//!
//! Engines keep what they have decoded until the code is synchronised with memory: by fence.i, by a system call of the
//! same effect, or by a change of an executable mapping. Each synchronisation is a new version. An engine then has to
//! compare the pages that were written since it decoded them. So a page with decoded code loses the table's bit for
//! writes without notice; the first write to it takes the slow path, which records the page and sets the bit again.
//!
//! Pages of shared objects can be written through other mappings, so they may have changed at every version.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use super::{Memory, PAGE, PAGES, Perm, table};

/// Most entries of the log. An engine that needs older ones has to compare all pages.
const LOG: usize = 1024;

/// What is known about pages with decoded code.
#[derive(Default)]
pub(super) struct CodePages {
    version: Cell<u64>,
    decoding: Cell<u64>,
    pages: RefCell<Pages>,
}

#[derive(Default)]
struct Pages {
    /// Pages that were written since the last version.
    written: BTreeSet<u64>,
    /// Pages of shared objects with decoded code.
    shared: BTreeSet<u64>,
    /// Ranges of pages that may have changed, with the version that made it visible.
    log: VecDeque<(u64, Range<u64>)>,
    /// The log has all ranges of later versions.
    log_since: u64,
}

impl CodePages {
    /// A new version: what was written, and these pages, may have changed.
    fn synchronise(&self, others: Range<u64>) {
        let version = self.version.get() + 1;
        self.version.set(version);
        let pages = &mut *self.pages.borrow_mut();
        pages.push(version, others);
        let written = std::mem::take(&mut pages.written);
        let shared = pages.shared.clone();
        written.into_iter().chain(shared).for_each(|page| pages.push(version, page..page + 1));
        while pages.log.len() > LOG {
            pages.log_since = pages.log.pop_front().map_or(version, |(version, _)| version);
        }
    }

    /// Mappings or permissions of these pages have changed, which were or are executable.
    pub fn mapping_changed(&self, range: Range<u64>) {
        self.pages.borrow_mut().shared.retain(|page| !range.contains(page));
        self.synchronise(range);
    }
}

impl Pages {
    fn push(&mut self, version: u64, range: Range<u64>) {
        match self.log.back_mut() {
            _ if range.is_empty() => {}
            Some((v, last)) if *v == version && last.end == range.start => last.end = range.end,
            _ => self.log.push_back((version, range)),
        }
    }
}

impl Memory {
    /// Changes whenever executable memory may have changed.
    pub fn code_version(&self) -> u64 {
        self.region.code.version.get()
    }

    /// Changes when unchanged bytes may decode differently.
    pub fn decoding_version(&self) -> u64 {
        self.region.code.decoding.get()
    }

    /// Synchronises code with memory: fence.i, or a system call of the same effect.
    pub fn code_changed(&self) {
        self.region.code.synchronise(0..0);
    }

    /// Reports that bytes decode differently from now on, since the hart's extensions have changed.
    pub fn decoding_changed(&self) {
        self.region.code.decoding.set(self.decoding_version() + 1);
        self.code_changed();
    }

    /// From the next write to the page of `addr` until the version after that, `code_changes` reports the page.
    pub fn watch_code(&self, addr: u64) {
        let page = addr / PAGE;
        let entry = self.perm_byte(page);
        if entry & table::CODE != 0 || entry & Perm::X.0 == 0 {
            return;
        }
        let pages = &mut *self.region.code.pages.borrow_mut();
        if self.region.shares.borrow().contains(addr) {
            pages.shared.insert(page);
        } else if !pages.written.contains(&page) {
            self.set_perm_byte(page, entry & !table::WRITE | table::CODE);
            self.set_across(page..page + 1);
        }
    }

    /// The ranges of pages with watched code that may differ from what they were at `version`; `None` if all may. They
    /// include what was written after the last synchronisation. A range may occur more than once.
    pub fn code_changes(&self, version: u64) -> Option<Vec<Range<u64>>> {
        let pages = self.region.code.pages.borrow();
        let newer = pages.log.iter().rev().take_while(|(v, _)| *v > version);
        let newer = newer.map(|(_, range)| range.clone());
        let written = pages.written.iter().map(|page| *page..page + 1);
        (version >= pages.log_since).then(|| newer.chain(written).collect())
    }

    /// Whether the guest may write here although the table forbids it, because the page has decoded code. Notes the write.
    #[cold]
    pub(super) fn note_store(&self, addr: u64, len: u64) -> bool {
        let allowed = self.allows(addr, len, Perm::W);
        if allowed {
            self.note_writes(addr, len);
        }
        allowed
    }

    /// Notes a write to mapped pages.
    pub(super) fn note_writes(&self, addr: u64, len: u64) {
        for page in addr / PAGE..(addr + len).div_ceil(PAGE).min(PAGES) {
            let entry = self.perm_byte(page);
            if entry & table::CODE != 0 {
                self.set_perm_byte(page, Perm(entry & 7).entry());
                self.set_across(page..page + 1);
                self.region.code.pages.borrow_mut().written.insert(page);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: u64 = 1 << 20;
    const RWX: Perm = Perm(7);

    /// Three pages of code between pages of data, all of them watched.
    fn watched() -> Memory {
        let mem = Memory::new().expect("an address space");
        mem.map(AT, 5 * PAGE, RWX).expect("pages");
        (1..4).for_each(|n| mem.watch_code(AT + n * PAGE));
        mem
    }

    /// The pages, counted from `AT`, that may have changed since the version.
    fn changes(mem: &Memory, version: u64) -> Vec<u64> {
        let ranges = mem.code_changes(version).expect("the log goes back that far");
        let pages: BTreeSet<u64> = ranges.into_iter().flatten().map(|p| p - AT / PAGE).collect();
        pages.into_iter().collect()
    }

    #[test]
    fn a_write_is_reported() {
        let mem = watched();
        let version = mem.code_version();
        mem.store(AT + 2 * PAGE + 8, 1u64).expect("a writable page");
        assert_eq!(changes(&mem, version), [2], "at once");
        mem.code_changed();
        assert_eq!(changes(&mem, version), [2]);
        assert_eq!(changes(&mem, mem.code_version()), [0; 0], "only once");
        // The page is not watched any more.
        mem.store(AT + 2 * PAGE + 8, 2u64).expect("a writable page");
        mem.code_changed();
        assert_eq!(changes(&mem, version), [2]);
        assert_eq!(changes(&mem, version + 1), [0; 0]);
    }

    #[test]
    fn every_kind_of_write_is_reported() {
        type Write = fn(&Memory);
        let writes: [(&str, &[u64], Write); 5] = [
            ("across", &[1, 2], |m| m.store(AT + 2 * PAGE - 1, 1u16).expect("writable")),
            ("write", &[1, 2, 3], |m| m.write(AT, &[1; 5 * PAGE as usize]).expect("writable")),
            ("loader", &[3], |m| m.write_as(AT + 3 * PAGE, &[1], Perm::NONE).expect("mapped")),
            ("discard", &[2], |m| m.discard(AT + 2 * PAGE, PAGE).expect("pages")),
            ("protect", &[0, 1], |m| assert!(m.protect(AT, 2 * PAGE, Perm::RW))),
        ];
        for (name, pages, write) in writes {
            let mem = watched();
            let version = mem.code_version();
            write(&mem);
            mem.code_changed();
            assert_eq!(changes(&mem, version), pages, "{name}");
        }
    }

    #[test]
    fn a_page_that_cannot_be_written_is_watched() {
        let mem = Memory::new().expect("an address space");
        mem.map(AT, PAGE, Perm(5)).expect("a page");
        mem.watch_code(AT);
        assert_eq!(mem.store(AT, 1u8), None);
        let version = mem.code_version();
        mem.write_as(AT, &[1], Perm::NONE).expect("a mapped page");
        assert_eq!(mem.store(AT, 1u8), None, "still not writable");
        mem.code_changed();
        assert_eq!(changes(&mem, version), [0]);
    }

    #[test]
    fn the_guest_sees_the_same_permissions() {
        let mem = watched();
        assert_eq!(mem.perm(AT + PAGE), Some(RWX));
        assert_eq!(mem.mapped(), [(AT..AT + 5 * PAGE, RWX)]);
        assert!(mem.allows(AT, 5 * PAGE, RWX));
        assert_eq!(mem.first_fault(AT, 6 * PAGE, Perm::W), AT + 5 * PAGE);
    }

    /// Generated code that writes to a page, or from a page into the next.
    #[test]
    fn generated_code_may_write_where_nothing_is_watched() {
        let mem = watched();
        let entry = |page: u64| {
            let byte = mem.perm_byte(AT / PAGE + page);
            (byte & table::WRITE != 0, byte & table::WRITE_ACROSS != 0)
        };
        let all = || [entry(0), entry(1), entry(2), entry(3), entry(4)];
        let (none, page, both) = ((false, false), (true, false), (true, true));
        assert_eq!(all(), [page, none, none, none, page]);
        mem.store(AT + PAGE, 1u8).expect("a writable page");
        assert_eq!(all(), [both, page, none, none, page]);
        mem.store(AT + 2 * PAGE, 1u8).expect("a writable page");
        assert_eq!(all(), [both, both, page, none, page]);
    }

    #[test]
    fn shared_pages_may_have_changed_at_every_version() {
        use std::os::fd::AsFd;
        let file =
            rustix::fs::memfd_create("code", rustix::fs::MemfdFlags::CLOEXEC).expect("memory");
        rustix::fs::ftruncate(&file, PAGE).expect("it grows");
        let mem = watched();
        mem.map_shared(AT + 2 * PAGE, PAGE, RWX, file.as_fd(), (1, 0)).expect("a page");
        mem.watch_code(AT + 2 * PAGE);
        for _ in 0..3 {
            let version = mem.code_version();
            mem.code_changed();
            assert_eq!(changes(&mem, version), [2]);
        }
        mem.map(AT + 2 * PAGE, PAGE, RWX).expect("a page");
        let version = mem.code_version();
        mem.code_changed();
        assert_eq!(changes(&mem, version), [0; 0]);
    }

    #[test]
    fn an_old_version_needs_all_pages() {
        let mem = watched();
        let version = mem.code_version();
        for _ in 0..LOG + 2 {
            mem.watch_code(AT + PAGE);
            mem.store(AT + PAGE, 1u8).expect("a writable page");
            mem.code_changed();
        }
        assert_eq!(mem.code_changes(version), None);
        assert_eq!(changes(&mem, mem.code_version() - 1), [1]);
    }
}
