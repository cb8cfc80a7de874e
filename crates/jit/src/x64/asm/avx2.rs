//! AVX2 equivalents of AVX-512 instructions, for hosts without AVX-512.

use iced_x86::Code;

/// The equivalent in AVX2 and its companions of an AVX-512 instruction, for 16 bytes; the code for 32 bytes follows
/// it. `None` if there is none: then handlers are called.
pub fn encoding(x: Code) -> Option<Code> {
    arithmetic(x).or_else(|| words(x))
}

/// Element-wise operations.
fn arithmetic(x: Code) -> Option<Code> {
    use Code::*;
    Some(match x {
        EVEX_Vpaddb_xmm_k1z_xmm_xmmm128 => VEX_Vpaddb_xmm_xmm_xmmm128,
        EVEX_Vpaddw_xmm_k1z_xmm_xmmm128 => VEX_Vpaddw_xmm_xmm_xmmm128,
        EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32 => VEX_Vpaddd_xmm_xmm_xmmm128,
        EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64 => VEX_Vpaddq_xmm_xmm_xmmm128,
        EVEX_Vpsubb_xmm_k1z_xmm_xmmm128 => VEX_Vpsubb_xmm_xmm_xmmm128,
        EVEX_Vpsubw_xmm_k1z_xmm_xmmm128 => VEX_Vpsubw_xmm_xmm_xmmm128,
        EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32 => VEX_Vpsubd_xmm_xmm_xmmm128,
        EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64 => VEX_Vpsubq_xmm_xmm_xmmm128,
        EVEX_Vpmullw_xmm_k1z_xmm_xmmm128 => VEX_Vpmullw_xmm_xmm_xmmm128,
        EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32 => VEX_Vpmulld_xmm_xmm_xmmm128,
        EVEX_Vpmulhw_xmm_k1z_xmm_xmmm128 => VEX_Vpmulhw_xmm_xmm_xmmm128,
        EVEX_Vpmulhuw_xmm_k1z_xmm_xmmm128 => VEX_Vpmulhuw_xmm_xmm_xmmm128,
        EVEX_Vpminsb_xmm_k1z_xmm_xmmm128 => VEX_Vpminsb_xmm_xmm_xmmm128,
        EVEX_Vpminsw_xmm_k1z_xmm_xmmm128 => VEX_Vpminsw_xmm_xmm_xmmm128,
        EVEX_Vpminsd_xmm_k1z_xmm_xmmm128b32 => VEX_Vpminsd_xmm_xmm_xmmm128,
        EVEX_Vpminub_xmm_k1z_xmm_xmmm128 => VEX_Vpminub_xmm_xmm_xmmm128,
        EVEX_Vpminuw_xmm_k1z_xmm_xmmm128 => VEX_Vpminuw_xmm_xmm_xmmm128,
        EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32 => VEX_Vpminud_xmm_xmm_xmmm128,
        EVEX_Vpmaxsb_xmm_k1z_xmm_xmmm128 => VEX_Vpmaxsb_xmm_xmm_xmmm128,
        EVEX_Vpmaxsw_xmm_k1z_xmm_xmmm128 => VEX_Vpmaxsw_xmm_xmm_xmmm128,
        EVEX_Vpmaxsd_xmm_k1z_xmm_xmmm128b32 => VEX_Vpmaxsd_xmm_xmm_xmmm128,
        EVEX_Vpmaxub_xmm_k1z_xmm_xmmm128 => VEX_Vpmaxub_xmm_xmm_xmmm128,
        EVEX_Vpmaxuw_xmm_k1z_xmm_xmmm128 => VEX_Vpmaxuw_xmm_xmm_xmmm128,
        EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32 => VEX_Vpmaxud_xmm_xmm_xmmm128,
        EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32 => VEX_Vpsllvd_xmm_xmm_xmmm128,
        EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64 => VEX_Vpsllvq_xmm_xmm_xmmm128,
        EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32 => VEX_Vpsrlvd_xmm_xmm_xmmm128,
        EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64 => VEX_Vpsrlvq_xmm_xmm_xmmm128,
        EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32 => VEX_Vpsravd_xmm_xmm_xmmm128,
        EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64 => VEX_Vpand_xmm_xmm_xmmm128,
        EVEX_Vpandnq_xmm_k1z_xmm_xmmm128b64 => VEX_Vpandn_xmm_xmm_xmmm128,
        EVEX_Vporq_xmm_k1z_xmm_xmmm128b64 => VEX_Vpor_xmm_xmm_xmmm128,
        EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64 => VEX_Vpxor_xmm_xmm_xmmm128,
        _ => return None,
    })
}

/// Moves, shifts by a constant, cryptography.
fn words(x: Code) -> Option<Code> {
    use Code::*;
    Some(match x {
        EVEX_Vmovdqu64_xmm_k1z_xmmm128 => VEX_Vmovdqu_xmm_xmmm128,
        EVEX_Vmovdqu64_xmmm128_k1z_xmm => VEX_Vmovdqu_xmmm128_xmm,
        EVEX_Vpshufb_xmm_k1z_xmm_xmmm128 => VEX_Vpshufb_xmm_xmm_xmmm128,
        EVEX_Vpshufd_xmm_k1z_xmmm128b32_imm8 => VEX_Vpshufd_xmm_xmmm128_imm8,
        EVEX_Vpslldq_xmm_xmmm128_imm8 => VEX_Vpslldq_xmm_xmm_imm8,
        EVEX_Vpsrldq_xmm_xmmm128_imm8 => VEX_Vpsrldq_xmm_xmm_imm8,
        EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8 => VEX_Vpslld_xmm_xmm_imm8,
        EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8 => VEX_Vpsllq_xmm_xmm_imm8,
        EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8 => VEX_Vpsrld_xmm_xmm_imm8,
        EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8 => VEX_Vpsrlq_xmm_xmm_imm8,
        EVEX_Vaesenc_xmm_xmm_xmmm128 => VEX_Vaesenc_xmm_xmm_xmmm128,
        EVEX_Vaesenclast_xmm_xmm_xmmm128 => VEX_Vaesenclast_xmm_xmm_xmmm128,
        EVEX_Vaesdec_xmm_xmm_xmmm128 => VEX_Vaesdec_xmm_xmm_xmmm128,
        EVEX_Vaesdeclast_xmm_xmm_xmmm128 => VEX_Vaesdeclast_xmm_xmm_xmmm128,
        EVEX_Vpclmulqdq_xmm_xmm_xmmm128_imm8 => VEX_Vpclmulqdq_xmm_xmm_xmmm128_imm8,
        EVEX_Vgf2p8affineqb_xmm_k1z_xmm_xmmm128b64_imm8 => VEX_Vgf2p8affineqb_xmm_xmm_xmmm128_imm8,
        _ => return None,
    })
}
