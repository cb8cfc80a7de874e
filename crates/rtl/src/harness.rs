//! The unit's surroundings, in place of a vector core: issues instructions, supplies beats of operands and accepts
//! beats of results, with stalls, and holds the registers.

use crate::ports::{Inputs, Model, Outputs};
use anyhow::{Result, bail, ensure};
use capvec_sim::testing::Rng;
use std::collections::VecDeque;
use std::ops::Range;

/// Cycles without an event after which the unit counts as stuck.
const PATIENCE: u64 = 1000;

/// An instruction with the state that it depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The instruction word.
    pub insn: u32,
    /// vtype without vill.
    pub vtype: u8,
    /// vill.
    pub vill: bool,
    /// vl.
    pub vl: u32,
    /// vstart.
    pub vstart: u32,
    /// Value of the x register.
    pub rs1: u64,
}

impl Request {
    fn masked(&self) -> bool {
        self.insn >> 25 & 1 == 0
    }

    /// Registers that the operand at this bit of the instruction word may occupy.
    fn group(&self, bit: u32) -> Range<usize> {
        let first = (self.insn >> bit & 31) as usize;
        let count = match self.vtype & 7 {
            l @ 0..4 => 1 << l,
            _ => 1,
        };
        first..first + count
    }

    /// vkeccak: its group of 2048 bits may be larger than LMUL says.
    fn is_keccak(&self) -> bool {
        self.insn & 0xfe0f_f07f == 0xa609_2077
    }

    /// Registers that it may write: twice the group, because it may widen.
    fn written(&self) -> Range<usize> {
        let group = self.group(7);
        let count = if self.is_keccak() { 16 } else { 2 * group.len() };
        group.start..group.start + count
    }

    /// Whether it may read one of these registers.
    fn reads(&self, of: &Range<usize>) -> bool {
        let meets = |r: Range<usize>| r.start < of.end && of.start < r.end;
        meets(if self.is_keccak() { self.written() } else { self.group(7) })
            || meets(self.group(15))
            || meets(self.group(20))
            || (self.masked() && of.start == 0)
    }
}

/// The outcome of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The unit refused it.
    pub illegal: bool,
    /// It had no beats.
    pub empty: bool,
    /// Cycle in which the unit accepted it.
    pub issued: u64,
    /// Cycle of its first beat of operands.
    pub first_operand: u64,
    /// Beats of operands.
    pub operands: u64,
    /// Cycle of its first beat of results.
    pub first_result: u64,
    /// Cycle of its last beat of results.
    pub last_result: u64,
    /// Beats of results.
    pub results: u64,
}

/// The unit and its surroundings.
pub struct Harness {
    model: Model,
    /// v0 to v31, in order.
    pub registers: Vec<u8>,
    cycle: u64,
}

/// An instruction that the unit accepted or refused.
struct Pending {
    number: usize,
    request: Request,
    done: Done,
}

impl Pending {
    /// Whether it has beats.
    fn executes(&self) -> bool {
        !self.done.illegal && !self.done.empty
    }
}

impl Harness {
    /// With all registers zero.
    pub fn new(model: Model) -> Harness {
        let registers = vec![0; 32 * model.parameters.vlen as usize / 8];
        Harness { model, registers, cycle: 0 }
    }

