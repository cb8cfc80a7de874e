//! The core and the simulator in lockstep, with one program.

use super::counters::Counters;
use super::disassembly::disassemble_word;
use super::flight::Flight;
use super::memory::{Bus, RAM};
use super::ports::{Model, Outputs};
use super::seed::Source;
use super::vector_stimulus::is_lacking;
use crate::stimulus::extensions;
use anyhow::{Context, Result, bail, ensure};
use capvec_bare::{Htif, Image, Request};
use capvec_isa::{ExtSet, Isa};
use capvec_sim::hart::{Agnostic, Config, MustAlign};
use capvec_sim::mem::Perm;
use capvec_sim::testing::Rng;
use capvec_sim::{Hart, Memory};
use std::ops::Range;
use std::sync::Arc;

/// Cycles without an instruction after which the core counts as stuck.
const PATIENCE: u64 = 20_000;
/// The ISA of the simulator's hart.
const ISA: &str = "rv64imc_zicsr_zicntr_zkr_zve64x_zvbb_zvbc_zvkg_zvkned_zvknhb_zvksed_zvksh";

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The program's exit code; none if the run was cut off.
    pub code: Option<u64>,
    /// The program's output.
    pub console: String,
    /// Cycles that the core took.
    pub cycles: u64,
    /// Number of retired instructions.
    pub retired: u64,
    /// Number of traps.
    pub traps: u64,
    /// Instructions that the core lacks, in the order of execution.
    pub lacking: Vec<String>,
}

/// The core and the simulator, with the same program.
pub struct Cosim {
    pub(super) model: Model,
    pub(super) bus: Bus,
    pub(super) hart: Hart,
    htif: Option<Htif>,
    entry: u64,
    pub(super) flight: Flight,
    noise: Source,
    /// The CSR `seed` in this cycle.
    pub(super) seed: u32,
    pub(super) cycle: u64,
    pub(super) counters: Counters,
    pub(super) code: Range<u64>,
    pub(super) changed: bool,
}

/// The simulator's configuration for a core with these drafts.
pub(crate) fn simulated(vlen: u32, drafts: &[&str]) -> Result<Config> {
    let isa: Isa = ISA.parse().ok().context("the core's ISA")?;
    Ok(Config {
        xlen: 64,
        exts: isa.exts.union(ExtSet::of(&extensions(drafts))),
        vlen,
        agnostic: Agnostic::Undisturbed,
        must_align: MustAlign::default(),
        cache_block: 64,
        seed: 1,
        timebase: 10_000_000,
        frequency: 1_000_000_000,
    })
}

impl Cosim {
    /// With this program. If `stalls` gives random numbers, the ports stall at random.
    ///
    /// # Errors
    /// The program does not fit into memory.
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
        let config = simulated(vlen, model.parameters.drafts)?;
        let mut hart = Hart::new(Arc::new(config), mem);
        hart.pc = image.entry;
        hart.reset_machine();
        let fromhost = image.symbol("fromhost");
        let htif = image.symbol("tohost").map(|tohost| Htif { tohost, fromhost });
        let flight = Flight::new(4 * vlen as usize);
        let entry = image.entry;
        let (code, changed) = (0..0, false);
        Ok(Cosim {
            model,
            bus,
            hart,
            htif,
            entry,
            flight,
            noise: Source::new(),
            seed: 0,
            cycle: 0,
            counters: Counters::default(),
            code,
            changed,
        })
    }

    /// Ends the run when the program stores into this range: the core prefetches, and without Zifencei nothing defines
    /// when it sees the stored code.
    pub fn end_if_changed(&mut self, code: Range<u64>) {
        self.code = code;
    }

    /// From this cycle on the bits of the noise source do not change.
    pub fn stick_noise_at(&mut self, cycle: u64) {
        self.noise.stick_at(cycle);
    }

    /// Returns the core's model, to run another program.
    pub fn into_model(self) -> Model {
        self.model
    }

    /// Sets memory and vector registers to random values, the same in both.
    pub fn scramble(&mut self, at: u64, len: u64, rng: &mut Rng) -> Result<()> {
        let from = (at - RAM) as usize;
        rng.fill(&mut self.bus.bytes[from..from + len as usize]);
        let bytes = &self.bus.bytes[from..from + len as usize];
        self.hart.mem.write(at, bytes).ok().context("memory to scramble")
    }

    /// Runs until the program ends or `most` instructions have retired.
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
            let out = self.cycle()?;
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
            ensure!(self.cycle - last < PATIENCE, "the core is stuck after {:#x}", self.hart.pc);
            self.model.clock();
            self.cycle += 1;
        }
        ended.cycles = self.cycle;
        self.drain()?;
        ended.console = String::from_utf8_lossy(&console).into_owned();
        Ok(ended)
    }

    /// Evaluates a cycle, and carries out its accesses and register writes.
    fn cycle(&mut self) -> Result<Outputs> {
        let mut inputs = self.bus.inputs();
        (inputs.boot, inputs.time) = (self.entry, self.cycle);
        self.noise.drive(&mut inputs);
        let out = self.model.eval(&inputs);
        self.seed = self.noise.clock(&inputs, &out);
        let known = self.bus.accesses.len();
        self.bus.serve(&inputs, &out);
        let stores = self.bus.accesses[known..].iter().filter(|a| a.stored.is_some());
        self.changed |= stores.map(|a| a.at).any(|at| self.code.contains(&at));
        let line = self.model.parameters.dlen as usize / 8;
        self.flight
            .write(&out, line)
            .and_then(|()| self.flight.settle(&mut self.bus.accesses))
            .with_context(|| format!("cycle {}", self.cycle))?;
        Ok(out)
    }

    /// Lets the instructions in flight end. Those that retire meanwhile are not compared.
    fn drain(&mut self) -> Result<()> {
        for _ in 0..PATIENCE {
            if self.flight.is_over() {
                return self.flight.compare(self.hart.v.bytes(0));
            }
            self.cycle()?;
            self.model.clock();
            self.cycle += 1;
        }
        bail!("a vector instruction does not end")
    }

    /// Serves the program's requests to the host, in both memories.
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
