//! Scalar loads and stores under a core model. A line that is the most recently used of its set is a hit that changes
//! nothing, and is tested in line; everything else takes the slow path.

use super::lines::{self, LINE, SET, Side};
use super::state::Cycles;
use super::uncounted::CatchUp;
use crate::access::Access;
use crate::x64::asm::{Asm, Label, Reg, Rm, Width, at};
use crate::x64::emit::{Exits, VectorRegs, VectorSnapshot};
use crate::x64::runtime::Runtime;
use capvec_isa::Op;
use capvec_sim::hart::Access as Counted;
use capvec_timing::Tags;
use capvec_timing::inline::InlineState;
use iced_x86::Code;

/// Packs an access into a register: its bytes, whether it stores, ticks already counted.
fn pack(size: i64, store: bool, counted: u64) -> u64 {
    size as u64 | (store as u64) << 8 | counted << 16
}

/// Undoes `pack`.
pub fn unpack(addr: u64, packed: u64) -> (Counted, u64) {
    let access = Counted { addr, size: packed as u8 as u32, store: packed >> 8 & 1 == 1 };
    (access, packed >> 16)
}

/// The slow paths of an access.
struct Slow {
    /// Taken if the access may cross a line, or if deferred vector instructions must be counted before it.
    general: Option<Label>,
    /// Taken if the line is not the first tag of its set, or if the address is misaligned by a bit of `align_mask`.
    miss: Option<Label>,
    align_mask: i64,
    back: Label,
    addr: Reg,
    store: bool,
    packed: u64,
    vregs: VectorSnapshot,
    /// Deferred vector instructions to be counted first.
    catch_up: Option<CatchUp>,
}

impl<'a> Cycles<'a> {
    /// Whether something is counted at the access, besides static ticks.
    pub fn counts(&self, access: Access) -> bool {
        let tests = |n: &InlineState| {
            let tags = Side::of(access.is_store()).tags(n);
            tags.is_some() || access.is_dynamic(n) || tests_alignment(n, access)
        };
        self.timed().is_some_and(|timed| tests(timed.inline_state()))
    }

    /// The address `base` plus `offset` as a register and an offset, which is 0 if something is counted at the access. Clobbers RAX.
    pub fn address(&self, a: &mut Asm, access: Access, (base, offset): (Reg, i64)) -> (Reg, i64) {
        if offset == 0 || !self.counts(access) {
            return (base, offset);
        }
        a.lea(Width::Q, Reg::RAX, at(base, offset));
        (Reg::RAX, 0)
    }

    /// Counts the access of instruction `k` at the address in `addr`, from `address`, which is known to be permitted. `misses`: it
    /// often misses. Clobbers RCX and RDX.
    pub fn access(
        &self,
        a: &mut Asm,
        exits: &mut Exits<'a>,
        vregs: &VectorRegs,
        (k, misses): (usize, bool),
        access: Access,
        addr: Reg,
    ) {
        let Some(timed) = self.timed().filter(|_| self.counts(access)) else { return };
        let n = timed.inline_state();
        let (store, size) = (access.is_store(), access.size);
        let tags = Side::of(store).tags(n);
        let dynamic = access.is_dynamic(n);
        let aligned = size > 1 && tags.is_some() || tests_alignment(n, access);
        let mut slow = Slow {
            general: None,
            miss: None,
            align_mask: 0,
            back: a.label(),
            addr,
            store,
            packed: pack(size, store, access.static_ticks(n)),
            vregs: vregs.snapshot(),
            catch_up: self.pending_before(k),
        };
        let line = tags.map_or(u64::MAX, |tags| 1 << tags.line_shift);
        if dynamic || size as u64 > line.min(n.data.width) {
            let general = a.label();
            slow.general = Some(general);
            a.jump(Code::Jmp_rel32_64, general);
        } else {
            slow.test(a, n, tags, (aligned, misses), size);
        }
        a.bind(slow.back);
        let runtime = self.runtime;
        exits.out_of_line(move |a, _| slow.emit(a, n, runtime));
    }
}

/// Whether misaligned accesses of this size cost something even without a cache.
fn tests_alignment(n: &InlineState, access: Access) -> bool {
    access.size > 1 && (n.data.misaligned > 0 || n.data.emulated > 0)
}

