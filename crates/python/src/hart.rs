//! Harts, for teaching and tests: registers, memory, single steps, runs.

use crate::core::NativeCore;
use crate::error::{error, trap};
use crate::machine::{FEWEST, Machine, OnThisThread};
use crate::number;
use crate::own_thread::OwnThread;
use crate::table::isa;
use capvec_sim::hart::Agnostic;
use capvec_sim::mem::Perm;
use capvec_sim::step::step;
use capvec_sim::{Cause, Config, Hart, Memory, Stop};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::cell::{Ref, RefMut};
use std::sync::Arc;

/// A hart. `capvec.Hart` describes it.
///
/// Its memory is not safe to use from other threads, so using the object there raises an exception.
#[pyclass(name = "Hart", module = "capvec._native", subclass, frozen)]
pub struct NativeHart(OwnThread<Machine>);

fn permissions(text: &str) -> PyResult<Perm> {
    let mut bits = text.chars().map(|c| match c {
        'r' => Ok(Perm::R),
        'w' => Ok(Perm::W),
        'x' => Ok(Perm::X),
        _ => Err(error(format!("permissions are letters of rwx, not {text:?}"))),
    });
    bits.try_fold(Perm::NONE, |all, bit| Ok(all.union(bit?)))
}

fn register(number: u8) -> PyResult<u8> {
    match number {
        0..32 => Ok(number),
        _ => Err(PyIndexError::new_err(format!("there are registers 0 to 31, not {number}"))),
    }
}

fn not_mapped(addr: u64) -> PyErr {
    error(format!("memory at {addr:#x} is not mapped; map it first"))
}

impl NativeHart {
    fn config(core: &NativeCore, isa_text: Option<&str>, vlen: Option<u64>) -> PyResult<Config> {
        let mut core = core.core.clone();
        if let Some(text) = isa_text {
            core.isa = isa(text)?;
            core.can_time(core.isa.exts).map_err(error)?;
        }
        let vlen = vlen.unwrap_or(core.vlen.into());
        let least = core.isa.exts.min_vlen().max(128);
        match u32::try_from(vlen) {
            Ok(bits) if (least..=65536).contains(&bits) && bits.is_power_of_two() => {
                core.vlen = bits
            }
            _ => {
                return Err(error(format!(
                    "VLEN is a power of two from {least} to 65536, not {vlen}"
                )));
            }
        }
        Ok(core.hart(core.isa))
    }

    fn hart(&self) -> PyResult<Ref<'_, Hart>> {
        Ok(Ref::map(self.0.get()?, |machine| &machine.hart))
    }

    fn hart_mut(&self) -> PyResult<RefMut<'_, Hart>> {
        Ok(RefMut::map(self.0.get_mut()?, |machine| &mut machine.hart))
    }
}

#[pymethods]
impl NativeHart {
    /// A hart of this core, with all registers zero and no memory.
    #[new]
    #[pyo3(signature = (core, isa = None, vlen = None, agnostic = "undisturbed", seed = 0))]
    fn new(
        core: &NativeCore,
        isa: Option<&str>,
        #[pyo3(from_py_with = number::vlen)] vlen: Option<u64>,
        agnostic: &str,
        #[pyo3(from_py_with = number::seed)] seed: u64,
    ) -> PyResult<NativeHart> {
        let policy = Agnostic::ALL.into_iter().find(|a| a.name() == agnostic);
        let unknown =
            || error(format!("agnostic is \"undisturbed\" or \"ones\", not {agnostic:?}"));
        let config = NativeHart::config(core, isa, vlen)?;
        let config = Config { agnostic: policy.ok_or_else(unknown)?, seed, ..config };
        // Generated code executes RV64 only.
        let engine = match config.xlen {
            32 => core.core.engine(false),
            _ => capvec_jit::best(&core.core, false),
        };
        let memory = Memory::new().map_err(error)?;
        let hart = Hart::new(Arc::new(config), memory);
        Ok(NativeHart(OwnThread::new(Machine { hart, engine })))
    }

    /// The address of the next instruction; can be set.
    #[getter]
    fn pc(&self) -> PyResult<u64> {
        Ok(self.hart()?.pc)
    }

    #[setter]
    fn set_pc(&self, #[pyo3(from_py_with = number::pc)] pc: u64) -> PyResult<()> {
        self.hart_mut()?.pc = pc;
        Ok(())
    }

    /// Bits of an x register: 32 or 64.
    #[getter]
    fn xlen(&self) -> PyResult<u8> {
        Ok(self.hart()?.config.xlen)
    }

    /// Bits of a vector register.
    #[getter]
    fn vlen(&self) -> PyResult<u32> {
        Ok(self.hart()?.config.vlen)
    }

