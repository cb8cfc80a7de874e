//! inotify descriptors (inotify(7)).

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::{Rc, Weak};

use super::anonymous_stat;
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::{access, at, inotify as ev, ioctl, o};
use crate::fs::caller::Caller;
use crate::fs::events::Events;
use crate::fs::object::{FileObject, IoctlArg, Pollable};
use crate::fs::open_file::{FileRef, OpenFile};
use crate::fs::path::located::{Dir, Node};
use crate::fs::shared_state::Shared;
use crate::fs::stat::Stat;
use crate::fs::vfs::Vfs;
use crate::fs::watch::{Watch, Watched};

/// Maximum number of queued events (`/proc/sys/fs/inotify/max_queued_events`).
const MAX_EVENTS: usize = 16384;
/// Maximum number of descriptors (`max_user_instances`).
const MAX_INSTANCES: u32 = 128;
/// Maximum number of watches (`max_user_watches`).
const MAX_WATCHES: u64 = 65536;
/// Bytes of a `struct inotify_event` without a name; names fill a multiple of it.
const HEADER: usize = 16;
/// Bytes charged for a watch, and for an event in addition to its name.
const WATCH: u64 = 512;
const EVENT: u64 = 160;

/// A queued event.
struct Event {
    wd: i32,
    mask: u32,
    cookie: u32,
    name: Vec<u8>,
    /// Absent for `IN_Q_OVERFLOW`.
    _charge: Option<Charge>,
}

impl Event {
    /// Bytes of its name with the NULs after it.
    fn padded(&self) -> usize {
        match self.name.len() {
            0 => 0,
            n => (n + 1).next_multiple_of(HEADER),
        }
    }

    fn size(&self) -> usize {
        HEADER + self.padded()
    }

    fn encode(&self, to: &mut [u8]) {
        to.fill(0);
        let words = [self.wd as u32, self.mask, self.cookie, self.padded() as u32];
        for (to, word) in to.chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        to[HEADER..HEADER + self.name.len()].copy_from_slice(&self.name);
    }
}

/// What is watched.
enum Target {
    Inode(Rc<Watched>),
    /// A virtual object, by its path: no event ever comes from it.
    Virtual(Vec<u8>),
}

impl Target {
    fn of(place: &Dir) -> Target {
        match place.inode() {
            Some(inode) => Target::Inode(Rc::clone(&inode.watched)),
            None => Target::Virtual(place.path().to_vec()),
        }
    }

    fn is(&self, other: &Target) -> bool {
        match (self, other) {
            (Target::Inode(a), Target::Inode(b)) => Rc::ptr_eq(a, b),
            (Target::Virtual(a), Target::Virtual(b)) => a == b,
            _ => false,
        }
    }
}

/// A watch of an inotify descriptor.
struct InotifyWatch {
    wd: i32,
    mask: Cell<u32>,
    target: Target,
    queue: Weak<Queue>,
    shared: Rc<Shared>,
    _charge: Charge,
}

impl Drop for InotifyWatch {
    fn drop(&mut self) {
        self.shared.count_watches(-1);
        if let Target::Inode(watched) = &self.target {
            watched.forget_watches();
        }
    }
}

impl Watch for InotifyWatch {
    fn notify(&self, mask: u32, name: &[u8], cookie: u32, gone: bool) {
        let wanted = self.mask.get();
        if wanted & mask & ev::ALL == 0 || (gone && wanted & ev::EXCL_UNLINK != 0) {
            return;
        }
        let Some(queue) = self.queue.upgrade() else { return };
        queue.push(self.wd, mask, cookie, name);
        if wanted & ev::ONESHOT != 0 {
            self.end();
        }
    }

    /// Removes the watch and queues `IN_IGNORED`.
    fn end(&self) {
        if let Some(queue) = self.queue.upgrade()
            && queue.watches.borrow_mut().remove(&self.wd).is_some()
        {
            queue.push(self.wd, ev::IGNORED, 0, b"");
        }
    }
}

