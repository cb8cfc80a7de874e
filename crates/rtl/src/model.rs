//! Builds the unit's Verilator model as a shared object and calls it.

use crate::Verilator;
use crate::build::{Design, Source};
use crate::library::Library;
use anyhow::Result;
use std::ffi::c_void;
use std::path::Path;

/// Widest beat in bytes: ZVKU_BEAT of `shim.h`.
pub const BEAT: usize = 64;
/// Extensions by the names of the unit's parameters.
pub const EXTENSIONS: [&str; 9] =
    ["Zvkb", "Zvbb", "Zvbc", "Zvkg", "Zvkned", "Zvknha", "Zvknhb", "Zvksed", "Zvksh"];

/// Inputs of a cycle: `struct zvku_in`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// The x register.
    pub rs1: u64,
    /// Mask, a bit for each byte.
    pub op_mask: u64,
    /// The instruction.
    pub insn: u32,
    /// vl.
    pub vl: u32,
    /// vstart.
    pub vstart: u32,
    /// vtype without vill.
    pub vtype: u32,
    /// vill.
    pub vill: u32,
    /// An instruction is there.
    pub insn_valid: u32,
    /// Operands are there.
    pub op_valid: u32,
    /// A result may come.
    pub res_ready: u32,
    /// Beat of vd.
    pub op_vd: [u8; BEAT],
    /// Beat of vs2.
    pub op_vs2: [u8; BEAT],
    /// Beat of vs1.
    pub op_vs1: [u8; BEAT],
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs {
            rs1: 0,
            op_mask: 0,
            insn: 0,
            vl: 0,
            vstart: 0,
            vtype: 0,
            vill: 0,
            insn_valid: 0,
            op_valid: 0,
            res_ready: 0,
            op_vd: [0; BEAT],
            op_vs2: [0; BEAT],
            op_vs1: [0; BEAT],
        }
    }
}

/// Outputs of a cycle: `struct zvku_out`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Outputs {
    /// Bytes to write.
    pub res_strb: u64,
    /// The instruction is taken.
    pub insn_ready: u32,
    /// It is illegal.
    pub insn_illegal: u32,
    /// It has no body.
    pub insn_empty: u32,
    /// Operands are taken.
    pub op_ready: u32,
    /// Which: bit 0 vd, 1 vs2, 2 vs1, 3 mask.
    pub op_use: u32,
    /// Beat of vd that is wanted.
    pub op_vd_beat: u32,
    /// Beat of vs2.
    pub op_vs2_beat: u32,
    /// Beat of vs1.
    pub op_vs1_beat: u32,
    /// A result is there.
    pub res_valid: u32,
    /// Its beat.
    pub res_beat: u32,
    /// It is its instruction's last.
    pub res_last: u32,
    reserved: u32,
    /// The result.
    pub res_data: [u8; BEAT],
}

impl Default for Outputs {
    fn default() -> Outputs {
        Outputs {
            res_strb: 0,
            insn_ready: 0,
            insn_illegal: 0,
            insn_empty: 0,
            op_ready: 0,
            op_use: 0,
            op_vd_beat: 0,
            op_vs2_beat: 0,
            op_vs1_beat: 0,
            res_valid: 0,
            res_beat: 0,
            res_last: 0,
            reserved: 0,
            res_data: [0; BEAT],
        }
    }
}

/// Parameters of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// VLEN in bits.
    pub vlen: u32,
    /// DLEN in bits.
    pub dlen: u32,
    /// Names of [`EXTENSIONS`] that are on.
    pub on: Vec<&'static str>,
}

impl Parameters {
    /// With every extension.
    pub fn all(vlen: u32, dlen: u32) -> Parameters {
        Parameters { vlen, dlen, on: EXTENSIONS.to_vec() }
    }

    /// The unit with them.
    pub fn design(&self) -> Design {
        Design {
            top: "zvku",
            parameters: self.arguments(),
            dlen: self.dlen,
            shim: include_str!("shim.cpp"),
            header: include_str!("shim.h"),
        }
    }

    fn arguments(&self) -> Vec<String> {
        let mut all = vec![format!("-GVLEN={}", self.vlen), format!("-GDLEN={}", self.dlen)];
        all.extend(EXTENSIONS.map(|e| format!("-G{e}=1'b{}", u8::from(self.on.contains(&e)))));
        all
    }
}

/// A unit.
pub struct Model {
    library: Library<Inputs, Outputs>,
    unit: *mut c_void,
    /// What it was built with.
    pub parameters: Parameters,
}

impl Model {
    /// Builds the model below `dir`, unless it is there, and resets a unit.
    ///
    /// # Errors
    /// What Verilator, make or the C++ compiler reports.
    pub fn build(
        verilator: &Verilator,
        source: &Source,
        parameters: Parameters,
        dir: &Path,
    ) -> Result<Model> {
        let object = parameters.design().build(verilator, source, dir)?;
        let library = Library::open(&object, "zvku")?;
        // SAFETY: takes nothing and gives a unit.
        let unit = unsafe { (library.new)() };
        Ok(Model { library, unit, parameters })
    }

    /// Applies inputs: the outputs of the present cycle.
    pub fn eval(&mut self, inputs: &Inputs) -> Outputs {
        let mut outputs = Outputs::default();
        // SAFETY: the unit is alive, and both structures have the layout of `shim.h`.
        unsafe { (self.library.eval)(self.unit, inputs, &mut outputs) };
        outputs
    }

    /// The clock's rising edge.
    pub fn clock(&mut self) {
        // SAFETY: the unit is alive.
        unsafe { (self.library.clock)(self.unit) }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: `new` gave it, and nothing uses it after.
        unsafe { (self.library.free)(self.unit) }
    }
}
