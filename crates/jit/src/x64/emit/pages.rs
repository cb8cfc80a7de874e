//! What the table of page permissions (`capvec_sim::mem::table`) grants. The table lies before the guest's address space, so one
//! base register addresses both.

use crate::x64::asm::{Asm, Label, Reg, Rm, at, indexed_at};
use crate::x64::runtime::convention::BASE;
use capvec_sim::mem::{PAGE, table};
use iced_x86::Code;

/// An address, then its page number.
pub const PLACE: Reg = Reg::RCX;
/// The argument of the border's function besides `PLACE`: the last offset in a page at which the accesses may begin.
const LAST: Reg = Reg::RDX;

/// The permissions for which the border has a function: those of loads, of stores, and of both.
pub const NEEDS: [u8; 3] = [table::READ, table::WRITE, table::READ | table::WRITE];

/// PLACE = its page number.
pub fn page_of(a: &mut Asm) {
    a.imm(Code::Shr_rm64_imm8, Rm::R(PLACE), PAGE.trailing_zeros() as i32);
}

/// Jumps to `otherwise` unless the address in `base` is in the address space.
pub fn within(a: &mut Asm, base: Reg, otherwise: Label) {
    a.op2(Code::Cmp_r64_rm64, base, Rm::M(at(BASE, -(table::LIMIT as i64))));
    a.jump(Code::Jae_rel32_64, otherwise);
}

/// Jumps to `otherwise` unless the table grants these bits for the page whose number is in PLACE. Clobbers PLACE.
pub fn permitted(a: &mut Asm, bits: u8, otherwise: Label) {
    a.imm(Code::Cmp_rm64_imm32, Rm::R(PLACE), table::ENTRIES as i32);
    a.jump(Code::Jae_rel32_64, otherwise);
    let entry = indexed_at(BASE, PLACE, -(table::BEFORE as i64));
    if bits.is_power_of_two() {
        a.imm(Code::Test_rm8_imm8, Rm::M(entry), bits as i32);
        a.jump(Code::Je_rel32_64, otherwise);
        return;
    }
    a.op2(Code::Movzx_r32_rm8, PLACE, Rm::M(entry));
    a.imm(Code::And_rm32_imm32, Rm::R(PLACE), bits as i32);
    a.imm(Code::Cmp_rm32_imm32, Rm::R(PLACE), bits as i32);
    a.jump(Code::Jne_rel32_64, otherwise);
}

/// Calls the function of `functions`, which `one_page` has emitted for `NEEDS`, for `len` bytes from the address in PLACE, and jumps to
/// `to` if they all lie in a page that grants `need`. Clobbers PLACE and RDX.
pub fn jump_if_one_page(a: &mut Asm, functions: &[u64; 3], (need, len): (u8, i64), to: Label) {
    let Some(n) = NEEDS.iter().position(|known| *known == need) else { return };
    a.mov_imm(LAST, (PAGE as i64 - len) as u64);
    a.jump_to(Code::Call_rel32_64, functions[n]);
    a.jump(Code::Jbe_rel32_64, to);
}

/// Emits a function that compares: "below or equal" if an access at PLACE that begins at most at offset LAST of its page lies in a page
/// that grants `need`. Clobbers PLACE.
pub fn one_page(a: &mut Asm, need: u8) {
    let no = a.label();
    a.op1(Code::Push_r64, PLACE);
    page_of(a);
    permitted(a, need, no);
    a.op1(Code::Pop_r64, PLACE);
    a.imm(Code::And_rm32_imm32, Rm::R(PLACE), PAGE as i32 - 1);
    a.op2(Code::Cmp_r64_rm64, PLACE, Rm::R(LAST));
    a.ret();
    a.bind(no);
    a.op1(Code::Pop_r64, PLACE);
    // No offset in a page is below or equal to this.
    a.mov_imm(PLACE, PAGE);
    a.op2(Code::Cmp_r64_rm64, PLACE, Rm::R(LAST));
    a.ret();
}