/// The events and watches of a descriptor.
struct Queue {
    events: RefCell<VecDeque<Event>>,
    /// `IN_Q_OVERFLOW` is among the events.
    overflowed: Cell<bool>,
    watches: RefCell<BTreeMap<i32, Rc<InotifyWatch>>>,
    last_wd: Cell<i32>,
    generation: Cell<u64>,
    shared: Rc<Shared>,
    charge: Charge,
}

impl Queue {
    fn push(&self, wd: i32, mask: u32, cookie: u32, name: &[u8]) {
        let mut events = self.events.borrow_mut();
        let alike = |e: &Event| (e.wd, e.mask) == (wd, mask) && e.name == name;
        let full = events.len() >= MAX_EVENTS;
        if !full && mask & ev::IGNORED == 0 && events.back().is_some_and(alike) {
            return;
        }
        let charge = self.charge.another(EVENT + name.len() as u64);
        let event = match charge {
            Ok(charge) if !full => {
                Event { wd, mask, cookie, name: name.to_vec(), _charge: Some(charge) }
            }
            _ if self.overflowed.replace(true) => return,
            _ => Event { wd: -1, mask: ev::Q_OVERFLOW, cookie: 0, name: Vec::new(), _charge: None },
        };
        events.push_back(event);
        drop(events);
        self.generation.set(self.generation.get() + 1);
        self.shared.note_activity();
    }

    /// The next free watch descriptor.
    fn fresh_wd(&self) -> i32 {
        let watches = self.watches.borrow();
        let mut wd = self.last_wd.get();
        loop {
            wd = wd.checked_add(1).unwrap_or(1);
            if !watches.contains_key(&wd) {
                self.last_wd.set(wd);
                return wd;
            }
        }
    }
}

/// An open inotify descriptor.
pub struct Inotify(Rc<Queue>);

impl Drop for Inotify {
    fn drop(&mut self) {
        self.0.shared.count_inotify(-1);
    }
}

impl FileObject for Inotify {
    fn stat(&self) -> Result<Stat> {
        Ok(anonymous_stat())
    }

    fn label(&self) -> Vec<u8> {
        b"anon_inode:inotify".to_vec()
    }

    fn read(&self, buf: &mut [u8]) -> Result<usize> {
        let mut events = self.0.events.borrow_mut();
        if events.is_empty() {
            return Err(Errno::EAGAIN);
        }
        let mut used = 0;
        while let Some(event) = events.front() {
            let Some(to) = buf.get_mut(used..used + event.size()) else { break };
            event.encode(to);
            used += event.size();
            if event.mask & ev::Q_OVERFLOW != 0 {
                self.0.overflowed.set(false);
            }
            events.pop_front();
        }
        // Not even the first fits.
        if used == 0 { Err(Errno::EINVAL) } else { Ok(used) }
    }

    fn ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<i64> {
        if command != ioctl::FIONREAD {
            return Err(Errno::ENOTTY);
        }
        let size: usize = self.0.events.borrow().iter().map(Event::size).sum();
        arg.write(&(size as i32).to_le_bytes())?;
        Ok(0)
    }

    fn pollable(&self) -> &dyn Pollable {
        self
    }
}

impl Pollable for Inotify {
    fn poll_ready(&self) -> Events {
        if self.0.events.borrow().is_empty() { Events::default() } else { Events::IN }
    }

    fn generation(&self) -> u64 {
        self.0.generation.get()
    }
}

impl Inotify {
    /// The descriptor of an open file.
    ///
    /// # Errors
    /// `EINVAL` for another kind of file.
    pub fn of(file: &OpenFile) -> Result<&Inotify> {
        file.kind().ok_or(Errno::EINVAL)
    }