impl Slow {
    /// Jumps to a slow path unless the access is a hit that changes nothing and, if `aligned` is set, its address is aligned. If it
    /// often `misses`, and a miss is simple, counts it without a branch: the host could not predict that.
    fn test(
        &mut self,
        a: &mut Asm,
        n: &InlineState,
        tags: Option<Tags>,
        (aligned, misses): (bool, bool),
        size: i64,
    ) {
        let pending = self.catch_up.is_some();
        let branchless =
            |tags: &Tags| misses && !pending && lines::is_simple(n, Side::of(self.store), tags);
        let always = tags.filter(branchless);
        // The tag of a line that is never modified is its address, so one comparison tests alignment, too.
        let fused = tags.is_some() && always.is_none() && !n.data.write_back && !pending;
        if aligned && !fused {
            let general = a.label();
            self.general = Some(general);
            a.imm(Code::Test_rm8_imm8, Rm::R(self.addr), size as i32 - 1);
            a.jump(Code::Jne_rel32_64, general);
        }
        if let Some(tags) = always {
            lines::replace_always(a, n, &tags, self.addr);
        } else if let Some(tags) = tags {
            let way = if pending { &mut self.general } else { &mut self.miss };
            let miss = *way.get_or_insert(a.label());
            self.align_mask = if fused { size - 1 } else { 0 };
            lines::probe(a, &tags, self.addr, (self.store, self.align_mask), miss);
        }
    }

    /// Emits the slow paths.
    fn emit(mut self, a: &mut Asm, n: &InlineState, runtime: &Runtime) {
        if self.catch_up.is_none() && self.vregs.is_empty() {
            self.miss.into_iter().chain(self.general).for_each(|from| a.bind(from));
            a.mov(Reg::RCX, Rm::R(self.addr));
            let size = self.packed as u8;
            let function = runtime.scalar[self.store as usize][size.trailing_zeros() as usize];
            a.jump_to(Code::Call_rel32_64, function);
            return a.jump(Code::Jmp_rel32_64, self.back);
        }
        let side = Side::of(self.store);
        if let (Some(miss), Some(tags)) = (self.miss, side.tags(n)) {
            a.bind(miss);
            if self.align_mask > 0 {
                let general = a.label();
                self.general = Some(general);
                a.imm(Code::Test_rm8_imm8, Rm::R(self.addr), self.align_mask as i32);
                a.jump(Code::Jne_rel32_64, general);
            }
            refill(a, n, &tags, side, (self.addr, runtime.lines[side as usize]));
            a.jump(Code::Jmp_rel32_64, self.back);
        }
        let Some(general) = self.general else { return };
        a.bind(general);
        self.vregs.around_call(a, |a| {
            if let Some(call) = self.catch_up {
                call.emit(a);
            }
            a.mov(Reg::RCX, Rm::R(self.addr));
            a.mov_imm(Reg::RDX, self.packed);
            a.jump_to(Code::Call_rel32_64, runtime.access);
        });
        a.jump(Code::Jmp_rel32_64, self.back);
    }
}

/// Makes the line of `addr` the first of its set; `line` is the address of `lines::function`.
fn refill(a: &mut Asm, n: &InlineState, tags: &Tags, side: Side, (addr, line): (Reg, u64)) {
    lines::set_of(a, tags, addr, SET);
    a.mov_address(LINE, tags.address);
    a.op2(Code::Add_r64_rm64, SET, Rm::R(LINE));
    a.mov(LINE, Rm::R(addr));
    a.imm(Code::And_rm64_imm32, Rm::R(LINE), -1 << tags.line_shift);
    if lines::is_simple(n, side, tags) {
        lines::replace(a, n, side);
    } else {
        a.jump_to(Code::Call_rel32_64, line);
    }
}

/// Emits a function that counts an access at RCX which is not a hit that changes nothing. If the probe has missed, RDX holds what
/// the probe has left there. Preserves all registers but
/// RCX, RDX and flags. `line` and `general` are the addresses of `lines::function` and of the one that calls the
/// model.
pub fn function(a: &mut Asm, n: &InlineState, op: Op, line: u64, general: u64) {
    let Some(access) = Access::of(op) else { return };
    let (side, misaligned) = (Side::of(access.is_store()), a.label());
    let tags =
        side.tags(n).filter(|tags| access.size as u64 <= (1 << tags.line_shift).min(n.data.width));
    let dynamic = access.is_dynamic(n);
    if let Some(tags) = tags.filter(|_| !dynamic) {
        a.imm(Code::Test_rm8_imm8, Rm::R(Reg::RCX), access.size as i32 - 1);
        a.jump(Code::Jne_rel32_64, misaligned);
        a.op1(Code::Push_r64, Reg::RAX);
        if lines::is_simple(n, side, &tags) {
            lines::replace_probed(a, n, side, &tags);
        } else {
            a.mov(Reg::RAX, Rm::R(Reg::RCX));
            refill(a, n, &tags, side, (Reg::RAX, line));
        }
        a.op1(Code::Pop_r64, Reg::RAX);
        a.ret();
    }
    a.bind(misaligned);
    a.mov_imm(Reg::RDX, pack(access.size, access.is_store(), access.static_ticks(n)));
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
