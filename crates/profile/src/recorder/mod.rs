//! Makes a profile from events.

mod follow;

use crate::image::{Image, Objects};
use crate::stack::Stack;
use crate::symbols::Extent;
use crate::tree::{Count, Function, Profile, Tree};
use capvec_sim::calls::{Event, JUMP, Observer, RETURN, TICKS};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What an earlier event from the same node led to.
#[derive(Clone, Copy, Default)]
struct Known {
    /// Where control went; the lowest bit marks a call. 0 if the entry is empty.
    to: u64,
    from: u32,
    node: u32,
}

/// Number of entries of the table of known events. Shells and interpreters have thousands of call paths in a loop.
const KNOWN: usize = 1 << KNOWN_BITS;
const KNOWN_BITS: u32 = 14;

/// An address whose function was looked up.
#[derive(Clone, Copy, Default)]
struct Located {
    pc: u64,
    space: u64,
    extent: Extent,
}

/// Number of entries of the table of these.
const LOCATED: usize = 1 << LOCATED_BITS;
const LOCATED_BITS: u32 = 12;

/// Collects a run's events. Everything but the events arrives while no engine runs.
pub struct Recorder {
    timed: bool,
    tree: Tree,
    objects: Objects,
    images: HashMap<u64, Image>,
    stacks: HashMap<i32, Stack>,
    roots: HashMap<i32, u32>,
    /// The running thread and its stack.
    tid: i32,
    stack: Stack,
    /// Its address space.
    space: u64,
    /// The counters up to which everything has been attributed.
    last: Count,
    /// The extent of the function that was last looked up.
    recent: Extent,
    known: Box<[Known]>,
    located: Box<[Located]>,
}

impl Recorder {
    /// Nothing recorded. `timed`: events have cycles; otherwise each instruction counts as one cycle.
    pub fn new(timed: bool) -> Recorder {
        Recorder::keeping(timed, &[])
    }

