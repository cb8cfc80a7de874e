//! The state of one hart.

use crate::crypto::zkr::EntropySource;
use crate::csr::mseccfg;
use crate::host::Host;
use crate::machine::registers::Machine;
use crate::mem::{Memory, Scalar};
use crate::mode::Mode;
use crate::trap::{Cause, Exec, Raised, Trap, Why};
use crate::vector::Vector;
use capvec_isa::Ext;
use std::sync::Arc;

pub use crate::config::{Agnostic, Config, MustAlign};
pub use crate::privilege::Privilege;

/// One memory access of an instruction, for core models and observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Address of the first byte.
    pub addr: u64,
    /// Number of bytes.
    pub size: u32,
    /// Whether it is a store or an AMO.
    pub store: bool,
}

/// The source of `time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Modelled cycles at the core's frequency.
    Virtual,
    /// The host's clock, starting at this instant.
    Host(std::time::Instant),
}

/// The state of one hart, and its view of memory.
pub struct Hart {
    /// x0..x31, the slot for writes to x0, and unused slots: as many as a `u8` index has values, so that no access
    /// needs a bounds check.
    x: [u64; 256],
    /// While a block runs, the address after it; otherwise the address of the next instruction.
    pub pc: u64,
    /// f0..f31, NaN-boxed.
    pub f: [u64; 32],
    /// Accrued exception flags, NV DZ OF UF NX from bit 4 down.
    pub fflags: u8,
    /// Dynamic rounding mode, any three-bit value.
    pub frm: u8,
    /// Vector state.
    pub v: Vector,
    /// The address space.
    pub mem: Memory,
    /// Load reservation: address and size in bytes.
    pub reservation: Option<(u64, u32)>,
    /// Current privilege mode.
    pub privilege: Privilege,
    /// Machine mode, if the hart has it.
    pub machine: Option<Box<Machine>>,
    /// `mseccfg` as firmware sets it up: user and supervisor mode may access `seed` after reset.
    pub mseccfg: u64,
    /// The entropy source of `seed` (Zkr).
    pub entropy: EntropySource,
    /// Retired instructions.
    pub instret: u64,
    /// Modelled cycles.
    pub cycles: u64,
    /// Source of `time`.
    pub clock: Clock,
    /// The last trap raised.
    pub trap: Trap,
    /// Accesses of the current instruction, if observed.
    pub accesses: Vec<Access>,
    /// The host's cryptographic instructions that it may use. Results do not depend on it.
    pub host: Host,
    /// The configuration.
    pub config: Arc<Config>,
}

impl Hart {
    /// Byte offset of x0 in a hart, for engines that generate code. Registers are eight bytes each.
    pub const X_OFFSET: usize = std::mem::offset_of!(Hart, x);

    /// A hart after reset, with all registers zero.
    pub fn new(config: Arc<Config>, mem: Memory) -> Hart {
        Hart {
            x: [0; 256],
            pc: 0,
            f: [0; 32],
            fflags: 0,
            frm: 0,
            v: Vector::new(config.vlen),
            mem,
            reservation: None,
            privilege: Privilege::User,
            machine: None,
            mseccfg: mseccfg::USEED | mseccfg::SSEED,
            entropy: EntropySource::with_seed(config.seed),
            instret: 0,
            cycles: 0,
            clock: Clock::Virtual,
            trap: Trap::new(Cause::Illegal, 0),
            accesses: Vec::new(),
            host: Host::detected(),
            config,
        }
    }

    /// A hart in the same state on another address space.
    pub fn on(&self, mem: Memory) -> Hart {
        Hart {
            x: self.x,
            f: self.f,
            v: self.v.clone(),
            mem,
            machine: self.machine.clone(),
            entropy: self.entropy.clone(),
            accesses: self.accesses.clone(),
            config: Arc::clone(&self.config),
            ..*self
        }
    }

    /// x register `r`, sign-extended to 64 bits when XLEN is 32.
    #[inline(always)]
    pub fn x(&self, r: u8) -> u64 {
        self.x[r as usize]
    }

    /// Writes x register `r`: the destination of an `Insn`, or any register except x0.
    #[inline(always)]
    pub fn set_x<M: Mode>(&mut self, r: u8, v: u64) {
        self.x[r as usize] = if M::XLEN == 32 { v as i32 as u64 } else { v };
    }

    /// Writes x register `r` from outside an instruction; writes to x0 are ignored.
    pub fn write_x(&mut self, r: u8, v: u64) {
        if r != 0 {
            self.x[r as usize] = v;
        }
    }

    /// Whether the hart has this extension.
    pub fn has(&self, ext: Ext) -> bool {
        self.config.exts.has(ext)
    }

