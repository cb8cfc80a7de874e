//! Writes the capability names that libcapvec knows.

use crate::model::Table;
use anyhow::Result;
use std::collections::HashMap;
use std::fmt::Write;

/// An extension and all that it implies, as bits of the list.
fn closed<'a>(t: &'a Table, name: &'a str, known: &HashMap<String, usize>) -> u64 {
    let (mut seen, mut open, mut bits) = (Vec::new(), vec![name], 0);
    while let Some(n) = open.pop() {
        if seen.contains(&n) {
            continue;
        }
        seen.push(n);
        bits |= known.get(n).map_or(0, |b| 1u64 << b);
        let row = t.exts.iter().find(|e| e.name == n);
        open.extend(row.into_iter().flat_map(|e| &e.implies).map(String::as_str));
    }
    bits
}

/// `caps_table.h`: the bits, what each extension name sets, and the bits of riscv_hwprobe.
pub fn table(t: &Table) -> Result<String> {
    let names: Vec<&String> =
        t.capabilities.openssl_riscvcap.iter().chain(&t.capabilities.libcapvec).collect();
    let known: HashMap<String, usize> = names.iter().copied().cloned().zip(0..).collect();
    let mut s = String::from(
        "/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.\n *\n",
    );
    s += " * Capabilities, the names of extensions that include them, and what riscv_hwprobe(2) calls them. */\n";
    s += "#ifndef CV_CAPS_TABLE_H\n#define CV_CAPS_TABLE_H\n\n";
    for (bit, name) in names.iter().enumerate() {
        writeln!(s, "#define CV_CAP_{} (UINT64_C(1) << {bit})", name.to_uppercase())?;
    }
    s += "\n#ifdef CV_CAPS_NAMES\nstatic const char cv_cap_name[][16] = {\n";
    for name in &names {
        writeln!(s, "    \"{name}\",")?;
    }
    s += "};\n\n/* Extensions that a capability string may name, with all that they imply. */\n";
    s += "static const struct {\n    char name[16];\n    uint64_t caps;\n} cv_cap_word[] = {\n";
    // Of drafts those that kernels use.
    for e in t.exts.iter().filter(|e| e.draft.is_none() || known.contains_key(&e.name)) {
        writeln!(s, "    {{ \"{}\", {:#x} }},", e.name, closed(t, &e.name, &known))?;
    }
    s += "};\n\n/* Bits of RISCV_HWPROBE_KEY_IMA_EXT_0. */\n";
    s += "static const struct {\n    uint8_t bit;\n    uint64_t caps;\n} cv_cap_hwprobe[] = {\n";
    for b in &t.capabilities.hwprobe {
        let caps = b.needs.iter().fold(0, |all, n| all | closed(t, n, &known));
        if caps != 0 {
            writeln!(s, "    {{ {}, {caps:#x} }},", b.bit)?;
        }
    }
    s += "};\n#endif\n\n#endif\n";
    Ok(s)
}
