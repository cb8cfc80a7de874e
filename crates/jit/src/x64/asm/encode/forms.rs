//! The table: how each instruction is encoded (opcode, prefixes, operands).

use iced_x86::Code;

/// Which opcode map the opcode is in, and how that is encoded.
#[derive(Clone, Copy)]
pub enum Map {
    /// One byte.
    Primary,
    /// After the byte 0x0f.
    Secondary,
    /// In a VEX prefix: the number of the map, and of the mandatory prefix.
    Vex(u8, u8),
}

/// How an instruction is encoded.
#[derive(Clone, Copy)]
pub struct Form {
    /// Where the opcode is.
    pub map: Map,
    /// The opcode.
    pub opcode: u8,
    /// A prefix before REX, or 0.
    pub prefix: u8,
    /// 64 bits (REX.W or VEX.W).
    pub wide: bool,
    /// What the field `reg` of ModRM holds instead of a register.
    pub digit: Option<u8>,
    /// The register is in the opcode; there is no ModRM.
    pub in_opcode: bool,
    /// Bytes of the immediate.
    pub immediate: u8,
    /// Registers in `reg` and in `rm` are 8 bits wide.
    pub bytes: (bool, bool),
}

impl Form {
    /// r and r/m, 32 bits wide.
    const fn rm(opcode: u8) -> Form {
        Form {
            map: Map::Primary,
            opcode,
            prefix: 0,
            wide: false,
            digit: None,
            in_opcode: false,
            immediate: 0,
            bytes: (false, false),
        }
    }

    const fn secondary(self) -> Form {
        Form { map: Map::Secondary, ..self }
    }

    const fn wide(self) -> Form {
        Form { wide: true, ..self }
    }

    const fn prefix(self, prefix: u8) -> Form {
        Form { prefix, ..self }
    }

    const fn digit(self, digit: u8) -> Form {
        Form { digit: Some(digit), ..self }
    }

    const fn imm(self, bytes: u8) -> Form {
        Form { immediate: bytes, ..self }
    }

    const fn bytes(self, reg: bool, rm: bool) -> Form {
        Form { bytes: (reg, rm), ..self }
    }

    const fn in_opcode(self) -> Form {
        Form { in_opcode: true, ..self }
    }

    const fn vex(self, map: u8, prefix: u8) -> Form {
        Form { map: Map::Vex(map, prefix), ..self }
    }
}

const fn rm(opcode: u8) -> Form {
    Form::rm(opcode)
}

/// The table's syntax.
macro_rules! forms {
    ($($code:ident: $form:expr,)*) => {
        &[$((Code::$code, $form),)*]
    };
}

