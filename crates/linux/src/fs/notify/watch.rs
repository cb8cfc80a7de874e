//! File events and the watches that receive them (`include/linux/fsnotify.h` of Linux 6.12).
//!
//! Watches are attached to the records of inodes. An event goes first to the watches of the directory in which the file
//! was found, then to those of the file.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use super::inotify::Watch;
use crate::fs::abi::{inotify as ev, s};
use crate::fs::inode::Inode;
use crate::fs::path::located::{Dir, Node};
use crate::fs::path::resolve::Found;
use crate::fs::vfs::Vfs;

/// The name under which an open file was found, which may change meanwhile.
pub(crate) struct Name {
    at: RefCell<(Rc<Inode>, Vec<u8>)>,
    /// The name has been removed.
    gone: Cell<bool>,
}

/// The watches of an inode.
#[derive(Default)]
pub(crate) struct Watched {
    watches: RefCell<Vec<Weak<Watch>>>,
    /// The names under which it is open.
    names: RefCell<Vec<Weak<Name>>>,
    /// Open descriptions.
    open: Cell<u32>,
    /// Its last name has been removed.
    unlinked: Cell<bool>,
}

/// Counts an inode as open. For watchers, an inode is deleted when its last name and the last of these are gone.
pub(crate) struct Opened(Rc<Inode>);

/// The file that an event comes from.
pub struct EventSource {
    inode: Rc<Inode>,
    is_dir: bool,
    /// Its directory and its name there.
    name: Option<(Rc<Inode>, Vec<u8>)>,
    /// The name has been removed.
    gone: bool,
}

/// Adds to a list of weak references; dead ones are dropped before the list would grow.
fn push<T>(list: &RefCell<Vec<Weak<T>>>, new: &Rc<T>) {
    let mut list = list.borrow_mut();
    if list.len() == list.capacity() {
        list.retain(|old| old.strong_count() > 0);
    }
    list.push(Rc::downgrade(new));
}

impl Opened {
    /// Notes that `inode` is opened.
    pub fn new(inode: &Rc<Inode>) -> Opened {
        inode.watched.open.set(inode.watched.open.get() + 1);
        Opened(Rc::clone(inode))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let watched = &self.0.watched;
        watched.open.set(watched.open.get() - 1);
        watched.forget_names();
        watched.end_if_deleted();
    }
}

impl Watched {
    /// Adds a watch.
    pub fn add(&self, watch: &Rc<Watch>) {
        push(&self.watches, watch);
    }

    /// Passes an event to all watches.
    fn notify(&self, mask: u32, name: &[u8], cookie: u32, gone: bool) {
        // An event may end a watch (`IN_ONESHOT`).
        let all: Vec<Rc<Watch>> = self.watches.borrow().iter().filter_map(Weak::upgrade).collect();
        all.iter().for_each(|watch| watch.notify(mask, name, cookie, gone));
    }

    /// Forgets names that are no longer open, once they are the majority.
    fn forget_names(&self) {
        let mut names = self.names.borrow_mut();
        if names.len() > 2 * self.open.get() as usize {
            names.retain(|name| name.strong_count() > 0);
            names.shrink_to_fit();
        }
    }

    /// The capacity of the list of names.
    #[cfg(test)]
    pub fn name_capacity(&self) -> usize {
        self.names.borrow().capacity()
    }

    /// Forgets watches that have ended.
    pub fn forget_watches(&self) {
        let mut watches = self.watches.borrow_mut();
        watches.retain(|watch| watch.strong_count() > 0);
        watches.shrink_to_fit();
    }

    /// Notes that it has a name.
    pub fn note_linked(&self) {
        self.unlinked.set(false);
    }

    /// Notes that its last name has been removed.
    pub fn note_unlinked(&self) {
        self.unlinked.set(true);
        self.end_if_deleted();
    }

    fn end_if_deleted(&self) {
        if self.unlinked.get() && self.open.get() == 0 {
            self.notify(ev::DELETE_SELF, b"", 0, false);
            let all = self.watches.take();
            all.iter().filter_map(Weak::upgrade).for_each(|watch| watch.end());
        }
    }

    /// Notes that the name `name` in `dir` has been renamed, or removed.
    pub fn renamed(&self, dir: &Rc<Inode>, name: &[u8], to: Option<(&Rc<Inode>, &[u8])>) {
        for open in self.names.borrow().iter().filter_map(Weak::upgrade) {
            let mut at = open.at.borrow_mut();
            if !Rc::ptr_eq(&at.0, dir) || at.1 != name || open.gone.get() {
                continue;
            }
            match to {
                Some((dir, name)) => *at = (Rc::clone(dir), name.to_vec()),
                None => open.gone.set(true),
            }
        }
    }
}

