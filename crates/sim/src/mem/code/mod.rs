//! Which pages with decoded code may have changed.
//!
//! Engines keep what they have decoded until the code is synchronised with memory: by fence.i, by a system call of the
//! same effect, or by a change of an executable mapping. Each synchronisation is a new version. An engine then has to
//! compare the pages that were written since it decoded them. So a page with decoded code loses the bit that
//! allows unnoticed writes; the first write to it takes the slow path, which records the page and sets the bit again.
//!
//! A page of a shared object has to be watched in all of its mappings (`object`). Pages that are not watched, since they have many
//! mappings or the host refuses to protect them one by one, may have changed at every version.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use super::protection::Quota;
use super::{Memory, PAGE, PAGES, Perm, table};

/// Maximum number of entries of the log. An engine that needs older ones has to compare all pages.
const LOG: usize = 1024;

/// What is known about pages with decoded code.
#[derive(Default)]
pub(super) struct CodePages {
    version: Cell<u64>,
    decoding: Cell<u64>,
    pages: RefCell<Pages>,
    /// The host has too few mappings left to protect pages one by one: none are watched any more.
    limited: Cell<bool>,
}

#[derive(Default)]
struct Pages {
    /// Pages that were written since the last version.
    written: BTreeSet<u64>,
    /// Pages with decoded code that are not watched.
    unwatched: BTreeSet<u64>,
    /// Ranges of pages that may have changed, with the version that made the change visible.
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
        let unwatched = pages.unwatched.clone();
        written.into_iter().chain(unwatched).for_each(|page| pages.push(version, page..page + 1));
        while pages.log.len() > LOG {
            pages.log_since = pages.log.pop_front().map_or(version, |(version, _)| version);
        }
    }

    /// Mappings or permissions of these pages, which were or are executable, have changed.
    pub fn mapping_changed(&self, range: Range<u64>) {
        self.pages.borrow_mut().unwatched.retain(|page| !range.contains(page));
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

    /// Makes `code_changes` report the next write to the page of `addr`; then the page is no longer watched. A page that cannot be
    /// watched is reported at every version.
    pub fn watch_code(&self, addr: u64) {
        let (page, code) = (addr / PAGE, &self.region.code);
        let entry = self.perm_byte(page);
        let known =
            |pages: &Pages| pages.written.contains(&page) || pages.unwatched.contains(&page);
        if entry & table::CODE != 0 || entry & Perm::X.0 == 0 || known(&code.pages.borrow()) {
            return;
        }
        let watched = match self.object_at(addr) {
            Some((object, offset)) => object.watch(offset),
            None => self.watch_page(page),
        };
        if !watched {
            code.pages.borrow_mut().unwatched.insert(page);
        }
    }

    /// Arranges for the next write to the page to be noted, unless the host refuses to protect it, or has refused another:
    /// then no page is watched any more. Returns whether it is.
    pub(super) fn watch_page(&self, page: u64) -> bool {
        let entry = self.perm_byte(page);
        let watched = entry & !table::WRITE | table::CODE;
        let limited = self.region.code.limited.get();
        if limited || self.follow(page, entry, watched, Quota::Guests).is_err() {
            self.open_watched();
            return false;
        }
        self.set_perm_byte(page, watched);
        self.set_across(page..page + 1);
        true
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
            if self.perm_byte(page) & table::CODE != 0 {
                match self.object_at(page * PAGE) {
                    Some((object, offset)) => object.written(offset..offset + PAGE),
                    None => self.note_page(page),
                }
            }
        }
    }

    /// Notes a write to the page, which is not watched any more.
    pub(super) fn note_page(&self, page: u64) {
        let entry = self.perm_byte(page);
        if entry & table::CODE != 0 {
            let new = Perm(entry & 7).entry();
            let limited = self.region.code.limited.get();
            let quota = if limited { Quota::Reserve } else { Quota::Guests };
            let opened = self.follow(page, entry, new, quota);
            if opened.is_err() && !limited {
                self.open_watched();
                return self.note_page(page);
            }
            // A page that the host does not open stays without the bit; the host is asked again at each store.
            self.set_perm_byte(page, if opened.is_ok() { new } else { new & !table::WRITE });
            self.set_across(page..page + 1);
        }
        if entry & Perm::X.0 != 0 {
            self.region.code.pages.borrow_mut().written.insert(page);
        }
    }

    /// The host has too few mappings left to protect pages one by one: opens all that are watched, and watches none from now on. All
    /// together, that joins more mappings than it splits.
    #[cold]
    fn open_watched(&self) {
        if self.region.code.limited.replace(true) {
            return;
        }
        for page in self.mapped().into_iter().flat_map(|(run, _)| run.start / PAGE..run.end / PAGE)
        {
            if self.perm_byte(page) & table::CODE != 0 {
                match self.object_at(page * PAGE) {
                    Some((object, _)) => object.give_up(),
                    None => self.note_page(page),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
