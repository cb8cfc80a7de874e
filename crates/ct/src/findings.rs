//! What is found.

use serde::{Deserialize, Serialize};

/// What depends on a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// The number or an argument of a system call, or memory on which it acts.
    SystemCall,
    /// An instruction whose own bytes are secret.
    Code,
    /// A register or memory that should no longer hold a secret.
    Leftover,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 11] = [
        Kind::Branch,
        Kind::JumpTarget,
        Kind::Address,
        Kind::AccessMask,
        Kind::VectorConfiguration,
        Kind::ControlRegister,
        Kind::NotDataIndependent,
        Kind::ExemptOperand,
        Kind::SystemCall,
        Kind::Code,
        Kind::Leftover,
    ];

    /// Its name in JSON, SARIF and suppressions.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Branch => "branch",
            Kind::JumpTarget => "jump-target",
            Kind::Address => "address",
            Kind::AccessMask => "access-mask",
            Kind::VectorConfiguration => "vector-configuration",
            Kind::ControlRegister => "control-register",
            Kind::NotDataIndependent => "not-data-independent",
            Kind::ExemptOperand => "exempt-operand",
            Kind::SystemCall => "system-call",
            Kind::Code => "code",
            Kind::Leftover => "leftover",
        }
    }

    /// What depends on a secret, for people.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Branch => "branch on a secret",
            Kind::JumpTarget => "jump to a secret address",
            Kind::Address => "access to a secret address",
            Kind::AccessMask => "vector access under a secret mask",
            Kind::VectorConfiguration => "secret vl or vtype",
            Kind::ControlRegister => "secret in a control register",
            Kind::NotDataIndependent => "secret operand of an instruction outside Zkt and Zvkt",
            Kind::ExemptOperand => "secret mask, index or distance, which Zvkt exempts",
            Kind::SystemCall => "secret argument of a system call",
            Kind::Code => "execution of secret code",
            Kind::Leftover => "secret left behind",
        }
    }
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// The file, as the compiler recorded it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

/// An instruction, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Its line of the source, if the file or its detached file has line tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// Something that depends on a secret, at one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Where the secret was left behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_in: Option<String>,
}

impl Finding {
    /// Whether both are the same thing at the same place, whichever program does it.
    pub fn same(&self, other: &Finding) -> bool {
        let place = |f: &Finding| (f.kind, f.at.address, f.at.offset);
        place(self) == place(other)
            && self.at.function == other.at.function
            && self.at.object == other.at.object
            && self.left_in == other.left_in
    }

    /// All its instructions.
    pub(crate) fn steps(&mut self) -> impl Iterator<Item = &mut Step> {
        std::iter::once(&mut self.at).chain(&mut self.chain)
    }
}
