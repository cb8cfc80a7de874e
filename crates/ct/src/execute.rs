//! One instruction: what is wrong with it, and how secrets pass through it.

use crate::checker::State;
use capvec_isa::Class;
use capvec_sim::insn::Insn;
use capvec_sim::{Cause, Hart, Trap};
use capvec_taint::Roles;

/// The register with a system call's result, and the one with its number.
const A0: u8 = 10;
const A7: u8 = 17;
/// `rt_sigreturn`.
const SIGRETURN: u64 = 139;

impl State {
    /// Executes an instruction; `Err`: it has trapped. `flush` passes the calls so far to the recorder.
    pub fn execute(
        &mut self,
        h: &mut Hart,
        i: &Insn,
        pc: u64,
        flush: &mut dyn FnMut(),
    ) -> Result<(), ()> {
        if self.request_sequence.step(i, h.config.xlen) {
            self.request(h);
        }
        if self.shadow.is_clean() {
            let done = (i.exec)(h, i);
            h.accesses.clear();
            return done.map_err(|_| ());
        }
        let roles = self.shadow.roles(i);
        if !self.shadow.may_touch(i, &roles) {
            return (i.exec)(h, i).map_err(|_| ());
        }
        // A jump can trap.
        if roles.plain && roles.class != Class::Jump {
            return self.execute_plain(h, i, &roles, pc, flush);
        }
        let from = self.source(h, i, &roles);
        let kinds = crate::instruction_findings::examine(h, i, &roles, &self.shadow, &self.assumed);
        for kind in kinds.into_iter().flatten() {
            flush();
            self.found(h, pc, kind, from);
        }
        let before = self.shadow.before(h, i, &roles);
        let done = (i.exec)(h, i);
        if let Some(before) = before {
            let accesses = std::mem::take(&mut h.accesses);
            match done.is_ok() {
                true => {
                    self.shadow.after(h, i, &roles, before, &accesses);
                    self.note(h, i, &roles, pc, from, &accesses);
                }
                false => self.shadow.trapped(i, &roles, before, &accesses),
            }
            h.accesses = accesses;
        }
        h.accesses.clear();
        done.map_err(|_| ())
    }

    /// The same for an instruction that has x registers as operands, and cannot trap: most instructions that handle a secret.
    fn execute_plain(
        &mut self,
        h: &mut Hart,
        i: &Insn,
        roles: &Roles,
        pc: u64,
        flush: &mut dyn FnMut(),
    ) -> Result<(), ()> {
        let secret = roles.x.registers(i).find(|r| self.shadow.x(*r) != 0);
        let from = secret.map_or(0, |r| self.origins.registers[0][r as usize & 31]);
        if secret.is_some() {
            let kinds =
                crate::instruction_findings::examine(h, i, roles, &self.shadow, &self.assumed);
            for kind in kinds.into_iter().flatten() {
                flush();
                self.found(h, pc, kind, from);
            }
        }
        self.shadow.plain(h, i, roles);
        if from != 0 && roles.rd_x(i).is_some_and(|rd| self.shadow.x(rd) != 0) {
            let site = self.sites.insn(self.space, pc, from);
            self.origins.registers[0][i.rd as usize] = site;
        }
        (i.exec)(h, i).map_err(|_| ())
    }

    /// The hart has trapped.
    pub fn trapped(&mut self, h: &Hart, trap: &Trap, flush: &mut dyn FnMut()) {
        if self.bare || trap.cause != Cause::EcallU {
            return;
        }
        self.calls(h, flush);
        // The result is public, and Linux overwrites the vector registers.
        self.shadow.set_x(A0, 0);
        self.shadow.clean_v();
        if h.x(A7) == SIGRETURN {
            self.unframed(h, flush);
        }
    }
}
