//! Checks whether accesses are permitted.
//!
//! Scalar accesses are left to the host, which protects pages as the table of permissions says (`runtime::faults`). Only whether an
//! address is in the address space, or near it, is tested, once for all accesses whose addresses have the same root
//! (`interface::addresses`).
//!
//! Vector accesses need the table, as scalar ones do where the host's faults are not used. One check covers all accesses of a trace
//! that lie close together: their span is at most a page, so they are permitted if the entry of the lowest address's page has the bit
//! for "this page and the next". Otherwise the slow path tests whether they all lie in one permitted page; if not, the run loop
//! interprets the rest of the block and finds the access that traps, if one does.

use super::insn_translator::InsnTranslator;
use crate::interface::group::Group;
use crate::x64::asm::{Asm, Label, Reg, Rm, Width, at};
use crate::x64::emit::pages::{PLACE, jump_if_one_page, page_of, permitted, within};
use capvec_sim::mem::table;
use iced_x86::Code;

/// The register with a group's root, if no other host register holds it.
const ROOT: Reg = Reg::RDX;

/// Checks the permission of the group that begins here, unless an earlier check covers the access. The address is x
/// register `x`, whose value is in `base`, plus an offset. Returns where an access that has not been checked here continues if it
/// faults. Clobbers RDX.
pub fn check(t: &mut InsnTranslator<'_>, insn: usize, (x, base): (u8, Reg)) -> Option<Label> {
    let Some(place) = t.at.trace.addresses[t.at.insn] else {
        bail_out(t, insn);
        return None;
    };
    if t.out.host.faults {
        let unknown = (!t.bounds.know(place.root)).then(|| root_in(t, place.anchor.0, (x, base)));
        let bailout = t.bailout(insn);
        if let Some(base) = unknown {
            within(&mut t.out.a, base, bailout);
            t.bounds.add(place.root);
        }
        return Some(bailout);
    }
    if !t.checked.covers(&Group::of(&place)) {
        let group = Group::from(&t.at.trace.addresses[t.at.insn..], &place);
        check_group(t, insn, group, place.anchor, (x, base));
    }
    None
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

/// A host register that holds x register `x`; the address is relative to another one, or the same, with its host register. Clobbers
/// RDX.
fn root_in(t: &mut InsnTranslator<'_>, x: u8, address: (u8, Reg)) -> Reg {
    if x == address.0 { address.1 } else { t.out.x_in(x, ROOT) }
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
    let base = root_in(t, x, address);
    (group.low, group.high) = (group.low - distance, group.high - distance);
    let (from, back) = (t.out.a.label(), t.out.a.label());
    lowest(&mut t.out.a, &group, base);
    page_of(&mut t.out.a);
    // A single byte cannot cross into the next page.
    let single_byte = group.high - group.low == 1;
    permitted(&mut t.out.a, if single_byte { group.need } else { group.need << ACROSS }, from);
    t.out.a.bind(back);
    let (bailout, functions) = (t.bailout_state(insn), t.exits.pages());
    t.exits.out_of_line(move |a, exits| {
        a.bind(from);
        if !single_byte {
            lowest(a, &group, base);
            jump_if_one_page(a, functions, (group.need, group.high - group.low), back);
        }
        bailout.emit(a, exits);
    });
}

/// Jumps to `otherwise` unless a page's length of bytes from the address in `low` is permitted.
pub fn check_page(a: &mut Asm, low: Reg, is_store: bool, otherwise: Label) {
    let need = if is_store { table::WRITE } else { table::READ };
    a.mov(PLACE, Rm::R(low));
    page_of(a);
    permitted(a, need << ACROSS, otherwise);
}

/// Shift from a page's permission bits to those for the page and the next.
const ACROSS: u32 = table::READ_ACROSS.trailing_zeros() - table::READ.trailing_zeros();

/// PLACE = the address of the group's first byte.
fn lowest(a: &mut Asm, group: &Group, base: Reg) {
    match group.low {
        0 => a.mov(PLACE, Rm::R(base)),
        low => a.lea(Width::Q, PLACE, at(base, low)),
    }
}
