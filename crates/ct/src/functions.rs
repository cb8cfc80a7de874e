//! Functions whose calls and returns matter: those whose arguments are marked, whose results are declassified, and those that
//! must leave no secret behind.

use crate::checker::State;
use crate::leftovers::Heap;
use crate::marks::{Allocator, Argument, Entry};
use capvec_sim::Hart;
use std::collections::HashMap;

const RA: u8 = 1;
const SP: u8 = 2;
const A0: u8 = 10;

/// What happens when a function returns.
#[derive(Clone, Debug)]
enum Exit {
    /// Its result becomes public.
    Public,
    /// These bytes become public.
    PublicMemory(u64, u64),
    /// Leftovers are looked for.
    Leftovers(String),
    /// It returns a block of this size.
    Allocated(u64),
}

/// A call that has not returned.
struct Call {
    /// The stack pointer, which tells calls of a recursive function and of several threads apart.
    sp: u64,
    exit: Exit,
}

/// The functions, by address space and address, and their open calls, by return address.
#[derive(Default)]
pub struct Functions {
    entries: HashMap<(u64, u64), Vec<Entry>>,
    calls: HashMap<(u64, u64), Vec<Call>>,
    pub heap: Heap,
}

impl Functions {
    /// These things happen when control arrives at `addr`.
    pub fn watch(&mut self, space: u64, addr: u64, entries: Vec<Entry>) {
        if !entries.is_empty() {
            self.entries.entry((space, addr)).or_default().extend(entries);
        }
    }

    /// Where a run without checks has to stop.
    pub fn stops(&self) -> impl Iterator<Item = u64> {
        self.entries.keys().chain(self.calls.keys()).map(|(_, pc)| *pc)
    }

    /// The calls that return to `pc` with this stack pointer, the last one first.
    fn returned(&mut self, space: u64, pc: u64, sp: u64) -> Vec<Exit> {
        let Some(calls) = self.calls.remove(&(space, pc)) else { return Vec::new() };
        let (ended, open): (Vec<Call>, Vec<Call>) = calls.into_iter().partition(|c| c.sp == sp);
        if !open.is_empty() {
            self.calls.insert((space, pc), open);
        }
        ended.into_iter().rev().map(|call| call.exit).collect()
    }
}

impl State {
    /// Control arrives at `pc`. `flush` passes the calls so far to the recorder.
    pub fn arrive(&mut self, h: &Hart, pc: u64, flush: &mut dyn FnMut()) {
        if self.functions.entries.is_empty() {
            return;
        }
        for exit in self.functions.returned(self.space, pc, h.x(SP)) {
            self.returned(h, exit, flush);
        }
        let Some(entries) = self.functions.entries.get(&(self.space, pc)) else { return };
        for entry in entries.clone() {
            self.entered(h, entry);
        }
    }

    fn entered(&mut self, h: &Hart, entry: Entry) {
        let exit = match entry {
            Entry::Secret(a) => {
                if let Some(addr) = pointer(h, &a) {
                    self.mark(addr, a.bytes, &format!("argument {} of {}", a.index, a.function));
                }
                return;
            }
            Entry::Public(a) => {
                let Some(addr) = pointer(h, &a) else { return };
                self.shadow.fill(addr, a.bytes, false);
                // It may be an output, too.
                Exit::PublicMemory(addr, a.bytes)
            }
            Entry::Allocator(Allocator::Free) => {
                self.functions.heap.free(self.space, h.x(A0));
                return;
            }
            Entry::Allocator(kind) => {
                let (first, second) = (h.x(A0), h.x(A0 + 1));
                Exit::Allocated(match kind {
                    Allocator::Calloc => first.saturating_mul(second),
                    Allocator::Realloc => {
                        self.functions.heap.free(self.space, first);
                        second
                    }
                    _ => first,
                })
            }
            Entry::Result => Exit::Public,
            Entry::Leftovers(function) => Exit::Leftovers(function),
        };
        let call = Call { sp: h.x(SP), exit };
        self.functions.calls.entry((self.space, h.x(RA))).or_default().push(call);
    }

    fn returned(&mut self, h: &Hart, exit: Exit, flush: &mut dyn FnMut()) {
        match exit {
            Exit::Public => {
                self.shadow.set_x(A0, 0);
                self.shadow.set_x(A0 + 1, 0);
                self.shadow.set_f(A0, 0);
            }
            Exit::PublicMemory(addr, bytes) => self.shadow.fill(addr, bytes, false),
            Exit::Allocated(bytes) => self.functions.heap.allocate(self.space, h.x(A0), bytes),
            Exit::Leftovers(function) => {
                flush();
                self.leftovers(h, &function);
            }
        }
    }
}

/// What the argument points to; `None` for a null pointer, where the caller leaves something out.
fn pointer(h: &Hart, a: &Argument) -> Option<u64> {
    let addr = h.x(A0 + a.index);
    h.mem.perm(addr).map(|_| addr)
}
