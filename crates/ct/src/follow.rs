//! Follows threads, programs and what the kernel gives them.

use crate::checker::{Checker, Loaded, State};
use crate::marks::Entry;
use crate::pending::Pending;
use crate::secret_file::SecretFile;
use crate::{requests, symbols, used};
use capvec_sim::Hart;
use capvec_sim::calls::{Area, Follower, Frame, Read, Received, StoredByte, Used};
use capvec_sim::mem::Perm;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// Passes events on to the state of a check.
struct Following(Rc<RefCell<State>>);

impl Checker {
    /// What follows the threads.
    pub fn follower(&self) -> Rc<RefCell<dyn Follower>> {
        Rc::new(RefCell::new(Following(Rc::clone(&self.0))))
    }
}

/// The number under which the memory of a new process is kept until it runs; no address space has it.
fn unborn(tid: i32) -> u64 {
    u64::MAX / 2 + tid as u64
}

/// Where the file of an area is loaded.
fn loaded(space: u64, area: &Area) -> Loaded {
    let path = area.file.as_ref().map_or_else(|| Rc::from([]), |(path, _)| Rc::clone(path));
    (space, path, area.addresses.start.wrapping_sub(area.offset))
}

impl State {
    /// Applies the marks that name symbols of this area's file.
    fn resolve(&mut self, space: u64, area: &Area, read: Read<'_>) {
        let Some((path, _)) = &area.file else { return };
        let names: BTreeSet<String> = self.marks.needed().map(String::from).collect();
        if names.is_empty() || path.starts_with(b"[") || !self.searched.insert(loaded(space, area))
        {
            return;
        }
        let Some(file) = read(path) else { return };
        let Some(bias) = symbols::bias(&file, area.offset, area.addresses.start) else { return };
        for name in names {
            for symbol in symbols::find(&file, &name) {
                self.used.resolved.insert(name.clone());
                let addr = symbol.address.wrapping_add(bias);
                for (_, bytes) in self.marks.symbols.iter().filter(|(n, _)| *n == name) {
                    self.used.variable(&name, &symbol, *bytes);
                    if symbol.no_variable.is_some() {
                        continue;
                    }
                    let (bytes, text) = (symbol.bytes(*bytes), used::symbol(&name));
                    let file = Some(Rc::clone(path));
                    self.pending.push(Pending { space, addr, bytes, text, file });
                }
                let entries = match (self.marks.entries(&name), symbol.resolver) {
                    (entries, true) if !entries.is_empty() => vec![Entry::Resolver(name.clone())],
                    (entries, _) => entries,
                };
                self.functions.watch(space, addr, entries);
            }
        }
        let offset = |at: u64| at.checked_sub(area.offset);
        for (_, at, name) in self.chosen.iter().filter(|(file, ..)| file == path) {
            let addr = offset(*at).map(|at| area.addresses.start.saturating_add(at));
            if let Some(addr) = addr.filter(|addr| area.addresses.contains(addr)) {
                self.functions.watch(space, addr, self.marks.entries(name));
            }
        }
    }

    /// An indirect function is the code at `addr`, in this address space and its copies.
    pub fn chosen(&mut self, addr: u64, function: String) {
        self.functions.watch(self.space, addr, self.marks.entries(&function));
        let mut areas = self.areas.get(&self.space).into_iter().flatten();
        let area = areas.find(|area| area.addresses.contains(&addr));
        if let Some((area, (path, _))) = area.and_then(|area| area.file.as_ref().map(|f| (area, f)))
        {
            let at = addr - area.addresses.start + area.offset;
            self.chosen.insert((Rc::clone(path), at, function));
        }
    }

    /// What the bytes of this file are called, if they are secret.
    fn secret_file(&self, path: &[u8]) -> Option<String> {
        use std::os::unix::ffi::OsStrExt;
        let random = [b"/dev/random".as_slice(), b"/dev/urandom"].contains(&path);
        if random && self.marks.random {
            return Some(used::RANDOM.to_owned());
        }
        // What the kernel appends to the name of an open file that has been deleted.
        let path = path.strip_suffix(b" (deleted)").unwrap_or(path);
        let is = |f: &&SecretFile| f.label.as_os_str().as_bytes() == path;
        self.marks.files.iter().find(is).map(|file| used::file(&file.path))
    }
}

impl State {
    /// Finds the client requests in the executable areas of a space, if these have changed.
    fn find_requests(&mut self, h: &Hart) {
        let space = h.mem.id();
        if self.requests.contains_key(&space) {
            return;
        }
        let Some(areas) = self.areas.get(&space) else { return };
        let mut found = Vec::new();
        for Range { start, end } in areas.iter().map(|area| area.addresses.clone()) {
            let mut code = vec![0; (end - start) as usize];
            if h.mem.read_as(start, &mut code, Perm::X).is_ok() {
                found.extend(requests::find(&code, start));
            }
        }
        self.requests.insert(space, found);
    }
}

