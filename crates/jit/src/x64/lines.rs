//! Lines of a cache that are not the first of their set: generated code does with them what `Cache::access` does, and
//! counts what they cost.

use super::asm::{Asm, Reg, Rm, Width, at, indexed_at};
use capvec_timing::Tags;
use capvec_timing::native::Native;
use iced_x86::{Code, Instruction};

/// Address of the line.
pub const LINE: Reg = Reg::RCX;
/// Address of the first tag of its set.
pub const SET: Reg = Reg::RDX;

/// Who looks for lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Fetching.
    Fetch,
    /// Loads.
    Load,
    /// Stores of a cache that they allocate in.
    Store,
}

impl Side {
    /// The tags that it looks at, if it does. A core file's caches are small enough for distances between tags to fit in
    /// an instruction.
    pub fn tags(self, n: &Native) -> Option<Tags> {
        match self {
            Side::Fetch => n.front.tags,
            Side::Load => n.tags,
            Side::Store => n.tags.filter(|_| n.data.write_back),
        }
    }

    /// That of an access.
    pub fn of(store: bool) -> Side {
        if store { Side::Store } else { Side::Load }
    }

    /// Ticks of a line that is not there.
    fn miss(self, n: &Native) -> u64 {
        if self == Side::Fetch { n.front.miss } else { n.data.miss as u64 }
    }
}

/// Whether a miss is a tag and a number of ticks, and nothing else.
pub fn is_simple(n: &Native, side: Side, tags: &Tags) -> bool {
    let alone = tags.ways == 1 && side != Side::Store;
    alone && (side == Side::Fetch || n.shared && !n.data.write_back)
}

/// Brings LINE into SET, where it is not, if that is simple. Loses SET.
pub fn replace(a: &mut Asm, n: &Native, side: Side) {
    a.store(at(SET, 0), LINE);
    a.mov_imm(SET, n.ticks);
    a.imm(Code::Add_rm64_imm32, Width::Q, Rm::M(at(SET, 0)), side.miss(n) as i32);
}

/// Registers of `function`: a tag, then the one that is evicted; the place of a tag; ticks.
const TAG: Reg = Reg::RAX;
const PLACE: Reg = Reg::RDI;
const OTHER: Reg = Reg::RSI;

/// A function that looks for LINE in SET, brings it in if it is not there, and makes it the first. Keeps all registers
/// but flags.
pub fn function(a: &mut Asm, n: &Native, side: Side) {
    let Some(tags) = side.tags(n) else { return };
    let last = (1i32 << tags.line_shift) - 1;
    let (top, found, end) = (a.label(), a.label(), a.label());
    let saved = [TAG, PLACE, OTHER];
    saved.iter().for_each(|r| a.op1(Code::Push_r64, Width::Q, *r));
    a.mov(PLACE, Rm::R(SET));
    // Each tag takes the next one's place, up to that of the line. The first place is taken in the end.
    a.bind(top);
    a.mov(OTHER, Rm::M(at(PLACE, 0)));
    a.store(at(PLACE, 0), TAG);
    a.mov(TAG, Rm::R(OTHER));
    a.op2(Code::Xor_r64_rm64, Width::Q, OTHER, Rm::R(LINE));
    a.imm(Code::Cmp_rm64_imm32, Width::Q, Rm::R(OTHER), last);
    a.jump(Code::Jbe_rel32_64, found);
    if tags.ways > 1 {
        a.imm(Code::Add_rm64_imm32, Width::Q, Rm::R(PLACE), 8);
        a.lea(Width::Q, OTHER, at(SET, tags.ways as i64 * 8));
        a.op2(Code::Cmp_r64_rm64, Width::Q, PLACE, Rm::R(OTHER));
        a.jump(Code::Jb_rel32_64, top);
    }
    missed(a, n, side);
    a.store(at(SET, 0), LINE);
    a.jump(Code::Jmp_rel32_64, end);
    a.bind(found);
    a.store(at(SET, 0), TAG);
    a.bind(end);
    if side == Side::Store {
        a.imm(Code::Or_rm64_imm32, Width::Q, Rm::M(at(SET, 0)), last);
    }
    saved.iter().rev().for_each(|r| a.op1(Code::Pop_r64, Width::Q, *r));
    a.put(Ok(Instruction::with(Code::Retnq)));
}

