//! What gdb can ask for.

mod breakpoints;
mod description;
mod guest_files;
mod inspect;
mod resume;

use crate::debuggee::Debuggee;
use crate::registers::RiscV;
use capvec_linux::ResumeRequest;
use capvec_sim::Hart;
use capvec_sim::debug::Controls;
use gdbstub::common::Tid;
use gdbstub::target::ext::auxv::AuxvOps;
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::breakpoints::BreakpointsOps;
use gdbstub::target::ext::exec_file::ExecFileOps;
use gdbstub::target::ext::host_io::HostIoOps;
use gdbstub::target::ext::monitor_cmd::MonitorCmdOps;
use gdbstub::target::ext::target_description_xml_override::TargetDescriptionXmlOverrideOps;
use gdbstub::target::{Target, TargetError, TargetResult};
use guest_files::Files;
use std::convert::Infallible;
use std::ops::Range;

/// Error numbers reported to gdb (its File-I/O protocol has those of Linux).
const EFAULT: u8 = 14;
const EINVAL: u8 = 22;

/// The debuggee with gdb's requests.
pub struct Guest<'a, D: Debuggee> {
    pub debuggee: &'a mut D,
    controls: Controls,
    /// How to continue, as requested so far.
    pub request: ResumeRequest,
    /// Stepping continues while the pc is in this range.
    pub range: Option<Range<u64>>,
    description: String,
    files: Files,
}

impl<'a, D: Debuggee> Guest<'a, D> {
    pub fn new(debuggee: &'a mut D) -> Guest<'a, D> {
        let mut description = String::new();
        if let Some(tid) = debuggee.threads().first().copied() {
            let linux = debuggee.system().is_some();
            debuggee.with_hart(tid, &mut |h| description = description::xml(h, linux));
        }
        let (controls, request) = (Controls::default(), ResumeRequest::default());
        Guest { debuggee, controls, request, range: None, description, files: Files::default() }
    }

    /// Calls `f` with the hart of a thread.
    fn hart<T>(
        &mut self,
        tid: Tid,
        f: impl FnOnce(&mut Hart) -> Option<T>,
    ) -> TargetResult<T, Self> {
        let (mut f, mut result) = (Some(f), None);
        let there = self.debuggee.with_hart(tid.get() as i32, &mut |h| {
            result = f.take().and_then(|f| f(h));
        });
        match result {
            Some(value) => Ok(value),
            None if there => Err(TargetError::Errno(EFAULT)),
            None => Err(TargetError::Errno(EINVAL)),
        }
    }

    /// The thread that ran last, if the guest has not ended.
    pub fn current(&self) -> Option<i32> {
        self.debuggee.threads().first().copied()
    }
}

/// gdb's form of a thread's number.
pub fn gdb_tid(tid: i32) -> Tid {
    Tid::new(tid.max(1) as usize).unwrap_or(Tid::MIN)
}

/// Copies the part of `all` that gdb asks for into its buffer.
fn part(all: &[u8], offset: u64, length: usize, to: &mut [u8]) -> usize {
    let rest = usize::try_from(offset).ok().and_then(|at| all.get(at..)).unwrap_or_default();
    let n = rest.len().min(length).min(to.len());
    to[..n].copy_from_slice(&rest[..n]);
    n
}

impl<D: Debuggee> Target for Guest<'_, D> {
    type Arch = RiscV;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, RiscV, Infallible> {
        BaseOps::MultiThread(self)
    }

    // Breakpoints are not instructions in the guest's memory.
    fn guard_rail_implicit_sw_breakpoints(&self) -> bool {
        true
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }

    fn support_auxv(&mut self) -> Option<AuxvOps<'_, Self>> {
        self.debuggee.system().is_some().then_some(self)
    }

    fn support_exec_file(&mut self) -> Option<ExecFileOps<'_, Self>> {
        self.debuggee.system().is_some().then_some(self)
    }

    fn support_host_io(&mut self) -> Option<HostIoOps<'_, Self>> {
        self.debuggee.system().is_some().then_some(self)
    }
}
