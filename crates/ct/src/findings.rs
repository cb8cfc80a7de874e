//! What is found.

use serde::Serialize;

/// What depends on a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The direction of a conditional branch.
    Branch,
    /// The target of an indirect jump.
    JumpTarget,
    /// The address of a load, store or atomic operation: its base, stride or index.
    Address,
    /// Which elements a vector load or store accesses.
    AccessMask,
    /// vl or vtype.
    VectorConfiguration,
    /// vstart or a rounding mode.
    ControlRegister,
    /// An operand of an instruction that Zkt and Zvkt do not list.
    NotDataIndependent,
    /// An operand that Zvkt exempts: a mask, a gather's index, a slide's distance.
    ExemptOperand,
    /// The number or an argument of a system call.
    SystemCall,
}

impl Kind {
    /// What depends on a secret, for people.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Branch => "branch on a secret",
            Kind::JumpTarget => "jump to a secret address",
            Kind::Address => "access to a secret address",
            Kind::AccessMask => "vector access under a secret mask",
            Kind::VectorConfiguration => "secret vl or vtype",
            Kind::ControlRegister => "secret vstart or rounding mode",
            Kind::NotDataIndependent => "secret operand of an instruction outside Zkt and Zvkt",
            Kind::ExemptOperand => "secret mask, index or distance, which Zvkt exempts",
            Kind::SystemCall => "secret argument of a system call",
        }
    }
}

/// An instruction, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its function.
    pub function: String,
    /// Its offset in the function.
    pub offset: u64,
    /// The file of the function.
    pub object: String,
    /// Its address in that file.
    pub address: u64,
    /// Disassembled.
    pub instruction: String,
}

/// Something that depends on a secret, at one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What depends on it.
    pub kind: Kind,
    /// The instruction.
    #[serde(flatten)]
    pub at: Step,
    /// How often.
    pub count: u64,
    /// The functions that led there the first time, from the outermost.
    pub path: Vec<String>,
    /// How the bits became secret.
    pub secret: String,
    /// The instructions through which they came the first time, the last one first.
    pub chain: Vec<Step>,
}
