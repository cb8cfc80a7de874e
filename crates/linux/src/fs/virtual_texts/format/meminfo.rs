//! `/proc/meminfo`.

use std::fmt::Write;

use crate::fs::virtual_texts::queries::SystemInfo;

/// The text.
pub(crate) fn meminfo(s: SystemInfo) -> Vec<u8> {
    let mut out = String::new();
    for (name, bytes) in [
        ("MemTotal", s.mem_total),
        ("MemFree", s.mem_free),
        ("MemAvailable", s.mem_free),
        ("Buffers", 0),
        ("Cached", 0),
        ("SwapTotal", 0),
        ("SwapFree", 0),
    ] {
        let _ = writeln!(out, "{:<16}{:>8} kB", format!("{name}:"), bytes / 1024);
    }
    out.into_bytes()
}
