//! What the guest does to files, and who watches them (`include/linux/fsnotify.h` of Linux 6.12).
//!
//! Watches hang on the records of inodes. An event of a file is told to those that watch it, and before to those that
//! watch the directory in which it was found.

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

/// What an inode's record keeps about watching.
#[derive(Default)]
pub(crate) struct Watched {
    watches: RefCell<Vec<Weak<Watch>>>,
    /// The names under which it is open.
    names: RefCell<Vec<Weak<Name>>>,
    /// Open descriptions.
    open: Cell<u32>,
    /// Its last name is gone.
    nameless: Cell<bool>,
}

/// A hold on an inode that is open: it ends, for watchers, with its last name and the last of these.
pub(crate) struct Opened(Rc<Inode>);

/// What an event happens to.
pub struct Subject {
    inode: Rc<Inode>,
    is_dir: bool,
    /// Its directory and its name there.
    name: Option<(Rc<Inode>, Vec<u8>)>,
    /// The name has been removed.
    gone: bool,
}

/// Adds to a list of what may be gone, and forgets what is when it would grow.
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
        watched.end_if_over();
    }
}

impl Watched {
    /// From now on `watch` learns of events.
    pub fn add(&self, watch: &Rc<Watch>) {
        push(&self.watches, watch);
    }

    /// Tells an event to all that watch.
    fn tell(&self, mask: u32, name: &[u8], cookie: u32, gone: bool) {
        // A watch may end by being told.
        let all: Vec<Rc<Watch>> = self.watches.borrow().iter().filter_map(Weak::upgrade).collect();
        all.iter().for_each(|watch| watch.tell(mask, name, cookie, gone));
    }

    /// Forgets names that are not open any more, when they are most of those that are kept.
    fn forget_names(&self) {
        let mut names = self.names.borrow_mut();
        if names.len() > 2 * self.open.get() as usize {
            names.retain(|name| name.strong_count() > 0);
            names.shrink_to_fit();
        }
    }

    /// Room for names that it keeps.
    #[cfg(test)]
    pub fn names_kept(&self) -> usize {
        self.names.borrow().capacity()
    }

    /// Forgets watches that are no more.
    pub fn forget_watches(&self) {
        let mut watches = self.watches.borrow_mut();
        watches.retain(|watch| watch.strong_count() > 0);
        watches.shrink_to_fit();
    }

    /// It has a name, if it had none.
    pub fn got_name(&self) {
        self.nameless.set(false);
    }

    /// Its last name is gone.
    pub fn lost_last_name(&self) {
        self.nameless.set(true);
        self.end_if_over();
    }

    fn end_if_over(&self) {
        if self.nameless.get() && self.open.get() == 0 {
            self.tell(ev::DELETE_SELF, b"", 0, false);
            let all = self.watches.take();
            all.iter().filter_map(Weak::upgrade).for_each(|watch| watch.end());
        }
    }

    /// The name `name` in `dir` has become another one, or is no more.
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
    /// What events at a place happen to, if anything is watched at all.
    pub(in crate::fs) fn subject(&self, place: &Dir) -> Option<Subject> {
        if self.shared.watches() > 0 { Subject::at(place) } else { None }
    }

    /// Tells an event at a place.
    pub(in crate::fs) fn tell(&self, place: &Dir, mask: u32) {
        if let Some(subject) = self.subject(place) {
            subject.tell(mask);
        }
    }

    /// Tells what has happened to what is at a place as such, whatever its names.
    pub(in crate::fs) fn tell_inode(&self, place: &Dir, mask: u32) {
        if let Some(inode) = place.inode() {
            inode.watched.tell(mask, b"", 0, false);
        }
    }

    /// Tells what has happened to the entry `name` of a directory.
    pub(in crate::fs) fn tell_entry(&self, dir: &Dir, mask: u32, name: &[u8], is_dir: bool) {
        tell_entry(dir, mask, name, is_dir, 0);
    }

    /// Tells that what was at `from` is at `to`, and with `exchange` the other way round, too.
    pub(in crate::fs) fn tell_rename(&self, from: &Found, to: &Found, exchange: bool) {
        let (Some(source), target) = (&from.place, &to.place) else { return };
        let same = |a: &Dir, b: &Dir| match (a.inode(), b.inode()) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        if target.as_ref().is_some_and(|target| same(source, target)) {
            // Two names of one file: nothing has happened.
            return;
        }
        // What was opened under a name is told by its new one from now on.
        if let (Some(target), true) = (target, exchange) {
            moved(target, to, from);
        }
        moved(source, from, to);
        self.tell_move(source, from, to);
        match target {
            Some(target) if exchange => {
                self.tell_inode(source, ev::MOVE_SELF);
                self.tell_move(target, to, from);
                self.tell_inode(target, ev::MOVE_SELF);
            }
            Some(target) => {
                self.tell_inode(target, ev::ATTRIB);
                self.tell_inode(source, ev::MOVE_SELF);
            }
            None => self.tell_inode(source, ev::MOVE_SELF),
        }
    }

    fn tell_move(&self, what: &Dir, from: &Found, to: &Found) {
        let (is_dir, cookie) = (what.is_dir(), self.shared.fresh_cookie());
        tell_entry(&from.dir, ev::MOVED_FROM, &from.name, is_dir, cookie);
        tell_entry(&to.dir, ev::MOVED_TO, &to.name, is_dir, cookie);
    }
}

fn tell_entry(dir: &Dir, mask: u32, name: &[u8], is_dir: bool, cookie: u32) {
    if let Some(inode) = dir.inode() {
        let kind = if is_dir { ev::ISDIR } else { 0 };
        inode.watched.tell(mask | kind, name, cookie, false);
    }
}

/// Gives descriptions of `what` that were opened under one name the other.
fn moved(what: &Dir, from: &Found, to: &Found) {
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

impl Subject {
    /// An open file of the host.
    pub(crate) fn file(inode: &Rc<Inode>, name: Option<&Rc<Name>>) -> Subject {
        let gone = name.is_some_and(|name| name.gone.get());
        let name = name.map(|name| name.at.borrow().clone());
        Subject { inode: Rc::clone(inode), is_dir: false, name, gone }
    }

    /// What is at a place.
    pub(crate) fn at(place: &Dir) -> Option<Subject> {
        let node = match &place.node {
            Node::Host(node) => node,
            Node::Open(file) => return file.object().recorded().subject(),
            _ => return None,
        };
        let (dir, name) = place.entry();
        let name = dir.and_then(|dir| Some((Rc::clone(dir.inode()?), name.to_vec())));
        let is_dir = node.kind() == s::IFDIR;
        Some(Subject { inode: Rc::clone(node.inode()), is_dir, name, gone: false })
    }

    /// Tells an event of an open file or a path.
    pub(crate) fn tell(&self, mask: u32) {
        let mask = if self.is_dir { mask | ev::ISDIR } else { mask };
        if let Some((dir, name)) = &self.name {
            dir.watched.tell(mask, name, 0, self.gone);
        }
        self.inode.watched.tell(mask, b"", 0, false);
    }
}
