//! The core and the simulator side by side: every instruction that retires or traps is compared.

use super::memory::{Bus, RAM, Touched};
use super::model::{LINE, Model, Outputs};
use super::vectors::is_lacking;
use anyhow::{Context, Result, bail, ensure};
use capvec_bare::{Htif, Image, Request};
use capvec_isa::{Class, Isa, disassemble};
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::mem::Perm;
use capvec_sim::step::{Retired, step};
use capvec_sim::testing::Rng;
use capvec_sim::{Cause, Hart, Memory, Trap};
use std::ops::Range;
use std::sync::Arc;

/// Cycles without an instruction after which the core counts as stuck.
const PATIENCE: u64 = 20_000;
/// What the simulator's hart is.
const ISA: &str = "rv64imc_zicsr_zicntr_zve64x_zvbb_zvbc_zvkg_zvkned_zvknhb_zvksed_zvksh";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The program's code; none if it was cut off.
    pub code: Option<u64>,
    /// What it printed.
    pub console: String,
    /// Cycles that the core took.
    pub cycles: u64,
    /// Instructions that retired.
    pub retired: u64,
    /// Traps.
    pub traps: u64,
    /// Instructions that the core lacks, in the order in which the program came to them.
    pub lacking: Vec<String>,
}

/// Both, with the same program.
pub struct Cosim {
    model: Model,
    bus: Bus,
    hart: Hart,
    htif: Option<Htif>,
    entry: u64,
    vectors: Vec<u8>,
    cycle: u64,
    code: Range<u64>,
    changed: bool,
}

fn config(vlen: u32) -> Result<Config> {
    let isa: Isa = ISA.parse().ok().context("the core's ISA")?;
    Ok(Config {
        xlen: 64,
        exts: isa.exts,
        vlen,
        agnostic: Agnostic::Undisturbed,
        cache_block: 64,
        seed: 1,
        timebase: 10_000_000,
        frequency: 1_000_000_000,
    })
}

impl Cosim {
    /// With this program. The ports stall if there are random numbers.
    ///
    /// # Errors
    /// A program that does not fit into memory.
    pub fn new(mut model: Model, image: &Image, stalls: Option<Rng>) -> Result<Cosim> {
        model.reset();
        let (len, line) = (model.parameters.memory, model.parameters.dlen as usize / 8);
        let mem = Memory::new()?;
        mem.map(RAM, len, Perm(7))?;
        let mut bus = Bus::new(len, line, stalls);
        for s in &image.segments {
            let bytes = image.bytes(s);
            mem.write(s.addr, bytes).ok().with_context(|| format!("no memory at {:#x}", s.addr))?;
            let at = (s.addr - RAM) as usize;
            bus.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        }
        let vlen = model.parameters.vlen;
        let mut hart = Hart::new(Arc::new(config(vlen)?), mem);
        hart.pc = image.entry;
        hart.reset_machine();
        let fromhost = image.symbol("fromhost");
        let htif = image.symbol("tohost").map(|tohost| Htif { tohost, fromhost });
        let vectors = vec![0; 4 * vlen as usize];
        let entry = image.entry;
        let (code, changed) = (0..0, false);
        Ok(Cosim { model, bus, hart, htif, entry, vectors, cycle: 0, code, changed })
    }

    /// Ends the run when the program stores here: the core fetches ahead, and without Zifencei nothing says when it
    /// sees what was stored.
    pub fn end_if_changed(&mut self, code: Range<u64>) {
        self.code = code;
    }

    /// The core, to run another program on.
    pub fn into_model(self) -> Model {
        self.model
    }

    /// Sets memory and vector registers at random, in both alike.
    pub fn scramble(&mut self, at: u64, len: u64, rng: &mut Rng) -> Result<()> {
        let from = (at - RAM) as usize;
        rng.fill(&mut self.bus.bytes[from..from + len as usize]);
        let bytes = &self.bus.bytes[from..from + len as usize];
        self.hart.mem.write(at, bytes).ok().context("memory to scramble")
    }

    /// Runs until the program ends or so many instructions have retired.
    ///
    /// # Errors
    /// The first difference.
    pub fn run(&mut self, most: u64) -> Result<Ended> {
        let mut ended = Ended {
            code: None,
            console: String::new(),
            cycles: 0,
            retired: 0,
            traps: 0,
            lacking: Vec::new(),
        };
        let mut last = 0;
        let mut console = Vec::new();
        while ended.retired + ended.traps < most && ended.code.is_none() && !self.changed {
            let mut inputs = self.bus.inputs();
            (inputs.boot, inputs.time) = (self.entry, self.cycle);
            let out = self.model.eval(&inputs);
            self.bus.serve(&inputs, &out);
            self.vector_write(&out);
            if out.valid != 0 {
                last = self.cycle;
                self.compare(&out).with_context(|| {
                    format!("cycle {}, instruction {}", self.cycle, ended.retired)
                })?;
                ended.retired += u64::from(out.trap == 0);
                ended.traps += u64::from(out.trap != 0);
                if out.trap != 0 && is_lacking(out.insn) {
                    ended.lacking.push(disassemble_word(out.insn));
                }
                ended.code = self.host(&mut console)?;
            }
            ensure!(self.cycle - last < PATIENCE, "the core is stuck behind {:#x}", self.hart.pc);
            self.model.clock();
            self.cycle += 1;
        }
        ended.cycles = self.cycle;
        ended.console = String::from_utf8_lossy(&console).into_owned();
        Ok(ended)
    }

    fn vector_write(&mut self, out: &Outputs) {
        let line = self.model.parameters.dlen as usize / 8;
        if out.v_we != 0 {
            for k in (0..line).filter(|k| out.v_strb >> k & 1 != 0) {
                self.vectors[out.v_addr as usize * line + k] = out.v_data[k.min(LINE - 1)];
            }
        }
    }

    /// One instruction on the simulator, and what the core said of it.
    fn compare(&mut self, out: &Outputs) -> Result<()> {
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
            // Cycles are the core's own.
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
            let ends = |s: &std::collections::BTreeSet<u64>| {
                format!("{} from {:#x}", s.len(), s.first().unwrap_or(&0))
            };
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

    /// What was stored is what the simulator has there.
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

    /// Serves the program's calls, in both memories.
    fn host(&mut self, console: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(htif) = &self.htif else { return Ok(None) };
        let command = self.hart.mem.load::<u64>(htif.tohost).unwrap_or(0);
        if command == 0 {
            return Ok(None);
        }
        if let Request::Exit(code) = htif.serve(&self.hart.mem, console) {
            return Ok(Some(code));
        }
        let call = command & ((1 << 48) - 1);
        for at in [Some(htif.tohost), htif.fromhost, Some(call)].into_iter().flatten() {
            let from = at.wrapping_sub(RAM) as usize;
            if let (Some(word), Some(to)) =
                (self.hart.mem.load::<u64>(at), self.bus.bytes.get_mut(from..from.wrapping_add(8)))
            {
                to.copy_from_slice(&word.to_le_bytes());
            }
        }
        Ok(None)
    }
}

fn disassemble_word(bits: u32) -> String {
    let all = capvec_isa::ExtSet::of(&capvec_isa::Ext::all().collect::<Vec<_>>());
    capvec_isa::decode(bits, 64, all).map_or_else(|_| format!("{bits:#x}"), |d| disassemble(&d, 0))
}
