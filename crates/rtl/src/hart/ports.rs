//! The ports and parameters of the core.

use crate::build::{COMPACT, Design};
use crate::model::{self, Wide};
use crate::ports::DRAFTS;

/// Inputs of a cycle: `struct inputs` of `ports.h`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Inputs {
    pub boot: u64,
    pub time: u64,
    pub imem_rdata: u64,
    pub imem_gnt: u32,
    pub imem_rvalid: u32,
    pub dmem_gnt: u32,
    pub dmem_rvalid: u32,
    pub raw_valid: u32,
    pub raw: u32,
    pub alarm: u32,
    pub fatal: u32,
    pub dmem_rdata: Wide,
}

/// Outputs of a cycle: `struct outputs` of `ports.h`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Outputs {
    pub imem_addr: u64,
    pub dmem_addr: u64,
    pub dmem_strb: u64,
    pub pc: u64,
    pub tval: u64,
    pub rd_data: u64,
    pub v_strb: [u64; 2],
    pub imem_req: u32,
    pub dmem_req: u32,
    pub dmem_we: u32,
    pub valid: u32,
    pub trap: u32,
    pub insn: u32,
    pub cause: u32,
    pub rd_we: u32,
    pub rd: u32,
    pub tagged: u32,
    pub tag: u32,
    pub v_we: u32,
    pub v_tag: [u32; 2],
    pub v_addr: [u32; 2],
    pub dmem_wdata: Wide,
    pub v_data: [Wide; 2],
}

/// The directories of `rtl/` with its sources.
pub const DIRECTORIES: [&str; 4] = ["zvku", "zkr", "core", "sim"];
/// The VLENs that the core can have.
pub const VLENS: [u32; 4] = [128, 256, 512, 1024];
/// The widths that its datapath can have, none of them larger than VLEN.
pub const DLENS: [u32; 4] = [64, 128, 256, 512];
/// VLEN of the core of the records, in bits.
pub const VLEN: u32 = 256;
/// DLEN of the core of the records, in bits.
pub const DLEN: u32 = 128;

/// Parameters of the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// VLEN in bits.
    pub vlen: u32,
    /// DLEN in bits, which is also the width of the data port.
    pub dlen: u32,
    /// Size in bytes of the memory, which begins at 0x80000000.
    pub memory: u64,
    /// The unit's drafts that are on, of [`DRAFTS`].
    pub drafts: &'static [&'static str],
}

impl model::Parameters for Parameters {
    type Inputs = Inputs;
    type Outputs = Outputs;

    fn design(&self) -> Design {
        let mut parameters = vec![
            format!("-GVLEN={}", self.vlen),
            format!("-GDLEN={}", self.dlen),
            format!("-GRamLen=64'd{}", self.memory),
        ];
        let bits = (0..DRAFTS.len()).filter(|n| self.drafts.contains(&DRAFTS[*n]));
        let drafts = bits.fold(0, |all, n| all | 1 << n);
        if drafts != 0 {
            parameters.push(format!("-GDrafts=4'd{drafts}"));
        }
        // Narrow datapaths have a fast model, with ZVKU_HOLD. Wide ones have a compact model, for which Verilator takes minutes
        // with ZVKU_HOLD.
        let fast = self.dlen <= DLEN;
        if fast {
            parameters.push("+define+ZVKU_HOLD".into());
        }
        Design {
            top: "zvcore_clocked",
            parameters,
            options: if fast { &[] } else { &COMPACT },
            vlen: self.vlen,
            dlen: self.dlen,
            ports: include_str!("ports.h"),
        }
    }
}

/// The core.
pub type Model = model::Model<Parameters>;
