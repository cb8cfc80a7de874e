//! x86-64 code, by iced-x86. A linear scan finds instruction boundaries again soon after data.

use crate::elf::Code;
use crate::instruction_family::{Family, Found};
use iced_x86::{CpuidFeature, Decoder, DecoderOptions, Instruction};

/// VIA PadLock: one instruction processes a whole message.
pub const PADLOCK: &str = "padlock";

fn extension(feature: CpuidFeature) -> Option<(&'static str, Family)> {
    Some(match feature {
        CpuidFeature::AES => ("aesni", Family::Aes),
        CpuidFeature::VAES => ("vaes", Family::Aes),
        CpuidFeature::PCLMULQDQ => ("pclmul", Family::Ghash),
        CpuidFeature::VPCLMULQDQ => ("vpclmul", Family::Ghash),
        // SHA-NI and PadLock have SHA-1 and SHA-2; `refine` distinguishes them by instruction.
        CpuidFeature::SHA => ("sha", Family::Sha2),
        CpuidFeature::SHA512 => ("sha512", Family::Sha2),
        CpuidFeature::SM3 => ("sm3", Family::Sm3),
        CpuidFeature::SM4 => ("sm4", Family::Sm4),
        CpuidFeature::PADLOCK_ACE => (PADLOCK, Family::Aes),
        CpuidFeature::PADLOCK_PHE => (PADLOCK, Family::Sha2),
        CpuidFeature::GFNI => ("gfni", Family::General),
        CpuidFeature::SSSE3 => ("ssse3", Family::General),
        CpuidFeature::AVX => ("avx", Family::General),
        CpuidFeature::BMI1 => ("bmi1", Family::General),
        CpuidFeature::AVX2 => ("avx2", Family::General),
        CpuidFeature::BMI2 => ("bmi2", Family::General),
        CpuidFeature::ADX => ("adx", Family::General),
        CpuidFeature::AVX512F => ("avx512f", Family::General),
        CpuidFeature::AVX512_IFMA => ("avx512ifma", Family::General),
        _ => return None,
    })
}

/// Distinguishes SHA-1 from SHA-2 among the instructions of SHA-NI and PadLock.
fn refine(instruction: &Instruction, family: Family) -> Family {
    use iced_x86::Mnemonic::{Sha1msg1, Sha1msg2, Sha1nexte, Sha1rnds4, Xsha1};
    match instruction.mnemonic() {
        Sha1msg1 | Sha1msg2 | Sha1nexte | Sha1rnds4 | Xsha1 => Family::Sha1,
        _ => family,
    }
}

/// Finds all instructions of cryptographic extensions.
pub fn decode(code: &Code, found: &mut Found) {
    let mut decoder = Decoder::with_ip(64, code.bytes, code.address, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut instruction);
        if instruction.is_invalid() {
            continue;
        }
        let features = instruction.code().cpuid_features();
        // Of an instruction's features, that of its algorithm is more specific than that of the register width.
        let own = features.iter().filter_map(|f| extension(*f)).min_by_key(|(_, family)| *family);
        if let Some((name, family)) = own {
            found(instruction.ip(), name, refine(&instruction, family));
        }
    }
}
