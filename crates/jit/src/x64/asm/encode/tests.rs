//! iced-x86's encoder as the oracle: the same bytes for every code of the table, every register and every shape of
//! memory operand.

use super::super::{Asm, Mem, Reg, Rm, Width, at, indexed, scaled};
use super::forms::FORMS;
use super::*;
use crate::interface::relocation::Refers;
use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Register};

const DISPLACEMENTS: [i64; 9] = [0, 1, -1, 127, -128, 128, -129, i32::MAX as i64, i32::MIN as i64];

#[rustfmt::skip]
const REGISTERS: [Reg; 16] = [
    Reg::RAX, Reg::RCX, Reg::RDX, Reg::RBX, Reg::RSP, Reg::RBP, Reg::RSI, Reg::RDI,
    Reg::R8, Reg::R9, Reg::R10, Reg::R11, Reg::R12, Reg::R13, Reg::R14, Reg::R15,
];

/// Every combination of base, index, scale and displacement.
fn places() -> Vec<Mem> {
    let all = REGISTERS;
    let mut places: Vec<Mem> = Vec::new();
    for displ in DISPLACEMENTS {
        for base in all {
            places.push(at(base, displ));
            for index in all.into_iter().filter(|index| *index != Reg::RSP) {
                let scale = 1 << (base.number() ^ index.number()) % 4;
                places.push(indexed(base, index, scale, displ));
            }
        }
    }
    let indices = all.into_iter().filter(|index| *index != Reg::RSP);
    places.extend(indices.flat_map(|x| [2, 4, 8].map(|scale| scaled(x, scale))));
    places.extend(low_places());
    places
}

/// A low address of the host that differs from other parts of instructions.
const LOW: u32 = 0x1357_9bdf;

/// Operands at a low address, with every index.
fn low_places() -> impl Iterator<Item = Mem> {
    let indices = REGISTERS.into_iter().filter(|index| *index != Reg::RSP);
    let indices = std::iter::once(None).chain(indices.map(|x| Some((x, 1))));
    indices.map(|index| Mem { base: None, index, displ: LOW.into() })
}

/// An operand for iced-x86.
#[derive(Clone, Copy)]
enum Operand {
    Register(Register),
    Memory(MemoryOperand),
    Immediate(i32),
}

/// The operands in the code's name, such as `r64` and `rm64`.
fn parts(code: Code) -> Vec<String> {
    let name = format!("{code:?}");
    let name = name.strip_prefix("VEX_").unwrap_or(&name);
    name.split('_').skip(1).map(str::to_owned).collect()
}

/// The register with this number of bits.
fn name(bits: &str, r: Reg) -> Register {
    r.at(match bits {
        "8" => Width::B,
        "16" => Width::W,
        "32" => Width::D,
        "64" => Width::Q,
        other => panic!("{other}"),
    })
}

/// The vector register with the same number.
fn xmm(r: Reg) -> Register {
    Register::XMM0 + u32::from(r.number())
}

/// Whether an operand with this name is in memory.
fn is_memory(part: &str) -> bool {
    matches!(part, "m" | "m32" | "m64")
}

/// Whether an operand with this name is in a register or in memory.
fn is_either(part: &str) -> bool {
    part.starts_with("rm") || part.starts_with("xmmm")
}

/// Whether the code has a third operand in a register, or one in its place that it writes.
fn has_third(code: Code, form: &Form) -> bool {
    parts(code).len() == 3 && form.immediate == 0 || writes_third(form)
}

/// Whether it writes the operand in the place of the third.
fn writes_third(form: &Form) -> bool {
    matches!(form.map, Map::Vex(..)) && form.digit.is_some()
}

/// The operand with this name; with `vex`, it is `o.third`.
fn operand(part: &str, vex: bool, o: &Operands, in_opcode: bool) -> Operand {
    use Operand::{Immediate, Register};
    match (part, o.rm) {
        ("CL", _) => Register(iced_x86::Register::CL),
        (part, Rm::M(m)) if is_memory(part) || is_either(part) => Operand::Memory(m.operand()),
        (part, Rm::R(r)) if part.starts_with("xmmm") => Register(xmm(r)),
        ("xmm", _) => Register(xmm(if vex { o.third } else { o.reg })),
        (part, Rm::R(r)) if part.starts_with("rm") => Register(name(&part[2..], r)),
        (part, Rm::R(r)) if in_opcode => Register(name(&part[1..], r)),
        (part, _) if part.starts_with("imm") => Immediate(o.immediate),
        _ => Register(name(&part[1..], if vex { o.third } else { o.reg })),
    }
}

