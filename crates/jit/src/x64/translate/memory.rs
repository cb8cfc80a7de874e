//! Scalar loads and stores.
//!
//! The table of page permissions (`capvec_sim::mem::table`) lies just before the guest's address space, so one base
//! register addresses both. One check covers all accesses of a trace that lie close together (`addresses`): their span
//! is at most a page, so they are permitted if the entry of the lowest address's page has the bit for "this page and
//! the next". Otherwise the slow path tests whether they all lie in one permitted page; if not, the run loop
//! interprets the rest of the block and finds the access that traps, if one does.

use crate::x64::analysis::addresses::AddressRange;
use crate::x64::asm::{Label, Reg, Rm, Width, at, indexed_at};
use crate::x64::cycles::access as access_timing;
use crate::x64::emit::regs::BASE;
use crate::x64::translate::{Bailout, Cold, Translator};
use capvec_isa::Op;
use capvec_sim::insn::Insn;
use capvec_sim::mem::{PAGE, table};
use iced_x86::Code;

/// The access's base, unless another host register holds it.
const ADDR: Reg = Reg::RAX;
/// The page number.
const NUMBER: Reg = Reg::RCX;
/// Data on the way to or from memory.
const DATA: Reg = Reg::RDX;

/// Most bytes from the lowest to the highest access of a group.
pub const MAX_SPAN: i64 = PAGE as i64;

/// How an instruction accesses memory.
#[derive(Clone, Copy)]
pub struct Access {
    code: Code,
    /// Width of the register operand.
    width: Width,
    /// Bytes.
    pub size: i64,
    /// Permission bit in the table.
    pub need: u8,
}

impl Access {
    /// Whether it stores.
    pub fn is_store(&self) -> bool {
        self.need == table::WRITE
    }
}

/// The instruction's access, if it can be translated.
pub fn access(op: Op) -> Option<Access> {
    let load = |code, width, size| Access { code, width, size, need: table::READ };
    let store = |code, width, size| Access { code, width, size, need: table::WRITE };
    Some(match op {
        Op::Lb => load(Code::Movsx_r64_rm8, Width::Q, 1),
        Op::Lbu => load(Code::Movzx_r32_rm8, Width::D, 1),
        Op::Lh => load(Code::Movsx_r64_rm16, Width::Q, 2),
        Op::Lhu => load(Code::Movzx_r32_rm16, Width::D, 2),
        Op::Lw => load(Code::Movsxd_r64_rm32, Width::Q, 4),
        Op::Lwu => load(Code::Mov_r32_rm32, Width::D, 4),
        Op::Ld | Op::Fld => load(Code::Mov_r64_rm64, Width::Q, 8),
        Op::Sb => store(Code::Mov_rm8_r8, Width::B, 1),
        Op::Sh => store(Code::Mov_rm16_r16, Width::W, 2),
        Op::Sw => store(Code::Mov_rm32_r32, Width::D, 4),
        Op::Sd | Op::Fsd => store(Code::Mov_rm64_r64, Width::Q, 8),
        _ => return None,
    })
}

/// Accesses of a trace, from one of them on, whose addresses have the same root and that are checked together: see
/// `addresses`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    root: u32,
    /// Offsets of the first byte, and of the end.
    low: i64,
    high: i64,
    /// Permission bits in the table.
    need: u8,
}

impl Group {
    fn of(p: &AddressRange) -> Group {
        Group { root: p.root, low: p.low, high: p.high, need: p.need }
    }

    /// The access at a position and the later ones that can be checked with it.
    fn from(addresses: &[Option<AddressRange>], first: &AddressRange) -> Group {
        let others = addresses.iter().flatten().filter(|p| p.root == first.root && p.need > 0);
        others.fold(Group::of(first), |group, p| {
            let both = group.union(Group::of(p));
            if both.high - both.low > MAX_SPAN { group } else { both }
        })
    }

    fn union(self, other: Group) -> Group {
        Group {
            root: self.root,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            need: self.need | other.need,
        }
    }

    /// Whether this group's check covers the other's.
    fn covers(&self, other: &Group) -> bool {
        self.root == other.root
            && self.low <= other.low
            && other.high <= self.high
            && self.need & other.need == other.need
    }
}

/// The slow path of a group's check.
pub struct Slow<'a> {
    from: Label,
    /// Continues after the check.
    back: Label,
    group: Group,
    /// The value of the base register.
    base: Reg,
    bailout: Bailout<'a>,
}

/// Translates a load or store.
pub fn emit(t: &mut Translator<'_>, op: Op, k: usize, i: &Insn) -> bool {
    let Some(a) = access(op) else { return false };
    let is_store = a.is_store();
    let data = match op {
        Op::Fsd => Some(t.f(i.rs2)),
        _ if is_store && a.width != Width::Q => Some(t.out.x_low(i.rs2)),
        _ if is_store => Some(t.out.x(i.rs2)),
        _ => None,
    };
    let base = t.out.x_in(i.rs1, ADDR);
    check(t, k, i.rs1, base);
    let (base, offset) = access_timing::emit(t, k, a, base, i.imm);
    let memory = indexed_at(BASE, base, offset);
    if let Some(data) = data {
        let data = match data {
            Rm::R(r) => r,
            m => {
                t.out.a.mov(DATA, m);
                DATA
            }
        };
        t.out.a.op2_to(a.code, Rm::M(memory), data);
    } else if op == Op::Fld {
        t.out.a.mov(DATA, Rm::M(memory));
        let f = t.f(i.rd);
        t.out.a.op2_to(Code::Mov_rm64_r64, f, DATA);
    } else {
        let d = t.out.target(i.rd, DATA);
        t.out.a.op2(a.code, d, Rm::M(memory));
        t.out.result(i, d);
        // These results are sign-extended 32-bit values, or narrower unsigned ones.
        if matches!(op, Op::Lb | Op::Lbu | Op::Lh | Op::Lhu | Op::Lw) {
            t.out.regs.mark_word(i.rd, false);
        }
    }
    true
}

