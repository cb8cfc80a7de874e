//! Which instructions a processor executes: one of each extension, called in a child process, which a signal ends if
//! the instruction is illegal.

use anyhow::{Context, Result};
use capvec_isa::{Decoded, Op, encode, op::OPS};
use capvec_record::Arch;

/// The result of trying an extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It executes.
    Yes,
    /// This signal ended the child.
    Signal(u32),
    /// It cannot be tried: the extension has no instruction of its own, or no memory can be made executable.
    Unknown,
}

/// RISC-V: the extension, one of its instructions, and for a vector instruction the element width.
const RISCV: [(&str, &str, Option<u32>); 23] = [
    ("zba", "sh1add", None),
    ("zbb", "cpop", None),
    ("zbc", "clmulr", None),
    ("zbs", "bset", None),
    ("zbkb", "pack", None),
    ("zbkc", "clmul", None),
    ("zbkx", "xperm8", None),
    ("zknd", "aes64ds", None),
    ("zkne", "aes64es", None),
    ("zknh", "sha256sum0", None),
    ("zksed", "sm4ed", None),
    ("zksh", "sm3p0", None),
    // Of double precision, which Zve64x and Zve64f lack.
    ("v", "vfadd.vv", Some(64)),
    ("zvbb", "vclz.v", Some(32)),
    ("zvbc", "vclmul.vv", Some(64)),
    ("zvkb", "vandn.vv", Some(32)),
    ("zvkg", "vgmul.vv", Some(32)),
    ("zvkned", "vaesem.vv", Some(32)),
    ("zvknha", "vsha2ms.vv", Some(32)),
    ("zvknhb", "vsha2ms.vv", Some(64)),
    ("zvksed", "vsm4r.vv", Some(32)),
    ("zvksh", "vsm3me.vv", Some(32)),
    ("zkr", "csrrw", None),
];

/// AArch64: the capability and an instruction (Arm Architecture Reference Manual, C6 to C8), on registers 0 to 2.
const ARM: [(&str, u32); 12] = [
    ("neon", 0x4e20_8400),   // add v0.16b, v0.16b, v0.16b
    ("aes", 0x4e28_4820),    // aese v0.16b, v1.16b
    ("sha1", 0x5e28_0820),   // sha1h s0, s1
    ("sha256", 0x5e28_2800), // sha256su0 v0.4s, v0.4s
    ("pmull", 0x0ee2_e020),  // pmull v0.1q, v1.1d, v2.1d
    ("sha512", 0xcec0_8000), // sha512su0 v0.2d, v0.2d
    ("rng", 0xd53b_2400),    // mrs x0, rndr
    ("sm3", 0xce60_c000),    // sm3partw1 v0.4s, v0.4s, v0.4s
    ("sm4", 0xcec0_8400),    // sm4e v0.4s, v0.4s
    ("sha3", 0xce00_0000),   // eor3 v0.16b, v0.16b, v0.16b, v0.16b
    ("sve", 0x2518_e3e0),    // ptrue p0.b
    ("sve2", 0x4408_a000),   // sqabs z0.b, p0/m, z0.b
];
/// `ret` on AArch64.
const ARM_RETURN: u32 = 0xd65f_03c0;

