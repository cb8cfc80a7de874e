//! Compares what the core reports of an instruction with what the simulator does.

use super::cosim::Cosim;
use super::counters::CsrAccess;
use super::disassembly::disassemble_word;
use super::flight::Expected;
use super::ports::Outputs;
use super::seed::SEED;
use super::vector_stimulus::is_lacking;
use anyhow::{Context, Result, ensure};
use capvec_isa::Class;
use capvec_sim::step::{Retired, step};
use capvec_sim::{Cause, Trap};
use std::collections::{BTreeMap, BTreeSet};

impl Cosim {
    /// Executes one instruction on the simulator, and compares it with the core's report.
    pub(super) fn compare(&mut self, out: &Outputs) -> Result<()> {
        let at = self.hart.pc;
        ensure!(out.pc == at, "the core's pc is {:#x}, the simulator's {at:#x}", out.pc);
        if self.hart.mem.load::<u32>(at).is_some_and(is_lacking) {
            let trap = Trap::new(Cause::Illegal, out.insn.into());
            self.compare_trap(out, trap)
                .with_context(|| format!("{at:#x}: {}", disassemble_word(out.insn)))?;
            self.hart.take_trap(trap);
            return Ok(());
        }
        let before = (out.tagged != 0).then(|| self.hart.v.bytes(0).to_vec());
        let rs1 = self.hart.x((out.insn >> 15 & 31) as u8);
        let access = CsrAccess { insn: out.insn, rs1, cycle: self.cycle };
        match step(&mut self.hart) {
            Ok(retired) => self
                .compare_retired(out, &retired, &access)
                .with_context(|| format!("{at:#x}: {}", disassemble_word(retired.bits)))?,
            Err(trap) => {
                let text = || format!("{at:#x}: {} ({trap:?})", disassemble_word(out.insn));
                self.compare_trap(out, trap).with_context(text)?;
                self.hart.take_trap(trap);
                // What it accessed before the trap is not compared.
                self.bus.accesses.clear();
            }
        }
        let after = self.hart.v.bytes(0);
        if let Some(before) = before {
            self.flight.retire(out, &before, after)?;
        }
        self.flight
            .compare(after)
            .with_context(|| format!("{at:#x}: {}", disassemble_word(out.insn)))
    }

    fn compare_retired(&mut self, out: &Outputs, r: &Retired, access: &CsrAccess) -> Result<()> {
        ensure!(out.trap == 0, "the core traps: cause {}, tval {:#x}", out.cause, out.tval);
        ensure!(out.insn == r.bits, "the core executes {:#x}", out.insn);
        let csr = (r.insn.op().row().class == Class::Csr).then_some(r.insn.imm as u16);
        if let Some(csr) = csr {
            let own = match csr {
                SEED => Some(self.seed.into()),
                csr => self.counters.read(csr, self.cycle),
            };
            if let Some(own) = own.filter(|_| !r.insn.rd_is_x0()) {
                self.hart.write_x(r.insn.rd, own);
            }
            self.counters.accessed(csr, access);
        }
        if r.insn.op().row().base.row().args.starts_with("rd") && !r.insn.rd_is_x0() {
            let want = self.hart.x(r.insn.rd);
            ensure!(
                out.rd_we != 0 && out.rd == u32::from(r.insn.rd) && out.rd_data == want,
                "the core writes {} x{} = {:#x}, the simulator x{} = {want:#x}",
                out.rd_we,
                out.rd,
                out.rd_data,
                r.insn.rd
            );
        } else {
            ensure!(out.rd_we == 0, "the core writes x{} = {:#x}", out.rd, out.rd_data);
        }
        self.compare_accesses(out, r)
    }

    /// Compares the accesses of an instruction that has made them, or remembers those of one that has only begun.
    fn compare_accesses(&mut self, out: &Outputs, r: &Retired) -> Result<()> {
        let mut want = Expected::default();
        for a in &r.accesses {
            for at in a.addr..a.addr + u64::from(a.size) {
                if a.store {
                    let mut byte = [0];
                    self.hart.mem.read(at, &mut byte).ok().context("a store outside of memory")?;
                    want.stored.insert(at, byte[0]);
                } else {
                    want.loaded.insert(at);
                }
            }
        }
        self.changed |= want.stored.range(self.code.clone()).next().is_some();
        let made = std::mem::take(&mut self.bus.accesses);
        if made.is_empty() && out.tagged != 0 {
            if !want.is_empty() {
                self.flight.expect(want);
            }
            return Ok(());
        }
        // An element-wise access may touch a byte more than once.
        let mut loaded = BTreeSet::new();
        let mut stored = BTreeMap::new();
        for a in made {
            if let Some(byte) = a.stored {
                stored.insert(a.at, byte);
            } else {
                loaded.insert(a.at);
            }
        }
        ensure!(
            loaded == want.loaded && stored == want.stored,
            "the core loads {loaded:x?} and stores {stored:x?}, the simulator {:x?} and {:x?}",
            want.loaded,
            want.stored
        );
        Ok(())
    }

    fn compare_trap(&self, out: &Outputs, trap: Trap) -> Result<()> {
        ensure!(out.trap != 0, "the core retires it");
        let cause = match trap.cause {
            Cause::InstructionPage => Cause::InstructionAccess,
            Cause::LoadPage => Cause::LoadAccess,
            Cause::StorePage => Cause::StoreAccess,
            other => other,
        };
        let tval = if cause == Cause::Breakpoint { self.hart.pc } else { trap.tval };
        ensure!(
            out.cause == cause as u32 && out.tval == tval,
            "the core says cause {}, tval {:#x}, the simulator cause {}, tval {tval:#x}",
            out.cause,
            out.tval,
            cause as u32
        );
        Ok(())
    }
}