/// Checks the permission of the group that begins here, unless an earlier check covers the access. The address is x
/// register `x`, whose value is in `base`, plus an offset. Clobbers RDX.
fn check(t: &mut Translator<'_>, insn: usize, x: u8, base: Reg) {
    match t.trace.addresses[t.position] {
        Some(place) if t.groups.iter().any(|g| g.covers(&Group::of(&place))) => {}
        Some(place) => {
            let group = Group::from(&t.trace.addresses[t.position..], &place);
            check_group(t, insn, group, place.anchor, (x, base));
        }
        None => bail_out(t, insn),
    }
}

/// Checks the permission for `len` bytes from x register `x`, whose value is in `base`, unless an earlier check
/// covers them. Clobbers RDX.
pub fn check_span(t: &mut Translator<'_>, insn: usize, x: u8, base: Reg, len: u32, is_store: bool) {
    let Some(place) = t.trace.addresses[t.position] else { return bail_out(t, insn) };
    let need = if is_store { table::WRITE } else { table::READ };
    let group = Group { high: place.low + len as i64, need, ..Group::of(&place) };
    if !t.groups.iter().any(|g| g.covers(&group)) {
        check_group(t, insn, group, place.anchor, (x, base));
    }
}

/// Nothing is known of the address: the rest of the block is interpreted.
fn bail_out(t: &mut Translator<'_>, insn: usize) {
    let bailout = t.bailout(insn);
    t.out.a.jump(Code::Jmp_rel32_64, bailout);
}

/// Checks the permission of a group whose first access is instruction `insn`. x register `x` holds the group's root
/// plus `distance`.
fn check_group(
    t: &mut Translator<'_>,
    insn: usize,
    mut group: Group,
    (x, distance): (u8, i64),
    address: (u8, Reg),
) {
    t.groups.push(group);
    let base = if x == address.0 { address.1 } else { t.out.x_in(x, DATA) };
    (group.low, group.high) = (group.low - distance, group.high - distance);
    let (from, back) = (t.out.a.label(), t.out.a.label());
    page_number(t, &group, base);
    // A single byte cannot cross into the next page.
    let single_byte = group.high - group.low == 1;
    permitted(t, if single_byte { group.need } else { group.need << ACROSS }, from);
    t.out.a.bind(back);
    let bailout = t.bailout_state(insn);
    t.out_of_line(Cold::Slow(Slow { from, back, group, base, bailout }));
}

/// Jumps to `otherwise` unless a page's length of bytes from the address in `low` is permitted.
pub fn check_page(t: &mut Translator<'_>, low: Reg, is_store: bool, otherwise: Label) {
    let need = if is_store { table::WRITE } else { table::READ };
    t.out.a.mov(NUMBER, Rm::R(low));
    t.out.a.imm(Code::Shr_rm64_imm8, Rm::R(NUMBER), PAGE.trailing_zeros() as i32);
    permitted(t, need << ACROSS, otherwise);
}

/// Shift from a page's permission bits to those for the page and the next.
const ACROSS: u32 = table::READ_ACROSS.trailing_zeros() - table::READ.trailing_zeros();

/// NUMBER = the page of the group's first byte.
fn page_number(t: &mut Translator<'_>, group: &Group, base: Reg) {
    if group.low == 0 {
        t.out.a.mov(NUMBER, Rm::R(base));
    } else {
        t.out.a.lea(Width::Q, NUMBER, at(base, group.low));
    }
    t.out.a.imm(Code::Shr_rm64_imm8, Rm::R(NUMBER), PAGE.trailing_zeros() as i32);
}

/// Jumps to `otherwise` unless the table grants these bits for page NUMBER. Clobbers NUMBER.
fn permitted(t: &mut Translator<'_>, bits: u8, otherwise: Label) {
    t.out.a.imm(Code::Cmp_rm64_imm32, Rm::R(NUMBER), table::TABLE as i32);
    t.out.a.jump(Code::Jae_rel32_64, otherwise);
    let entry = indexed_at(BASE, NUMBER, -(table::TABLE as i64));
    if bits.is_power_of_two() {
        t.out.a.imm(Code::Test_rm8_imm8, Rm::M(entry), bits as i32);
        t.out.a.jump(Code::Je_rel32_64, otherwise);
        return;
    }
    t.out.a.op2(Code::Movzx_r32_rm8, NUMBER, Rm::M(entry));
    t.out.a.imm(Code::And_rm32_imm32, Rm::R(NUMBER), bits as i32);
    t.out.a.imm(Code::Cmp_rm32_imm32, Rm::R(NUMBER), bits as i32);
    t.out.a.jump(Code::Jne_rel32_64, otherwise);
}

/// Emits the slow path.
pub fn emit_slow<'a>(t: &mut Translator<'a>, s: Slow<'a>) {
    t.out.a.bind(s.from);
    let leave = t.out.a.label();
    let len = s.group.high - s.group.low;
    if len > 1 {
        page_number(t, &s.group, s.base);
        permitted(t, s.group.need, leave);
        t.out.a.lea(Width::D, NUMBER, at(s.base, s.group.low));
        t.out.a.imm(Code::And_rm32_imm32, Rm::R(NUMBER), PAGE as i32 - 1);
        t.out.a.imm(Code::Cmp_rm32_imm32, Rm::R(NUMBER), (PAGE as i64 - len) as i32);
        t.out.a.jump(Code::Jbe_rel32_64, s.back);
    }
    t.out.a.bind(leave);
    t.emit_bailout(s.bailout);
}