    /// Raises `cause`.
    #[cold]
    pub fn raise<T>(&mut self, cause: Cause, tval: u64) -> Exec<T> {
        self.trap = Trap::new(cause, tval);
        Err(Raised)
    }

    /// Raises an illegal-instruction trap. The run loop fills in the instruction's bits.
    #[cold]
    pub fn illegal<T>(&mut self, why: &'static str) -> Exec<T> {
        self.trap = Trap { cause: Cause::Illegal, tval: 0, why: Some(Why::Reserved(why)) };
        Err(Raised)
    }

    /// Loads a little-endian scalar.
    #[inline(always)]
    pub fn load<M: Mode, T: Scalar>(&mut self, addr: u64) -> Exec<T> {
        self.load_as::<M, T, false>(addr)
    }

    /// Stores a little-endian scalar. If any byte faults, nothing is written.
    #[inline(always)]
    pub fn store<M: Mode, T: Scalar>(&mut self, addr: u64, v: T) -> Exec {
        self.store_as::<M, T, false>(addr, v)
    }

    /// `load` by a vector instruction if `VECTOR`, otherwise by a scalar one.
    #[inline(always)]
    pub(crate) fn load_as<M: Mode, T: Scalar, const VECTOR: bool>(&mut self, addr: u64) -> Exec<T> {
        let addr = M::address(addr);
        if M::OBSERVE {
            self.log(addr, size_of::<T>() as u32, false);
        }
        if self.is_misaligned::<T, VECTOR>(addr) {
            return self.raise(Cause::LoadMisaligned, addr);
        }
        match self.mem.load::<T>(addr) {
            Some(v) => Ok(v),
            None => self.fault_load(addr, size_of::<T>() as u64),
        }
    }

    /// `store` by a vector instruction if `VECTOR`, otherwise by a scalar one.
    #[inline(always)]
    pub(crate) fn store_as<M: Mode, T: Scalar, const VECTOR: bool>(
        &mut self,
        addr: u64,
        v: T,
    ) -> Exec {
        let addr = M::address(addr);
        if M::OBSERVE {
            self.log(addr, size_of::<T>() as u32, true);
        }
        if self.is_misaligned::<T, VECTOR>(addr) {
            return self.raise(Cause::StoreMisaligned, addr);
        }
        match self.mem.store::<T>(addr, v) {
            Some(()) => Ok(()),
            None => self.fault_store(addr, size_of::<T>() as u64),
        }
    }

    /// Whether an access traps because it is misaligned. Misaligned accesses trap before their pages are looked up.
    #[inline(always)]
    pub(crate) fn is_misaligned<T, const VECTOR: bool>(&self, addr: u64) -> bool {
        let must = &self.config.must_align;
        !addr.is_multiple_of(size_of::<T>() as u64)
            && if VECTOR { must.vector } else { must.scalar }
    }

    /// Raises the fault that a store at this guest address would raise, if any; writes nothing.
    pub fn check_store(&mut self, addr: u64, size: u64) -> Exec {
        if self.config.must_align.scalar && !addr.is_multiple_of(size) {
            return self.raise(Cause::StoreMisaligned, addr);
        }
        match self.mem.allows(addr, size, crate::mem::Perm::W) {
            true => Ok(()),
            false => self.fault_store(addr, size),
        }
    }

    /// Records an access for core models and observers.
    #[inline(always)]
    pub fn log(&mut self, addr: u64, size: u32, store: bool) {
        self.accesses.push(Access { addr, size, store });
    }

    #[cold]
    fn fault_load<T>(&mut self, addr: u64, size: u64) -> Exec<T> {
        let at = self.mem.first_fault(addr, size, crate::mem::Perm::R);
        self.raise(Cause::LoadPage, at)
    }

    #[cold]
    fn fault_store(&mut self, addr: u64, size: u64) -> Exec {
        let at = self.mem.first_fault(addr, size, crate::mem::Perm::W);
        self.raise(Cause::StorePage, at)
    }

    /// The `time` CSR.
    pub fn time(&self) -> u64 {
        let c = &self.config;
        match self.clock {
            Clock::Virtual => {
                (self.cycles as u128 * c.timebase as u128 / c.frequency as u128) as u64
            }
            Clock::Host(start) => {
                (start.elapsed().as_nanos() * c.timebase as u128 / 1_000_000_000) as u64
            }
        }
    }

    /// Raises the trap of an instruction that does not decode.
    pub(crate) fn illegal_at(&mut self, bits: u32, why: Why) {
        self.trap = Trap { cause: Cause::Illegal, tval: bits as u64, why: Some(why) };
    }
}
