//! Checks whether accesses are permitted.
//!
//! The table of page permissions (`capvec_sim::mem::table`) lies before the guest's address space. One check covers all accesses
//! of a trace that lie close together (`interface::addresses`): their span is at most a page, so they are permitted if the entry of
//! the lowest address's page has the bit for "this page and the next". Otherwise the slow path tests whether they all lie in one
//! permitted page; if not, the run loop interprets the rest of the block and finds the access that traps, if one does.

use super::translator::Translator;
use crate::a64::asm::{Cond, Label, Op3, OpField, OpImm, OpMask, Reg, Transfer, Width, ZR, field};
use crate::a64::asm::{indexed, op_imm};
use crate::a64::registers::{LR, T1, T2, TABLE};
use crate::interface::exit::Exit;
use crate::interface::group::Group;
use capvec_sim::mem::{PAGE, table};

const X: Width = Width::X;
/// The number of a page, and other temporary values.
const NUMBER: Reg = T1;
/// The permissions of a page.
const BITS: Reg = T2;

/// Shift from a page's permission bits to those for the page and the next.
const ACROSS: u32 = table::READ_ACROSS.trailing_zeros() - table::READ.trailing_zeros();

const _: () = assert!(table::ENTRIES.is_power_of_two());

/// Checks the permission of the group that begins with instruction `k` of the block, unless an earlier check covers the access. The
/// address is x register `x`, whose value is in `base`, plus an offset. Clobbers `T1`, `T2` and `LR`.
pub fn check(t: &mut Translator<'_>, k: usize, (x, base): (u8, Reg)) {
    let exit = Exit::Interpret { block: t.step.number, insn: k as u8 };
    let Some(place) = t.addresses[t.at] else {
        // Nothing is known about the address.
        let leave = t.exit(exit, None);
        return t.out.a.jump(leave);
    };
    if t.checked.covers(&Group::of(&place)) {
        return;
    }
    let mut group = Group::from(&t.addresses[t.at..], &place);
    t.checked.add(group);
    let (anchor, distance) = place.anchor;
    let base = if anchor == x { base } else { t.out.x(anchor, LR) };
    (group.low, group.high) = (group.low - distance, group.high - distance);
    let back = t.out.a.label();
    let from = t.out_of_line(move |t| {
        allow_one_page(t, &group, base, back);
        t.leave(exit);
    });
    page_number(t, &group, base);
    // A single byte cannot cross into the next page.
    let single_byte = group.high - group.low == 1;
    permitted(t, if single_byte { group.need } else { group.need << ACROSS }, from);
    t.out.a.bind(back);
}

/// Jumps to `otherwise` unless the table grants this bit for all of the `len` bytes, more than one and at most a page's, from the
/// address in `base` on. Clobbers `T1` and `T2`.
pub fn check_span(t: &mut Translator<'_>, base: Reg, len: i64, need: u8, otherwise: Label) {
    let group = Group { root: 0, low: 0, high: len, need };
    let back = t.out.a.label();
    let from = t.out_of_line(move |t| {
        allow_one_page(t, &group, base, back);
        t.out.a.jump(otherwise);
    });
    page_number(t, &group, base);
    permitted(t, need << ACROSS, from);
    t.out.a.bind(back);
}

/// NUMBER = the page of the group's first byte.
fn page_number(t: &mut Translator<'_>, group: &Group, base: Reg) {
    t.out.a.add_imm(X, NUMBER, base, group.low, BITS);
    t.out.a.put(field(OpField::Ubfm, X, NUMBER, NUMBER, PAGE.trailing_zeros(), 63));
}

/// Jumps to `otherwise` unless the table grants these bits for page NUMBER. Clobbers NUMBER.
fn permitted(t: &mut Translator<'_>, bits: u8, otherwise: Label) {
    let a = &mut t.out.a;
    a.put(field(OpField::Ubfm, X, BITS, NUMBER, table::ENTRIES.trailing_zeros(), 63));
    a.jump_unless_zero(X, BITS, otherwise);
    a.put(indexed(Transfer::Ldrb, BITS, TABLE, NUMBER));
    if bits.is_power_of_two() {
        a.mask((OpMask::Ands, Op3::Ands), ZR, BITS, bits.into(), NUMBER);
        a.jump_if(Cond::Eq, otherwise);
    } else {
        a.mask((OpMask::And, Op3::And), BITS, BITS, bits.into(), NUMBER);
        a.put(op_imm(OpImm::Subs, X, ZR, BITS, bits.into(), false));
        a.jump_if(Cond::Ne, otherwise);
    }
}

/// The slow path of a group's check: continues at `back` if all its accesses lie in one permitted page.
fn allow_one_page(t: &mut Translator<'_>, group: &Group, base: Reg, back: Label) {
    let leave = t.out.a.label();
    let len = group.high - group.low;
    if len > 1 {
        page_number(t, group, base);
        permitted(t, group.need, leave);
        let a = &mut t.out.a;
        a.add_imm(X, NUMBER, base, group.low, BITS);
        a.put(field(OpField::Ubfm, X, NUMBER, NUMBER, 0, PAGE.trailing_zeros() - 1));
        a.compare_imm(X, NUMBER, PAGE as i64 - len, BITS);
        a.jump_if(Cond::Ls, back);
    }
    t.out.a.bind(leave);
}