impl Follower for Following {
    fn program(&mut self, tid: i32, pid: i32, name: &str) {
        let mut state = self.0.borrow_mut();
        state.threads.remove(&tid);
        state.unborn.remove(&tid);
        state.recorder.borrow_mut().program(tid, pid, name);
    }

    fn cloned(&mut self, parent: i32, tid: i32, pid: i32) {
        let mut state = self.0.borrow_mut();
        let thread = state.threads.get(&parent).cloned().unwrap_or_default();
        state.threads.insert(tid, thread);
        // A new process has a copy of the memory, as it is now.
        if tid == pid {
            state.unborn.insert(tid);
            let space = state.space;
            // Without memory, the child's secrets are lost; the run itself fails soon.
            let _ = state.shadow.copy_space(space, unborn(tid));
            state.sites.copy_space(space, unborn(tid));
        }
        state.recorder.borrow_mut().cloned(parent, tid, pid);
    }

    fn ended(&mut self, tid: i32) {
        let mut state = self.0.borrow_mut();
        state.threads.remove(&tid);
        state.recorder.borrow_mut().ended(tid);
    }

    fn image(&mut self, space: u64, areas: Vec<Area>, read: Read<'_>) {
        let mut state = self.0.borrow_mut();
        let code: Vec<Range<u64>> = areas.iter().map(|a| a.addresses.clone()).collect();
        let all: HashSet<Loaded> = areas.iter().map(|area| loaded(space, area)).collect();
        state.searched.retain(|known| known.0 != space || all.contains(known));
        state.functions.keep(space, &code);
        for area in &areas {
            if let Some((path, _)) = &area.file {
                state.lines.add(path, read);
            }
            state.resolve(space, area, read);
        }
        state.areas.insert(space, areas.clone());
        state.requests.remove(&space);
        state.recorder.borrow_mut().image(space, areas, read);
    }

    fn forget(&mut self, space: u64) {
        let mut state = self.0.borrow_mut();
        state.shadow.forget(space);
        state.requests.remove(&space);
        state.areas.remove(&space);
        state.searched.retain(|known| known.0 != space);
        state.functions.keep(space, &[]);
        state.sites.forget(space);
        state.recorder.borrow_mut().forget(space);
    }

    fn resume(&mut self, tid: i32, h: &Hart) {
        let mut state = self.0.borrow_mut();
        state.tid = tid;
        if state.unborn.remove(&tid) {
            // Its variables are what its parent's were.
            state.pending.retain(|p| p.space != h.mem.id() || p.file.is_none());
        }
        state.find_requests(h);
        state.shadow.rename_space(unborn(tid), h.mem.id());
        state.sites.rename_space(unborn(tid), h.mem.id());
        let thread = state.threads.entry(tid).or_default().clone();
        state.shadow.restore(&thread.registers);
        state.origins = thread.origins;
        state.recorder.borrow_mut().resume(tid, h);
    }

    fn pause(&mut self, h: &Hart) {
        let mut state = self.0.borrow_mut();
        let (tid, registers, origins) = (state.tid, state.shadow.save(), state.origins.clone());
        let thread = state.threads.entry(tid).or_default();
        (thread.registers, thread.origins) = (registers, origins);
        state.recorder.borrow_mut().pause(h);
    }

    fn received(&mut self, from: Received<'_>, space: u64, addr: u64, bytes: u64) {
        let mut state = self.0.borrow_mut();
        let text = match from {
            Received::Random => state.marks.random.then(|| used::RANDOM.to_owned()),
            Received::File(path) => state.secret_file(path),
            Received::Stored(held) => return state.received(held, space, addr, bytes),
        };
        let Some(text) = text else { return };
        state.pending.push(Pending { space, addr, bytes, text, file: None });
    }

    fn follows_bytes(&self) -> bool {
        true
    }

    fn sent(&mut self, to: StoredByte, space: u64, addr: u64, bytes: u64) {
        self.0.borrow_mut().sent(to, space, addr, bytes);
    }

    fn copied(&mut self, path: &[u8], from: StoredByte, to: StoredByte, bytes: u64) {
        let mut state = self.0.borrow_mut();
        match state.secret_file(path) {
            Some(text) => state.copied_secret(to, bytes, &text),
            None => state.copied(from, to, bytes),
        }
    }

    fn cut(&mut self, from: StoredByte) {
        self.0.borrow_mut().cut(from);
    }

    fn shares(&mut self, file: (u64, u64), memory: u64) {
        self.0.borrow_mut().shares(file, memory);
    }

    fn unshared(&mut self, memory: u64) {
        self.0.borrow_mut().unshared(memory);
    }

    fn acted(&mut self, h: &Hart, on: &Used) {
        self.0.borrow_mut().acted(h, on);
    }

    fn signal(&mut self, tid: i32, h: &Hart, frame: &Frame) {
        self.0.borrow_mut().framed(tid, h, frame);
    }
}