impl Vfs {
    /// The event source at a place, if anything is watched at all.
    pub(in crate::fs) fn event_source(&self, place: &Dir) -> Option<EventSource> {
        if self.shared.watches() > 0 { EventSource::at(place) } else { None }
    }

    /// Notifies watchers of an event at a place.
    pub(in crate::fs) fn notify(&self, place: &Dir, mask: u32) {
        if let Some(event_source) = self.event_source(place) {
            event_source.notify(mask);
        }
    }

    /// Notifies watchers of the inode at a place, whatever its name.
    pub(in crate::fs) fn notify_inode(&self, place: &Dir, mask: u32) {
        if let Some(inode) = place.inode() {
            inode.watched.notify(mask, b"", 0, false);
        }
    }

    /// Notifies watchers of a directory of an event of its entry `name`.
    pub(in crate::fs) fn notify_entry(&self, dir: &Dir, mask: u32, name: &[u8], is_dir: bool) {
        notify_entry(dir, mask, name, is_dir, 0);
    }

    /// Notifies watchers that `from` has been renamed to `to`, and with `exchange` also `to` to `from`.
    pub(in crate::fs) fn notify_rename(&self, from: &Found, to: &Found, exchange: bool) {
        let (Some(source), target) = (&from.place, &to.place) else { return };
        let same = |a: &Dir, b: &Dir| match (a.inode(), b.inode()) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        if target.as_ref().is_some_and(|target| same(source, target)) {
            // Both names belong to one file: nothing has changed.
            return;
        }
        // Open files report their events under the new name from now on.
        if let (Some(target), true) = (target, exchange) {
            rename_open_names(target, to, from);
        }
        rename_open_names(source, from, to);
        self.notify_move(source, from, to);
        match target {
            Some(target) if exchange => {
                self.notify_inode(source, ev::MOVE_SELF);
                self.notify_move(target, to, from);
                self.notify_inode(target, ev::MOVE_SELF);
            }
            Some(target) => {
                self.notify_inode(target, ev::ATTRIB);
                self.notify_inode(source, ev::MOVE_SELF);
            }
            None => self.notify_inode(source, ev::MOVE_SELF),
        }
    }

    fn notify_move(&self, what: &Dir, from: &Found, to: &Found) {
        let (is_dir, cookie) = (what.is_dir(), self.shared.fresh_cookie());
        notify_entry(&from.dir, ev::MOVED_FROM, &from.name, is_dir, cookie);
        notify_entry(&to.dir, ev::MOVED_TO, &to.name, is_dir, cookie);
    }
}

fn notify_entry(dir: &Dir, mask: u32, name: &[u8], is_dir: bool, cookie: u32) {
    if let Some(inode) = dir.inode() {
        let kind = if is_dir { ev::ISDIR } else { 0 };
        inode.watched.notify(mask | kind, name, cookie, false);
    }
}

/// Moves the open names of `what` from one name to the other.
fn rename_open_names(what: &Dir, from: &Found, to: &Found) {
    if let (Some(inode), Some(old), Some(new)) = (what.inode(), from.dir.inode(), to.dir.inode()) {
        inode.watched.renamed(old, &from.name, Some((new, &to.name)));
    }
}

impl Inode {
    /// Notes that this inode is opened under `name` in `dir`.
    pub fn opened_as(&self, dir: &Dir, name: &[u8]) -> Option<Rc<Name>> {
        let at = RefCell::new((Rc::clone(dir.inode()?), name.to_vec()));
        let name = Rc::new(Name { at, gone: Cell::new(false) });
        push(&self.watched.names, &name);
        Some(name)
    }
}

impl EventSource {
    /// The source for an open file of the host.
    pub(crate) fn file(inode: &Rc<Inode>, name: Option<&Rc<Name>>) -> EventSource {
        let gone = name.is_some_and(|name| name.gone.get());
        let name = name.map(|name| name.at.borrow().clone());
        EventSource { inode: Rc::clone(inode), is_dir: false, name, gone }
    }

    /// The source for the object at a place.
    pub(crate) fn at(place: &Dir) -> Option<EventSource> {
        let node = match &place.node {
            Node::Host(node) => node,
            Node::Open(file) => return file.object().recorded().event_source(),
            _ => return None,
        };
        let (dir, name) = place.entry();
        let name = dir.and_then(|dir| Some((Rc::clone(dir.inode()?), name.to_vec())));
        let is_dir = node.kind() == s::IFDIR;
        Some(EventSource { inode: Rc::clone(node.inode()), is_dir, name, gone: false })
    }

    /// Notifies the watchers of the directory and of the file.
    pub(crate) fn notify(&self, mask: u32) {
        let mask = if self.is_dir { mask | ev::ISDIR } else { mask };
        if let Some((dir, name)) = &self.name {
            dir.watched.notify(mask, name, 0, self.gone);
        }
        self.inode.watched.notify(mask, b"", 0, false);
    }
}
