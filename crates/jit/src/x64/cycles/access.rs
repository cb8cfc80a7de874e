//! Scalar loads and stores under a core model. A line that is the most recently used of its set is a hit that changes
//! nothing, and is tested in line; where a block's loads often miss, hits and misses are counted in line, without a branch. Everything
//! else takes the slow path.

use super::lines::{self, LINE, SET, Side};
use super::state::Cycles;
use super::uncounted::CatchUp;
use crate::access::Access;
use crate::x64::asm::{Asm, Label, Reg, Rm};
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

/// A scalar access.
#[derive(Clone, Copy)]
pub struct At {
    /// What it does.
    pub access: Access,
    /// Its address: a register plus an offset.
    pub address: (Reg, i64),
    /// The address is known to be a multiple of the size.
    pub aligned: bool,
}

impl At {
    /// Whether the address has to be tested, as a misaligned access costs something or may cross a line.
    fn tests_alignment(&self, n: &InlineState) -> bool {
        !self.aligned && self.access.size > 1 && (misaligned_costs(n) || self.tags(n).is_some())
    }

    /// Whether that usually takes a test of its own: the tag of a line that is never modified is its address, so that one comparison
    /// tests both.
    pub fn tests_only_alignment(&self, n: &InlineState) -> bool {
        self.tests_alignment(n) && (n.data.write_back || self.tags(n).is_none())
    }

    /// The tags that it probes, if any.
    fn tags(&self, n: &InlineState) -> Option<Tags> {
        Side::of(self.access.is_store()).tags(n)
    }

    /// Whether the model is always called: the cost of a hit depends on the model's state, or the access is wider than a line.
    fn is_general(&self, n: &InlineState) -> bool {
        let line = self.tags(n).map_or(u64::MAX, |tags| 1 << tags.line_shift);
        self.access.is_dynamic(n) || self.access.size as u64 > line.min(n.data.width)
    }
}

/// Whether a misaligned access costs more than an aligned one, even without a cache.
fn misaligned_costs(n: &InlineState) -> bool {
    n.data.misaligned > 0 || n.data.emulated > 0
}

/// The slow paths of an access.
struct Slow {
    at: At,
    /// Taken if the access may cross a line, or if deferred vector instructions must be counted before it.
    general: Option<Label>,
    /// Taken if the line is not the first tag of its set, or if the address is misaligned by a bit of `align_mask`.
    miss: Option<Label>,
    align_mask: i64,
    back: Label,
    packed: u64,
    vregs: VectorSnapshot,
    /// Deferred vector instructions to be counted first.
    catch_up: Option<CatchUp>,
}

impl<'a> Cycles<'a> {
    /// Whether something is counted at the access, besides static ticks.
    pub fn counts(&self, at: At) -> bool {
        let counts = |n: &InlineState| {
            let general = at.access.is_dynamic(n) || misaligned_costs(n) && at.is_general(n);
            general || at.tags(n).is_some() || at.tests_alignment(n)
        };
        self.timed().is_some_and(|timed| counts(timed.inline_state()))
    }

    /// Counts the access of instruction `k`, which is known to be permitted. `misses`: it often misses. Clobbers RCX and RDX.
    pub fn access(
        &self,
        a: &mut Asm,
        exits: &mut Exits<'a>,
        vregs: &VectorRegs,
        (k, misses): (usize, bool),
        at: At,
    ) {
        let Some(timed) = self.timed().filter(|_| self.counts(at)) else { return };
        let (n, access) = (timed.inline_state(), at.access);
        let mut slow = Slow {
            at,
            general: None,
            miss: None,
            align_mask: 0,
            back: a.label(),
            packed: pack(access.size, access.is_store(), access.static_ticks(n)),
            vregs: vregs.snapshot(),
            catch_up: self.pending_before(k),
        };
        if at.is_general(n) {
            let general = a.label();
            slow.general = Some(general);
            a.jump(Code::Jmp_rel32_64, general);
        } else {
            slow.test(a, n, misses);
        }
        a.bind(slow.back);
        let runtime = self.runtime;
        exits.out_of_line(move |a, _| slow.emit(a, n, runtime));
    }
}

impl Slow {
    /// Jumps to a slow path unless the access is a hit that changes nothing and its address is aligned, if that matters. If it
    /// often `misses`, and a miss is simple, counts it without a branch: the host could not predict that.
    fn test(&mut self, a: &mut Asm, n: &InlineState, misses: bool) {
        let (address, size) = (self.at.address, self.at.access.size);
        let (side, pending) = (Side::of(self.at.access.is_store()), self.catch_up.is_some());
        let tags = self.at.tags(n);
        let simple = tags.is_some_and(|tags| lines::is_simple(n, side, &tags));
        let branchless = misses && simple && !pending;
        let aligns = self.at.tests_alignment(n);
        // The tag of a line that is never modified is its address, so one comparison tests alignment, too.
        let fused = tags.is_some() && !branchless && !n.data.write_back && !pending;
        if aligns && !fused {
            let general = a.label();
            self.general = Some(general);
            a.jump_unless_aligned(address, size, general);
        }
        match tags {
            Some(tags) if branchless => lines::replace_always(a, n, &tags, address),
            Some(tags) => {
                let way = if pending { &mut self.general } else { &mut self.miss };
                let miss = *way.get_or_insert(a.label());
                self.align_mask = if aligns && fused { size - 1 } else { 0 };
                lines::probe(a, n, (side, &tags), (address, self.align_mask), miss);
            }
            None => {}
        }
    }

    /// Emits the slow paths.
    fn emit(mut self, a: &mut Asm, n: &InlineState, runtime: &Runtime) {
        let At { access, address, .. } = self.at;
        let side = Side::of(access.is_store());
        if self.catch_up.is_none() && self.vregs.is_empty() {
            self.miss.into_iter().chain(self.general).for_each(|from| a.bind(from));
            a.mov_sum(Reg::RCX, address);
            let functions = &runtime.scalar[access.is_store() as usize];
            a.jump_to(Code::Call_rel32_64, functions[access.size.trailing_zeros() as usize]);
            return a.jump(Code::Jmp_rel32_64, self.back);
        }
        if let (Some(miss), Some(tags)) = (self.miss, side.tags(n)) {
            a.bind(miss);
            if self.align_mask > 0 {
                let general = a.label();
                self.general = Some(general);
                a.jump_unless_aligned(address, self.align_mask + 1, general);
            }
            a.op1(Code::Push_r64, Reg::RAX);
            a.mov_sum(Reg::RAX, address);
            refill(a, n, &tags, side, (Reg::RAX, runtime.lines[side as usize]));
            a.op1(Code::Pop_r64, Reg::RAX);
            a.jump(Code::Jmp_rel32_64, self.back);
        }
        let Some(general) = self.general else { return };
        a.bind(general);
        self.vregs.around_call(a, |a| {
            if let Some(call) = self.catch_up {
                call.emit(a);
            }
            a.mov_sum(Reg::RCX, address);
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
    let (at, side) =
        (At { access, address: (Reg::RCX, 0), aligned: false }, Side::of(access.is_store()));
    let misaligned = a.label();
    if let Some(tags) = at.tags(n).filter(|_| !at.is_general(n)) {
        a.jump_unless_aligned(at.address, access.size, misaligned);
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