/// The bytes that iced-x86 assembles.
fn oracle(code: Code, form: &Form, o: &Operands) -> Vec<u8> {
    use Operand::{Immediate as I, Memory as M, Register as R};
    let vex = matches!(form.map, Map::Vex(..)) && has_third(code, form);
    let all: Vec<Operand> = (parts(code).iter().enumerate())
        .map(|(n, part)| operand(part, vex && (n > 0 || writes_third(form)), o, form.in_opcode))
        .collect();
    let i = match *all {
        [R(a)] => Instruction::with1(code, a),
        [M(a)] => Instruction::with1(code, a),
        [R(a), R(b)] => Instruction::with2(code, a, b),
        [R(a), M(b)] => Instruction::with2(code, a, b),
        [M(a), R(b)] => Instruction::with2(code, a, b),
        [R(a), I(b)] => Instruction::with2(code, a, b),
        [M(a), I(b)] => Instruction::with2(code, a, b),
        [R(a), R(b), R(c)] => Instruction::with3(code, a, b, c),
        [R(a), R(b), M(c)] => Instruction::with3(code, a, b, c),
        [R(a), M(b), R(c)] => Instruction::with3(code, a, b, c),
        [R(a), R(b), I(c)] => Instruction::with3(code, a, b, c),
        [R(a), M(b), I(c)] => Instruction::with3(code, a, b, c),
        _ => panic!("{code:?}"),
    };
    bytes_of(i.expect("an instruction"), 0)
}

fn bytes_of(i: Instruction, at: u64) -> Vec<u8> {
    let mut encoder = Encoder::new(64);
    encoder.encode(&i, at).expect("an instruction that can be encoded");
    encoder.take_buffer()
}

fn check(code: Code, form: &Form, o: &Operands) {
    let third = if has_third(code, form) { o.third } else { Reg::RAX };
    let o = &Operands { third, ..*o };
    let mut bytes = Vec::new();
    assert!(encode(&mut bytes, form, o), "{code:?}");
    let expected = oracle(code, form, o);
    assert_eq!(bytes, expected, "{code:?} reg {:?} rm {:?} imm {}", o.reg, o.rm, o.immediate);
}

/// Whether the code can have an operand in memory, and whether it can do without.
fn kinds(code: Code) -> (bool, bool) {
    let parts = parts(code);
    let either = parts.iter().any(|part| is_either(part));
    let memory = parts.iter().any(|part| is_memory(part));
    (either || memory, !memory)
}

#[test]
fn registers_are_encoded_as_by_iced() {
    for (code, form) in FORMS.iter().filter(|(code, _)| kinds(*code).1) {
        for reg in REGISTERS {
            for rm in REGISTERS {
                let third = Reg::R9;
                check(*code, form, &Operands { reg, rm: Rm::R(rm), third, immediate: 5 });
            }
        }
    }
}

#[test]
fn memory_operands_are_encoded_as_by_iced() {
    let places = places();
    for (code, form) in FORMS.iter().filter(|(code, _)| kinds(*code).0) {
        for (n, place) in places.iter().enumerate() {
            let (reg, third) = (REGISTERS[n % 16], REGISTERS[n / 16 % 16]);
            check(*code, form, &Operands { reg, rm: Rm::M(*place), third, immediate: -3 });
        }
    }
}

/// An operand at a low address is found again when the code is placed in another engine.
#[test]
fn low_addresses_are_noted_where_they_are() {
    let at = |bytes: &[u8], at: usize| {
        u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
    };
    for (code, _) in FORMS.iter().filter(|(code, _)| kinds(*code).0) {
        for place in low_places() {
            let mut a = Asm::new(1 << 40);
            a.encode(*code, Operands { rm: Rm::M(place), immediate: -3, ..Operands::NONE });
            a.mov_address(Reg::R9, LOW.into());
            let (bytes, relocations) = a.finish().expect("instructions that can be encoded");
            let found: Vec<(Refers, u32)> =
                relocations.iter().map(|r| (r.refers, at(&bytes, r.at as usize))).collect();
            assert_eq!(found, [(Refers::LowAddress, LOW); 2], "{code:?}");
        }
    }
}

#[test]
fn cells_are_operands_where_their_address_is_low() {
    let mut a = Asm::new(1 << 40);
    let low = Mem { base: None, index: None, displ: LOW.into() };
    assert_eq!((a.cell(LOW.into(), Reg::RCX), a.len()), (low, 0));
    assert_eq!((a.cell(1 << 31, Reg::RCX), a.len()), (at(Reg::RCX, 0), 10));
    let indexed = Mem { index: Some((Reg::RDX, 1)), ..low };
    let found = [LOW.into(), 1 << 31].map(|address| Mem::at_address(address, Some(Reg::RDX)));
    assert_eq!(found, [Some(indexed), None]);
}

