//! Random programs over the whole table, and batches of them.

mod rules;

use crate::case::{Batch, Csrs, Job, Program, State};
use crate::initial_states::{INDEX_WIDTHS, Kind, Pool};
use crate::known_differences::is_avoided;
use crate::layout::job_result;
use crate::operands;
use crate::scratch::Scratch;
use crate::target::Target;
use capvec_isa::decode::decode;
use capvec_isa::op::OPS;
use capvec_isa::{Class, Decoded, Ext, ExtSet, Op, encode};
use capvec_sim::Cause;
use capvec_sim::testing::Rng;
pub use rules::jumps;
use rules::{
    breaks_rules, excluded, is_mismatched_conditional, is_trimmed, is_whole, may_start_late,
    other_index_width, overwrites_address, varies,
};
use std::rc::Rc;

/// Maximum number of instructions in a program.
const LENGTH: u64 = job_result::MAX_SIGNALS as u64;
/// Maximum number of states that a program runs from.
const STATES: usize = 192;
/// States for a program of damaged words: signals are slow, and few of them depend on the state.
const DAMAGED_STATES: usize = 4;
/// Number of states of each kind.
const POOL: usize = 256;
/// Number of programs in a batch.
const PROGRAMS: u64 = 512;
/// Attempts to find an instruction or a state that is legal.
const ATTEMPTS: u64 = 24;

/// Makes programs for one target.
pub struct Generator {
    target: Target,
    scratch: Scratch,
    /// Instructions to choose from.
    ops: Vec<Op>,
    pool: Pool,
    /// States that a program runs from.
    states: usize,
}

/// A program being built.
struct Draft {
    words: Vec<u32>,
    /// As in `Program`.
    vtypes: Vec<u8>,
    kind: Kind,
    /// Preferred instructions.
    theme: Vec<Op>,
    /// Whether most words are damaged.
    damaged: bool,
}

/// A vtype and vstart.
fn configuration(rng: &mut Rng, scratch: &Scratch, avl: u64) -> (u64, u64) {
    let vtype = operands::vtype(rng);
    let max = scratch.vlmax(vtype).max(1);
    let vl = avl.min(max);
    let vstart = match rng.below(24) {
        0..20 => 0,
        20 => rng.below(vl + 1) & !3,
        21..23 => rng.below(vl.max(1)),
        _ => rng.below(max),
    };
    (vtype, vstart)
}

impl Generator {
    /// A generator for a target.
    ///
    /// # Errors
    /// No host memory.
    pub fn new(rng: &mut Rng, target: Target) -> anyhow::Result<Generator> {
        Generator::with_states(rng, target, STATES)
    }

    /// A generator for a target with `states` states per program, at most `STATES`.
    ///
    /// # Errors
    /// No host memory.
    pub fn with_states(rng: &mut Rng, target: Target, states: usize) -> anyhow::Result<Generator> {
        let legal = |op: Op| {
            let row = op.row();
            target.exts.intersects(row.exts) && row.xlen != 32 && !excluded(op)
        };
        let ops = OPS.iter().copied().filter(|op| legal(*op)).collect();
        let pool = Pool::new(rng, target.vlenb(), POOL);
        Ok(Generator {
            target,
            scratch: Scratch::new(target)?,
            ops,
            pool,
            states: states.min(STATES),
        })
    }

    /// Makes new states and a new memory image.
    pub fn refresh(&mut self, rng: &mut Rng) {
        self.pool = Pool::new(rng, self.target.vlenb(), POOL);
    }

    /// Whether the word may be used in a program.
    fn usable(&self, word: u32, last: bool) -> bool {
        let all: ExtSet = Ext::ratified().collect();
        if let Ok(d) = decode(word, 64, all)
            && (excluded(d.op.row().base) || varies(&d) || breaks_rules(&d))
        {
            return false;
        }
        last || !jumps(word)
    }

