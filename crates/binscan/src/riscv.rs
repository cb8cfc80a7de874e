//! RISC-V code, by the project's own instruction table: also what assemblers were given as numbers, because they did not
//! know the names yet.

use crate::elf::Code;
use crate::instruction_family::{Family, Found};
use capvec_isa::capability::openssl_known;
use capvec_isa::{Ext, ExtSet, decode as decode_word};
use std::sync::LazyLock;

/// What is decoded: the base, and all that cryptographic libraries ask for.
static KNOWN: LazyLock<ExtSet> = LazyLock::new(|| {
    let base =
        [Ext::I, Ext::M, Ext::A, Ext::F, Ext::D, Ext::C, Ext::Zicsr, Ext::Zifencei, Ext::Zksh];
    ExtSet::of(&base).union(openssl_known().collect()).closed()
});

fn family(e: Ext) -> Option<Family> {
    Some(match e {
        Ext::Zknd | Ext::Zkne | Ext::Zvkned => Family::Aes,
        Ext::Zbc | Ext::Zbkc | Ext::Zvbc | Ext::Zvkg => Family::Ghash,
        Ext::Zknh | Ext::Zvknha | Ext::Zvknhb => Family::Sha2,
        Ext::Zksh | Ext::Zvksh => Family::Sm3,
        Ext::Zksed | Ext::Zvksed => Family::Sm4,
        Ext::Zba | Ext::Zbb | Ext::Zbs | Ext::Zbkb | Ext::Zbkx => Family::General,
        Ext::Zvbb | Ext::Zvkb | Ext::V => Family::General,
        e if ExtSet::of(&[e]).closed().has(Ext::Zve32x) => Family::General,
        _ => return None,
    })
}

/// The name that stands for all of the vector base.
fn name(e: Ext) -> &'static str {
    let own = [Ext::Zve32x, Ext::Zve32f, Ext::Zve64x, Ext::Zve64f, Ext::Zve64d];
    if own.contains(&e) { Ext::V.name() } else { e.name() }
}

/// Tells of every instruction that is of an extension, by a linear sweep: lengths are in the encoding.
pub fn decode(code: &Code, found: &mut Found) {
    let mut at = 0;
    while let Some([a, b]) = code.bytes.get(at..at + 2) {
        let low = u16::from_le_bytes([*a, *b]);
        let Some(4) = capvec_isa::decode::length(low) else {
            at += 2;
            continue;
        };
        let Some(word) = code.bytes.get(at..at + 4).and_then(|w| w.try_into().ok()) else { return };
        match decode_word(u32::from_le_bytes(word), 64, *KNOWN) {
            Ok(d) => {
                let exts = d.op.row().exts;
                if let Some((e, family)) = exts.iter().find_map(|e| Some((e, family(e)?))) {
                    found(code.address.wrapping_add(at as u64), name(e), family);
                }
                at += 4;
            }
            // Data, or what no table knows: the next instruction may begin within.
            Err(_) => at += 2,
        }
    }
}