/// x86-64: the capability and an instruction (Intel SDM, volume 2), on registers that callees may change.
const X86: [(&str, &[u8]); 16] = [
    ("pclmul", &[0x66, 0x0f, 0x3a, 0x44, 0xc1, 0x00]), // pclmulqdq xmm0, xmm1, 0
    ("ssse3", &[0x66, 0x0f, 0x38, 0x00, 0xc1]),        // pshufb xmm0, xmm1
    ("aesni", &[0x66, 0x0f, 0x38, 0xdc, 0xc1]),        // aesenc xmm0, xmm1
    ("avx", &[0xc5, 0xf8, 0x57, 0xc0]),                // vxorps xmm0, xmm0, xmm0
    ("bmi1", &[0xc4, 0xe2, 0x78, 0xf2, 0xc0]),         // andn eax, eax, eax
    ("avx2", &[0xc5, 0xfd, 0xef, 0xc0]),               // vpxor ymm0, ymm0, ymm0
    ("bmi2", &[0xc4, 0xe3, 0x7b, 0xf0, 0xc0, 0x01]),   // rorx eax, eax, 1
    ("avx512f", &[0x62, 0xf1, 0x7d, 0x48, 0xef, 0xc0]), // vpxord zmm0, zmm0, zmm0
    ("avx512dq", &[0x62, 0xf2, 0xfd, 0x48, 0x40, 0xc0]), // vpmullq zmm0, zmm0, zmm0
    ("adx", &[0x66, 0x0f, 0x38, 0xf6, 0xc1]),          // adcx eax, ecx
    ("avx512ifma", &[0x62, 0xf2, 0xfd, 0x48, 0xb4, 0xc0]), // vpmadd52luq zmm0, zmm0, zmm0
    ("sha", &[0x0f, 0x38, 0xcb, 0xc1]),                // sha256rnds2 xmm0, xmm1
    ("avx512bw", &[0x62, 0xf1, 0x7d, 0x48, 0xfc, 0xc0]), // vpaddb zmm0, zmm0, zmm0
    ("avx512vl", &[0x62, 0xf1, 0x7d, 0x08, 0xef, 0xc0]), // vpxord xmm0, xmm0, xmm0
    ("vaes", &[0xc4, 0xe2, 0x7d, 0xdc, 0xc0]),         // vaesenc ymm0, ymm0, ymm0
    ("vpclmul", &[0xc4, 0xe3, 0x7d, 0x44, 0xc0, 0x00]), // vpclmulqdq ymm0, ymm0, ymm0, 0
];
/// `ret` on x86-64.
const X86_RETURN: u8 = 0xc3;

/// The encoding of the instruction of this name with the fields that `set` sets; `None` if the table lacks it.
fn riscv_word(name: &str, set: impl FnOnce(&mut Decoded)) -> Option<u32> {
    let op: Op = OPS.iter().copied().find(|op| op.row().name == name)?;
    let mut d = Decoded::new(op);
    set(&mut d);
    encode(&d)
}

/// A function with an instruction of the extension. Vector instructions work on groups of four registers, so that
/// element groups of 256 bits fit whatever VLEN is, and on eight elements (four if they have 64 bits, as for SHA-512).
fn riscv(mnemonic: &str, width: Option<u32>) -> Option<Vec<u8>> {
    const A0: u8 = 10;
    /// LMUL 4, tail and mask agnostic (V extension, 3.4 "Vector type register").
    const VTYPE: i64 = 0b1100_0010;
    let mut words = Vec::new();
    if let Some(width) = width {
        let sew = i64::from(width.ilog2() - 3) << 3;
        words.push(riscv_word("vsetivli", |d| {
            (d.rd, d.rs1, d.imm) = (0, if width == 64 { 4 } else { 8 }, VTYPE | sew);
        })?);
        words.push(riscv_word(mnemonic, |d| (d.rd, d.rs2, d.rs1) = (8, 16, 24))?);
    } else if mnemonic == "csrrw" {
        // The entropy source is accessed by a CSR write, which programs may do only if the system allows it.
        words.push(riscv_word(mnemonic, |d| (d.rd, d.rs1, d.imm) = (A0, 0, 0x015))?);
    } else {
        words.push(riscv_word(mnemonic, |d| (d.rd, d.rs1, d.rs2) = (A0, A0, A0))?);
    }
    words.push(riscv_word("jalr", |d| (d.rd, d.rs1, d.imm) = (0, 1, 0))?);
    Some(words.iter().flat_map(|w| w.to_le_bytes()).collect())
}

/// Functions that try the capabilities of an architecture, by name.
fn functions(arch: Arch) -> Vec<(&'static str, Vec<u8>)> {
    match arch {
        Arch::Riscv64 => {
            RISCV.iter().filter_map(|(e, name, width)| Some((*e, riscv(name, *width)?))).collect()
        }
        Arch::Aarch64 => {
            let code = |w: u32| [w, ARM_RETURN].iter().flat_map(|w| w.to_le_bytes()).collect();
            ARM.iter().map(|(name, word)| (*name, code(*word))).collect()
        }
        Arch::X86_64 => {
            X86.iter().map(|(name, bytes)| (*name, [*bytes, &[X86_RETURN]].concat())).collect()
        }
    }
}

/// The input of the program that tries them.
pub fn lines(arch: Arch) -> String {
    let hex = |code: &[u8]| code.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let tries = functions(arch).into_iter().map(|(_, code)| format!("try {}\n", hex(&code)));
    std::iter::once("shown\n".to_string()).chain(tries).collect()
}

