//! Differences from riscv-isa-sim that have a reason.

use super::Difference;
use crate::coverage::row;
use crate::layout::{CODE, DATA};
use capvec_isa::Class;
use capvec_sim::Why;

/// A difference that is explained.
struct Known {
    /// In a word or two.
    name: &'static str,
    is: fn(&Difference<'_>) -> bool,
}

const KNOWN: &[Known] = &[
    // "Vector Operands": no register may provide sources of two EEWs, the mask having EEW 1. Reserved: trapped here.
    Known {
        name: "a register read with two EEWs",
        is: |d| d.why == Some(Why::Reserved("a register is read with two element widths")),
    },
    // Its debug module, boot code, CLINT, PLIC and UART; nothing is there here.
    Known {
        name: "a device of Spike's",
        is: |d| d.spike.is_some_and(|l| l.addresses().any(|at| at < DATA)),
    },
    // "Vector Start Index CSR": implementations may trap what they would never set such a vstart for. A vector
    // access that trapped set it; here arithmetic goes on from there.
    Known {
        name: "vector arithmetic that begins late",
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

/// The name of the known difference that this is.
pub(super) fn find(d: &Difference<'_>) -> Option<&'static str> {
    KNOWN.iter().find(|k| (k.is)(d)).map(|k| k.name)
}
