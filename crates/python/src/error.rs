//! Exceptions.

// The macro documents the exceptions for Python only.
#![allow(missing_docs)]

use capvec_sim::Trap as SimTrap;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::fmt::Display;

create_exception!(
    capvec,
    Error,
    PyException,
    "Something that capvec cannot do, with the reason and the remedy."
);
create_exception!(
    capvec,
    Trap,
    Error,
    "An instruction trapped: `cause` (name), `code` (as in mcause), `tval`, `pc` and, for an illegal instruction, `reason`."
);

/// The exception with this message.
pub fn error(message: impl Display) -> PyErr {
    Error::new_err(message.to_string())
}

/// The exception of a trap at this address.
pub fn trap(py: Python<'_>, trap: &SimTrap, pc: u64) -> PyResult<PyErr> {
    let reason = trap.why.map(|why| why.to_string());
    let cause = format!("{:?}", trap.cause);
    let because = reason.as_ref().map_or(String::new(), |r| format!(": {r}"));
    let text = format!("{cause} at {pc:#x} (tval {:#x}){because}", trap.tval);
    let exception = Trap::new_err(text);
    let value = exception.value(py);
    value.setattr("cause", cause)?;
    value.setattr("code", trap.cause as u8)?;
    value.setattr("tval", trap.tval)?;
    value.setattr("pc", pc)?;
    value.setattr("reason", reason)?;
    Ok(exception)
}
