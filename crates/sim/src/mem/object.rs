//! Memory that several mappings share, in one address space or in several.
//!
//! Code in it can be written through each mapping. A page with decoded code is watched (see `code`) in all of its mappings, so that a
//! write through any of them is noted. That is for programs that map their code twice, to write and to execute it. It takes calls and
//! mappings of the host for each mapping of a page. So neither an object that two spaces have mapped nor a page with more than two
//! mappings is watched: these are compared with memory at each synchronisation. An object is not watched again after its second space
//! has ended.

use super::{Memory, PAGE, Region, table};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most mappings that a watched page may have.
const MAPPINGS: usize = 2;
/// The most runs of shared pages, of all objects, that a space may have for its objects to be watched: all are searched for the
/// mappings of a page.
const RUNS: usize = 256;

/// Pages of a host file, which `Memory::map_shared` maps. A clone is the same object.
#[derive(Clone, Debug)]
pub struct Object(Rc<State>);

#[derive(Debug)]
struct State {
    fd: OwnedFd,
    id: u64,
    /// The space that maps it.
    space: RefCell<Weak<Region>>,
    /// Its pages are not watched, and will not be.
    given_up: Cell<bool>,
    /// Offsets of the pages that are watched. All mappings of these pages have `table::CODE`.
    watched: RefCell<BTreeSet<u64>>,
}

impl Object {
    /// The object with the contents of this file, which nobody else writes, except as `written` reports.
    pub fn new(fd: OwnedFd) -> Object {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Object::numbered(fd, NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// A copy of the object with this number, for copies of the spaces that map it.
    pub fn numbered(fd: OwnedFd, id: u64) -> Object {
        let (space, given_up, watched) = Default::default();
        Object(Rc::new(State { fd, id, space, given_up, watched }))
    }

    /// Its number, which no other object of `Object::new` has or had.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The host file.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.0.fd.as_fd()
    }

    /// The space has mapped these offsets anew, without watching them.
    pub(super) fn mapped_in(&self, mem: &Memory, offsets: Range<u64>) {
        let known = self.0.space.borrow().upgrade();
        match known {
            Some(region) if Rc::ptr_eq(&region, &mem.region) => self.written(offsets),
            Some(_) => self.give_up(),
            None => {
                self.0.watched.borrow_mut().clear();
                self.0.space.replace(Rc::downgrade(&mem.region));
            }
        }
    }

    /// Stops watching its pages for good.
    pub(super) fn give_up(&self) {
        if !self.0.given_up.replace(true) {
            self.written(0..u64::MAX);
        }
    }

    /// Each mapping of the page at an offset: the space, and the numbers of the pages in it.
    fn mappings(&self, offset: u64) -> Option<(Memory, Vec<u64>)> {
        let mem = Memory::of(self.0.space.borrow().upgrade()?);
        let addresses = mem.region.shares.borrow().showing(offset, |other| other.id() == self.id());
        Some((mem, addresses.iter().map(|addr| addr / PAGE).collect()))
    }

    /// Watches the page at an offset in all of its mappings. Returns whether it does.
    pub(super) fn watch(&self, offset: u64) -> bool {
        if self.0.given_up.get() {
            return false;
        }
        let Some((mem, pages)) = self.mappings(offset) else { return false };
        if pages.len() > MAPPINGS {
            return false;
        }
        // First, so that it is released with the others if the host refuses.
        self.0.watched.borrow_mut().insert(offset);
        let few = mem.region.shares.borrow().len() <= RUNS;
        let watched = few && pages.iter().all(|page| mem.watch_page(*page));
        if !watched {
            self.give_up();
            self.written(offset..offset + 1);
        }
        watched
    }

    /// Reports that the file was, or is going to be, written at these offsets, perhaps through a mapping where that goes unnoticed.
    pub fn written(&self, offsets: Range<u64>) {
        let from = offsets.start / PAGE * PAGE;
        loop {
            let next = self.0.watched.borrow().range(from..).next().copied();
            let Some(offset) = next.filter(|offset| *offset < offsets.end) else { break };
            self.0.watched.borrow_mut().remove(&offset);
            if let Some((mem, pages)) = self.mappings(offset) {
                pages.iter().for_each(|page| mem.note_page(*page));
            }
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

    /// Reports that the permissions of these pages are going to change, so that they are not watched any more.
    pub(super) fn release_objects(&self, pages: &Range<u64>) {
        let runs = self.region.shares.borrow().within(&(pages.start * PAGE..pages.end * PAGE));
        for (run, object, offset) in runs {
            object.written(offset..offset + (run.end - run.start));
        }
    }
}