/// All of them. The comment above each group says what it has in common.
#[rustfmt::skip]
pub const FORMS: &[(Code, Form)] = forms! {
    // Arithmetic of two operands.
    Add_r32_rm32: rm(0x03),       Add_r64_rm64: rm(0x03).wide(),  Add_rm64_r64: rm(0x01).wide(),
    Or_r32_rm32: rm(0x0b),        Or_r64_rm64: rm(0x0b).wide(),
    And_r32_rm32: rm(0x23),       And_r64_rm64: rm(0x23).wide(),
    Sub_r32_rm32: rm(0x2b),       Sub_r64_rm64: rm(0x2b).wide(),  Sub_rm64_r64: rm(0x29).wide(),
    Xor_r32_rm32: rm(0x33),       Xor_r64_rm64: rm(0x33).wide(),
    Cmp_r32_rm32: rm(0x3b),       Cmp_r64_rm64: rm(0x3b).wide(),  Cmp_rm64_r64: rm(0x39).wide(),
    Test_rm32_r32: rm(0x85),      Test_rm64_r64: rm(0x85).wide(),
    Imul_r32_rm32: rm(0xaf).secondary(),
    Imul_r64_rm64: rm(0xaf).secondary().wide(),
    Imul_r64_rm64_imm32: rm(0x69).wide().imm(4),
    // With an immediate.
    Add_rm32_imm32: rm(0x81).digit(0).imm(4),        Add_rm32_imm8: rm(0x83).digit(0).imm(1),
    Add_rm64_imm32: rm(0x81).digit(0).wide().imm(4), Add_rm64_imm8: rm(0x83).digit(0).wide().imm(1),
    Or_rm32_imm32: rm(0x81).digit(1).imm(4),         Or_rm32_imm8: rm(0x83).digit(1).imm(1),
    Or_rm64_imm32: rm(0x81).digit(1).wide().imm(4),  Or_rm64_imm8: rm(0x83).digit(1).wide().imm(1),
    And_rm32_imm32: rm(0x81).digit(4).imm(4),        And_rm32_imm8: rm(0x83).digit(4).imm(1),
    And_rm64_imm32: rm(0x81).digit(4).wide().imm(4), And_rm64_imm8: rm(0x83).digit(4).wide().imm(1),
    Xor_rm32_imm32: rm(0x81).digit(6).imm(4),        Xor_rm32_imm8: rm(0x83).digit(6).imm(1),
    Xor_rm64_imm32: rm(0x81).digit(6).wide().imm(4), Xor_rm64_imm8: rm(0x83).digit(6).wide().imm(1),
    Cmp_rm32_imm32: rm(0x81).digit(7).imm(4),        Cmp_rm32_imm8: rm(0x83).digit(7).imm(1),
    Cmp_rm64_imm32: rm(0x81).digit(7).wide().imm(4), Cmp_rm64_imm8: rm(0x83).digit(7).wide().imm(1),
    Cmp_rm8_imm8: rm(0x80).digit(7).imm(1).bytes(false, true),
    Test_rm8_imm8: rm(0xf6).digit(0).imm(1).bytes(false, true),
    // Of one operand.
    Not_rm64: rm(0xf7).digit(2).wide(),  Neg_rm64: rm(0xf7).digit(3).wide(),
    Mul_rm64: rm(0xf7).digit(4).wide(),  Imul_rm64: rm(0xf7).digit(5).wide(),
    Div_rm32: rm(0xf7).digit(6),         Div_rm64: rm(0xf7).digit(6).wide(),
    Idiv_rm32: rm(0xf7).digit(7),        Idiv_rm64: rm(0xf7).digit(7).wide(),
    Inc_rm64: rm(0xff).digit(0).wide(),  Dec_rm64: rm(0xff).digit(1).wide(),
    Inc_rm8: rm(0xfe).digit(0).bytes(false, true),
    Dec_rm8: rm(0xfe).digit(1).bytes(false, true),
    Bswap_r32: rm(0xc8).secondary().in_opcode(),
    Bswap_r64: rm(0xc8).secondary().in_opcode().wide(),
    // Shifts and rotations.
    Rol_rm32_CL: rm(0xd3).digit(0),           Rol_rm64_CL: rm(0xd3).digit(0).wide(),
    Ror_rm32_CL: rm(0xd3).digit(1),           Ror_rm64_CL: rm(0xd3).digit(1).wide(),
    Shl_rm32_imm8: rm(0xc1).digit(4).imm(1),  Shl_rm64_imm8: rm(0xc1).digit(4).wide().imm(1),
    Shr_rm32_imm8: rm(0xc1).digit(5).imm(1),  Shr_rm64_imm8: rm(0xc1).digit(5).wide().imm(1),
    Sar_rm32_imm8: rm(0xc1).digit(7).imm(1),  Sar_rm64_imm8: rm(0xc1).digit(7).wide().imm(1),
    VEX_Shlx_r32_rm32_r32: rm(0xf7).vex(2, 1),     VEX_Shlx_r64_rm64_r64: rm(0xf7).vex(2, 1).wide(),
    VEX_Sarx_r32_rm32_r32: rm(0xf7).vex(2, 2),     VEX_Sarx_r64_rm64_r64: rm(0xf7).vex(2, 2).wide(),
    VEX_Shrx_r32_rm32_r32: rm(0xf7).vex(2, 3),     VEX_Shrx_r64_rm64_r64: rm(0xf7).vex(2, 3).wide(),
    VEX_Rorx_r32_rm32_imm8: rm(0xf0).vex(3, 3).imm(1),
    VEX_Rorx_r64_rm64_imm8: rm(0xf0).vex(3, 3).imm(1).wide(),
    // Bits.
    VEX_Andn_r32_r32_rm32: rm(0xf2).vex(2, 0),     VEX_Andn_r64_r64_rm64: rm(0xf2).vex(2, 0).wide(),
    VEX_Blsi_r32_rm32: rm(0xf3).vex(2, 0).digit(3),
    Bts_rm64_r64: rm(0xab).secondary().wide(),
    Btr_rm64_r64: rm(0xb3).secondary().wide(),
    Btc_rm64_r64: rm(0xbb).secondary().wide(),
    Bts_rm64_imm8: rm(0xba).secondary().digit(5).wide().imm(1),
    Btr_rm64_imm8: rm(0xba).secondary().digit(6).wide().imm(1),
    Btc_rm64_imm8: rm(0xba).secondary().digit(7).wide().imm(1),
    Popcnt_r32_rm32: rm(0xb8).secondary().prefix(0xf3),
    Popcnt_r64_rm64: rm(0xb8).secondary().prefix(0xf3).wide(),
    Tzcnt_r32_rm32: rm(0xbc).secondary().prefix(0xf3),
    Tzcnt_r64_rm64: rm(0xbc).secondary().prefix(0xf3).wide(),
    Lzcnt_r32_rm32: rm(0xbd).secondary().prefix(0xf3),
    Lzcnt_r64_rm64: rm(0xbd).secondary().prefix(0xf3).wide(),
    // Moves.
    Mov_r32_rm32: rm(0x8b),  Mov_r64_rm64: rm(0x8b).wide(),
    Mov_rm32_r32: rm(0x89),  Mov_rm64_r64: rm(0x89).wide(),
    Mov_rm16_r16: rm(0x89).prefix(0x66),
    Mov_rm8_r8: rm(0x88).bytes(true, true),
    Mov_rm8_imm8: rm(0xc6).digit(0).imm(1).bytes(false, true),
    Mov_rm64_imm32: rm(0xc7).digit(0).wide().imm(4),
    Movzx_r32_rm8: rm(0xb6).secondary().bytes(false, true),
    Movzx_r32_rm16: rm(0xb7).secondary(),
    Movsx_r64_rm8: rm(0xbe).secondary().wide().bytes(false, true),
    Movsx_r64_rm16: rm(0xbf).secondary().wide(),
    Movsxd_r64_rm32: rm(0x63).wide(),
    Lea_r32_m: rm(0x8d),     Lea_r64_m: rm(0x8d).wide(),
    Push_r64: rm(0x50).in_opcode(),
    Pop_r64: rm(0x58).in_opcode(),
    // Conditions.
    Seta_rm8: rm(0x97).secondary().digit(0).bytes(false, true),
    Setae_rm8: rm(0x93).secondary().digit(0).bytes(false, true),
    Sete_rm8: rm(0x94).secondary().digit(0).bytes(false, true),
    Setnp_rm8: rm(0x9b).secondary().digit(0).bytes(false, true),
    Setb_rm8: rm(0x92).secondary().digit(0).bytes(false, true),
    Setl_rm8: rm(0x9c).secondary().digit(0).bytes(false, true),
    Cmovb_r64_rm64: rm(0x42).secondary().wide(),
    Cmove_r64_rm64: rm(0x44).secondary().wide(),
    Cmovne_r64_rm64: rm(0x45).secondary().wide(),
    Cmova_r64_rm64: rm(0x47).secondary().wide(),
    Cmovs_r64_rm64: rm(0x48).secondary().wide(),
    Cmovl_r64_rm64: rm(0x4c).secondary().wide(),
    Cmovg_r64_rm64: rm(0x4f).secondary().wide(),
    // Scalar floating point. The numbers in `vex` are the map and the prefix: 66, F3, F2 are 1, 2, 3.
    VEX_Vmovss_xmm_m32: rm(0x10).vex(1, 2),             VEX_Vmovsd_xmm_m64: rm(0x10).vex(1, 3),
    VEX_Vmovss_m32_xmm: rm(0x11).vex(1, 2),             VEX_Vmovsd_m64_xmm: rm(0x11).vex(1, 3),
    VEX_Vaddss_xmm_xmm_xmmm32: rm(0x58).vex(1, 2),      VEX_Vaddsd_xmm_xmm_xmmm64: rm(0x58).vex(1, 3),
    VEX_Vmulss_xmm_xmm_xmmm32: rm(0x59).vex(1, 2),      VEX_Vmulsd_xmm_xmm_xmmm64: rm(0x59).vex(1, 3),
    VEX_Vsubss_xmm_xmm_xmmm32: rm(0x5c).vex(1, 2),      VEX_Vsubsd_xmm_xmm_xmmm64: rm(0x5c).vex(1, 3),
    VEX_Vdivss_xmm_xmm_xmmm32: rm(0x5e).vex(1, 2),      VEX_Vdivsd_xmm_xmm_xmmm64: rm(0x5e).vex(1, 3),
    VEX_Vsqrtss_xmm_xmm_xmmm32: rm(0x51).vex(1, 2),     VEX_Vsqrtsd_xmm_xmm_xmmm64: rm(0x51).vex(1, 3),
    VEX_Vcvtss2sd_xmm_xmm_xmmm32: rm(0x5a).vex(1, 2),   VEX_Vcvtsd2ss_xmm_xmm_xmmm64: rm(0x5a).vex(1, 3),
    VEX_Vucomiss_xmm_xmmm32: rm(0x2e).vex(1, 0),        VEX_Vucomisd_xmm_xmmm64: rm(0x2e).vex(1, 1),
    VEX_Vcomiss_xmm_xmmm32: rm(0x2f).vex(1, 0),         VEX_Vcomisd_xmm_xmmm64: rm(0x2f).vex(1, 1),
    VEX_Vxorps_xmm_xmm_xmmm128: rm(0x57).vex(1, 0),
    VEX_Vcvtsi2ss_xmm_xmm_rm32: rm(0x2a).vex(1, 2),     VEX_Vcvtsi2sd_xmm_xmm_rm32: rm(0x2a).vex(1, 3),
    VEX_Vcvtsi2ss_xmm_xmm_rm64: rm(0x2a).vex(1, 2).wide(),
    VEX_Vcvtsi2sd_xmm_xmm_rm64: rm(0x2a).vex(1, 3).wide(),
    VEX_Vcvttss2si_r32_xmmm32: rm(0x2c).vex(1, 2),      VEX_Vcvttsd2si_r32_xmmm64: rm(0x2c).vex(1, 3),
    VEX_Vcvttss2si_r64_xmmm32: rm(0x2c).vex(1, 2).wide(),
    VEX_Vcvttsd2si_r64_xmmm64: rm(0x2c).vex(1, 3).wide(),
    VEX_Vcvtss2si_r32_xmmm32: rm(0x2d).vex(1, 2),       VEX_Vcvtsd2si_r32_xmmm64: rm(0x2d).vex(1, 3),
    VEX_Vcvtss2si_r64_xmmm32: rm(0x2d).vex(1, 2).wide(),
    VEX_Vcvtsd2si_r64_xmmm64: rm(0x2d).vex(1, 3).wide(),
    VEX_Vfmadd213ss_xmm_xmm_xmmm32: rm(0xa9).vex(2, 1),  VEX_Vfmadd213sd_xmm_xmm_xmmm64: rm(0xa9).vex(2, 1).wide(),
    VEX_Vfmsub213ss_xmm_xmm_xmmm32: rm(0xab).vex(2, 1),  VEX_Vfmsub213sd_xmm_xmm_xmmm64: rm(0xab).vex(2, 1).wide(),
    VEX_Vfnmadd213ss_xmm_xmm_xmmm32: rm(0xad).vex(2, 1), VEX_Vfnmadd213sd_xmm_xmm_xmmm64: rm(0xad).vex(2, 1).wide(),
    VEX_Vfnmsub213ss_xmm_xmm_xmmm32: rm(0xaf).vex(2, 1), VEX_Vfnmsub213sd_xmm_xmm_xmmm64: rm(0xaf).vex(2, 1).wide(),
    Ldmxcsr_m32: rm(0xae).secondary().digit(2),         Stmxcsr_m32: rm(0xae).secondary().digit(3),
    // To an address in a register or in memory.
    Call_rm64: rm(0xff).digit(2),
    Jmp_rm64: rm(0xff).digit(4),
};

