//! The modelled caches, as generated code probes and refills them: it does what `Cache::access` does, and counts the cost.

use crate::x64::asm::{Asm, Label, Mem, Reg, Rm, Width, at, indexed_at};
use capvec_timing::Tags;
use capvec_timing::inline::InlineState;
use iced_x86::Code;

/// Address of the line.
pub const LINE: Reg = Reg::RCX;
/// Address of the first tag of its set.
pub const SET: Reg = Reg::RDX;

/// What accesses a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Fetching.
    Fetch,
    /// Loads.
    Load,
    /// Stores to a write-allocate cache.
    Store,
}

impl Side {
    /// The tags that it probes, if any. The limits on a core file's caches let tag offsets fit in an instruction.
    pub fn tags(self, n: &InlineState) -> Option<Tags> {
        match self {
            Side::Fetch => n.front.tags,
            Side::Load => n.tags,
            Side::Store => n.tags.filter(|_| n.data.write_back),
        }
    }

    /// The side of a scalar or vector access.
    pub fn of(store: bool) -> Side {
        if store { Side::Store } else { Side::Load }
    }

    /// Ticks of a miss.
    fn miss(self, n: &InlineState) -> u64 {
        if self == Side::Fetch { n.front.miss } else { n.data.miss as u64 }
    }
}

/// Whether a miss only replaces a tag and adds ticks.
pub fn is_simple(n: &InlineState, side: Side, tags: &Tags) -> bool {
    let alone = tags.ways == 1 && side != Side::Store && !n.second.exist();
    alone && (side == Side::Fetch || n.shared && !n.data.write_back)
}

/// Refills SET with LINE after a miss where `is_simple` holds. Clobbers SET.
pub fn replace(a: &mut Asm, n: &InlineState, side: Side) {
    a.store(at(SET, 0), LINE);
    let ticks = a.cell(n.ticks, SET);
    a.imm(Code::Add_rm64_imm32, Rm::M(ticks), side.miss(n) as i32);
}

/// The same for the address in LINE after a load's `probe`, which has left the byte offset of the set in SET, unless the tags lie at a
/// high address. Clobbers RAX, LINE and SET.
pub fn replace_probed(a: &mut Asm, n: &InlineState, side: Side, tags: &Tags) {
    if Mem::at_address(tags.address, None).is_none() {
        set_of(a, tags, LINE, SET);
    }
    a.mov_address(Reg::RAX, tags.address);
    a.op2(Code::Add_r64_rm64, SET, Rm::R(Reg::RAX));
    a.imm(Code::And_rm64_imm32, Rm::R(LINE), -1 << tags.line_shift);
    replace(a, n, side);
}

/// Counts a load of the line of an address, a register plus an offset, whether it hits or misses, where `is_simple` holds. Clobbers
/// LINE and SET.
pub fn replace_always(a: &mut Asm, n: &InlineState, tags: &Tags, address: (Reg, i64)) {
    a.mov_sum(LINE, address);
    set_of(a, tags, LINE, SET);
    a.imm(Code::And_rm64_imm32, Rm::R(LINE), -1 << tags.line_shift);
    let first = Mem::at_address(tags.address, Some(SET)).unwrap_or_else(|| {
        a.op1(Code::Push_r64, Reg::RAX);
        a.mov_address(Reg::RAX, tags.address);
        a.op2(Code::Add_r64_rm64, SET, Rm::R(Reg::RAX));
        a.op1(Code::Pop_r64, Reg::RAX);
        at(SET, 0)
    });
    replace_first(a, n, Side::Load, (first, LINE));
}

/// Makes LINE the tag at `first`, and counts a miss if it was another, without a branch. Clobbers `count`, which may be LINE, and, if
/// the ticks are not at a low address, SET.
pub fn replace_first(a: &mut Asm, n: &InlineState, side: Side, (first, count): (Mem, Reg)) {
    a.op2_to(Code::Cmp_rm64_r64, Rm::M(first), LINE);
    a.store(first, LINE);
    a.mov_imm(count, 0);
    a.op1(Code::Sete_rm8, count);
    a.op1(Code::Dec_rm64, count);
    a.imm(Code::And_rm64_imm32, Rm::R(count), side.miss(n) as i32);
    let ticks = a.cell(n.ticks, SET);
    a.op2_to(Code::Add_rm64_r64, Rm::M(ticks), count);
}

