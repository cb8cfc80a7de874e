//! The property `riscv,isa-extensions` of a device tree.

use super::paste::{Form, Paste, Written, spelled, tokens};

/// `riscv,isa-extensions = "i", "m", …`; some tools print null characters between the names, or spaces without
/// quotes.
pub fn device_tree(text: &str) -> Option<Paste> {
    let lower = text.to_ascii_lowercase();
    let names = lower.split("riscv,isa-extensions").skip(1).filter_map(|rest| {
        let property = rest.split([';', '=']).find(|p| tokens(p).next().is_some())?;
        // Another property may follow without a semicolon.
        let property = property.split("riscv,").next().unwrap_or_default().replace("\\0", " ");
        let names = tokens(&property).filter(|t| t.chars().all(char::is_alphanumeric));
        let names = spelled(names.map(String::from));
        (!names.is_empty()).then_some(Written::Names(names))
    });
    Paste::of(Form::DeviceTree, names.collect())
}