    /// The same, where these functions stay the callers of those that they jump to.
    pub fn keeping(timed: bool, functions: &'static [&'static str]) -> Recorder {
        Recorder {
            timed,
            tree: Tree::keeping(functions),
            objects: Objects::default(),
            images: HashMap::new(),
            stacks: HashMap::new(),
            roots: HashMap::new(),
            tid: 0,
            stack: Stack::new(0),
            space: 0,
            last: Count::default(),
            recent: Extent::default(),
            known: vec![Known::default(); KNOWN].into(),
            located: vec![Located::default(); LOCATED].into(),
        }
    }

    /// The function at `pc` in the running program, and the address of `pc` in its file.
    pub fn locate(&mut self, pc: u64) -> (u32, u64) {
        let address = self.images.get(&self.space).and_then(|image| image.address(pc));
        (self.function(pc), address.unwrap_or(pc))
    }

    /// The function at `pc` in the running program, and the address of `pc` in its file.
    pub fn place(&mut self, pc: u64) -> (Function, u64) {
        let (function, address) = self.locate(pc);
        (self.tree.profile.functions[function as usize].clone(), address)
    }

    /// The names of the functions on the call path of the thread that runs or has run last, the process first.
    pub fn path(&self) -> Vec<String> {
        let profile = &self.tree.profile;
        let stack = self.stacks.get(&self.tid).unwrap_or(&self.stack);
        let path = profile.path(stack.node).into_iter();
        path.map(|node| profile.nodes[node as usize].function as usize)
            .map(|function| profile.functions[function].name.clone())
            .collect()
    }

    /// The profile.
    pub fn finish(&mut self) -> Profile {
        std::mem::take(&mut self.tree).profile
    }

    fn attribute(&mut self, now: Count) {
        self.tree.node_mut(self.stack.node).own.add_since(now, self.last);
        self.last = now;
    }

    fn extent(&mut self, pc: u64) -> Extent {
        if self.recent.contains(pc) {
            return self.recent;
        }
        let (slot, space) = (spread(pc, LOCATED_BITS), self.space);
        let located = self.located[slot];
        if (located.pc, located.space) == (pc, space) && located.extent.contains(pc) {
            self.recent = located.extent;
            return located.extent;
        }
        if let Some(extent) = self.images.get(&space).and_then(|image| image.find(pc)) {
            self.located[slot] = Located { pc, space, extent };
            self.recent = extent;
            return extent;
        }
        let function = self.objects.unknown_function(&mut self.tree);
        Extent { start: pc, end: pc.saturating_add(1), function }
    }

    fn function(&mut self, pc: u64) -> u32 {
        self.extent(pc).function
    }

    /// Records events. In most programs nearly all are calls, returns and jumps that have been seen before; for these, everything
    /// that each event needs of the one before stays in registers.
    fn record<const TIMED: bool>(&mut self, events: &[Event]) {
        let (mut node, mut last) = (self.stack.node, self.last);
        for e in events {
            let insns = e.instret;
            let cycles = match TIMED {
                true => e.ticks / TICKS,
                false => last.cycles + insns.wrapping_sub(last.insns),
            };
            let now = Count { insns, cycles };
            self.tree.node_mut(node).own.add_since(now, last);
            last = now;
            let call = e.link > RETURN;
            if !call && let Some(caller) = self.stack.returns(e.to, e.sp) {
                node = caller;
                continue;
            }
            if e.link != RETURN
                && !self.stack.has_ended(e.sp)
                && let Some(next) = self.known(node, e.to, call)
            {
                let moved = call || next != node;
                self.tree.node_mut(next).calls += u64::from(moved);
                if call {
                    self.stack.call(e.link, e.sp, node);
                }
                node = next;
                continue;
            }
            self.stack.node = node;
            self.unusual(e);
            node = self.stack.node;
        }
        (self.stack.node, self.last) = (node, last);
    }

    /// Any event but a return from the innermost call, and a call or jump that is in the table of known events.
    #[inline(never)]
    fn unusual(&mut self, e: &Event) {
        match e.link {
            JUMP | RETURN => self.jump(e),
            ret => {
                if self.stack.has_ended(e.sp) {
                    self.unwind(ret, e.sp);
                }
                let caller = self.stack.node;
                self.stack.node = self.next(e.to, true);
                self.tree.node_mut(self.stack.node).calls += 1;
                self.stack.call(ret, e.sp, caller);
            }
        }
    }

    /// Ends calls before a call whose return address is `ret`.
    #[cold]
    fn unwind(&mut self, ret: u64, sp: u64) {
        self.stack.unwind(sp);
        // The call is the instruction before it.
        let function = self.function(ret - 1);
        self.stack.node = self.tree.successor(self.stack.node, function);
    }

    fn jump(&mut self, e: &Event) {
        if e.link == RETURN || self.stack.has_ended(e.sp) {
            let function = self.function(e.to);
            self.stack.return_outside(&self.tree, e.to, e.sp, function);
        }
        let before = self.stack.node;
        self.stack.node = self.next(e.to, false);
        // A jump to another function counts as a call of it: a tail call, or one through the procedure linkage table.
        if self.stack.node != before && e.link == JUMP {
            self.tree.node_mut(self.stack.node).calls += 1;
        }
    }

    /// The node to which a call or a jump to `to` leads.
    fn next(&mut self, to: u64, call: bool) -> u32 {
        let from = self.stack.node;
        if let Some(node) = self.known(from, to, call) {
            return node;
        }
        let function = self.function(to);
        let node = match call {
            true => self.tree.callee(from, function),
            false => self.tree.successor(from, function),
        };
        let (slot, key) = place(from, to, call);
        self.known[slot] = Known { to: key, from, node };
        node
    }

    /// The node to which a call or a jump from node `from` to `to` leads, if such an event is in the table.
    #[inline(always)]
    fn known(&self, from: u32, to: u64, call: bool) -> Option<u32> {
        let (slot, key) = place(from, to, call);
        let known = self.known[slot];
        (known.to == key && known.from == from).then_some(known.node)
    }
}

/// The index of an event in the table of known events, and the key of its entry.
#[inline(always)]
fn place(from: u32, to: u64, call: bool) -> (usize, u64) {
    let key = to | u64::from(call);
    (spread(key ^ u64::from(from) << 40, KNOWN_BITS), key)
}

/// Spreads numbers over this many bits (Fibonacci hashing).
#[inline(always)]
fn spread(key: u64, bits: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
}

/// A recorder that an engine and its surroundings share.
#[derive(Clone)]
pub struct Shared(pub Rc<RefCell<Recorder>>);

impl Observer for Shared {
    fn crosses(&mut self, from: u64, to: u64) -> bool {
        let mut r = self.0.borrow_mut();
        let extent = r.extent(from);
        !extent.contains(to) && r.function(to) != extent.function
    }

    fn take(&mut self, events: &[Event]) {
        let mut r = self.0.borrow_mut();
        if r.timed { r.record::<true>(events) } else { r.record::<false>(events) }
    }
}
