//! The ports and parameters of the unit.

use crate::build::{COMPACT, Design, REGISTERS};
use crate::model::{self, Wide};

/// Extensions, by the names of the unit's parameters.
pub const EXTENSIONS: [&str; 9] =
    ["Zvkb", "Zvbb", "Zvbc", "Zvkg", "Zvkned", "Zvknha", "Zvknhb", "Zvksed", "Zvksh"];

/// Drafts, by the names of the unit's parameters. The first two cannot be on together.
pub const DRAFTS: [&str; 4] = ["Zvknhk0p1", "Zvknhk0p2", "Xcapvecmulq0p1", "Zvknf0p2022"];

/// Inputs of a cycle: `struct inputs` of `ports.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// The x register.
    pub rs1: u64,
    /// Mask, with a bit for each byte.
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
    /// An instruction is offered.
    pub insn_valid: u32,
    /// Operands are offered.
    pub op_valid: u32,
    /// A result would be accepted.
    pub res_ready: u32,
    /// Beat of vd.
    pub op_vd: Wide,
    /// Beat of vs2.
    pub op_vs2: Wide,
    /// Beat of vs1.
    pub op_vs1: Wide,
}

/// Outputs of a cycle: `struct outputs` of `ports.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Outputs {
    /// Bytes to write.
    pub res_strb: u64,
    /// The instruction is accepted.
    pub insn_ready: u32,
    /// It is illegal.
    pub insn_illegal: u32,
    /// It has no body.
    pub insn_empty: u32,
    /// Operands are accepted.
    pub op_ready: u32,
    /// The operands that are used: bit 0 vd, 1 vs2, 2 vs1, 3 mask.
    pub op_use: u32,
    /// The requested beat of vd.
    pub op_vd_beat: u32,
    /// The requested beat of vs2.
    pub op_vs2_beat: u32,
    /// The requested beat of vs1.
    pub op_vs1_beat: u32,
    /// A result is offered.
    pub res_valid: u32,
    /// Its beat.
    pub res_beat: u32,
    /// It is the last of its instruction.
    pub res_last: u32,
    reserved: u32,
    /// The result.
    pub res_data: Wide,
}

/// Parameters of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// VLEN in bits.
    pub vlen: u32,
    /// DLEN in bits.
    pub dlen: u32,
    /// Names of the enabled [`EXTENSIONS`] and [`DRAFTS`].
    pub on: Vec<&'static str>,
}

impl Parameters {
    /// With every extension that is ratified.
    pub fn all(vlen: u32, dlen: u32) -> Parameters {
        Parameters { vlen, dlen, on: EXTENSIONS.to_vec() }
    }

    /// And with these drafts.
    pub fn with(mut self, drafts: &[&'static str]) -> Parameters {
        self.on.extend(drafts);
        self
    }

    fn arguments(&self) -> Vec<String> {
        let mut all = vec![format!("-GVLEN={}", self.vlen), format!("-GDLEN={}", self.dlen)];
        let names = EXTENSIONS.iter().chain(&DRAFTS);
        all.extend(names.map(|e| format!("-G{e}=1'b{}", u8::from(self.on.contains(e)))));
        all
    }
}

impl model::Parameters for Parameters {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn design(&self) -> Design {
        Design {
            top: "zvku",
            parameters: self.arguments(),
            options: &[COMPACT[0], COMPACT[1], REGISTERS],
            vlen: self.vlen,
            dlen: self.dlen,
            ports: include_str!("ports.h"),
        }
    }
}

/// The unit.
pub type Model = model::Model<Parameters>;