    /// The names of its extensions.
    #[getter]
    fn extensions(&self) -> PyResult<Vec<&'static str>> {
        Ok(self.hart()?.config.exts.iter().map(|e| e.name()).collect())
    }

    /// The number of instructions that have retired.
    #[getter]
    fn instret(&self) -> PyResult<u64> {
        Ok(self.hart()?.instret)
    }

    /// Clock cycles since the hart was made: those of the core's model in `run`, and one for each `step`.
    #[getter]
    fn cycles(&self) -> PyResult<u64> {
        Ok(self.hart()?.cycles)
    }

    fn get_x(&self, number: u8) -> PyResult<u64> {
        let hart = self.hart()?;
        let value = hart.x(register(number)?);
        Ok(if hart.config.xlen == 32 { value & 0xffff_ffff } else { value })
    }

    fn set_x(&self, number: u8, value: u64) -> PyResult<()> {
        let mut hart = self.hart_mut()?;
        let value = if hart.config.xlen == 32 { value as i32 as u64 } else { value };
        hart.write_x(register(number)?, value);
        Ok(())
    }

    fn get_f(&self, number: u8) -> PyResult<u64> {
        Ok(self.hart()?.f[register(number)? as usize])
    }

    fn set_f(&self, number: u8, value: u64) -> PyResult<()> {
        self.hart_mut()?.f[register(number)? as usize] = value;
        Ok(())
    }

    /// The bytes of `count` vector registers from `number` on.
    fn get_v<'py>(
        &self,
        py: Python<'py>,
        number: u8,
        #[pyo3(from_py_with = number::registers)] count: u8,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let hart = self.hart()?;
        let bytes = hart.v.bytes(register(number)?);
        let length = usize::from(count) * hart.v.vlenb();
        bytes.get(..length).map(|b| PyBytes::new(py, b)).ok_or_else(beyond)
    }

    /// Writes bytes from the start of vector register `number` on.
    fn set_v(&self, number: u8, value: &[u8]) -> PyResult<()> {
        let mut hart = self.hart_mut()?;
        let to = hart.v.bytes_mut(register(number)?);
        to.get_mut(..value.len()).ok_or_else(beyond)?.copy_from_slice(value);
        Ok(())
    }

    /// The value of a CSR, by name or number (an integer, or text such as "0xc22"), as code of the hart's mode sees it.
    fn csr(&self, name: &Bound<'_, PyAny>) -> PyResult<u64> {
        let hart = self.hart()?;
        let text = name.str()?.to_string();
        let value = number::csr(&text).and_then(|n| hart.csr_value(n, hart.config.xlen.into()));
        value.ok_or_else(|| error(format!("the hart has no CSR {text} that can be read")))
    }

    /// Maps zeroed memory; whole pages of 4096 bytes.
    fn map(
        &self,
        #[pyo3(from_py_with = number::addr)] addr: u64,
        #[pyo3(from_py_with = number::size)] size: u64,
        perm: &str,
    ) -> PyResult<()> {
        let hart = self.hart()?;
        let perm = permissions(perm)?;
        if !addr.is_multiple_of(4096) || !size.is_multiple_of(4096) || size == 0 {
            return Err(error(format!(
                "address {addr:#x} and size {size:#x} must be multiples of 4096, and size not 0"
            )));
        }
        let fits = addr.checked_add(size).is_some_and(|end| end <= capvec_sim::mem::SPACE);
        if !fits {
            return Err(error(format!("{addr:#x} plus {size:#x} is beyond the address space")));
        }
        hart.mem.map(addr, size, perm).map_err(error)
    }

    /// Whether the page with this address is mapped.
    fn is_mapped(&self, #[pyo3(from_py_with = number::addr)] addr: u64) -> PyResult<bool> {
        Ok(self.hart()?.mem.perm(addr).is_some())
    }

    /// The `size` bytes at address `addr`, whatever the permissions of the memory are.
    fn read<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = number::addr)] addr: u64,
        #[pyo3(from_py_with = number::size)] size: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let hart = self.hart()?;
        PyBytes::new_with(py, usize::try_from(size)?, |to| {
            hart.mem.read_as(addr, to, Perm::NONE).map_err(not_mapped)
        })
    }

    /// Writes the bytes `data` to address `addr`, whatever the permissions of the memory are; changes of code take effect at once.
    fn write(&self, #[pyo3(from_py_with = number::addr)] addr: u64, data: &[u8]) -> PyResult<()> {
        let hart = self.hart()?;
        hart.mem.write_as(addr, data, Perm::NONE).map_err(not_mapped)?;
        hart.mem.code_changed();
        Ok(())
    }

    /// Executes one instruction. Cycles are counted by `run` only: a step takes one.
    fn step<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut hart = self.hart_mut()?;
        let pc = hart.pc;
        let retired = match step(&mut hart) {
            Ok(retired) => retired,
            Err(t) => return Err(trap(py, &t, pc)?),
        };
        let accesses = retired.accesses.iter().map(|a| (a.addr, a.size, a.store));
        let text = capvec_isa::disasm::disassemble_word(retired.bits, hart.config.xlen, pc);
        let dict = PyDict::new(py);
        dict.set_item("pc", pc)?;
        dict.set_item("word", retired.bits)?;
        dict.set_item("text", text)?;
        dict.set_item("accesses", accesses.collect::<Vec<_>>())?;
        Ok(dict)
    }

    /// Runs until `ebreak` or `ecall`, or until about `limit` instructions have retired. Returns which of these ended the run.
    fn run_until(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number::limit)] limit: u64,
    ) -> PyResult<&'static str> {
        let end = self.hart()?.instret.saturating_add(limit);
        let mut slice = FEWEST;
        while self.hart()?.instret < end {
            // Handlers of signals can use the hart, so it is not borrowed when they are called.
            let stop = {
                let mut machine = self.0.get_mut()?;
                let (mut running, slice) = (OnThisThread(&mut machine), &mut slice);
                py.detach(move || running.run(end, slice))
            };
            match stop {
                Stop::Trap(t) if t.cause == Cause::Breakpoint => return Ok("ebreak"),
                Stop::Trap(t) if matches!(t.cause, Cause::EcallU | Cause::EcallM) => {
                    return Ok("ecall");
                }
                Stop::Trap(t) => return Err(trap(py, &t, self.hart()?.pc)?),
                Stop::Budget | Stop::Paused(_) => py.check_signals()?,
            }
        }
        Ok("limit")
    }
}

fn beyond() -> PyErr {
    PyIndexError::new_err("there is no vector register beyond v31")
}
