//! Breakpoints and watchpoints. Software and hardware breakpoints are the same here: addresses that the engine knows.

use super::Guest;
use crate::debuggee::Debuggee;
use capvec_sim::debug;
use gdbstub::target::TargetResult;
use gdbstub::target::ext::breakpoints::{
    Breakpoints, HwBreakpoint, HwBreakpointOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint,
    SwBreakpointOps, WatchKind,
};

/// Maximum number of bytes of a watchpoint, and of watchpoints: each is compared after each instruction.
const MAX_WATCHED: u64 = 4096;
const MAX_WATCHES: usize = 16;
/// Maximum number of breakpoints.
const MAX_BREAKPOINTS: usize = 1 << 16;

impl<D: Debuggee> Guest<'_, D> {
    fn set(&mut self, address: u64) -> bool {
        if self.controls.breakpoints.len() >= MAX_BREAKPOINTS {
            return false;
        }
        self.controls.breakpoints.insert(address);
        self.debuggee.set_controls(&self.controls);
        true
    }

    fn remove(&mut self, address: u64) -> bool {
        let there = self.controls.breakpoints.remove(&address);
        self.debuggee.set_controls(&self.controls);
        there
    }
}

/// The watchpoint; `None` if its range is empty, too long or beyond the last address.
fn watch(address: u64, len: u64, kind: WatchKind) -> Option<debug::Watch> {
    let end = address.checked_add(len).filter(|_| (1..=MAX_WATCHED).contains(&len))?;
    let kind = match kind {
        WatchKind::Write => debug::WatchKind::Write,
        WatchKind::Read => debug::WatchKind::Read,
        WatchKind::ReadWrite => debug::WatchKind::Access,
    };
    Some(debug::Watch { addresses: address..end, kind })
}

impl<D: Debuggee> Breakpoints for Guest<'_, D> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_breakpoint(&mut self) -> Option<HwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl<D: Debuggee> SwBreakpoint for Guest<'_, D> {
    fn add_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.set(address))
    }

    fn remove_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.remove(address))
    }
}

impl<D: Debuggee> HwBreakpoint for Guest<'_, D> {
    fn add_hw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.set(address))
    }

    fn remove_hw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        Ok(self.remove(address))
    }
}

impl<D: Debuggee> HwWatchpoint for Guest<'_, D> {
    fn add_hw_watchpoint(
        &mut self,
        address: u64,
        len: u64,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let Some(watch) = watch(address, len, kind) else { return Ok(false) };
        if self.controls.watches.len() >= MAX_WATCHES {
            return Ok(false);
        }
        self.controls.watches.push(watch);
        self.debuggee.set_controls(&self.controls);
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        address: u64,
        len: u64,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        let wanted = watch(address, len, kind);
        let at = self.controls.watches.iter().position(|w| Some(w) == wanted.as_ref());
        let Some(at) = at else { return Ok(false) };
        self.controls.watches.remove(at);
        self.debuggee.set_controls(&self.controls);
        Ok(true)
    }
}