    /// A word that may be illegal: a legal one with a bit or two flipped, a random one, or one of any extension.
    fn damaged(&self, rng: &mut Rng) -> u32 {
        let op = rng.pick(&self.ops);
        let word = operands::word(rng, op.row());
        match rng.below(8) {
            0 => rng.next() as u32 | 3,
            1 => rng.next() as u32 & 0xffff & !3 | rng.below(3) as u32,
            2 => {
                // Of another extension, which the target may lack.
                let op = rng.pick(&OPS);
                operands::word(rng, op.row())
            }
            n => {
                let bits = if word & 3 == 3 { 32 } else { 16 };
                let flip = |rng: &mut Rng| 1 << (2 + rng.below(bits - 2));
                word ^ flip(rng) ^ if n < 5 { flip(rng) } else { 0 }
            }
        }
    }

    /// A usable word of one of `ops` or of any instruction; with probability 1/`damage`, a damaged one.
    fn candidate(&self, rng: &mut Rng, ops: &[Op], damage: u64, last: bool) -> Option<u32> {
        let word = if ops.is_empty() && rng.one_in(damage) {
            // A damaged jump may lead anywhere.
            Some(self.damaged(rng)).filter(|w| !jumps(*w))?
        } else {
            let op = rng.pick(if ops.is_empty() { &self.ops } else { ops });
            operands::word(rng, op.row())
        };
        self.usable(word, last).then_some(word)
    }

    /// Tries the word on the scratch hart; returns whether to use it.
    fn accepted(&mut self, rng: &mut Rng, draft: &Draft, word: u32) -> anyhow::Result<bool> {
        if jumps(word) {
            return Ok(true);
        }
        let late = self.scratch.vstart() != 0 && is_whole(word);
        if late
            || is_mismatched_conditional(&draft.words, word) && !rng.one_in(64)
            || may_start_late(&draft.words, word)
            || is_trimmed(&draft.words, word)
        {
            return Ok(false);
        }
        if is_avoided(word, self.target.exts) && !rng.one_in(64) {
            return Ok(false);
        }
        let wide = other_index_width(word, INDEX_WIDTHS[draft.kind.indices]);
        if (wide || !draft.kind.wild && overwrites_address(word)) && !rng.one_in(32) {
            return Ok(false);
        }
        Ok(match self.scratch.step(word)? {
            None => true,
            Some(trap) => match trap.cause {
                Cause::Illegal => {
                    draft.damaged || rng.one_in(if draft.kind.wild { 24 } else { 192 })
                }
                Cause::Breakpoint => rng.one_in(4),
                _ => rng.one_in(if draft.kind.wild { 4 } else { 32 }),
            },
        })
    }

    /// Appends the word if it is accepted; returns whether it was.
    fn append(&mut self, rng: &mut Rng, draft: &mut Draft, word: u32) -> anyhow::Result<bool> {
        let (vtype, vstart) = (self.scratch.vtype(), self.scratch.vstart());
        let accepted = self.accepted(rng, draft, word)?;
        if accepted {
            draft.words.push(word);
            draft.vtypes.push(vtype);
        } else {
            // A trap may have changed it.
            self.scratch.set_vstart(vstart);
        }
        Ok(accepted)
    }

    /// A kind of states that suits the instruction.
    fn kind(rng: &mut Rng, op: Op) -> Kind {
        use Class::{Vaes, Vghash, Vsha2, Vsm3, Vsm4};
        let groups = matches!(op.row().class, Vaes | Vghash | Vsha2 | Vsm3 | Vsm4);
        let groups = if rng.one_in(8) { !groups } else { groups };
        Kind { indices: rng.below(3) as usize, wild: rng.one_in(20), groups }
    }