#[test]
fn immediates_are_encoded_as_by_iced() {
    for (code, form) in FORMS.iter().filter(|(_, form)| form.immediate > 0) {
        let all = [0, 1, -1, 31, 63, 127, -128, 128, -129, i32::MAX, i32::MIN];
        let fits = |imm: &i32| form.immediate == 4 || i8::try_from(*imm).is_ok();
        for immediate in all.into_iter().filter(fits) {
            check(*code, form, &Operands { immediate, ..Operands::NONE });
        }
    }
}

/// The assembler's own encodings: constants, relative jumps, the return.
#[test]
fn the_rest_is_encoded_as_by_iced() {
    let base = 0x1_0000_0000;
    let oracle = |i: Result<Instruction, _>| bytes_of(i.expect("an instruction"), base);
    let with = |f: &dyn Fn(&mut Asm)| {
        let mut a = Asm::new(base);
        f(&mut a);
        a.finish().expect("an instruction that can be encoded").0
    };
    for r in REGISTERS {
        let (d, q) = (name("32", r), name("64", r));
        for v in [0, 1, u32::MAX as u64] {
            let expected = Instruction::with2(Code::Mov_r32_imm32, d, v as u32);
            assert_eq!(with(&|a| a.mov_imm(r, v)), oracle(expected));
        }
        for v in [-1, i32::MIN as i64] {
            let expected = Instruction::with2(Code::Mov_rm64_imm32, q, v as i32);
            assert_eq!(with(&|a| a.mov_imm(r, v as u64)), oracle(expected));
        }
        for v in [1 << 32, u64::MAX >> 1, i32::MIN as i64 as u64 - 1] {
            let expected = Instruction::with2(Code::Mov_r64_imm64, q, v);
            assert_eq!(with(&|a| a.mov_imm(r, v)), oracle(expected));
        }
        // Only addresses below 2 GiB, which fit in a displacement too, have the short form.
        for v in [1 << 31, 1 << 40] {
            let expected = Instruction::with2(Code::Mov_r64_imm64, q, v);
            assert_eq!(with(&|a| a.mov_address(r, v)), oracle(expected));
        }
        let low = (1 << 31) - 1;
        let expected = Instruction::with2(Code::Mov_r32_imm32, d, low as u32);
        assert_eq!(with(&|a| a.mov_address(r, low)), oracle(expected));
    }
    let eax = Instruction::with2(Code::Mov_r32_imm32, Register::EAX, 7);
    assert_eq!(with(&|a| a.mov_number(7, Refers::Edge)), oracle(eax));
    let mut jumps = 0;
    for code in Code::values().filter(|code| relative(*code).is_some()) {
        for to in [base, base + 5, base - (1 << 31) + 6, base + (1 << 31)] {
            let expected = Instruction::with_branch(code, to);
            assert_eq!(with(&|a| a.jump_to(code, to)), oracle(expected), "{code:?}");
        }
        let mut a = Asm::new(base);
        a.jump_to(code, base + (1 << 32));
        assert!(a.finish().is_err(), "{code:?}");
        jumps += 1;
    }
    assert_eq!(jumps, 13);
    assert_eq!(with(&|a| a.ret()), oracle(Ok(Instruction::with(Code::Retnq))));
}

#[test]
fn operands_that_cannot_be_encoded_are_refused() {
    let form = |code| form(code).expect("a code of the table");
    let refused = |code, o| !encode(&mut Vec::new(), form(code), &o);
    let memory = |m| Operands { rm: Rm::M(m), ..Operands::NONE };
    assert!(refused(Code::Mov_r64_rm64, memory(at(Reg::RAX, 1 << 31))));
    assert!(refused(Code::Mov_r64_rm64, memory(indexed(Reg::RAX, Reg::RSP, 1, 0))));
    assert!(refused(Code::Mov_r64_rm64, memory(indexed(Reg::RAX, Reg::RCX, 3, 0))));
    assert!(refused(Code::Push_r64, memory(at(Reg::RAX, 0))));
    let o = Operands { immediate: 256, ..Operands::NONE };
    assert!(refused(Code::Shl_rm64_imm8, o));
    let o = Operands { immediate: 128, ..Operands::NONE };
    assert!(refused(Code::And_rm64_imm8, o));
}