    /// The unit.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Runs these instructions, stalling if `stalls` says so, and calls `each` for each with the registers after it.
    ///
    /// # Errors
    /// A violation of the port's protocol, or an error of `each`.
    pub fn run(
        &mut self,
        program: &[Request],
        stalls: &mut Option<Rng>,
        mut each: impl FnMut(usize, &Done, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut next = 0;
        let mut pending: VecDeque<Pending> = VecDeque::new();
        let mut held: Option<Outputs> = None;
        let mut event = self.cycle;
        while next < program.len() || !pending.is_empty() {
            while let Some(p) = pending.front().filter(|p| !p.executes()) {
                each(p.number, &p.done, &self.registers)?;
                pending.pop_front();
            }
            let mut inputs = self.inputs(program.get(next), &pending, stalls);
            let mut out = self.model.eval(&inputs);
            if inputs.op_valid != 0 && out.op_ready != 0 {
                // Only now is it known which beat the unit requests; unused operands are noise.
                self.operands(&mut inputs, &out, &pending);
                out = self.model.eval(&inputs);
            }
            check_held(&held, &out)?;
            held = (out.res_valid != 0 && inputs.res_ready == 0).then_some(out);
            let taken = inputs.insn_valid != 0 && out.insn_ready != 0;
            let fed = inputs.op_valid != 0 && out.op_ready != 0;
            let result = inputs.res_ready != 0 && out.res_valid != 0;
            if fed {
                self.note_operand(&mut pending)?;
            }
            if result {
                self.note_result(&out, &mut pending, &mut each)?;
            }
            if taken {
                let done = Done {
                    illegal: out.insn_illegal != 0,
                    empty: out.insn_empty != 0,
                    issued: self.cycle,
                    ..Done::default()
                };
                pending.push_back(Pending { number: next, request: program[next], done });
                next += 1;
            }
            if taken || fed || result {
                event = self.cycle;
            }
            ensure!(self.cycle - event < PATIENCE, "the unit is stuck at instruction {next}");
            self.model.clock();
            self.cycle += 1;
        }
        Ok(())
    }

    fn inputs(
        &self,
        next: Option<&Request>,
        pending: &VecDeque<Pending>,
        stalls: &mut Option<Rng>,
    ) -> Inputs {
        let mut go = |often: u64| stalls.as_mut().is_none_or(|r| !r.one_in(often));
        let mut inputs = Inputs { res_ready: go(4).into(), ..Inputs::default() };
        if let Some(r) = next.filter(|_| go(6)) {
            inputs.insn_valid = 1;
            inputs.insn = r.insn;
            inputs.vtype = r.vtype.into();
            inputs.vill = r.vill.into();
            inputs.vl = r.vl;
            inputs.vstart = r.vstart;
            inputs.rs1 = r.rs1;
        }
        let fed = pending.iter().rposition(Pending::executes);
        let waits = |n: usize| {
            pending.iter().take(n).any(|p| pending[n].request.reads(&p.request.written()))
        };
        inputs.op_valid = fed.is_some_and(|n| !waits(n) && go(4)).into();
        inputs
    }

    /// Supplies the beats that the unit requests.
    fn operands(&self, inputs: &mut Inputs, out: &Outputs, pending: &VecDeque<Pending>) {
        let Some(p) = pending.iter().rfind(|p| p.executes()) else { return };
        let beat = self.model.parameters.dlen as usize / 8;
        let mut noise = Rng::seeded(self.cycle ^ u64::from(self.registers[0]) << 56);
        let mut operand = |to: &mut [u8], used: u32, bit: u32, n: u32| {
            let from = p.request.group(bit).start * self.model.parameters.vlen as usize / 8
                + n as usize * beat;
            match self.registers.get(from..from + beat).filter(|_| out.op_use & used != 0) {
                Some(bytes) => to[..beat].copy_from_slice(bytes),
                None => noise.fill(to),
            }
        };
        operand(&mut inputs.op_vd, 1, 7, out.op_vd_beat);
        operand(&mut inputs.op_vs2, 2, 20, out.op_vs2_beat);
        operand(&mut inputs.op_vs1, 4, 15, out.op_vs1_beat);
        inputs.op_mask = noise.next();
        if out.op_use & 8 != 0 {
            inputs.op_mask = self.mask(p.request, out.op_vd_beat as usize * beat, beat);
        }
    }

    /// For each byte of a beat of vd, the mask bit of its element. Among the unit's instructions, those with funct6 110101 widen.
    fn mask(&self, request: Request, from: usize, beat: usize) -> u64 {
        let widens = request.insn >> 26 == 0b11_0101;
        let bytes = 1 << (request.vtype >> 3 & 3) << u8::from(widens);
        (0..beat).fold(0, |mask, k| {
            let element = (from + k) / bytes;
            let bit = self.registers[element / 8] >> (element % 8) & 1;
            mask | u64::from(bit) << k
        })
    }

    fn note_operand(&self, pending: &mut VecDeque<Pending>) -> Result<()> {
        let Some(p) = pending.iter_mut().rfind(|p| p.executes()) else {
            bail!("operands were taken without an instruction");
        };
        if p.done.operands == 0 {
            p.done.first_operand = self.cycle;
        }
        p.done.operands += 1;
        Ok(())
    }

    fn note_result(
        &mut self,
        out: &Outputs,
        pending: &mut VecDeque<Pending>,
        each: &mut impl FnMut(usize, &Done, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let Some(p) = pending.front_mut() else { bail!("a result came without an instruction") };
        let beat = self.model.parameters.dlen as usize / 8;
        let at = p.request.group(7).start * self.model.parameters.vlen as usize / 8
            + out.res_beat as usize * beat;
        for k in (0..beat).filter(|k| out.res_strb >> k & 1 != 0) {
            ensure!(at + k < self.registers.len(), "a result beyond v31");
            self.registers[at + k] = out.res_data[k];
        }
        if p.done.results == 0 {
            p.done.first_result = self.cycle;
        }
        p.done.results += 1;
        p.done.last_result = self.cycle;
        if out.res_last != 0 {
            ensure!(
                p.done.results == p.done.operands,
                "{} results of {} beats",
                p.done.results,
                p.done.operands
            );
            each(p.number, &p.done, &self.registers)?;
            pending.pop_front();
        }
        Ok(())
    }
}

/// A result that has to wait must not change.
fn check_held(held: &Option<Outputs>, now: &Outputs) -> Result<()> {
    if let Some(before) = held {
        let same = now.res_valid != 0
            && (before.res_strb, before.res_beat, before.res_last)
                == (now.res_strb, now.res_beat, now.res_last)
            && before.res_data == now.res_data;
        ensure!(same, "a result changed while it waited");
    }
    Ok(())
}
