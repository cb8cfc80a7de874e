//! Random programs over the whole table, and batches of them.

use crate::case::{Batch, Case, Csrs, Registers};
use crate::known::is_avoided;
use crate::layout::record;
use crate::operands;
use crate::pool::{ALIGNED, INDEX_WIDTHS, Pool, RESERVED};
use crate::scratch::Scratch;
use crate::target::Target;
use capvec_isa::decode::decode;
use capvec_isa::op::OPS;
use capvec_isa::row::Slot;
use capvec_isa::{Class, Decoded, ExtSet, Op};
use capvec_sim::Cause;
use capvec_sim::testing::Rng;
use std::rc::Rc;

/// Most instructions of a program.
const LENGTH: u64 = record::MAX_SIGNALS as u64;
/// States that a program runs from.
const STATES: u64 = 64;
/// Register images of each kind.
const IMAGES: usize = 64;
/// Bytes that the records of a batch may have.
const OUTPUT: u64 = 40 << 20;
/// Attempts to find an instruction or a state that is legal.
const ATTEMPTS: u64 = 24;

/// Makes programs for one target.
pub struct Generator {
    target: Target,
    scratch: Scratch,
    /// Instructions of which any may come.
    ops: Vec<Op>,
    pool: Pool,
}

/// A program under construction.
struct Draft {
    words: Vec<u32>,
    csrs: Csrs,
    /// Index into `INDEX_WIDTHS`.
    kind: usize,
}

/// Instructions that end the comparison of states: `ecall` is the system's business.
fn excluded(op: Op) -> bool {
    matches!(op, Op::Ecall)
}

/// Counters, whose values differ, and the entropy source's.
fn varies(d: &Decoded) -> bool {
    let csr = d.imm & 0xfff;
    d.op.row().class == Class::Csr && (matches!(csr, 0xc00..=0xc1f) || csr == 0x015)
}

/// Whether it names the harness's register, writes one of `ALIGNED`, has a base that has to be one and is not,
/// or writes the address that jumps use: they would go back and loop.
fn breaks_rules(d: &Decoded) -> bool {
    let row = d.op.row();
    let jumps = row.class.transfers_control();
    let kept = ALIGNED.contains(&d.rd) || (d.rd == 1 && !jumps);
    let writes = row.base.row().args.starts_with("rd") && kept;
    if writes || (operands::needs_aligned(row) && !ALIGNED.contains(&d.rs1)) {
        return true;
    }
    let names = |slot, name| {
        row.args.contains(name)
            && row.fields.iter().any(|f| f.slot == slot)
            && match slot {
                Slot::Rd => d.rd == RESERVED,
                Slot::Rs1 => d.rs1 == RESERVED,
                _ => d.rs2 == RESERVED,
            }
    };
    names(Slot::Rd, "rd") || names(Slot::Rs1, "rs1") || names(Slot::Rs2, "rs2")
}

/// Whether a word may write memory: also if nobody here knows what it is.
pub fn may_write(word: u32) -> bool {
    let all: ExtSet = capvec_isa::Ext::all().collect();
    decode(word, 64, all).is_ok_and(|d| {
        use Class::{Amo, Cache, Store, Vstore, VstoreIndexed, VstoreStrided};
        let class = d.op.row().class;
        matches!(class, Amo | Cache | Store | Vstore | VstoreIndexed | VstoreStrided)
    }) || decode(word, 64, all).is_err()
}

/// Whether control may go elsewhere.
pub fn jumps(word: u32) -> bool {
    let all: ExtSet = capvec_isa::Ext::all().collect();
    let breaks = |op: Op| matches!(op.row().base, Op::Ebreak | Op::Ecall);
    decode(word, 64, all).is_ok_and(|d| d.op.row().class.transfers_control() && !breaks(d.op))
}