    /// A program with a configuration in which its first instruction is legal, if possible.
    fn program(&mut self, rng: &mut Rng) -> anyhow::Result<Program> {
        let first = rng.pick(&self.ops);
        let related = |op: &Op| op.row().exts == first.row().exts;
        let theme = self.ops.iter().copied().filter(related).collect();
        let kind = Generator::kind(rng, first);
        let damaged = rng.one_in(8);
        let runs = if damaged { DAMAGED_STATES.min(self.states) } else { self.states };
        let mut draft = Draft { words: Vec::new(), vtypes: Vec::new(), kind, theme, damaged };
        let states = Rc::clone(self.pool.states(kind));
        let start = rng.below((POOL - runs + 1) as u64) as usize;
        let (mut vtype, mut vstart) = (0, 0);
        for _ in 0..ATTEMPTS {
            (vtype, vstart) = configuration(rng, &self.scratch, states[start].vl);
            self.start(&states[start], vtype, vstart);
            if let Some(word) = self.candidate(rng, &[first], 1, true)
                && self.append(rng, &mut draft, word)?
            {
                break;
            }
        }
        self.extend(rng, &mut draft)?;
        Ok(Program {
            words: draft.words.into(),
            states,
            range: start..start + runs,
            vtype,
            vstart,
            keep: false,
            vtypes: draft.vtypes.into(),
        })
    }

    /// Extends a program that has its first instruction to a random length.
    fn extend(&mut self, rng: &mut Rng, draft: &mut Draft) -> anyhow::Result<()> {
        // Mostly long, because entering and leaving a program costs as much as ten instructions; sometimes short,
        // because results that later instructions overwrite are not compared.
        let length = if rng.one_in(4) {
            1 + rng.below(LENGTH)
        } else {
            LENGTH / 2 + rng.below(LENGTH / 2 + 1)
        };
        let theme = std::mem::take(&mut draft.theme);
        for _ in 0..ATTEMPTS * length {
            let n = draft.words.len() as u64;
            if n >= length || draft.words.last().is_some_and(|w| jumps(*w)) {
                break;
            }
            let ops = if rng.one_in(4) && !draft.damaged { theme.as_slice() } else { &[] };
            let damage = if draft.damaged { 1 } else { 40 };
            if n + 2 < length && rng.one_in(12) {
                self.start_late(rng, draft)?;
            }
            if let Some(word) = self.candidate(rng, ops, damage, n + 1 == length) {
                self.append(rng, draft, word)?;
            }
        }
        Ok(())
    }

    /// Sets vstart below vl, if possible; the next vector instruction clears it.
    fn start_late(&mut self, rng: &mut Rng, draft: &mut Draft) -> anyhow::Result<()> {
        const VSTART: i64 = 0x008;
        let below = self.scratch.vl().min(31);
        if below < 2 {
            return Ok(());
        }
        let vstart = 1 + rng.below(below - 1);
        let vstart = if rng.one_in(2) { vstart } else { (vstart & !3).max(4).min(below - 1) };
        let mut d = Decoded::new(Op::Csrrwi);
        (d.rs1, d.imm) = (vstart as u8, VSTART);
        if let Some(word) = encode(&d) {
            self.append(rng, draft, word)?;
        }
        Ok(())
    }

    fn start(&mut self, state: &State, vtype: u64, vstart: u64) {
        let State { registers, vl, vcsr, fcsr } = state;
        self.scratch.set_registers(registers);
        let csrs = Csrs { vtype, vl: *vl, vcsr: *vcsr, vstart, fcsr: *fcsr };
        self.scratch.set_csrs(&csrs);
    }

    /// Programs with their states.
    ///
    /// # Errors
    /// No host memory.
    pub fn batch(&mut self, rng: &mut Rng, share: u64) -> anyhow::Result<Batch> {
        self.refresh(rng);
        let count = (PROGRAMS / share).max(1);
        let jobs = (0..count).map(|_| self.program(rng).map(Job::Program));
        Ok(Batch { jobs: jobs.collect::<anyhow::Result<_>>()?, image: Rc::clone(&self.pool.image) })
    }
}