/// Larger than every code of `FORMS`.
const CODES: usize = {
    let (mut most, mut k) = (0, 0);
    while k < FORMS.len() {
        let code = FORMS[k].0 as usize;
        most = if code > most { code } else { most };
        k += 1;
    }
    most + 1
};

/// One more than the index in `FORMS`, by code; 0 for codes without an entry.
static INDEX: [u8; CODES] = {
    let (mut index, mut k) = ([0; CODES], 0);
    while k < FORMS.len() {
        index[FORMS[k].0 as usize] = k as u8 + 1;
        k += 1;
    }
    index
};

/// How the instruction is encoded, if that is known here.
pub fn form(code: Code) -> Option<&'static Form> {
    let k = *INDEX.get(code as usize)?;
    FORMS.get((k as usize).wrapping_sub(1)).map(|(_, form)| form)
}

/// The opcode of a relative jump or call with a displacement of 32 bits, in the map after 0x0f if the flag is set.
pub fn relative(code: Code) -> Option<(bool, u8)> {
    Some(match code {
        Code::Jmp_rel32_64 => (false, 0xe9),
        Code::Call_rel32_64 => (false, 0xe8),
        Code::Jb_rel32_64 => (true, 0x82),
        Code::Jae_rel32_64 => (true, 0x83),
        Code::Jo_rel32_64 => (true, 0x80),
        Code::Jp_rel32_64 => (true, 0x8a),
        Code::Je_rel32_64 => (true, 0x84),
        Code::Jne_rel32_64 => (true, 0x85),
        Code::Jbe_rel32_64 => (true, 0x86),
        Code::Ja_rel32_64 => (true, 0x87),
        Code::Jl_rel32_64 => (true, 0x8c),
        Code::Jge_rel32_64 => (true, 0x8d),
        Code::Jle_rel32_64 => (true, 0x8e),
        _ => return None,
    })
}
