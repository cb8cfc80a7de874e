//! Executes programs: once ([`Machine`], or [`Short`] for short programs), or for several lanes at a time ([`Lanes`]).

mod lanes;
mod once;
mod operation;
mod short;
#[cfg(test)]
mod tests;

pub use lanes::{LANES, Lanes};
pub use short::{Frame, Short};

use crate::code::SLOTS;
use crate::{Port, Program};
use once::{Early, compute, execute};
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

/// A program with memory of its own for its ports and intermediate values.
#[derive(Debug)]
pub struct Machine {
    program: Program,
    slots: Box<[u64; SLOTS]>,
    stores: Vec<Store>,
}

/// Where a word of a program's port is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u16);

/// What a program loads from.
pub trait Memory {
    /// Why an access is not possible.
    type Fault;

    /// The little-endian number of 1, 2, 4 or 8 bytes at an address.
    ///
    /// # Errors
    /// If the access is not possible; this ends the program.
    fn load(&mut self, address: u64, bytes: u8) -> Result<u64, Self::Fault>;
}

/// Memory for programs that load nothing; a load would return 0.
struct Empty;

impl Memory for Empty {
    type Fault = Infallible;

    fn load(&mut self, _: u64, _: u8) -> Result<u64, Infallible> {
        Ok(0)
    }
}

/// A store that the caller has to carry out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// The address.
    pub address: u64,
    /// 1, 2, 4 or 8.
    pub bytes: u8,
    /// The number, which is to be stored little-endian.
    pub value: u64,
}

/// Why a program has ended early; no output has changed, and nothing is to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended<F> {
    /// By `illegal`.
    Illegal(Illegal),
    /// By a load.
    Fault(F),
}

/// A program ended by `illegal`; no output has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The reason that the program gives.
    pub why: Arc<str>,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "illegal instruction: {}", self.why)
    }
}

impl std::error::Error for Illegal {}

type Slots = [u64; SLOTS];

impl Machine {
    pub(crate) fn new(program: Program) -> Machine {
        let slots: Box<[u64]> = vec![0; SLOTS].into();
        let Ok(mut slots) = Box::<Slots>::try_from(slots) else {
            unreachable!("the length is SLOTS")
        };
        for (slot, value) in &program.code.initial {
            slots[usize::from(*slot)] = *value;
        }
        Machine { program, slots, stores: Vec::new() }
    }

    /// The words of an input, which stay as they are when the program runs: the elements in order, each with as many
    /// words as it needs, the lowest first. Bits above an element's width are ignored. Empty if the port is not an input.
    #[inline]
    pub fn input(&mut self, port: usize) -> &mut [u64] {
        let range = self.program.ports.get(port).map_or(0..0, |p| p.input.clone());
        &mut self.slots[range]
    }

    /// The words of an output. Empty if the port is not an output.
    #[inline]
    pub fn output(&self, port: usize) -> &[u64] {
        let range = self.program.ports.get(port).map_or(0..0, |p| p.output.clone());
        &self.slots[range]
    }

    /// The first word of each port's input and output, for [`word`](Machine::word).
    pub fn places(&self) -> impl Iterator<Item = [Place; 2]> {
        self.program.ports.iter().map(|p| [&p.input, &p.output].map(|r| Place(r.start as u16)))
    }

    /// A word of a port: faster than [`input`](Machine::input) and [`output`](Machine::output).
    #[inline(always)]
    pub fn word(&mut self, place: Place) -> &mut u64 {
        &mut self.slots[usize::from(place.0)]
    }

    /// A word of a port and those after it.
    #[inline]
    pub fn words(&mut self, place: Place, count: usize) -> &mut [u64] {
        let start = usize::from(place.0);
        &mut self.slots[start..start + count]
    }

    /// The ports in the order of [`input`](Machine::input) and [`output`](Machine::output).
    pub fn ports(&self) -> impl Iterator<Item = &Port> {
        self.program.ports.iter().map(|p| &p.port)
    }

    /// Runs the program if it only computes, without branches, memory accesses or values of more than 64 bits. Returns whether
    /// it does.
    #[inline]
    pub fn compute(&mut self) -> bool {
        let plain = self.program.code.plain;
        if plain {
            compute(&self.program.code, &mut self.slots);
        }
        plain
    }

    /// Runs a program that does not access memory.
    ///
    /// # Errors
    /// If the program executes `illegal`.
    pub fn run(&mut self) -> Result<(), Illegal> {
        if self.compute() {
            return Ok(());
        }
        self.run_with(&mut Empty).map_err(|ended| match ended {
            Ended::Illegal(illegal) => illegal,
            Ended::Fault(never) => match never {},
        })
    }

    /// Runs the program. It stores nothing itself: [`Machine::stores`] says what is to be stored.
    ///
    /// # Errors
    /// If the program executes `illegal`, or if a load fails.
    pub fn run_with<M: Memory>(&mut self, memory: &mut M) -> Result<(), Ended<M::Fault>> {
        self.stores.clear();
        let ended = execute(&self.program.code, &mut self.slots, memory, &mut self.stores);
        let Err(ended) = ended else { return Ok(()) };
        self.stores.clear();
        Err(match ended {
            Early::Fault(fault) => Ended::Fault(fault),
            Early::Illegal(n) => {
                let why = self.program.code.reasons.get(n).map_or("", |w| w);
                Ended::Illegal(Illegal { why: why.into() })
            }
        })
    }

    /// The stores of the last run, in the order of the program.
    #[inline]
    pub fn stores(&self) -> &[Store] {
        &self.stores
    }
}
