//! The Verilator model behind the functions of `shim.h`.

use crate::Verilator;
use crate::build::{Design, Source};
use crate::library::Library;
use anyhow::Result;
use std::ffi::c_void;
use std::path::Path;

/// Widest line in bytes: ZVCORE_LINE of `shim.h`.
pub const LINE: usize = 64;

/// Inputs of a cycle: `struct zvcore_in`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Inputs {
    pub boot: u64,
    pub time: u64,
    pub imem_rdata: u64,
    pub imem_gnt: u32,
    pub imem_rvalid: u32,
    pub dmem_gnt: u32,
    pub dmem_rvalid: u32,
    pub dmem_rdata: [u8; LINE],
}

/// Outputs of a cycle: `struct zvcore_out`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Outputs {
    pub imem_addr: u64,
    pub dmem_addr: u64,
    pub dmem_strb: u64,
    pub pc: u64,
    pub tval: u64,
    pub rd_data: u64,
    pub v_strb: u64,
    pub imem_req: u32,
    pub dmem_req: u32,
    pub dmem_we: u32,
    pub valid: u32,
    pub trap: u32,
    pub insn: u32,
    pub cause: u32,
    pub rd_we: u32,
    pub rd: u32,
    pub v_we: u32,
    pub v_addr: u32,
    reserved: u32,
    pub dmem_wdata: [u8; LINE],
    pub v_data: [u8; LINE],
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs {
            boot: 0,
            time: 0,
            imem_rdata: 0,
            imem_gnt: 0,
            imem_rvalid: 0,
            dmem_gnt: 0,
            dmem_rvalid: 0,
            dmem_rdata: [0; LINE],
        }
    }
}

impl Default for Outputs {
    fn default() -> Outputs {
        Outputs {
            imem_addr: 0,
            dmem_addr: 0,
            dmem_strb: 0,
            pc: 0,
            tval: 0,
            rd_data: 0,
            v_strb: 0,
            imem_req: 0,
            dmem_req: 0,
            dmem_we: 0,
            valid: 0,
            trap: 0,
            insn: 0,
            cause: 0,
            rd_we: 0,
            rd: 0,
            v_we: 0,
            v_addr: 0,
            reserved: 0,
            dmem_wdata: [0; LINE],
            v_data: [0; LINE],
        }
    }
}

/// Parameters of the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// VLEN in bits.
    pub vlen: u32,
    /// DLEN in bits, which is a line of memory too.
    pub dlen: u32,
    /// Bytes of memory from 0x80000000 on.
    pub memory: u64,
}

impl Parameters {
    /// The core with them.
    pub fn design(&self) -> Design {
        Design {
            top: "zvcore",
            parameters: vec![
                format!("-GVLEN={}", self.vlen),
                format!("-GDLEN={}", self.dlen),
                format!("-GRamLen=64'd{}", self.memory),
            ],
            dlen: self.dlen,
            shim: include_str!("shim.cpp"),
            header: include_str!("shim.h"),
        }
    }
}

/// A core.
pub struct Model {
    library: Library<Inputs, Outputs>,
    core: *mut c_void,
    /// What it was built with.
    pub parameters: Parameters,
}

impl Model {
    /// Builds the model below `dir`, unless it is there, and resets a core.
    ///
    /// # Errors
    /// What Verilator or the C++ compiler reports.
    pub fn build(
        verilator: &Verilator,
        source: &Source,
        parameters: Parameters,
        dir: &Path,
    ) -> Result<Model> {
        let object = parameters.design().build(verilator, source, dir)?;
        let library = Library::open(&object, "zvcore")?;
        // SAFETY: takes nothing and gives a core.
        let core = unsafe { (library.new)() };
        Ok(Model { library, core, parameters })
    }

    /// Resets it.
    pub fn reset(&mut self) {
        // SAFETY: the core is alive and replaced by another.
        unsafe {
            (self.library.free)(self.core);
            self.core = (self.library.new)();
        }
    }

    /// Applies inputs: the outputs of the present cycle.
    pub(super) fn eval(&mut self, inputs: &Inputs) -> Outputs {
        let mut outputs = Outputs::default();
        // SAFETY: the core is alive, and both structures have the layout of `shim.h`.
        unsafe { (self.library.eval)(self.core, inputs, &mut outputs) };
        outputs
    }

    /// The clock's rising edge.
    pub(super) fn clock(&mut self) {
        // SAFETY: the core is alive.
        unsafe { (self.library.clock)(self.core) }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: `new` gave it, and nothing uses it after.
        unsafe { (self.library.free)(self.core) }
    }
}
