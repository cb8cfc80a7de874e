//! A program compiled for one XLEN or SEW, and the memory in which each thread runs it.

use capvec_semantics::{Illegal, Machine, Program};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

thread_local! {
    /// Machines by the number of their variant. A machine has half a megabyte, so a thread makes only those it needs.
    static MACHINES: RefCell<Vec<Option<Machine>>> = const { RefCell::new(Vec::new()) };
}

static VARIANTS: AtomicUsize = AtomicUsize::new(0);

/// A compiled program.
#[derive(Debug)]
pub struct Variant {
    program: Program,
    number: usize,
}

impl Variant {
    pub fn new(program: Program) -> Variant {
        Variant { program, number: VARIANTS.fetch_add(1, Ordering::Relaxed) }
    }

    /// Calls `f` with this thread's machine.
    pub fn with<R>(&self, f: impl FnOnce(&mut Machine) -> R) -> R {
        MACHINES.with_borrow_mut(|machines| {
            if machines.len() <= self.number {
                machines.resize_with(self.number + 1, || None);
            }
            f(machines[self.number].get_or_insert_with(|| self.program.machine()))
        })
    }
}

/// The reason for an illegal instruction, which lives as long as the process: there are only as many as the programs
/// contain.
pub fn reason(illegal: &Illegal) -> &'static str {
    static REASONS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut reasons = REASONS.lock().unwrap_or_else(PoisonError::into_inner);
    match reasons.get(&*illegal.why) {
        Some(why) => why,
        None => {
            let why: &'static str = illegal.why.to_string().leak();
            reasons.insert(why);
            why
        }
    }
}