/// Registers of `function`: a tag, later the evicted one; the address of a tag; ticks.
const TAG: Reg = Reg::RAX;
const PLACE: Reg = Reg::RDI;
const OTHER: Reg = Reg::RSI;
/// Ticks of what the second level lacks.
const EXTRA: Reg = Reg::R8;

/// Emits a function that searches SET for LINE, refills it on a miss, and makes it the first tag. Preserves all
/// registers but flags. `second` is the address of `second_level`.
pub fn function(a: &mut Asm, n: &InlineState, side: Side, second: u64) {
    let Some(tags) = side.tags(n) else { return };
    if is_simple(n, side, &tags) {
        return simple_function(a, n, side);
    }
    let last = (1i32 << tags.line_shift) - 1;
    let (found, end) = (a.label(), a.label());
    let saved: &[Reg] =
        if n.second.exist() { &[TAG, PLACE, OTHER, EXTRA] } else { &[TAG, PLACE, OTHER] };
    saved.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    search(a, &tags, found);
    count_miss(a, n, side, second);
    a.store(at(SET, 0), LINE);
    a.jump(Code::Jmp_rel32_64, end);
    a.bind(found);
    a.store(at(SET, 0), TAG);
    a.bind(end);
    if side == Side::Store {
        a.imm(Code::Or_rm64_imm32, Rm::M(at(SET, 0)), last);
    }
    saved.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
}

/// Searches SET for LINE. Each tag moves to the next place, up to the line's own, and the first place is left to be filled. Jumps
/// to `found` if the line is there; its tag is in TAG then, and the evicted one otherwise. Clobbers PLACE and OTHER.
fn search(a: &mut Asm, tags: &Tags, found: Label) {
    let (top, last) = (a.label(), (1i32 << tags.line_shift) - 1);
    a.mov(PLACE, Rm::R(SET));
    a.bind(top);
    a.mov(OTHER, Rm::M(at(PLACE, 0)));
    a.store(at(PLACE, 0), TAG);
    a.mov(TAG, Rm::R(OTHER));
    a.op2(Code::Xor_r64_rm64, OTHER, Rm::R(LINE));
    a.imm(Code::Cmp_rm64_imm32, Rm::R(OTHER), last);
    a.jump(Code::Jbe_rel32_64, found);
    if tags.ways > 1 {
        a.imm(Code::Add_rm64_imm32, Rm::R(PLACE), 8);
        a.lea(Width::Q, OTHER, at(SET, tags.ways as i64 * 8));
        a.op2(Code::Cmp_r64_rm64, PLACE, Rm::R(OTHER));
        a.jump(Code::Jb_rel32_64, top);
    }
}

/// Emits a function that looks LINE up in the second level, as `SecondLevel::look_up` does, and returns the ticks of what is not
/// there in EXTRA. Preserves all other registers but flags.
pub fn second_level(a: &mut Asm, n: &InlineState) {
    if !n.second.exist() {
        return;
    }
    let saved = [TAG, PLACE, OTHER, LINE, SET];
    saved.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    a.mov_imm(EXTRA, 0);
    // A line of the second-level cache is not longer than a page, so LINE can lose more bits each time.
    for (tags, ticks) in [n.second.cache, n.second.tlb].into_iter().flatten() {
        let (found, end) = (a.label(), a.label());
        a.imm(Code::And_rm64_imm32, Rm::R(LINE), -1 << tags.line_shift);
        set_of(a, &tags, LINE, SET);
        a.mov_address(PLACE, tags.address);
        a.op2(Code::Add_r64_rm64, SET, Rm::R(PLACE));
        search(a, &tags, found);
        a.lea(Width::Q, EXTRA, at(EXTRA, ticks as i64));
        a.store(at(SET, 0), LINE);
        a.jump(Code::Jmp_rel32_64, end);
        a.bind(found);
        a.store(at(SET, 0), TAG);
        a.bind(end);
    }
    saved.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
}

/// `function` where a miss is simple. Its callers have found that it is one: there is no other tag to search.
fn simple_function(a: &mut Asm, n: &InlineState, side: Side) {
    a.op1(Code::Push_r64, SET);
    replace(a, n, side);
    a.op1(Code::Pop_r64, SET);
    a.ret();
}

