//! Programs, the states that they start from, and batches of both.

use crate::layout::{PAGE, WRITABLE};
use capvec_sim::testing::Rng;
use capvec_sim::vector::VType;
use std::ops::Range;
use std::rc::Rc;

/// The registers that a run starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// x0 to x31. x0 and x3 are ignored, and x1 but where a case says so.
    pub x: [u64; 32],
    /// f0 to f31.
    pub f: [u64; 32],
    /// v0 to v31 in one.
    pub v: Vec<u8>,
}

impl Registers {
    /// All zero, for this VLEN in bytes.
    pub fn zero(vlenb: usize) -> Registers {
        Registers { x: [0; 32], f: [0; 32], v: vec![0; 32 * vlenb] }
    }
}

/// The CSRs that a run starts with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Csrs {
    /// As written by `vsetvl`; a reserved value gives vill.
    pub vtype: u64,
    /// The AVL that `vsetvl` gets.
    pub vl: u64,
    /// Fixed-point rounding mode and saturation flag.
    pub vcsr: u64,
    /// First element.
    pub vstart: u64,
    /// Rounding mode and accrued exceptions.
    pub fcsr: u64,
}

/// The writable memory that a run starts with.
pub type Image = Rc<[u8]>;

/// What a program starts from, but for vtype and vstart.
#[derive(Clone, Debug)]
pub struct State {
    /// Registers.
    pub registers: Rc<Registers>,
    /// The AVL that `vsetvl` gets.
    pub vl: u64,
    /// Fixed-point rounding mode and saturation flag.
    pub vcsr: u64,
    /// Rounding mode and accrued exceptions.
    pub fcsr: u64,
}

/// Instructions that run from one state after another. The memory goes from each run to the next, and a digest
/// tells what they leave.
#[derive(Clone, Debug)]
pub struct Program {
    /// Instruction words, compressed ones with a zero high half. A jump or branch only stands last.
    pub words: Rc<[u32]>,
    /// States of many programs.
    pub states: Rc<[State]>,
    /// Those that this one starts from.
    pub range: Range<usize>,
    /// vtype.
    pub vtype: u64,
    /// First element.
    pub vstart: u64,
    /// Whether the memory stays as it is for the next job, instead of the batch's.
    pub keep: bool,
    /// The lowest byte of the vtype that each word ran under from the first state; all ones if it was illegal.
    pub vtypes: Rc<[u8]>,
}

impl Program {
    /// Number of states.
    pub fn runs(&self) -> u64 {
        self.range.len() as u64
    }

    /// Instructions that all runs execute, trapped ones included.
    pub fn instructions(&self) -> u64 {
        self.runs() * self.words.len() as u64
    }

    /// Its run from the `n`-th of its states, with memory of its own.
    pub fn case(&self, n: usize, image: Image) -> Case {
        let State { registers, vl, vcsr, fcsr } = self.states[self.range.start + n].clone();
        let vlen = registers.v.len() as u64 / 32 * 8;
        let vl = vl.min(VType::decode(self.vtype, 64).vlmax(vlen));
        Case {
            words: Rc::clone(&self.words),
            registers,
            ra: None,
            csrs: Csrs { vtype: self.vtype, vl, vcsr, vstart: self.vstart, fcsr },
            image: Some(image),
        }
    }

    /// The same from some of its states only.
    pub fn part(&self, range: Range<usize>, keep: bool) -> Program {
        let start = self.range.start;
        Program { range: start + range.start..start + range.end, keep, ..self.clone() }
    }
}

/// Instructions that run once, with what they start from. A record tells all that they leave.
#[derive(Clone, Debug)]
pub struct Case {
    /// Instruction words, compressed ones with a zero high half. A jump or branch only stands last.
    pub words: Rc<[u32]>,
    /// Registers.
    pub registers: Rc<Registers>,
    /// x1; `None` for the address of the landing pad behind the program.
    pub ra: Option<u64>,
    /// CSRs.
    pub csrs: Csrs,
    /// The memory; `None` for what the job before it left.
    pub image: Option<Image>,
}

/// What the harness runs, one after the other.
#[derive(Clone, Debug)]
pub enum Job {
    /// Many runs with a digest.
    Program(Program),
    /// One run with a record.
    Case(Case),
}

impl Job {
    /// Its instructions.
    pub fn words(&self) -> &Rc<[u32]> {
        match self {
            Job::Program(p) => &p.words,
            Job::Case(c) => &c.words,
        }
    }
}

/// Jobs of one process.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The memory of jobs that have none of their own.
    pub image: Image,
    /// In order.
    pub jobs: Vec<Job>,
}

/// Zeroed writable memory.
pub fn zero_image() -> Image {
    vec![0; WRITABLE as usize].into()
}

/// Contents of the page that can only be read: the same in every process.
pub fn read_only_page() -> Vec<u8> {
    let mut page = vec![0; PAGE as usize];
    Rng::seeded(0).fill(&mut page);
    page
}