    /// Adds a watch for `place`, or changes the mask of an existing one, and returns its watch descriptor.
    fn watch(&self, place: &Dir, mask: u32) -> Result<i32> {
        let target = Target::of(place);
        let known = self.0.watches.borrow().values().find(|w| w.target.is(&target)).cloned();
        let kept = mask & (ev::ALL | ev::EXCL_UNLINK | ev::ONESHOT);
        if let Some(watch) = known {
            if mask & ev::MASK_CREATE != 0 {
                return Err(Errno::EEXIST);
            }
            let before = if mask & ev::MASK_ADD != 0 { watch.mask.get() } else { 0 };
            watch.mask.set(before | kept);
            return Ok(watch.wd);
        }
        let shared = &self.0.shared;
        if shared.watches() >= MAX_WATCHES {
            return Err(Errno::ENOSPC);
        }
        let path = if let Target::Virtual(path) = &target { path.len() as u64 } else { 0 };
        let _charge = self.0.charge.another(WATCH + path)?;
        shared.count_watches(1);
        let (queue, shared) = (Rc::downgrade(&self.0), Rc::clone(shared));
        let wd = self.0.fresh_wd();
        let watch =
            Rc::new(InotifyWatch { wd, mask: Cell::new(kept), target, queue, shared, _charge });
        if let Target::Inode(watched) = &watch.target {
            watched.add(&(Rc::clone(&watch) as Rc<dyn Watch>));
        }
        self.0.watches.borrow_mut().insert(wd, watch);
        Ok(wd)
    }

    /// `inotify_rm_watch`.
    ///
    /// # Errors
    /// `EINVAL` when there is no such watch.
    pub fn remove(&self, wd: i32) -> Result<()> {
        let watch = self.0.watches.borrow().get(&wd).cloned();
        watch.ok_or(Errno::EINVAL)?.end();
        Ok(())
    }
}

impl Vfs {
    /// `inotify_init1`.
    ///
    /// # Errors
    /// `EINVAL` for a flag other than `IN_NONBLOCK` and `IN_CLOEXEC`; `EMFILE`, `ENOMEM`.
    pub fn inotify(&self, flags: u32) -> Result<FileRef> {
        if flags & !(o::NONBLOCK | o::CLOEXEC) != 0 {
            return Err(Errno::EINVAL);
        }
        if self.shared.inotify_instances() >= MAX_INSTANCES {
            return Err(Errno::EMFILE);
        }
        let queue = Queue {
            events: RefCell::default(),
            overflowed: Cell::new(false),
            watches: RefCell::default(),
            last_wd: Cell::new(0),
            generation: Cell::new(0),
            charge: self.shared.charge(WATCH)?,
            shared: Rc::clone(&self.shared),
        };
        self.shared.count_inotify(1);
        Ok(OpenFile::new(Box::new(Inotify(Rc::new(queue))), o::RDONLY | (flags & o::NONBLOCK)))
    }

    /// `inotify_add_watch`.
    ///
    /// # Errors
    /// As inotify_add_watch(2).
    pub fn watch(&self, c: &Caller<'_>, fd: i32, path: &[u8], mask: u32) -> Result<i32> {
        if mask & ev::VALID == 0 {
            return Err(Errno::EINVAL);
        }
        let file = c.file(fd)?;
        if mask & ev::MASK_ADD != 0 && mask & ev::MASK_CREATE != 0 {
            return Err(Errno::EINVAL);
        }
        let inotify = Inotify::of(&file)?;
        let follow = if mask & ev::DONT_FOLLOW != 0 { at::SYMLINK_NOFOLLOW } else { 0 };
        let place = self.locate(c, at::FDCWD, path, follow)?;
        if mask & ev::ONLYDIR != 0 && !place.is_dir() {
            return Err(Errno::ENOTDIR);
        }
        if !matches!(place.node, Node::Open(_)) {
            self.check_access(c, &place, access::R_OK)?;
        }
        inotify.watch(&place, mask)
    }
}