/// Counts a miss in which TAG was evicted, as `FirstOrder::exposed_stall` does.
fn count_miss(a: &mut Asm, n: &InlineState, side: Side, second: u64) {
    a.mov_imm(OTHER, side.miss(n));
    if side != Side::Fetch && n.data.write_back {
        a.imm(Code::And_rm32_imm32, Rm::R(TAG), 1);
        let evict = n.data.evict as i32;
        a.op2_imm(Code::Imul_r64_rm64_imm32, TAG, Rm::R(TAG), evict);
        a.op2(Code::Add_r64_rm64, OTHER, Rm::R(TAG));
    }
    if n.second.exist() {
        a.jump_to(Code::Call_rel32_64, second);
        a.op2(Code::Add_r64_rm64, OTHER, Rm::R(EXTRA));
    }
    if side != Side::Fetch && !n.shared {
        a.mov_address(PLACE, n.front.fetch_wait);
        a.mov_imm(TAG, n.front.buffer);
        for most in [Rm::R(OTHER), Rm::M(at(PLACE, 0))] {
            a.op2(Code::Cmp_r64_rm64, TAG, most);
            a.op2(Code::Cmova_r64_rm64, TAG, most);
        }
        a.op2_to(Code::Sub_rm64_r64, Rm::M(at(PLACE, 0)), TAG);
        a.op2(Code::Sub_r64_rm64, OTHER, Rm::R(TAG));
    }
    a.mov_address(PLACE, n.ticks);
    a.op2_to(Code::Add_rm64_r64, Rm::M(at(PLACE, 0)), OTHER);
}

/// Emits a function that accesses all lines from the byte at LINE to the byte at SET; `line` is the address of
/// `function`. Preserves all registers but flags.
pub fn span(a: &mut Asm, n: &InlineState, side: Side, line: u64) {
    let Some(tags) = side.tags(n) else { return };
    let (first, hit) = (a.label(), a.label());
    let simple = is_simple(n, side, &tags);
    let (last, count) = (PLACE, OTHER);
    let saved = [TAG, last, count];
    saved.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    a.mov(last, Rm::R(SET));
    a.mov_imm(count, 0);
    a.imm(Code::And_rm64_imm32, Rm::R(LINE), -1 << tags.line_shift);
    a.bind(first);
    set_of(a, &tags, LINE, SET);
    a.mov_address(TAG, tags.address);
    a.op2(Code::Add_r64_rm64, SET, Rm::R(TAG));
    if simple {
        a.op2_to(Code::Cmp_rm64_r64, Rm::M(at(SET, 0)), LINE);
        a.jump(Code::Je_rel32_64, hit);
        a.store(at(SET, 0), LINE);
        a.lea(Width::Q, count, at(count, side.miss(n) as i64));
    } else {
        a.jump_to(Code::Call_rel32_64, line);
    }
    a.bind(hit);
    a.lea(Width::Q, LINE, at(LINE, 1 << tags.line_shift));
    a.op2(Code::Cmp_r64_rm64, LINE, Rm::R(last));
    a.jump(Code::Jbe_rel32_64, first);
    if simple {
        a.mov_address(TAG, n.ticks);
        a.op2_to(Code::Add_rm64_r64, Rm::M(at(TAG, 0)), count);
    }
    saved.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
}

/// Registers of `strided`: its packed argument, later a tag; the current element; elements left; the stride; the
/// distance from an element's first byte to its last.
const ELEMENTS: Reg = Reg::RAX;
const ELEMENT: Reg = Reg::RDI;
const LEFT: Reg = Reg::RSI;
const STRIDE: Reg = Reg::R8;
const LENGTH: Reg = Reg::R9;

/// Packs the argument of `strided`: the number of elements, below 2^16, and the bytes of each.
pub fn pack_elements(elements: u32, bytes: u32) -> u64 {
    (elements | (bytes - 1) << 16) as u64
}

