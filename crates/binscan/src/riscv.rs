//! RISC-V code, by the project's own instruction table: it also finds instructions that were written as numbers, for
//! assemblers that did not know them.

use crate::elf::Code;
use crate::instruction_family::{Family, Found};
use crate::rotations::Rotations;
use capvec_isa::capability::openssl_known;
use capvec_isa::{Ext, ExtSet, Op, decode as decode_word};
use std::sync::LazyLock;

/// The decoded extensions: the base, and all that cryptographic libraries test for.
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

/// The name of an extension; all subsets of V count as V.
fn name(e: Ext) -> &'static str {
    let own = [Ext::Zve32x, Ext::Zve32f, Ext::Zve64x, Ext::Zve64f, Ext::Zve64d];
    if own.contains(&e) { Ext::V.name() } else { e.name() }
}

/// Finds the instructions of extensions by a linear scan: the encoding contains the length.
pub fn decode(code: &Code, found: &mut Found) {
    let mut at = 0;
    let mut rotations = Rotations::default();
    while let Some([a, b]) = code.bytes.get(at..at + 2) {
        let low = u16::from_le_bytes([*a, *b]);
        let Some(4) = capvec_isa::decode::length(low) else {
            at += 2;
            continue;
        };
        let Some(word) = code.bytes.get(at..at + 4).and_then(|w| w.try_into().ok()) else { break };
        let address = code.address.wrapping_add(at as u64);
        match decode_word(u32::from_le_bytes(word), 64, *KNOWN) {
            Ok(d) if d.op == Op::VrorVi => {
                rotations.add(address, d.imm, found);
                at += 4;
            }
            Ok(d) => {
                let exts = d.op.row().exts;
                if let Some((e, family)) = exts.iter().find_map(|e| Some((e, family(e)?))) {
                    found(address, name(e), family);
                }
                at += 4;
            }
            // Data, or an unknown instruction: the next one may start within these bytes.
            Err(_) => at += 2,
        }
    }
    rotations.end(found);
}