fn csrs(rng: &mut Rng, scratch: &Scratch) -> Csrs {
    let vtype = operands::vtype(rng);
    let max = scratch.vlmax(vtype).max(1);
    let vl = match rng.below(16) {
        0..6 => max,
        6 => 0,
        7 => 1,
        8 => max - 1,
        9 => max / 2,
        10..13 => rng.below(max + 1) & !7,
        13 => rng.below(max + 1) & !3,
        _ => rng.below(max + 1),
    };
    let vstart = match rng.below(24) {
        0..20 => 0,
        20 => rng.below(vl + 1) & !3,
        21..23 => rng.below(vl.max(1)),
        _ => rng.below(max),
    };
    let rm = rng.pick(&[0, 0, 1, 2, 3, 4, 4, 5, 7]);
    // A reserved rounding mode makes most of FP illegal: rarely.
    let rm = if rm > 4 && !rng.one_in(4) { 0 } else { rm };
    Csrs { vtype, vl, vstart, vcsr: rng.below(8), fcsr: rm << 5 | rng.below(32) & rng.below(32) }
}

impl Generator {
    /// For a target.
    ///
    /// # Errors
    /// No host memory.
    pub fn new(rng: &mut Rng, target: Target) -> anyhow::Result<Generator> {
        let legal = |op: Op| {
            let row = op.row();
            target.exts.intersects(row.exts) && row.xlen != 32 && !excluded(op)
        };
        let ops = OPS.iter().copied().filter(|op| legal(*op)).collect();
        let pool = Pool::new(rng, target.vlenb(), IMAGES);
        Ok(Generator { target, scratch: Scratch::new(target)?, ops, pool })
    }

    /// New register images and memory.
    pub fn refresh(&mut self, rng: &mut Rng) {
        self.pool = Pool::new(rng, self.target.vlenb(), IMAGES);
    }

    /// Whether the word can stand in a program at all.
    fn usable(&self, word: u32, last: bool) -> bool {
        let all: ExtSet = capvec_isa::Ext::all().collect();
        if let Ok(d) = decode(word, 64, all)
            && (excluded(d.op.row().base) || varies(&d) || breaks_rules(&d))
        {
            return false;
        }
        last || !jumps(word)
    }

