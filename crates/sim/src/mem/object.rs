//! Memory that several mappings share, in one address space or in several.
//!
//! Code in it can be written through every mapping. So all mappings of a page with decoded code are watched (see `code`), and a
//! write through one of them is reported to every space that may execute the page.

use super::{Memory, OutOfMemory, PAGE, Perm, Region, table};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering};

/// Pages of a host file, which `Memory::map_shared` maps. A clone is the same object.
#[derive(Clone, Debug)]
pub struct Object(Rc<State>);

#[derive(Debug)]
struct State {
    fd: OwnedFd,
    id: u64,
    /// The spaces that have mapped it.
    spaces: RefCell<Vec<Weak<Region>>>,
    /// Offsets of the pages that are watched in each of their mappings.
    watched: RefCell<BTreeSet<u64>>,
}

impl Object {
    /// The object with the contents of this file, which nobody else writes, except as `written` reports.
    pub fn new(fd: OwnedFd) -> Object {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Object::numbered(fd, NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The object with this number, for spaces that follow those of another object with the same number.
    pub fn numbered(fd: OwnedFd, id: u64) -> Object {
        Object(Rc::new(State { fd, id, spaces: RefCell::default(), watched: RefCell::default() }))
    }

    /// Its number, which no other object of `Object::new` has or had.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The host file.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.fd.as_fd()
    }

    /// The space has a mapping of these offsets, which may be written unnoticed.
    pub(super) fn mapped_in(&self, mem: &Memory, offsets: Range<u64>) {
        let mut spaces = self.0.spaces.borrow_mut();
        spaces.retain(|space| space.strong_count() > 0);
        if !spaces.iter().any(|space| std::ptr::eq(space.as_ptr(), Rc::as_ptr(&mem.region))) {
            spaces.push(Rc::downgrade(&mem.region));
        }
        drop(spaces);
        self.written(offsets);
    }

    /// Each mapping of the page at an offset: the space, and the number of the page in it.
    fn mappings(&self, offset: u64) -> Vec<(Memory, u64)> {
        let spaces = self.0.spaces.borrow();
        let mut all = Vec::new();
        for mem in spaces.iter().filter_map(Weak::upgrade).map(Memory::of) {
            let pages = mem.region.shares.borrow().showing(offset, |other| other.id() == self.id());
            all.extend(pages.into_iter().map(|addr| (mem.clone(), addr / PAGE)));
        }
        all
    }

    /// Watches the page at an offset in all of its mappings. After an error, it may be written unnoticed.
    pub(super) fn watch(&self, offset: u64) -> Result<(), OutOfMemory> {
        let mappings = self.mappings(offset);
        let watched = mappings.iter().try_for_each(|(mem, page)| mem.watch_page(*page));
        match watched {
            Ok(()) => drop(self.0.watched.borrow_mut().insert(offset)),
            Err(_) => mappings.iter().for_each(|(mem, page)| mem.note_page(*page)),
        }
        watched
    }

    /// Reports that the file was, or is going to be, written at these offsets, or mapped where the write may go unnoticed.
    pub fn written(&self, offsets: Range<u64>) {
        let from = offsets.start / PAGE * PAGE;
        loop {
            let next = self.0.watched.borrow().range(from..).next().copied();
            let Some(offset) = next.filter(|offset| *offset < offsets.end) else { break };
            self.0.watched.borrow_mut().remove(&offset);
            self.mappings(offset).iter().for_each(|(mem, page)| mem.note_page(*page));
        }
    }
}

impl Memory {
    /// The space with this region.
    fn of(region: Rc<Region>) -> Memory {
        let base = region.perms.wrapping_add(table::BEFORE as usize);
        Memory { base, perms: region.perms, region }
    }

    /// The object that the page at this address belongs to, and the page's offset in it.
    pub(super) fn object_at(&self, addr: u64) -> Option<(Object, u64)> {
        self.region.shares.borrow().at(addr / PAGE * PAGE)
    }

    /// The objects' pages among these, which are mapped or protected anew, may be written unnoticed.
    pub(super) fn release_objects(&self, pages: &Range<u64>) {
        let runs = self.region.shares.borrow().within(&(pages.start * PAGE..pages.end * PAGE));
        for (run, object, offset) in runs {
            object.written(offset..offset + (run.end - run.start));
        }
    }

    /// Whether the page may be executed.
    pub(super) fn is_code(&self, page: u64) -> bool {
        self.perm_byte(page) & Perm::X.0 != 0
    }
}
