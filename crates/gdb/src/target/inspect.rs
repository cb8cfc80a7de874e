//! Registers, memory, threads.

use super::{Guest, gdb_tid, part};
use crate::debuggee::Debuggee;
use crate::registers::{General, Register};
use capvec_sim::mem::Perm;
use gdbstub::common::Tid;
use gdbstub::outputln;
use gdbstub::target::TargetResult;
use gdbstub::target::ext::base::multithread::{MultiThreadBase, MultiThreadResumeOps};
use gdbstub::target::ext::base::single_register_access::{
    SingleRegisterAccess, SingleRegisterAccessOps,
};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd};
use gdbstub::target::ext::target_description_xml_override::TargetDescriptionXmlOverride;
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use std::convert::Infallible;

impl<D: Debuggee> MultiThreadBase for Guest<'_, D> {
    fn read_registers(&mut self, regs: &mut General, tid: Tid) -> TargetResult<(), Self> {
        *regs = self.hart(tid, |h| Some(General::of(h)))?;
        Ok(())
    }

    fn write_registers(&mut self, regs: &General, tid: Tid) -> TargetResult<(), Self> {
        self.hart(tid, |h| regs.store(h))
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, Tid, Self>> {
        Some(self)
    }

    /// What is mapped, whether or not the guest may read it.
    fn read_addrs(&mut self, start: u64, data: &mut [u8], tid: Tid) -> TargetResult<usize, Self> {
        self.hart(tid, |h| {
            let Err(fault) = h.mem.read_as(start, data, Perm::NONE) else {
                return Some(data.len());
            };
            let there = usize::try_from(fault.checked_sub(start)?).ok().filter(|n| *n > 0)?;
            h.mem.read_as(start, data.get_mut(..there)?, Perm::NONE).ok()?;
            Some(there)
        })
    }

    /// What the guest may write. Its code may have changed.
    fn write_addrs(&mut self, start: u64, data: &[u8], tid: Tid) -> TargetResult<(), Self> {
        self.hart(tid, |h| {
            h.mem.write(start, data).ok()?;
            h.mem.code_changed();
            Some(())
        })
    }

    fn list_active_threads(&mut self, found: &mut dyn FnMut(Tid)) -> Result<(), Infallible> {
        self.debuggee.threads().into_iter().for_each(|tid| found(gdb_tid(tid)));
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

impl<D: Debuggee> SingleRegisterAccess<Tid> for Guest<'_, D> {
    fn read_register(&mut self, tid: Tid, r: Register, to: &mut [u8]) -> TargetResult<usize, Self> {
        self.hart(tid, |h| {
            let bytes = r.read(h)?;
            to.get_mut(..bytes.len())?.copy_from_slice(&bytes);
            Some(bytes.len())
        })
    }

    fn write_register(&mut self, tid: Tid, r: Register, bytes: &[u8]) -> TargetResult<(), Self> {
        self.hart(tid, |h| r.write(h, bytes))
    }
}

impl<D: Debuggee> ThreadExtraInfo for Guest<'_, D> {
    fn thread_extra_info(&self, tid: Tid, to: &mut [u8]) -> Result<usize, Infallible> {
        let name = self.debuggee.thread_name(tid.get() as i32);
        Ok(part(&name, 0, name.len(), to))
    }
}

impl<D: Debuggee> TargetDescriptionXmlOverride for Guest<'_, D> {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        to: &mut [u8],
    ) -> TargetResult<usize, Self> {
        match annex {
            b"target.xml" => Ok(part(self.description.as_bytes(), offset, length, to)),
            _ => Err(gdbstub::target::TargetError::NonFatal),
        }
    }
}

impl<D: Debuggee> MonitorCmd for Guest<'_, D> {
    fn handle_monitor_cmd(
        &mut self,
        cmd: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), Infallible> {
        match (cmd, self.current()) {
            (b"counts", Some(tid)) => {
                let counts = self.hart(gdb_tid(tid), |h| Some((h.instret, h.cycles)));
                if let Ok((instret, cycles)) = counts {
                    outputln!(out, "{instret} instructions retired, {cycles} cycles");
                }
            }
            _ => outputln!(
                out,
                "The only command is: monitor counts (retired instructions and cycles)"
            ),
        }
        Ok(())
    }
}
