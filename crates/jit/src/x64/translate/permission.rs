//! Checks whether accesses are permitted.
//!
//! The table of page permissions (`capvec_sim::mem::table`) lies just before the guest's address space, so one base
//! register addresses both. One check covers all accesses of a trace that lie close together (`interface::addresses`):
//! their span is at most a page, so they are permitted if the entry of the lowest address's page has the bit for "this
//! page and the next". Otherwise the slow path tests whether they all lie in one permitted page; if not, the run loop
//! interprets the rest of the block and finds the access that traps, if one does.

use super::insn_translator::InsnTranslator;
use crate::interface::group::Group;
use crate::x64::asm::{Asm, Label, Reg, Rm, Width, at, indexed_at};
use crate::x64::runtime::convention::BASE;
use capvec_sim::mem::{PAGE, table};
use iced_x86::Code;

/// The page number.
const NUMBER: Reg = Reg::RCX;
/// The register with a group's root, if no other host register holds it.
const ROOT: Reg = Reg::RDX;

/// Checks the permission of the group that begins here, unless an earlier check covers the access. The address is x
/// register `x`, whose value is in `base`, plus an offset. Clobbers RDX.
pub fn check(t: &mut InsnTranslator<'_>, insn: usize, (x, base): (u8, Reg)) {
    match t.at.trace.addresses[t.at.insn] {
        Some(place) if t.checked.covers(&Group::of(&place)) => {}
        Some(place) => {
            let group = Group::from(&t.at.trace.addresses[t.at.insn..], &place);
            check_group(t, insn, group, place.anchor, (x, base));
        }
        None => bail_out(t, insn),
    }
}

/// Checks the permission for `len` bytes from x register `x`, whose value is in `base`, unless an earlier check
/// covers them. Clobbers RDX.
pub fn check_span(
    t: &mut InsnTranslator<'_>,
    insn: usize,
    (x, base): (u8, Reg),
    len: u32,
    is_store: bool,
) {
    let Some(place) = t.at.trace.addresses[t.at.insn] else { return bail_out(t, insn) };
    let need = if is_store { table::WRITE } else { table::READ };
    let group = Group { high: place.low + len as i64, need, ..Group::of(&place) };
    if !t.checked.covers(&group) {
        check_group(t, insn, group, place.anchor, (x, base));
    }
}

/// Nothing is known about the address: the rest of the block is interpreted.
fn bail_out(t: &mut InsnTranslator<'_>, insn: usize) {
    let bailout = t.bailout(insn);
    t.out.a.jump(Code::Jmp_rel32_64, bailout);
}

/// Checks the permission of a group whose first access is instruction `insn`. x register `x` holds the group's root
/// plus `distance`.
fn check_group(
    t: &mut InsnTranslator<'_>,
    insn: usize,
    mut group: Group,
    (x, distance): (u8, i64),
    address: (u8, Reg),
) {
    t.checked.add(group);
    let base = if x == address.0 { address.1 } else { t.out.x_in(x, ROOT) };
    (group.low, group.high) = (group.low - distance, group.high - distance);
    let (from, back) = (t.out.a.label(), t.out.a.label());
    page_number(&mut t.out.a, &group, base);
    // A single byte cannot cross into the next page.
    let single_byte = group.high - group.low == 1;
    permitted(&mut t.out.a, if single_byte { group.need } else { group.need << ACROSS }, from);
    t.out.a.bind(back);
    let bailout = t.bailout_state(insn);
    t.exits.out_of_line(move |a, exits| {
        a.bind(from);
        allow_one_page(a, &group, base, back);
        bailout.emit(a, exits);
    });
}

/// Jumps to `otherwise` unless a page's length of bytes from the address in `low` is permitted.
pub fn check_page(a: &mut Asm, low: Reg, is_store: bool, otherwise: Label) {
    let need = if is_store { table::WRITE } else { table::READ };
    a.mov(NUMBER, Rm::R(low));
    a.imm(Code::Shr_rm64_imm8, Rm::R(NUMBER), PAGE.trailing_zeros() as i32);
    permitted(a, need << ACROSS, otherwise);
}

/// Shift from a page's permission bits to those for the page and the next.
const ACROSS: u32 = table::READ_ACROSS.trailing_zeros() - table::READ.trailing_zeros();

/// NUMBER = the page of the group's first byte.
fn page_number(a: &mut Asm, group: &Group, base: Reg) {
    if group.low == 0 {
        a.mov(NUMBER, Rm::R(base));
    } else {
        a.lea(Width::Q, NUMBER, at(base, group.low));
    }
    a.imm(Code::Shr_rm64_imm8, Rm::R(NUMBER), PAGE.trailing_zeros() as i32);
}

/// Jumps to `otherwise` unless the table grants these bits for page NUMBER. Clobbers NUMBER.
fn permitted(a: &mut Asm, bits: u8, otherwise: Label) {
    a.imm(Code::Cmp_rm64_imm32, Rm::R(NUMBER), table::TABLE as i32);
    a.jump(Code::Jae_rel32_64, otherwise);
    let entry = indexed_at(BASE, NUMBER, -(table::TABLE as i64));
    if bits.is_power_of_two() {
        a.imm(Code::Test_rm8_imm8, Rm::M(entry), bits as i32);
        a.jump(Code::Je_rel32_64, otherwise);
        return;
    }
    a.op2(Code::Movzx_r32_rm8, NUMBER, Rm::M(entry));
    a.imm(Code::And_rm32_imm32, Rm::R(NUMBER), bits as i32);
    a.imm(Code::Cmp_rm32_imm32, Rm::R(NUMBER), bits as i32);
    a.jump(Code::Jne_rel32_64, otherwise);
}

/// The slow path of a group's check: continues at `back` if all its accesses lie in one permitted page.
fn allow_one_page(a: &mut Asm, group: &Group, base: Reg, back: Label) {
    let leave = a.label();
    let len = group.high - group.low;
    if len > 1 {
        page_number(a, group, base);
        permitted(a, group.need, leave);
        a.lea(Width::D, NUMBER, at(base, group.low));
        a.imm(Code::And_rm32_imm32, Rm::R(NUMBER), PAGE as i32 - 1);
        a.imm(Code::Cmp_rm32_imm32, Rm::R(NUMBER), (PAGE as i64 - len) as i32);
        a.jump(Code::Jbe_rel32_64, back);
    }
    a.bind(leave);
}
