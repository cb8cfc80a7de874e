//! Scalar loads and stores under a core model. A line that is the most recently used of its set is a hit that changes
//! nothing, and is tested in line; everything else takes the slow path.

use crate::x64::asm::{Asm, Label, Reg, Rm, Width, at, indexed_at};
use crate::x64::cycles::lines::{self, LINE, SET, Side};
use crate::x64::cycles::vector::CatchUp;
use crate::x64::emit::file::Dirty;
use crate::x64::translate::memory::{self, access};
use crate::x64::translate::{Cold, Translator};
use capvec_isa::Op;
use capvec_sim::block::Block;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_sim::timing::Dynamic;
use capvec_timing::Tags;
use capvec_timing::native::{Native, TICKS, static_ticks};
use iced_x86::Code;

/// Ticks of an access that are counted at its block's entry.
fn static_access(n: &Native, a: &memory::Access) -> u64 {
    let ticks = if a.is_store() { n.data.write } else { n.data.read };
    if n.shared { ticks as u64 } else { 0 }
}

/// Whether a hit has ticks left to count at the access.
fn is_dynamic(n: &Native, a: &memory::Access) -> bool {
    !n.shared && if a.is_store() { n.data.write } else { n.data.read } > 0
}

/// Ticks of these instructions' accesses that are counted at their block's entry.
pub fn static_accesses(n: &Native, insns: &[Insn]) -> u64 {
    let known = insns.iter().filter_map(|i| access(i.op().row().base));
    known.map(|a| static_access(n, &a)).sum()
}

/// Ticks to add to the count for the time at which a dynamic instruction issues: the block's entry has already
/// counted everything static, of later instructions too.
pub fn correction(n: &Native, b: &Block, d: Dynamic) -> i64 {
    let later = static_accesses(n, &b.insns[d.index as usize..]);
    let all = static_ticks(&b.plan, b.insns.len());
    d.issue as i64 * TICKS as i64 - (all + later) as i64
}

/// Packs an access into a register: its bytes, whether it stores, ticks already counted.
fn pack(size: i64, store: bool, counted: u64) -> u64 {
    size as u64 | (store as u64) << 8 | counted << 16
}

/// Undoes `pack`.
pub fn unpack(addr: u64, packed: u64) -> (Access, u64) {
    let access = Access { addr, size: packed as u8 as u32, store: packed >> 8 & 1 == 1 };
    (access, packed >> 16)
}

/// The slow paths of an access.
pub struct Slow {
    /// Taken if the access may cross a line, or if deferred vector instructions must be counted before it.
    general: Option<Label>,
    /// Taken if the line is not the first tag of its set, or if the address is misaligned by a bit of `align_mask`.
    miss: Option<Label>,
    align_mask: i64,
    back: Label,
    addr: Reg,
    store: bool,
    packed: u64,
    file: Dirty,
    /// Deferred vector instructions to be counted first.
    catch_up: Option<CatchUp>,
}

/// Counts an access at `base` plus `offset`, which is known to be permitted. Returns the address again as register
/// and offset. Clobbers RCX and RDX.
pub fn emit(
    t: &mut Translator<'_>,
    k: usize,
    a: memory::Access,
    base: Reg,
    offset: i64,
) -> (Reg, i64) {
    let Some(timed) = t.timed else { return (base, offset) };
    let n = timed.native();
    let (store, size) = (a.is_store(), a.size);
    let tags = Side::of(store).tags(n);
    let dynamic = is_dynamic(n, &a);
    let aligned = size > 1 && (tags.is_some() || n.data.misaligned > 0);
    if tags.is_none() && !aligned && !dynamic {
        return (base, offset);
    }
    let addr = if offset == 0 { base } else { Reg::RAX };
    if offset != 0 {
        t.out.a.lea(Width::Q, addr, at(base, offset));
    }
    let (back, catch_up, file) = (t.out.a.label(), t.pending_before(k), t.file.dirty());
    let pending = catch_up.is_some();
    let packed = pack(size, store, static_access(n, &a));
    let mut slow = Slow {
        general: None,
        miss: None,
        align_mask: 0,
        back,
        addr,
        store,
        packed,
        file,
        catch_up,
    };
    let line = tags.map_or(u64::MAX, |tags| 1 << tags.line_shift);
    if dynamic || size as u64 > line.min(n.data.width) {
        let general = t.out.a.label();
        slow.general = Some(general);
        t.out.a.jump(Code::Jmp_rel32_64, general);
    } else {
        // The tag of a line that is never modified is its address, so one comparison tests alignment, too.
        let fused = tags.is_some() && !n.data.write_back && !pending;
        if aligned && !fused {
            let general = t.out.a.label();
            slow.general = Some(general);
            t.out.a.imm(Code::Test_rm8_imm8, Rm::R(addr), size as i32 - 1);
            t.out.a.jump(Code::Jne_rel32_64, general);
        }
        if let Some(tags) = tags {
            let way = if pending { &mut slow.general } else { &mut slow.miss };
            let miss = *way.get_or_insert(t.out.a.label());
            slow.align_mask = if fused { size - 1 } else { 0 };
            probe(t, &tags, addr, (store, slow.align_mask), miss);
        }
    }
    t.out.a.bind(back);
    t.out_of_line(Cold::Access(slow));
    (addr, 0)
}