/// Reads its answers: what kernel and C library show, and the result for each capability.
///
/// # Errors
/// Quotes a line that is not one of its answers.
pub fn read(arch: Arch, answers: &str) -> Result<(String, Vec<(&'static str, Tried)>)> {
    let mut answers = answers.lines();
    let shown = answers.next().and_then(|l| l.strip_prefix("shown "));
    let shown = shown
        .context("the program that tries instructions does not report what the kernel shows")?;
    let mut tried = Vec::new();
    for (name, _) in functions(arch) {
        let line = answers.next().unwrap_or_default();
        tried.push((name, answer(line).with_context(|| format!("trying {name}: \"{line}\""))?));
    }
    Ok((shown.into(), tried))
}

fn answer(line: &str) -> Result<Tried> {
    Ok(match line.strip_prefix("try ").context("no answer")? {
        "yes" => Tried::Yes,
        "cannot" => Tried::Unknown,
        signal => Tried::Signal(signal.parse()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use capvec_isa::capability::openssl_known;
    use capvec_isa::{Ext, ExtSet, decode};
    use iced_x86::{CpuidFeature, Decoder, DecoderOptions};

    /// Each extension is tried with an instruction that needs it, except Zkt, which has no instructions.
    #[test]
    fn tried_riscv_instructions_are_legal_only_with_their_extension() {
        let all: ExtSet =
            openssl_known().collect::<ExtSet>().with(Ext::I).with(Ext::Zicsr).closed();
        let known: Vec<&str> = openssl_known().map(Ext::name).filter(|n| *n != "zkt").collect();
        assert!(known.iter().all(|n| RISCV.iter().any(|r| r.0 == *n)), "{known:?}");
        for (name, code) in functions(Arch::Riscv64) {
            let words = code.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().unwrap()));
            let words: Vec<u32> = words.collect();
            assert!(words.iter().all(|w| decode(*w, 64, all).is_ok()), "{name}");
            let ext = Ext::from_name(name).unwrap();
            if matches!(name, "zkr" | "zvknhb") {
                // A CSR, and an element width: legality depends on the hart.
                continue;
            }
            let implies = |e: &Ext| ExtSet::of(&[*e]).closed().has(ext);
            let row = decode(words[words.len() - 2], 64, all).unwrap().op.row();
            let drafts = Ext::all().filter(|e| e.info().draft.is_some()).collect();
            let others = row.exts.minus(ExtSet::of(&[ext])).minus(drafts);
            // Zbc and Zvbb include Zbkc and Zvkb.
            let fine = |e: Ext| implies(&e) || (ext == Ext::Zbkc && e == Ext::Zbc) || ext == Ext::V;
            assert!(others.iter().all(fine), "{name}: also {others}");
        }
    }

    #[test]
    fn tried_x86_instructions_need_the_feature() {
        for (name, bytes) in X86 {
            let i = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE).decode();
            assert_eq!(i.len(), bytes.len(), "{name}");
            let features = i.code().cpuid_features();
            let expected = match name {
                "pclmul" => CpuidFeature::PCLMULQDQ,
                "ssse3" => CpuidFeature::SSSE3,
                "aesni" => CpuidFeature::AES,
                "avx" => CpuidFeature::AVX,
                "bmi1" => CpuidFeature::BMI1,
                "avx2" => CpuidFeature::AVX2,
                "bmi2" => CpuidFeature::BMI2,
                "avx512f" => CpuidFeature::AVX512F,
                "avx512dq" => CpuidFeature::AVX512DQ,
                "adx" => CpuidFeature::ADX,
                "avx512ifma" => CpuidFeature::AVX512_IFMA,
                "sha" => CpuidFeature::SHA,
                "avx512bw" => CpuidFeature::AVX512BW,
                "avx512vl" => CpuidFeature::AVX512VL,
                "vaes" => CpuidFeature::VAES,
                _ => CpuidFeature::VPCLMULQDQ,
            };
            assert!(features.contains(&expected), "{name}: {features:?}");
        }
    }

    #[test]
    fn answers_are_read_in_order() {
        let count = functions(Arch::Aarch64).len();
        let text = "shown hwcap=1:1\n".to_string() + &"try yes\n".repeat(count - 1) + "try 4\n";
        let (shown, tried) = read(Arch::Aarch64, &text).unwrap();
        assert_eq!((shown.as_str(), tried.len()), ("hwcap=1:1", count));
        assert_eq!(tried.last(), Some(&("sve2", Tried::Signal(4))));
        assert!(read(Arch::Aarch64, "shown x\ntry yes\n").is_err());
        assert!(read(Arch::Aarch64, "").is_err());
    }
}
