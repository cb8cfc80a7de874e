//! Runs a program on a hart's memory.

use crate::variant::reason;
use capvec_language::{Ended, Frame, Machine, Memory, Place, Short, Store};
use capvec_sim::Hart;
use capvec_sim::insn::{Exec, Raised};
use capvec_sim::mem::Scalar;
use capvec_sim::mode::{Mode, Plain32, Plain64};

/// The memory that a hart sees.
struct Seen<'h> {
    h: &'h mut Hart,
    /// Whether accesses are logged for core models and observers.
    observe: bool,
}

impl Seen<'_> {
    fn address(&self, address: u64) -> u64 {
        match self.h.config.xlen {
            32 => Plain32::address(address),
            _ => Plain64::address(address),
        }
    }

    fn note(&mut self, address: u64, bytes: u8, store: bool) {
        if self.observe {
            self.h.log(address, bytes.into(), store);
        }
    }

    fn read<T: Scalar + Into<u64>>(&mut self, address: u64) -> Exec<u64> {
        self.h.load::<Plain64, T>(address).map(Into::into)
    }

    /// All stores, or none if one is not possible.
    fn commit(&mut self, stores: &[Store]) -> Exec {
        for s in stores {
            let address = self.address(s.address);
            self.note(address, s.bytes, true);
            self.h.check_store(address, s.bytes.into())?;
        }
        for s in stores {
            let address = self.address(s.address);
            match s.bytes {
                1 => self.h.store::<Plain64, u8>(address, s.value as u8)?,
                2 => self.h.store::<Plain64, u16>(address, s.value as u16)?,
                4 => self.h.store::<Plain64, u32>(address, s.value as u32)?,
                _ => self.h.store::<Plain64, u64>(address, s.value)?,
            }
        }
        Ok(())
    }
}

impl Memory for Seen<'_> {
    type Fault = Raised;

    fn load(&mut self, address: u64, bytes: u8) -> Exec<u64> {
        let address = self.address(address);
        self.note(address, bytes, false);
        match bytes {
            1 => self.read::<u8>(address),
            2 => self.read::<u16>(address),
            4 => self.read::<u32>(address),
            _ => self.read::<u64>(address),
        }
    }
}

/// A program with its words, which runs on a hart's memory.
pub trait Runs {
    /// A word of a port.
    fn word(&mut self, place: Place) -> &mut u64;

    /// A word of a port and those after it.
    fn words(&mut self, place: Place, count: usize) -> &mut [u64];

    /// Runs the program with its inputs, and carries out its stores.
    fn run(&mut self, h: &mut Hart, observe: bool) -> Exec;
}

impl Runs for Machine {
    #[inline(always)]
    fn word(&mut self, place: Place) -> &mut u64 {
        Machine::word(self, place)
    }

    #[inline]
    fn words(&mut self, place: Place, count: usize) -> &mut [u64] {
        Machine::words(self, place, count)
    }

    #[inline]
    fn run(&mut self, h: &mut Hart, observe: bool) -> Exec {
        if self.compute() { Ok(()) } else { access(self, h, observe) }
    }
}

/// A short program with a frame for it.
pub struct Framed<'p> {
    short: &'p Short,
    frame: Frame,
}

impl<'p> Framed<'p> {
    #[inline(always)]
    pub fn new(short: &'p Short) -> Framed<'p> {
        Framed { short, frame: short.frame() }
    }
}

impl Runs for Framed<'_> {
    #[inline(always)]
    fn word(&mut self, place: Place) -> &mut u64 {
        self.frame.word(place)
    }

    #[inline]
    fn words(&mut self, place: Place, count: usize) -> &mut [u64] {
        self.frame.words(place, count)
    }

    #[inline(always)]
    fn run(&mut self, h: &mut Hart, observe: bool) -> Exec {
        self.short.run(&mut self.frame, &mut Seen { h, observe })
    }
}

#[inline(never)]
fn access(m: &mut Machine, h: &mut Hart, observe: bool) -> Exec {
    let mut seen = Seen { h, observe };
    match m.run_with(&mut seen) {
        Ok(()) => seen.commit(m.stores()),
        Err(Ended::Fault(raised)) => Err(raised),
        Err(Ended::Illegal(illegal)) => h.illegal(reason(&illegal)),
    }
}