/// Jumps to `from` unless the first tag of the set of `addr` is that of its line and, for a store, marked modified.
pub fn probe(
    t: &mut Translator<'_>,
    tags: &Tags,
    addr: Reg,
    (store, align_mask): (bool, i64),
    from: Label,
) {
    let (offset, tag) = (Reg::RDX, Reg::RCX);
    lines::set_of(&mut t.out.a, tags, addr, offset);
    t.out.a.mov_imm(tag, tags.address);
    t.out.a.mov(tag, Rm::M(indexed_at(tag, offset, 0)));
    let line = 1i64 << tags.line_shift;
    if store {
        // The tag of a modified line is the address of its last byte.
        t.out.a.mov(offset, Rm::R(addr));
        t.out.a.imm(Code::Or_rm64_imm32, Rm::R(offset), (line - 1) as i32);
        t.out.a.op2(Code::Cmp_r64_rm64, offset, Rm::R(tag));
    } else {
        t.out.a.op2(Code::Xor_r64_rm64, tag, Rm::R(addr));
        let code = if line <= 128 { Code::And_rm64_imm8 } else { Code::And_rm64_imm32 };
        t.out.a.imm(code, Rm::R(tag), (-line | align_mask) as i32);
    }
    t.out.a.jump(Code::Jne_rel32_64, from);
}

/// Emits the slow paths.
pub fn emit_slow(t: &mut Translator<'_>, mut s: Slow) {
    let Some(timed) = t.timed else { return };
    if s.catch_up.is_none() && s.file.is_empty() {
        s.miss.into_iter().chain(s.general).for_each(|from| t.out.a.bind(from));
        t.out.a.mov(Reg::RCX, Rm::R(s.addr));
        let size = s.packed as u8;
        t.out.a.jump_to(
            Code::Call_rel32_64,
            t.runtime.scalar[s.store as usize][size.trailing_zeros() as usize],
        );
        return t.out.a.jump(Code::Jmp_rel32_64, s.back);
    }
    let (n, side) = (timed.native(), Side::of(s.store));
    if let (Some(miss), Some(tags)) = (s.miss, side.tags(n)) {
        t.out.a.bind(miss);
        if s.align_mask > 0 {
            let general = t.out.a.label();
            s.general = Some(general);
            t.out.a.imm(Code::Test_rm8_imm8, Rm::R(s.addr), s.align_mask as i32);
            t.out.a.jump(Code::Jne_rel32_64, general);
        }
        refill(&mut t.out.a, n, &tags, side, (s.addr, t.runtime.lines[side as usize]));
        t.out.a.jump(Code::Jmp_rel32_64, s.back);
    }
    let Some(general) = s.general else { return };
    t.out.a.bind(general);
    let access = t.runtime.access;
    s.file.around_call(&mut t.out.a, |a| {
        if let Some(call) = s.catch_up {
            call.emit(a);
        }
        a.mov(Reg::RCX, Rm::R(s.addr));
        a.mov_imm(Reg::RDX, s.packed);
        a.jump_to(Code::Call_rel32_64, access);
    });
    t.out.a.jump(Code::Jmp_rel32_64, s.back);
}

/// Makes the line of `addr` the first of its set; `line` is the address of `lines::function`.
fn refill(a: &mut Asm, n: &Native, tags: &Tags, side: Side, (addr, line): (Reg, u64)) {
    lines::set_of(a, tags, addr, SET);
    a.mov_imm(LINE, tags.address);
    a.op2(Code::Add_r64_rm64, SET, Rm::R(LINE));
    a.mov(LINE, Rm::R(addr));
    a.imm(Code::And_rm64_imm32, Rm::R(LINE), -1 << tags.line_shift);
    if lines::is_simple(n, side, tags) {
        lines::replace(a, n, side);
    } else {
        a.jump_to(Code::Call_rel32_64, line);
    }
}

/// Emits a function that counts an access at RCX which is not a hit that changes nothing. Preserves all registers but
/// RCX, RDX and flags. `line` and `general` are the addresses of `lines::function` and of the one that calls the
/// model.
pub fn function(a: &mut Asm, n: &Native, op: Op, line: u64, general: u64) {
    let Some(access) = access(op) else { return };
    let (side, misaligned) = (Side::of(access.is_store()), a.label());
    let tags =
        side.tags(n).filter(|tags| access.size as u64 <= (1 << tags.line_shift).min(n.data.width));
    let dynamic = is_dynamic(n, &access);
    if let Some(tags) = tags.filter(|_| !dynamic) {
        a.imm(Code::Test_rm8_imm8, Rm::R(Reg::RCX), access.size as i32 - 1);
        a.jump(Code::Jne_rel32_64, misaligned);
        a.op1(Code::Push_r64, Reg::RAX);
        a.mov(Reg::RAX, Rm::R(Reg::RCX));
        refill(a, n, &tags, side, (Reg::RAX, line));
        a.op1(Code::Pop_r64, Reg::RAX);
        a.ret();
    }
    a.bind(misaligned);
    a.mov_imm(Reg::RDX, pack(access.size, access.is_store(), static_access(n, &access)));
    a.jump_to(Code::Jmp_rel32_64, general);
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};

    #[test]
    fn packing_loses_nothing() {
        for (size, store, counted) in [(1, false, 0), (8, true, 1_600_000)] {
            let (a, ticks) = unpack(5, pack(size, store, counted));
            assert_eq!((a.addr, a.size as i64, a.store, ticks), (5, size, store, counted));
        }
    }
}
