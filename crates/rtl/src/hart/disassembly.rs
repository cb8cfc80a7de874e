//! Instructions as text.

use capvec_isa::disassemble;

/// An instruction as text, for messages.
pub(super) fn disassemble_word(bits: u32) -> String {
    let all = capvec_isa::ExtSet::of(&capvec_isa::Ext::ratified().collect::<Vec<_>>());
    capvec_isa::decode(bits, 64, all).map_or_else(|_| format!("{bits:#x}"), |d| disassemble(&d, 0))
}
