//! What happens when control arrives at a function that matters, and when it returns.

use crate::checker::State;
use crate::functions::{Call, Exit};
use crate::marks::{Allocator, Argument, Entry, readable, word};
use crate::used;
use capvec_sim::Hart;

const RA: u8 = 1;
const SP: u8 = 2;
const A0: u8 = 10;

impl State {
    /// Control arrives at `pc`. `flush` passes the calls so far to the recorder.
    pub fn arrive(&mut self, h: &Hart, pc: u64, flush: &mut dyn FnMut()) {
        self.leave_linker(h, pc);
        if self.functions.entries.is_empty() {
            return;
        }
        for exit in self.functions.returned(self.space, pc, address(h, SP)) {
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
                self.used.called.insert(a.function.clone());
                if let Some(addr) = pointer(h, &a) {
                    self.mark(addr, readable(h, addr, a.bytes), &used::argument(&a));
                }
                return;
            }
            Entry::Public(a) => {
                self.used.declassified.insert(a.function.clone());
                let Some(addr) = pointer(h, &a) else { return };
                self.shadow.fill(addr, a.bytes, false);
                // It may be an output, too.
                Exit::PublicMemory(addr, a.bytes)
            }
            Entry::Allocator(Allocator::Free) => {
                self.functions.heap.free(self.space, address(h, A0));
                return;
            }
            Entry::Allocator(Allocator::Stored) => Exit::Stored(address(h, A0), address(h, A0 + 2)),
            Entry::Allocator(kind) => {
                let (first, second) = (address(h, A0), address(h, A0 + 1));
                Exit::Allocated(match kind {
                    Allocator::Calloc => first.saturating_mul(second),
                    Allocator::Aligned => second,
                    Allocator::Realloc => {
                        self.functions.heap.free(self.space, first);
                        second
                    }
                    _ => first,
                })
            }
            Entry::Result(function) => {
                self.used.declassified.insert(function);
                Exit::Public
            }
            Entry::Leftovers(function) => {
                self.used.called.insert(function.clone());
                Exit::Leftovers(function)
            }
            Entry::Resolver(function) => Exit::Chosen(function),
        };
        let call = Call { sp: address(h, SP), exit };
        self.functions.calls.entry((self.space, address(h, RA))).or_default().push(call);
    }

    fn returned(&mut self, h: &Hart, exit: Exit, flush: &mut dyn FnMut()) {
        match exit {
            Exit::Public => {
                self.shadow.set_x(A0, 0);
                self.shadow.set_x(A0 + 1, 0);
                self.shadow.set_f(A0, 0);
            }
            Exit::PublicMemory(addr, bytes) => self.shadow.fill(addr, bytes, false),
            Exit::Chosen(function) => self.chosen(address(h, A0), function),
            Exit::Stored(at, bytes) => {
                if address(h, A0) == 0 {
                    self.functions.heap.allocate(self.space, word(h, at), bytes);
                }
            }
            Exit::Allocated(bytes) => {
                self.functions.heap.allocate(self.space, address(h, A0), bytes)
            }
            Exit::Leftovers(function) => {
                flush();
                self.leftovers(h, &function);
                self.used.returned.insert(function);
            }
        }
    }
}

/// The address in a register, or the unsigned number.
fn address(h: &Hart, r: u8) -> u64 {
    h.config.address(h.x(r))
}

/// The address that the argument has; `None` if nothing is mapped there, as with a null pointer for something left out.
fn pointer(h: &Hart, a: &Argument) -> Option<u64> {
    let addr = address(h, A0 + a.index);
    h.mem.perm(addr).map(|_| addr)
}