/// Counts a miss, in which TAG was evicted: as `InOrder::behind_fetching`.
fn missed(a: &mut Asm, n: &Native, side: Side) {
    a.mov_imm(OTHER, side.miss(n));
    if side != Side::Fetch && n.data.write_back {
        a.imm(Code::And_rm32_imm32, Width::D, Rm::R(TAG), 1);
        let evict = n.data.evict as i32;
        a.vex_imm(Code::Imul_r64_rm64_imm32, Width::Q, TAG, Rm::R(TAG), evict);
        a.op2(Code::Add_r64_rm64, Width::Q, OTHER, Rm::R(TAG));
    }
    if side != Side::Fetch && !n.shared {
        a.mov_imm(PLACE, n.front.waited);
        a.mov_imm(TAG, n.front.buffer);
        for most in [Rm::R(OTHER), Rm::M(at(PLACE, 0))] {
            a.op2(Code::Cmp_r64_rm64, Width::Q, TAG, most);
            a.op2(Code::Cmova_r64_rm64, Width::Q, TAG, most);
        }
        a.op2_to(Code::Sub_rm64_r64, Width::Q, Rm::M(at(PLACE, 0)), TAG);
        a.op2(Code::Sub_r64_rm64, Width::Q, OTHER, Rm::R(TAG));
    }
    a.mov_imm(PLACE, n.ticks);
    a.op2_to(Code::Add_rm64_r64, Width::Q, Rm::M(at(PLACE, 0)), OTHER);
}

/// A function that looks for the lines from that of the byte at LINE to that of the byte at SET, where `line` is the
/// address of `function`. Keeps all registers but flags.
pub fn span(a: &mut Asm, n: &Native, side: Side, line: u64) {
    let Some(tags) = side.tags(n) else { return };
    let (first, hit) = (a.label(), a.label());
    let simple = is_simple(n, side, &tags);
    let (last, count) = (PLACE, OTHER);
    let saved = [TAG, last, count];
    saved.iter().for_each(|r| a.op1(Code::Push_r64, Width::Q, *r));
    a.mov(last, Rm::R(SET));
    a.mov_imm(count, 0);
    a.imm(Code::And_rm64_imm32, Width::Q, Rm::R(LINE), -1 << tags.line_shift);
    a.bind(first);
    set_of(a, &tags, LINE, SET);
    a.mov_imm(TAG, tags.address);
    a.op2(Code::Add_r64_rm64, Width::Q, SET, Rm::R(TAG));
    if simple {
        a.op2_to(Code::Cmp_rm64_r64, Width::Q, Rm::M(at(SET, 0)), LINE);
        a.jump(Code::Je_rel32_64, hit);
        a.store(at(SET, 0), LINE);
        a.lea(Width::Q, count, at(count, side.miss(n) as i64));
    } else {
        a.jump_to(Code::Call_rel32_64, line);
    }
    a.bind(hit);
    a.lea(Width::Q, LINE, at(LINE, 1 << tags.line_shift));
    a.op2(Code::Cmp_r64_rm64, Width::Q, LINE, Rm::R(last));
    a.jump(Code::Jbe_rel32_64, first);
    if simple {
        a.mov_imm(TAG, n.ticks);
        a.op2_to(Code::Add_rm64_r64, Width::Q, Rm::M(at(TAG, 0)), count);
    }
    saved.iter().rev().for_each(|r| a.op1(Code::Pop_r64, Width::Q, *r));
    a.put(Ok(Instruction::with(Code::Retnq)));
}

/// Registers of `strided`: what it is told, later a tag; the present element; how many are left; between two of them; from
/// an element's first byte to its last.
const TOLD: Reg = Reg::RAX;
const ELEMENT: Reg = Reg::RDI;
const LEFT: Reg = Reg::RSI;
const STRIDE: Reg = Reg::R8;
const LENGTH: Reg = Reg::R9;

/// What `strided` is told: a number of elements below 2^16 and the bytes of each.
pub fn told(elements: u32, bytes: u32) -> u64 {
    (elements | (bytes - 1) << 16) as u64
}

