//! The native part of the Python package `capvec`: harts, the instruction table, core models. Everything here computes in the
//! process of Python; what runs programs of a guest is the command `capvec`, which confines itself (`capvec/command.py`).

#![warn(missing_docs)]

mod core;
mod error;
mod hart;
mod machine;
mod number;
mod own_thread;
mod table;

use pyo3::prelude::*;

/// The module `capvec._native`.
#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("Error", m.py().get_type::<error::Error>())?;
    m.add("Trap", m.py().get_type::<error::Trap>())?;
    m.add_class::<core::NativeCore>()?;
    m.add_class::<hart::NativeHart>()?;
    m.add_function(wrap_pyfunction!(core::core_names, m)?)?;
    m.add_function(wrap_pyfunction!(table::assemble, m)?)?;
    m.add_function(wrap_pyfunction!(table::disassemble, m)?)?;
    m.add_function(wrap_pyfunction!(table::instructions, m)?)?;
    m.add_function(wrap_pyfunction!(table::extensions, m)?)
}
