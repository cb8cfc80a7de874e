//! Names of control and status registers.

use std::borrow::Cow;

/// Numbers and names of the known CSRs (Privileged ISA manual, "CSR Listing").
const NAMES: &[(u16, &str)] = &[
    (0x001, "fflags"),
    (0x002, "frm"),
    (0x003, "fcsr"),
    (0x008, "vstart"),
    (0x009, "vxsat"),
    (0x00a, "vxrm"),
    (0x00f, "vcsr"),
    (0x015, "seed"),
    (0x300, "mstatus"),
    (0x301, "misa"),
    (0x304, "mie"),
    (0x305, "mtvec"),
    (0x306, "mcounteren"),
    (0x30a, "menvcfg"),
    (0x310, "mstatush"),
    (0x31a, "menvcfgh"),
    (0x320, "mcountinhibit"),
    (0x340, "mscratch"),
    (0x341, "mepc"),
    (0x342, "mcause"),
    (0x343, "mtval"),
    (0x344, "mip"),
    (0x747, "mseccfg"),
    (0x757, "mseccfgh"),
    (0x7a0, "tselect"),
    (0x7a1, "tdata1"),
    (0x7a2, "tdata2"),
    (0x7a3, "tdata3"),
    (0xb00, "mcycle"),
    (0xb02, "minstret"),
    (0xb80, "mcycleh"),
    (0xb82, "minstreth"),
    (0xc00, "cycle"),
    (0xc01, "time"),
    (0xc02, "instret"),
    (0xc20, "vl"),
    (0xc21, "vtype"),
    (0xc22, "vlenb"),
    (0xc80, "cycleh"),
    (0xc81, "timeh"),
    (0xc82, "instreth"),
    (0xf11, "mvendorid"),
    (0xf12, "marchid"),
    (0xf13, "mimpid"),
    (0xf14, "mhartid"),
    (0xf15, "mconfigptr"),
];

/// The name of a CSR, or its number in hexadecimal.
pub fn csr_name(number: u16) -> Cow<'static, str> {
    match NAMES.binary_search_by_key(&number, |n| n.0) {
        Ok(at) => Cow::Borrowed(NAMES[at].1),
        Err(_) => Cow::Owned(format!("{number:#x}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_for_the_search() {
        assert!(NAMES.is_sorted_by_key(|n| n.0));
        assert_eq!(csr_name(0x300), "mstatus");
        assert_eq!(csr_name(0x7c0), "0x7c0");
    }
}
