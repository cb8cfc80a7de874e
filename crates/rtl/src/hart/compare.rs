//! Compares what the core reports of an instruction with what the simulator does.

use super::cosim::Cosim;
use super::disassembly::disassemble_word;
use super::memory::{RAM, Touched};
use super::ports::Outputs;
use super::vector_stimulus::is_lacking;
use anyhow::{Context, Result, bail, ensure};
use capvec_isa::Class;
use capvec_sim::step::{Retired, step};
use capvec_sim::{Cause, Trap};
use std::collections::BTreeSet;

impl Cosim {
    /// Executes one instruction on the simulator, and compares it with the core's report.
    pub(super) fn compare(&mut self, out: &Outputs) -> Result<()> {
        let touched = std::mem::take(&mut self.bus.touched);
        self.changed = touched.stored.range(self.code.clone()).next().is_some();
        let at = self.hart.pc;
        ensure!(out.pc == at, "the core's pc is {:#x}, the simulator's {at:#x}", out.pc);
        if self.hart.mem.load::<u32>(at).is_some_and(is_lacking) {
            let trap = Trap::new(Cause::Illegal, out.insn.into());
            self.compare_trap(out, trap)
                .with_context(|| format!("{at:#x}: {}", disassemble_word(out.insn)))?;
            self.hart.take_trap(trap);
            return Ok(());
        }
        match step(&mut self.hart) {
            Ok(retired) => self
                .compare_retired(out, &retired, &touched)
                .with_context(|| format!("{at:#x}: {}", disassemble_word(retired.bits)))?,
            Err(trap) => {
                let text = || format!("{at:#x}: {} ({trap:?})", disassemble_word(out.insn));
                self.compare_trap(out, trap).with_context(text)?;
                self.hart.take_trap(trap);
            }
        }
        let vectors = self.hart.v.bytes(0);
        if let Some(n) = (0..self.vectors.len()).find(|n| self.vectors[*n] != vectors[*n]) {
            let vlenb = self.hart.v.vlenb();
            let whole = n / vlenb * vlenb..(n / vlenb + 1) * vlenb;
            bail!(
                "{at:#x}: {}: v{} differs from byte {} on:\n  core      {}\n  simulator {}",
                disassemble_word(out.insn),
                n / vlenb,
                n % vlenb,
                hex::encode(&self.vectors[whole.clone()]),
                hex::encode(&vectors[whole])
            );
        }
        Ok(())
    }

    fn compare_retired(&mut self, out: &Outputs, r: &Retired, touched: &Touched) -> Result<()> {
        ensure!(out.trap == 0, "the core traps: cause {}, tval {:#x}", out.cause, out.tval);
        ensure!(out.insn == r.bits, "the core executes {:#x}", out.insn);
        let counter = r.insn.op().row().class == Class::Csr
            && matches!(r.insn.imm as u16, 0xb00 | 0xc00 | 0xc01);
        if counter && !r.insn.rd_is_x0() {
            // Cycle counts are the core's own.
            self.hart.write_x(r.insn.rd, out.rd_data);
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
        self.compare_accesses(r, touched)
    }

    fn compare_accesses(&self, r: &Retired, touched: &Touched) -> Result<()> {
        let mut want = Touched::default();
        for a in &r.accesses {
            let bytes = a.addr..a.addr + u64::from(a.size);
            if a.store { want.stored.extend(bytes) } else { want.loaded.extend(bytes) }
        }
        let range = |t: &Touched| {
            let ends =
                |s: &BTreeSet<u64>| format!("{} from {:#x}", s.len(), s.first().unwrap_or(&0));
            format!("loads {}, stores {}", ends(&t.loaded), ends(&t.stored))
        };
        ensure!(
            *touched == want,
            "the core's bytes: {}, the simulator's: {}",
            range(touched),
            range(&want)
        );
        self.compare_stored(touched)
    }

    /// Compares the stored bytes with the simulator's memory.
    fn compare_stored(&self, touched: &Touched) -> Result<()> {
        for &at in &touched.stored {
            let mut byte = [0];
            self.hart.mem.read(at, &mut byte).ok().context("a store outside of memory")?;
            let ours = self.bus.bytes[(at - RAM) as usize];
            ensure!(
                ours == byte[0],
                "the core stores {ours:#x} at {at:#x}, the simulator {:#x}",
                byte[0]
            );
        }
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
