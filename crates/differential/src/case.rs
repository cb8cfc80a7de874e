//! Programs, their initial states, and batches.

use crate::layout::{PAGE, WRITABLE};
use capvec_sim::testing::Rng;
use capvec_sim::vector::VType;
use std::ops::Range;
use std::rc::Rc;

/// The initial registers of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// x0 to x31. x0 and x3 are ignored, and so is x1 unless the case uses it.
    pub x: [u64; 32],
    /// f0 to f31.
    pub f: [u64; 32],
    /// v0 to v31, concatenated.
    pub v: Vec<u8>,
}

impl Registers {
    /// All zero, for this VLEN in bytes.
    pub fn zero(vlenb: usize) -> Registers {
        Registers { x: [0; 32], f: [0; 32], v: vec![0; 32 * vlenb] }
    }
}

/// The initial CSRs of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Csrs {
    /// As written by `vsetvl`; a reserved value sets vill.
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

/// The initial writable memory of a run.
pub type Image = Rc<[u8]>;

/// The initial state of a program, apart from vtype and vstart.
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

/// Instructions that run once from each of several states. Memory carries over from each run to the next, and a
/// digest covers what they leave.
#[derive(Clone, Debug)]
pub struct Program {
    /// Instruction words; compressed ones have a zero high half. Only the last may be a jump or branch.
    pub words: Rc<[u32]>,
    /// States, shared by many programs.
    pub states: Rc<[State]>,
    /// The range of states that this program starts from.
    pub range: Range<usize>,
    /// vtype.
    pub vtype: u64,
    /// First element.
    pub vstart: u64,
    /// Whether the next job starts with the memory as this one leaves it, instead of the batch's image.
    pub keep: bool,
    /// Low byte of the vtype that each word ran under from the first state; all ones if it was illegal.
    pub vtypes: Rc<[u8]>,
}

impl Program {
    /// Number of states.
    pub fn runs(&self) -> u64 {
        self.range.len() as u64
    }

    /// Number of instructions that all runs execute, trapped ones included.
    pub fn instructions(&self) -> u64 {
        self.runs() * self.words.len() as u64
    }

    /// The run from the `n`-th of its states, with its own memory.
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

    /// The same program from some of its states only.
    pub fn part(&self, range: Range<usize>, keep: bool) -> Program {
        let start = self.range.start;
        Program { range: start + range.start..start + range.end, keep, ..self.clone() }
    }
}

/// Instructions that run once from one state. A result holds everything that they leave.
#[derive(Clone, Debug)]
pub struct Case {
    /// Instruction words; compressed ones have a zero high half. Only the last may be a jump or branch.
    pub words: Rc<[u32]>,
    /// Registers.
    pub registers: Rc<Registers>,
    /// x1; `None` for the address of the landing pad after the program.
    pub ra: Option<u64>,
    /// CSRs.
    pub csrs: Csrs,
    /// The memory; `None` for the memory that the previous job left.
    pub image: Option<Image>,
}

/// A job of the harness.
#[derive(Clone, Debug)]
pub enum Job {
    /// Many runs and a digest.
    Program(Program),
    /// One run and a result.
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

/// The jobs of one process.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The memory of jobs without an image of their own.
    pub image: Image,
    /// The jobs in order.
    pub jobs: Vec<Job>,
}

/// Zeroed writable memory.
pub fn zero_image() -> Image {
    vec![0; WRITABLE as usize].into()
}

/// Contents of the read-only page, the same in every process.
pub fn read_only_page() -> Vec<u8> {
    let mut page = vec![0; PAGE as usize];
    Rng::seeded(0).fill(&mut page);
    page
}