    /// A word that may be nothing: a legal one with a bit or two flipped, or any.
    fn damaged(&self, rng: &mut Rng) -> u32 {
        let op = rng.pick(&self.ops);
        let word = operands::word(rng, op.row());
        match rng.below(8) {
            0 => rng.next() as u32 | 3,
            1 => rng.next() as u32 & 0xffff & !3 | rng.below(3) as u32,
            2 => {
                // Of another extension, maybe one that the target lacks.
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

    /// A word that no rule keeps out, of `op` or of any instruction.
    fn candidate(&self, rng: &mut Rng, op: Option<Op>, last: bool) -> Option<u32> {
        let word = match op {
            Some(op) => operands::word(rng, op.row()),
            // Who knows where a damaged jump leads.
            None if rng.one_in(40) => Some(self.damaged(rng)).filter(|w| !jumps(*w))?,
            None => {
                let op = rng.pick(&self.ops);
                operands::word(rng, op.row())
            }
        };
        self.usable(word, last).then_some(word)
    }

    /// Tries the word on the scratch hart: whether to take it.
    fn accepted(&mut self, rng: &mut Rng, draft: &Draft, word: u32) -> anyhow::Result<bool> {
        if jumps(word) {
            return Ok(true);
        }
        let late = self.scratch.vstart() != 0 && is_whole(word);
        if late || may_start_late(&draft.words, word) {
            return Ok(false);
        }
        if is_avoided(word, self.target.exts) && !rng.one_in(64) {
            return Ok(false);
        }
        if other_index_width(word, INDEX_WIDTHS[draft.kind]) && !rng.one_in(32) {
            return Ok(false);
        }
        Ok(match self.scratch.step(word)? {
            None => true,
            Some(trap) => match trap.cause {
                Cause::Illegal => rng.one_in(48),
                Cause::Breakpoint => true,
                _ => rng.one_in(4),
            },
        })
    }

    /// A program, with CSRs under which its first instruction is legal if that can be had.
    fn draft(&mut self, rng: &mut Rng) -> anyhow::Result<Draft> {
        let kind = rng.below(3) as usize;
        let mut draft = Draft { words: Vec::new(), csrs: Csrs::default(), kind };
        let registers = Rc::clone(&self.pool.registers[kind][0]);
        let first = rng.pick(&self.ops);
        for _ in 0..ATTEMPTS {
            draft.csrs = csrs(rng, &self.scratch);
            self.start(&registers, &draft.csrs);
            if let Some(word) = self.candidate(rng, Some(first), true)
                && self.accepted(rng, &draft, word)?
            {
                draft.words.push(word);
                break;
            }
        }
        let length = 1 + rng.below(LENGTH);
        for _ in 0..ATTEMPTS * length {
            let n = draft.words.len() as u64;
            if n >= length || draft.words.last().is_some_and(|w| jumps(*w)) {
                break;
            }
            if let Some(word) = self.candidate(rng, None, n + 1 == length)
                && self.accepted(rng, &draft, word)?
            {
                draft.words.push(word);
            }
        }
        Ok(draft)
    }

    fn start(&mut self, registers: &Registers, csrs: &Csrs) {
        self.scratch.set_registers(registers);
        self.scratch.set_csrs(csrs);
    }

    /// Programs with their states, as many as the output of one process may hold.
    ///
    /// # Errors
    /// No host memory.
    pub fn batch(&mut self, rng: &mut Rng, share: u64) -> anyhow::Result<Batch> {
        self.refresh(rng);
        let mut cases = Vec::new();
        let mut output = 0;
        while output < OUTPUT / share {
            let draft = self.draft(rng)?;
            let words: Rc<[u32]> = draft.words.into();
            let writes = words.iter().any(|w| may_write(*w));
            let first = rng.below(IMAGES as u64);
            for n in 0..STATES {
                // The first image is the one that the program was tried on.
                let image = if n == 0 { 0 } else { (first + n) as usize % IMAGES };
                let case = Case {
                    words: Rc::clone(&words),
                    registers: Rc::clone(&self.pool.registers[draft.kind][image]),
                    ra: None,
                    csrs: draft.csrs,
                    writes,
                    image: None,
                };
                output += record::size(self.target.vlenb() as u64, case.memory());
                cases.push(case);
            }
        }
        Ok(Batch { image: Rc::clone(&self.pool.image), cases })
    }
}

fn is_whole(word: u32) -> bool {
    let all: ExtSet = capvec_isa::Ext::all().collect();
    decode(word, 64, all).is_ok_and(|d| operands::is_whole_register(d.op.row()))
}

/// Whether the word is a whole-register access and vstart may not be 0 behind `words`, as a vector access may
/// have trapped since the last vset: with vstart behind the end, QEMU aborts.
fn may_start_late(words: &[u32], word: u32) -> bool {
    let all: ExtSet = capvec_isa::Ext::all().collect();
    let row = |w: u32| decode(w, 64, all).ok().map(|d| d.op.row());
    let vset = words.iter().rposition(|w| row(*w).is_some_and(|r| r.class == Class::Vset));
    let since = &words[vset.map_or(0, |n| n + 1)..];
    let access = |w: &u32| {
        use Class::{Vload, VloadIndexed, VloadStrided, Vstore, VstoreIndexed, VstoreStrided};
        let kinds = [Vload, VloadIndexed, VloadStrided, Vstore, VstoreIndexed, VstoreStrided];
        row(*w).is_some_and(|r| kinds.contains(&r.class))
    };
    is_whole(word) && since.iter().any(access)
}

/// Whether the word is an indexed access whose indices are wider than 8 bits and not of this width.
fn other_index_width(word: u32, bits: u32) -> bool {
    let all: ExtSet = capvec_isa::Ext::all().collect();
    let Ok(d) = decode(word, 64, all) else { return false };
    let name = d.op.name();
    let indexed = matches!(d.op.row().class, Class::VloadIndexed | Class::VstoreIndexed);
    indexed && !name.ends_with("i8.v") && !name.ends_with(&format!("i{bits}.v"))
}
