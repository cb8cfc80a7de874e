//! Signal actions.

use super::set::{SigSet, sig};

/// Flags of `sigaction` (`include/uapi/asm-generic/signal-defs.h`).
#[allow(missing_docs)]
pub mod sa {
    pub const NOCLDSTOP: u64 = 1;
    pub const NOCLDWAIT: u64 = 2;
    pub const ONSTACK: u64 = 0x0800_0000;
    pub const RESTART: u64 = 0x1000_0000;
    pub const NODEFER: u64 = 0x4000_0000;
    pub const RESETHAND: u64 = 0x8000_0000;
}

/// `SIG_DFL`.
pub const DEFAULT: u64 = 0;
/// `SIG_IGN`.
pub const IGNORE: u64 = 1;

/// The action for one signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Action {
    /// `DEFAULT`, `IGNORE` or the handler's address.
    pub handler: u64,
    /// `sa::*`.
    pub flags: u64,
    /// Blocked while the handler runs.
    pub mask: SigSet,
}

/// The default action of a signal (signal(7)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// Ends the process.
    Terminate,
    /// Ends the process because of a fault ("core" in signal(7)).
    Fault,
    /// Nothing.
    Ignore,
    /// Stops the process.
    Stop,
    /// Continues it.
    Continue,
}

/// The default action of `signal`.
pub fn default_of(signal: i32) -> Disposition {
    match signal {
        sig::CHLD | sig::URG | sig::WINCH => Disposition::Ignore,
        sig::CONT => Disposition::Continue,
        s if SigSet::STOPS.has(s) => Disposition::Stop,
        // Faults, and SIGXCPU 24, SIGXFSZ 25, SIGSYS 31.
        sig::QUIT | sig::ILL | sig::TRAP | sig::ABRT | sig::BUS | sig::FPE | sig::SEGV => {
            Disposition::Fault
        }
        24 | 25 | 31 => Disposition::Fault,
        _ => Disposition::Terminate,
    }
}

/// The actions of a process for signals 1..=64.
#[derive(Clone)]
pub struct Actions([Action; 64]);

impl Default for Actions {
    fn default() -> Self {
        Actions([Action::default(); 64])
    }
}

impl Actions {
    /// The action of `signal`, which must be valid.
    pub fn get(&self, signal: i32) -> Action {
        self.0[signal as usize - 1]
    }

    /// Sets the action of `signal`, which must be valid.
    pub fn set(&mut self, signal: i32, action: Action) {
        self.0[signal as usize - 1] = action;
    }

    /// Whether `signal` is ignored, explicitly or by default.
    pub fn ignores(&self, signal: i32) -> bool {
        let handler = self.get(signal).handler;
        handler == IGNORE || handler == DEFAULT && default_of(signal) == Disposition::Ignore
    }

    /// Resets every signal that has a handler to the default, as `execve` does.
    pub fn reset_handlers(&mut self) {
        for a in &mut self.0 {
            let handler = if a.handler == IGNORE { IGNORE } else { DEFAULT };
            *a = Action { handler, ..Action::default() };
        }
    }

    /// Signals with handler `IGNORE`, and those with a handler of the program.
    pub fn ignored_and_caught(&self) -> (SigSet, SigSet) {
        let mut sets = (SigSet::EMPTY, SigSet::EMPTY);
        for (signal, a) in (1..).zip(&self.0) {
            match a.handler {
                DEFAULT => {}
                IGNORE => sets.0 = sets.0.union(SigSet::one(signal)),
                _ => sets.1 = sets.1.union(SigSet::one(signal)),
            }
        }
        sets
    }
}

/// An alternate signal stack (`stack_t`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AltStack {
    /// Lowest address.
    pub sp: u64,
    /// `ss::*`.
    pub flags: u32,
    /// Bytes.
    pub size: u64,
}

/// Flags of `stack_t`.
#[allow(missing_docs)]
pub mod ss {
    pub const ONSTACK: u32 = 1;
    pub const DISABLE: u32 = 2;
    pub const AUTODISARM: u32 = 1 << 31;
}

impl Default for AltStack {
    fn default() -> Self {
        AltStack { sp: 0, flags: ss::DISABLE, size: 0 }
    }
}

impl AltStack {
    /// Whether a stack pointer lies on it.
    pub fn holds(&self, sp: u64) -> bool {
        self.flags & ss::AUTODISARM == 0
            && self.size != 0
            && sp.wrapping_sub(self.sp).wrapping_sub(1) < self.size
    }

    /// Flags as `sigaltstack` reports them with the stack pointer at `sp`.
    pub fn flags_at(&self, sp: u64) -> u32 {
        if self.size == 0 {
            ss::DISABLE
        } else if self.holds(sp) {
            self.flags | ss::ONSTACK
        } else {
            self.flags & !(ss::ONSTACK | ss::DISABLE)
        }
    }
}
