//! Explained differences from riscv-isa-sim.

use super::Difference;
use crate::coverage::row;
use crate::layout::{CODE, DATA};
use capvec_isa::Class;
use capvec_sim::Why;

/// A difference that is explained.
struct Known {
    /// A short name.
    name: &'static str,
    is: fn(&Difference<'_>) -> bool,
}

const KNOWN: &[Known] = &[
    // "Vector Operands": no register may provide sources with two EEWs, and a mask counts as EEW 1. Such encodings are
    // reserved; capvec traps.
    Known {
        name: "a register read with two EEWs",
        is: |d| d.why == Some(Why::Reserved("a register is read with two element widths")),
    },
    // Spike's debug module, boot code, CLINT, PLIC and UART; capvec has nothing at these addresses.
    Known {
        name: "one of Spike's devices",
        is: |d| d.spike.is_some_and(|l| l.addresses().any(|at| at < DATA)),
    },
    // "Vector Start Index CSR": implementations may trap on a vstart that they would never set for the instruction. A
    // vector access that trapped set it; capvec's arithmetic continues from there.
    Known {
        name: "vector arithmetic at a nonzero vstart",
        is: |d| {
            let access = |c| {
                use Class::{
                    Vload, VloadIndexed, VloadStrided, Vstore, VstoreIndexed, VstoreStrided,
                };
                [Vload, VloadIndexed, VloadStrided, Vstore, VstoreIndexed, VstoreStrided]
                    .contains(&c)
            };
            d.vstart != 0
                && d.spike.is_some_and(|l| l.pc == CODE)
                && row(d.word).is_some_and(|r| r.class.is_vector() && !access(r.class))
        },
    },
];

/// The name of the known difference that explains this one.
pub(super) fn find(d: &Difference<'_>) -> Option<&'static str> {
    KNOWN.iter().find(|k| (k.is)(d)).map(|k| k.name)
}
