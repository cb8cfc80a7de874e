//! Traps of user mode: system calls, and signals for faults.

mod fault_text;

use crate::base::errno::Errno;
use crate::interface::Fault;
use crate::kernel::registers::{A0, A7};
use crate::kernel::sys::{self, Args};
use crate::kernel::{Abort, Kernel};
use crate::process::thread::{Call, Restart, State, Wake};
use crate::signal::{Detail, SigInfo, SigSet, code, sig};
use capvec_isa::Ext;
use capvec_sim::vector::VType;
use capvec_sim::{Cause, Hart, Trap};

impl Kernel {
    /// Handles a trap of the current thread.
    pub fn trap(&mut self, trap: Trap) {
        // Linux clears the reservation on every trap (arch/riscv/kernel/entry.S).
        self.hart.reservation = None;
        match trap.cause {
            Cause::EcallU => {
                self.debugger.called(self.tasks.current);
                self.system_call();
            }
            Cause::Breakpoint => self.fault(sig::TRAP, code::TRAP_BRKPT, self.hart.pc, &trap),
            Cause::InstructionPage | Cause::LoadPage | Cause::StorePage => self.page_fault(&trap),
            Cause::InstructionMisaligned | Cause::LoadMisaligned | Cause::StoreMisaligned => {
                self.fault(sig::BUS, code::BUS_ADRALN, trap.tval, &trap);
            }
            Cause::InstructionAccess | Cause::LoadAccess | Cause::StoreAccess => {
                self.fault(sig::SEGV, code::SEGV_ACCERR, trap.tval, &trap);
            }
            Cause::Illegal | Cause::EcallS | Cause::EcallM => {
                self.fault(sig::ILL, code::ILL_ILLOPC, self.hart.pc, &trap);
            }
        }
    }

    fn page_fault(&mut self, trap: &Trap) {
        if self.space().grow_stack(trap.tval) {
            return;
        }
        let code = match self.hart.mem.perm(trap.tval) {
            Some(_) => code::SEGV_ACCERR,
            None => code::SEGV_MAPERR,
        };
        self.fault(sig::SEGV, code, trap.tval, trap);
    }

    fn fault(&mut self, signal: i32, code: i32, addr: u64, trap: &Trap) {
        let pc = self.hart.pc;
        let text = fault_text::describe(&self.hart, trap);
        self.thread_mut().fault = Some(Fault { signal, pc: Some(pc), text });
        self.tasks.force_signal(SigInfo { signal, code, detail: Detail::Fault(addr) });
    }

    /// A system call begins.
    fn system_call(&mut self) {
        // `ecall` has no compressed form.
        self.hart.pc = self.hart.pc.wrapping_add(4);
        discard_vectors(&mut self.hart);
        let number = self.hart.x(A7);
        let args = std::array::from_fn(|i| self.hart.x(A0 + i as u8));
        let restart = Restart::Never;
        let call = Call { number, args, wake: Wake::First, until: None, done: 0, end: 0, restart };
        self.thread_mut().call = Some(call);
        self.dispatch();
    }

    /// Calls the handler of the system call in flight, for the first time or again.
    pub fn dispatch(&mut self) {
        let Some(call) = self.thread().call else { return };
        if self.files.vfs.has_signalfds() {
            self.files.vfs.set_pending_signals(self.tasks.pending_signals().0);
        }
        // A call that is made again acts on nothing new.
        let noted = call.wake == Wake::First && self.profiler.follows();
        if noted {
            self.tasks.reads.begin();
        }
        let args = Args::new(call.args);
        let result = match sys::call(self, call.number, &args) {
            Some(result) => result,
            None => {
                self.run.report_unknown_call(call.number, sys::known_name(call.number));
                Err(Errno::ENOSYS.into())
            }
        };
        if noted {
            if self.tasks.threads.contains_key(&self.tasks.current) {
                self.report_use(&args);
            }
            self.tasks.reads.end();
        }
        match result {
            Ok(value) => self.complete(value),
            Err(Abort::Errno(e)) => self.complete(e.to_ret()),
            Err(Abort::Block(block)) => self.sched.block(&mut self.tasks, block),
            Err(Abort::NoReturn) => {
                if let Some(t) = self.tasks.threads.get_mut(&self.tasks.current) {
                    t.call = None;
                }
            }
        }
    }

    /// The system call in flight returns `value`.
    fn complete(&mut self, value: u64) {
        self.hart.write_x(A0, value);
        let t = self.thread_mut();
        t.call = None;
        if let Some(mask) = t.saved_mask.take() {
            t.mask = mask;
        }
    }

    /// Ends the system call in flight, if there is one, because a signal handler is going to run: with the bytes
    /// transferred so far, with `EINTR`, or so that it is restarted when the handler returns.
    pub fn interrupt_call(&mut self, restarts: bool) {
        let tid = self.tasks.current;
        let blocked = matches!(self.thread().state, State::Blocked(_));
        let Some(call) = self.thread_mut().call.take() else { return };
        if blocked {
            self.sched.unblock(&mut self.tasks, tid);
        }
        let t = self.thread_mut();
        (t.sigwait, t.opening, t.lock_wait) = (SigSet::EMPTY, None, None);
        if call.done > 0 {
            self.hart.write_x(A0, call.done);
        } else if restarts && call.restart == Restart::Restartable {
            self.hart.pc = self.hart.pc.wrapping_sub(4);
        } else {
            sys::interrupted(self, &call);
            self.hart.write_x(A0, Errno::EINTR.to_ret());
        }
    }
}

/// Linux does not preserve the vector registers across a system call, and overwrites them so that no program
/// relies on them (Documentation/arch/riscv/vector.rst, "Vector Register State Across System
/// Calls"; all ones, vl 0, vtype illegal).
fn discard_vectors(hart: &mut Hart) {
    if hart.has(Ext::Zve32x) {
        let v = &mut hart.v;
        v.bytes_mut(0).fill(0xff);
        (v.vl, v.vstart, v.vtype) = (0, 0, VType::ILLEGAL);
    }
}
