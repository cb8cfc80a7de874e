//! What the guest does to files, and who watches them (`include/linux/fsnotify.h` of Linux 6.12).
//!
//! Watches hang on the records of inodes. An event of a file is told to those that watch it, and before to those that
//! watch the directory in which it was found.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use super::abi::{inotify as ev, s};
use super::inotify::Watch;
use super::place::{Dir, Node};
use super::shared::Inode;

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
pub(crate) struct Subject {
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

impl Inode {
    /// Notes that this inode is opened under `name` in `dir`.
    pub fn opened_as(&self, dir: &Dir, name: &[u8]) -> Option<Rc<Name>> {
        let Node::Host(node) = &dir.node else { return None };
        let at = RefCell::new((Rc::clone(node.inode()), name.to_vec()));
        let name = Rc::new(Name { at, gone: Cell::new(false) });
        push(&self.watched.names, &name);
        Some(name)
    }

    /// Tells what has happened to this inode as such, whatever its names.
    pub fn tell(&self, mask: u32) {
        self.watched.tell(mask, b"", 0, false);
    }

    /// Tells what has happened to the entry `name` of this directory.
    pub fn tell_entry(&self, mask: u32, is_dir: bool, name: &[u8], cookie: u32) {
        let kind = if is_dir { ev::ISDIR } else { 0 };
        self.watched.tell(mask | kind, name, cookie, false);
    }
}

impl Subject {
    /// An open file of the host.
    pub fn file(inode: &Rc<Inode>, name: Option<&Rc<Name>>) -> Subject {
        let gone = name.is_some_and(|name| name.gone.get());
        let name = name.map(|name| name.at.borrow().clone());
        Subject { inode: Rc::clone(inode), is_dir: false, name, gone }
    }

    /// What is at a place.
    pub fn at(place: &Dir) -> Option<Subject> {
        let node = match &place.node {
            Node::Host(node) => node,
            Node::Open(file) => return file.object().subject(),
            _ => return None,
        };
        let parent = place.parent();
        let name = match &parent.node {
            // What is mounted has no directory beyond.
            Node::Host(dir) if parent.mount.id == place.mount.id => {
                let name = place.path().rsplit(|b| *b == b'/').next().unwrap_or_default();
                (!Rc::ptr_eq(parent, place)).then(|| (Rc::clone(dir.inode()), name.to_vec()))
            }
            _ => None,
        };
        let is_dir = node.kind() == s::IFDIR;
        Some(Subject { inode: Rc::clone(node.inode()), is_dir, name, gone: false })
    }

    /// Tells an event of an open file or a path.
    pub fn tell(&self, mask: u32) {
        let mask = if self.is_dir { mask | ev::ISDIR } else { mask };
        if let Some((dir, name)) = &self.name {
            dir.watched.tell(mask, name, 0, self.gone);
        }
        self.inode.watched.tell(mask, b"", 0, false);
    }
}