/// A function that looks for the lines of elements at LINE and further multiples of SET, as TOLD; `line` and `span` are
/// addresses of those functions. Keeps all registers but flags.
pub fn strided(a: &mut Asm, n: &Native, side: Side, line: u64, span: u64) {
    let Some(tags) = side.tags(n) else { return };
    let (top, crossing, missed, hit) = (a.label(), a.label(), a.label(), a.label());
    let last = (1i32 << tags.line_shift) - 1;
    let saved = [TOLD, ELEMENT, LEFT, STRIDE, LENGTH];
    saved.iter().for_each(|r| a.op1(Code::Push_r64, Width::Q, *r));
    a.mov(ELEMENT, Rm::R(LINE));
    a.mov(STRIDE, Rm::R(SET));
    a.mixed(Code::Movzx_r32_rm16, Width::D, LEFT, Width::W, Rm::R(TOLD));
    a.mov(LENGTH, Rm::R(TOLD));
    a.imm(Code::Shr_rm64_imm8, Width::Q, Rm::R(LENGTH), 16);
    a.bind(top);
    a.mov(LINE, Rm::R(ELEMENT));
    a.imm(Code::And_rm64_imm32, Width::Q, Rm::R(LINE), !last);
    a.lea(Width::Q, SET, indexed_at(ELEMENT, LENGTH, 0));
    a.mov(TAG, Rm::R(SET));
    a.op2(Code::Xor_r64_rm64, Width::Q, TAG, Rm::R(LINE));
    a.imm(Code::Cmp_rm64_imm32, Width::Q, Rm::R(TAG), last);
    a.jump(Code::Ja_rel32_64, crossing);
    set_of(a, &tags, LINE, SET);
    a.mov_imm(TAG, tags.address);
    a.op2(Code::Add_r64_rm64, Width::Q, SET, Rm::R(TAG));
    a.mov(TAG, Rm::M(at(SET, 0)));
    a.op2(Code::Xor_r64_rm64, Width::Q, TAG, Rm::R(LINE));
    a.imm(Code::Cmp_rm64_imm32, Width::Q, Rm::R(TAG), last);
    // A line that is stored to has to be modified.
    a.jump(if side == Side::Store { Code::Jne_rel32_64 } else { Code::Ja_rel32_64 }, missed);
    a.bind(hit);
    a.op2(Code::Add_r64_rm64, Width::Q, ELEMENT, Rm::R(STRIDE));
    a.op1(Code::Dec_rm64, Width::Q, LEFT);
    a.jump(Code::Jne_rel32_64, top);
    saved.iter().rev().for_each(|r| a.op1(Code::Pop_r64, Width::Q, *r));
    a.put(Ok(Instruction::with(Code::Retnq)));
    a.bind(missed);
    a.jump_to(Code::Call_rel32_64, line);
    a.jump(Code::Jmp_rel32_64, hit);
    a.bind(crossing);
    a.jump_to(Code::Call_rel32_64, span);
    a.jump(Code::Jmp_rel32_64, hit);
}

/// `to` = distance of the set of `addr` from the first tag.
pub fn set_of(a: &mut Asm, tags: &Tags, addr: Reg, to: Reg) {
    let (shift, bytes) = (tags.line_shift, tags.ways * 8);
    // Of a set's tags: shifting once does for sets whose bytes are a power of two and no more than a line's.
    let set_shift = bytes.trailing_zeros();
    if bytes.is_power_of_two() && set_shift <= shift {
        let by = (shift - set_shift) as i32;
        a.vex_imm(Code::VEX_Rorx_r64_rm64_imm8, Width::Q, to, Rm::R(addr), by);
        a.imm(Code::And_rm32_imm32, Width::D, Rm::R(to), (tags.set_mask << set_shift) as i32);
    } else {
        a.mov(to, Rm::R(addr));
        a.imm(Code::Shr_rm64_imm8, Width::Q, Rm::R(to), shift as i32);
        a.imm(Code::And_rm32_imm32, Width::D, Rm::R(to), tags.set_mask as i32);
        a.vex_imm(Code::Imul_r64_rm64_imm32, Width::Q, to, Rm::R(to), bytes as i32);
    }
}
