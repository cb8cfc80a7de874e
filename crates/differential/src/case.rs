//! Programs, the states that they start from, and batches of both.

use crate::layout::{PAGE, WRITABLE, record};
use capvec_sim::testing::Rng;
use std::rc::Rc;

/// The registers that a case starts with.
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

/// The CSRs that a case starts with.
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

/// The writable memory that a case starts with.
pub type Image = Rc<[u8]>;

/// Instructions to run, with what they start from.
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
    /// Whether the program may write memory.
    pub writes: bool,
    /// Memory of its own, all of which is then in the record. Without, it sees the batch's, and the record
    /// has a digest of it if the program may have written.
    pub image: Option<Image>,
}

impl Case {
    /// What its record has of the memory.
    pub fn memory(&self) -> record::Memory {
        match (&self.image, self.writes) {
            (Some(_), _) => record::Memory::Whole,
            (None, true) => record::Memory::Digest,
            (None, false) => record::Memory::None,
        }
    }
}

/// Cases that run in one process.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The memory of cases that have none of their own.
    pub image: Image,
    /// Those that share words, one behind the other.
    pub cases: Vec<Case>,
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
