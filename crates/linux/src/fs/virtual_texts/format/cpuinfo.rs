//! `/proc/cpuinfo`.

use crate::fs::virtual_texts::queries::SystemInfo;

/// The text (Linux `arch/riscv/kernel/cpu.c`).
pub(crate) fn cpuinfo(s: SystemInfo) -> Vec<u8> {
    let fields = [
        ("processor", "0"),
        ("hart", "0"),
        ("isa", &s.isa),
        ("mmu", "sv39"),
        ("uarch", &s.uarch),
        ("mvendorid", "0x0"),
        ("marchid", "0x0"),
        ("mimpid", "0x0"),
        ("hart isa", &s.isa),
    ];
    let mut out = String::new();
    for (name, value) in fields {
        // Linux pads with tabs to column 16, the second tab stop.
        let tabs = if name.len() < 8 { "\t\t" } else { "\t" };
        out.push_str(&format!("{name}{tabs}: {value}\n"));
    }
    out.push('\n');
    out.into_bytes()
}
