//! A program compiled for one XLEN or SEW, and the memory in which each thread runs it.

use capvec_language::{Illegal, Lanes, Machine, Place, Program, Short};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Memory of programs, by the number of their variant. A machine has half a megabyte, so a thread makes only those it needs.
type Made<T> = RefCell<Vec<Option<T>>>;

thread_local! {
    static MACHINES: Made<Machine> = const { RefCell::new(Vec::new()) };
    static LANES: Made<Lanes> = const { RefCell::new(Vec::new()) };
}

static VARIANTS: AtomicUsize = AtomicUsize::new(0);

/// A compiled program.
#[derive(Debug)]
pub struct Variant {
    program: Program,
    /// The same program, if it is short: it needs no machine.
    pub short: Option<Short>,
    number: usize,
    /// Where each port's first word is in a machine: as an input, and as an output.
    places: Vec<[Place; 2]>,
}

impl Variant {
    pub fn new(program: Program) -> Variant {
        let places = program.machine().places().collect();
        let number = VARIANTS.fetch_add(1, Ordering::Relaxed);
        Variant { short: program.short(), program, number, places }
    }

    /// Where a port's first word is: as an input, and as an output.
    #[inline]
    pub fn places(&self, port: usize) -> [Place; 2] {
        self.places[port]
    }

    /// Whether the program only computes.
    #[inline]
    pub fn computes(&self) -> bool {
        self.program.computes()
    }

    /// Calls `f` with this thread's machine.
    #[inline]
    pub fn once<R>(&self, f: impl FnOnce(&mut Machine) -> R) -> R {
        MACHINES.with_borrow_mut(|made| {
            if let Some(Some(machine)) = made.get_mut(self.number) {
                return f(machine);
            }
            f(self.new_in(made, Program::machine))
        })
    }

    /// Calls `f` with this thread's lanes.
    #[inline]
    pub fn lanes<R>(&self, f: impl FnOnce(&mut Lanes) -> R) -> R {
        LANES.with_borrow_mut(|made| {
            if let Some(Some(lanes)) = made.get_mut(self.number) {
                return f(lanes);
            }
            f(self.new_in(made, Program::lanes))
        })
    }

    #[cold]
    fn new_in<'m, T>(&self, made: &'m mut Vec<Option<T>>, new: fn(&Program) -> T) -> &'m mut T {
        if made.len() <= self.number {
            made.resize_with(self.number + 1, || None);
        }
        made[self.number].get_or_insert_with(|| new(&self.program))
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
