//! Output of riscv_hwprobe, as people paste it.

use super::paste::{Form, Paste, Written, after, tokens};
use crate::capability::hwprobe_exts;

/// Bits of the key IMA_EXT_0 as `capvec caps` and other tools print them, or their names as strace prints them.
pub(super) fn hwprobe(text: &str) -> Option<Paste> {
    let named = |t: &str| {
        let name = t
            .strip_prefix("RISCV_HWPROBE_EXT_")
            .or_else(|| t.strip_prefix("RISCV_HWPROBE_IMA_"))?;
        Some(if name == "FD" {
            vec!["f".into(), "d".into()]
        } else {
            vec![name.to_ascii_lowercase()]
        })
    };
    // Each of strace's values belongs to one call.
    let values = text.split("value=").map(|value| tokens(value).filter_map(named).flatten());
    let values = values.map(Iterator::collect).filter(|names: &Vec<String>| !names.is_empty());
    let values: Vec<Written> = values.map(Written::Names).collect();
    if !values.is_empty() {
        return Paste::of(Form::Hwprobe, values);
    }
    let number = |t: &str| match t.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => t.parse().ok(),
    };
    let bits = text.lines().filter_map(|line| {
        let rest = after(line, "ima_ext_0").or_else(|| after(line, "hwprobe key 4"))?;
        let names = hwprobe_exts(tokens(rest).find_map(number)?);
        Some(Written::Names(names.iter().map(|e| e.name().to_string()).collect()))
    });
    Paste::of(Form::Hwprobe, bits.collect())
}
