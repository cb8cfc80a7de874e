//! The instruction table.

use crate::error::error;
use crate::number;
use capvec_isa::disasm::disassemble_word;
use capvec_isa::row::{Dit, Row};
use capvec_isa::{Ext, Isa, Op};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// The ISA of this string.
pub fn isa(text: &str) -> PyResult<Isa> {
    text.parse().map_err(|e| error(format!("{text}: {e}")))
}

/// The bytes of these lines of assembly, whose first instruction is at `at`.
#[pyfunction]
#[pyo3(signature = (text, isa, at = 0))]
pub fn assemble<'py>(
    py: Python<'py>,
    text: &str,
    isa: &str,
    #[pyo3(from_py_with = number::at)] at: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let code = capvec_asm::assemble(text, at, self::isa(isa)?).map_err(error)?;
    Ok(PyBytes::new(py, &code))
}

/// The text of an instruction word, whatever extension it is of; `None` if it is not an instruction.
#[pyfunction]
#[pyo3(signature = (word, xlen = 64, pc = 0))]
pub fn disassemble(
    #[pyo3(from_py_with = number::word)] word: u32,
    #[pyo3(from_py_with = number::xlen)] xlen: u64,
    #[pyo3(from_py_with = number::pc)] pc: u64,
) -> PyResult<Option<String>> {
    match xlen {
        32 | 64 => Ok(disassemble_word(word, xlen as u8, pc)),
        _ => Err(error(format!("XLEN is 32 or 64, not {xlen}"))),
    }
}

fn names<'a>(exts: impl IntoIterator<Item = &'a Ext>) -> Vec<&'static str> {
    exts.into_iter().map(|e| e.name()).collect()
}

fn row<'py>(py: Python<'py>, row: &'static Row) -> PyResult<Bound<'py, PyDict>> {
    let timing = match row.dit {
        Dit::None => None,
        Dit::Zkt => Some("zkt"),
        Dit::Zvkt => Some("zvkt"),
        Dit::Always => Some("always"),
    };
    let dict = PyDict::new(py);
    dict.set_item("name", row.name)?;
    dict.set_item("operands", row.args)?;
    dict.set_item("mask", row.mask)?;
    dict.set_item("match", row.value)?;
    dict.set_item("bytes", row.len)?;
    dict.set_item("xlen", (row.xlen != 0).then_some(row.xlen))?;
    dict.set_item("extensions", names(&row.exts.iter().collect::<Vec<_>>()))?;
    dict.set_item("class", row.class.name())?;
    dict.set_item("data_independent", timing)?;
    dict.set_item("taint", row.taint.name())?;
    dict.set_item("source", row.source)?;
    Ok(dict)
}

/// Every instruction of the table, drafts included.
#[pyfunction]
pub fn instructions(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    Op::all().map(|op| row(py, op.row())).collect()
}

/// Every extension.
#[pyfunction]
pub fn extensions(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let each = Ext::all().map(|ext| {
        let info = ext.info();
        let dict = PyDict::new(py);
        dict.set_item("name", info.name)?;
        dict.set_item("title", info.title)?;
        dict.set_item("implies", names(info.implies))?;
        dict.set_item("draft", info.draft)?;
        Ok(dict)
    });
    each.collect()
}
