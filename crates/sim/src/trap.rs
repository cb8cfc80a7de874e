//! Traps, with the causes of the privileged architecture.

use capvec_isa::{Ext, ExtSet, Op};
use std::fmt;

/// Exception causes: values of the cause register (Privileged ISA manual, table of `mcause`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Cause {
    InstructionMisaligned = 0,
    InstructionAccess = 1,
    Illegal = 2,
    Breakpoint = 3,
    LoadMisaligned = 4,
    LoadAccess = 5,
    StoreMisaligned = 6,
    StoreAccess = 7,
    EcallU = 8,
    EcallS = 9,
    EcallM = 11,
    InstructionPage = 12,
    LoadPage = 13,
    StorePage = 15,
}

/// Why an instruction is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No such encoding.
    Unknown,
    /// Any one of these extensions would make it legal.
    Needs(Op, ExtSet),
    /// A reserved encoding or state, by name.
    Reserved(&'static str),
}

/// An exception, raised by an instruction that did not retire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The cause.
    pub cause: Cause,
    /// The faulting address, the bits of an illegal instruction, otherwise 0.
    pub tval: u64,
    /// Explanation of an illegal instruction.
    pub why: Option<Why>,
}

impl Trap {
    /// A trap without further explanation.
    pub const fn new(cause: Cause, tval: u64) -> Trap {
        Trap { cause, tval, why: None }
    }
}

/// Marks that a handler has raised a trap, which is in `Hart::trap`. It is empty so that a handler's result fits in a
/// register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised;

/// What a handler returns.
pub type Exec<T = ()> = Result<T, Raised>;

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Unknown => write!(f, "no such instruction"),
            Why::Needs(op, set) => {
                let mut names: Vec<_> = set.iter().map(|e| e.name()).collect();
                // The table names the smallest sufficient extension; most readers know the complete one.
                if set.intersects(ExtSet::of(&[Ext::Zve32x, Ext::Zve32f])) {
                    names.insert(0, "v");
                }
                write!(f, "{} needs {}", op.name(), names.join(" or "))
            }
            // A custom instruction may give "reserved" itself as its reason.
            Why::Reserved("reserved") => f.write_str("reserved"),
            Why::Reserved(what) => write!(f, "reserved: {what}"),
        }
    }
}