/// Emits a function that accesses the lines of elements from LINE on, SET bytes apart; ELEMENTS holds their packed number
/// and size. `line` and `span` are the addresses of those functions. Preserves all registers but flags.
pub fn strided(a: &mut Asm, n: &InlineState, side: Side, line: u64, span: u64) {
    let Some(tags) = side.tags(n) else { return };
    let (top, crossing, miss, hit) = (a.label(), a.label(), a.label(), a.label());
    let last = (1i32 << tags.line_shift) - 1;
    let saved = [ELEMENTS, ELEMENT, LEFT, STRIDE, LENGTH];
    saved.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    a.mov(ELEMENT, Rm::R(LINE));
    a.mov(STRIDE, Rm::R(SET));
    a.op2(Code::Movzx_r32_rm16, LEFT, Rm::R(ELEMENTS));
    a.mov(LENGTH, Rm::R(ELEMENTS));
    a.imm(Code::Shr_rm64_imm8, Rm::R(LENGTH), 16);
    a.bind(top);
    a.mov(LINE, Rm::R(ELEMENT));
    a.imm(Code::And_rm64_imm32, Rm::R(LINE), !last);
    a.lea(Width::Q, SET, indexed_at(ELEMENT, LENGTH, 0));
    a.mov(TAG, Rm::R(SET));
    a.op2(Code::Xor_r64_rm64, TAG, Rm::R(LINE));
    a.imm(Code::Cmp_rm64_imm32, Rm::R(TAG), last);
    a.jump(Code::Ja_rel32_64, crossing);
    set_of(a, &tags, LINE, SET);
    a.mov_address(TAG, tags.address);
    a.op2(Code::Add_r64_rm64, SET, Rm::R(TAG));
    a.mov(TAG, Rm::M(at(SET, 0)));
    a.op2(Code::Xor_r64_rm64, TAG, Rm::R(LINE));
    a.imm(Code::Cmp_rm64_imm32, Rm::R(TAG), last);
    // A store also needs the line marked modified.
    a.jump(if side == Side::Store { Code::Jne_rel32_64 } else { Code::Ja_rel32_64 }, miss);
    a.bind(hit);
    a.op2(Code::Add_r64_rm64, ELEMENT, Rm::R(STRIDE));
    a.op1(Code::Dec_rm64, LEFT);
    a.jump(Code::Jne_rel32_64, top);
    saved.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
    a.bind(miss);
    a.jump_to(Code::Call_rel32_64, line);
    a.jump(Code::Jmp_rel32_64, hit);
    a.bind(crossing);
    a.jump_to(Code::Call_rel32_64, span);
    a.jump(Code::Jmp_rel32_64, hit);
}

/// `to` = byte offset of the set of `addr` from the first tag.
pub fn set_of(a: &mut Asm, tags: &Tags, addr: Reg, to: Reg) {
    let (shift, bytes) = (tags.line_shift, tags.ways * 8);
    // If the size of a set's tags is a power of two and at most that of a line, one rotation and one mask suffice.
    let set_shift = bytes.trailing_zeros();
    if bytes.is_power_of_two() && set_shift <= shift {
        let by = (shift - set_shift) as i32;
        a.op2_imm(Code::VEX_Rorx_r64_rm64_imm8, to, Rm::R(addr), by);
        a.imm(Code::And_rm32_imm32, Rm::R(to), (tags.set_mask << set_shift) as i32);
    } else {
        a.mov(to, Rm::R(addr));
        a.imm(Code::Shr_rm64_imm8, Rm::R(to), shift as i32);
        a.imm(Code::And_rm32_imm32, Rm::R(to), tags.set_mask as i32);
        a.op2_imm(Code::Imul_r64_rm64_imm32, to, Rm::R(to), bytes as i32);
    }
}

/// Jumps to `from` unless the first tag of the set of an address, a register plus an offset, is that of its line and, for a store,
/// marked modified. A load's address must also have none of the bits of `align_mask`. Clobbers LINE and SET.
pub fn probe(
    a: &mut Asm,
    n: &InlineState,
    (side, tags): (Side, &Tags),
    (address, align_mask): ((Reg, i64), i64),
    from: Label,
) {
    let last = (1i32 << tags.line_shift) - 1;
    a.mov_sum(LINE, address);
    set_of(a, tags, LINE, SET);
    let first = match Mem::at_address(tags.address, Some(SET)) {
        Some(first) => first,
        None => {
            a.mov_address(LINE, tags.address);
            a.op2(Code::Add_r64_rm64, SET, Rm::R(LINE));
            a.mov_sum(LINE, address);
            at(SET, 0)
        }
    };
    let tested = !last | align_mask as i32;
    match side {
        // The tag of a modified line is the address of its last byte.
        Side::Store => a.imm(Code::Or_rm64_imm32, Rm::R(LINE), last),
        Side::Load if n.data.write_back => {
            a.op2(Code::Xor_r64_rm64, LINE, Rm::M(first));
            a.imm(Code::And_rm64_imm32, Rm::R(LINE), tested);
            return a.jump(Code::Jne_rel32_64, from);
        }
        _ => a.imm(Code::And_rm64_imm32, Rm::R(LINE), tested),
    }
    a.op2(Code::Cmp_r64_rm64, LINE, Rm::M(first));
    a.jump(Code::Jne_rel32_64, from);
}
