//! Errors, which name the line.

/// Why text cannot be assembled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum AsmError {
    #[error("line {line}: {error}")]
    Line { line: usize, error: Box<AsmError> },
    #[error("there is no instruction {name}{hint}")]
    Unknown { name: String, hint: String },
    #[error("{name} needs {needs}, which the hart does not have; add it to the ISA")]
    Needs { name: String, needs: String },
    #[error("{name} exists only with XLEN {xlen}")]
    Xlen { name: String, xlen: u8 },
    #[error("{name} takes the operands \"{takes}\", not \"{given}\"")]
    Operands { name: String, takes: String, given: String },
    #[error("{operand} is not {expected}")]
    Operand { operand: String, expected: String },
    #[error("{value} does not fit into the operand {operand} of {name}")]
    Range { name: String, operand: String, value: String },
    #[error("{text} is reserved")]
    Reserved { text: String },
    #[error("the label {0} is not valid, or is defined twice")]
    Label(String),
}

impl AsmError {
    /// The error, on this line.
    pub(crate) fn on(self, line: usize) -> AsmError {
        AsmError::Line { line, error: Box::new(self) }
    }
}
