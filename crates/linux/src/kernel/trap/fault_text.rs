//! Descriptions of faults, for notices.

use capvec_isa::disasm::disassemble_word;
use capvec_sim::mem::Perm;
use capvec_sim::{Cause, Hart, Trap};

/// One line about a trap, for the user. For an illegal instruction it has the bytes, the disassembly and the reason.
pub fn describe(h: &Hart, trap: &Trap) -> String {
    match trap.cause {
        Cause::Illegal => illegal(h, trap),
        Cause::Breakpoint => "ebreak".into(),
        Cause::InstructionPage => access(h, trap.tval, "execute"),
        Cause::LoadPage | Cause::LoadAccess => access(h, trap.tval, "read") + &instruction(h),
        Cause::StorePage | Cause::StoreAccess => access(h, trap.tval, "write") + &instruction(h),
        Cause::LoadMisaligned | Cause::StoreMisaligned => misaligned(h, trap.tval),
        other => format!("{other:?} trap, address {:#x}", trap.tval),
    }
}

fn access(h: &Hart, addr: u64, verb: &str) -> String {
    match h.mem.perm(addr) {
        None => format!("cannot {verb} {addr:#x}: nothing is mapped there"),
        Some(p) => {
            let letter = |perm, c| if p.allows(perm) { c } else { '-' };
            let perms: String =
                [letter(Perm::R, 'r'), letter(Perm::W, 'w'), letter(Perm::X, 'x')].iter().collect();
            format!("cannot {verb} {addr:#x}: its page is {perms}")
        }
    }
}

fn misaligned(h: &Hart, addr: u64) -> String {
    format!("misaligned access to {addr:#x}{}", instruction(h))
}

/// The instruction at the pc, in parentheses, if it can be read.
fn instruction(h: &Hart) -> String {
    let half = |at: u64| h.mem.fetch(at).map(u32::from);
    let low = half(h.pc).unwrap_or(0);
    let high = if low & 3 == 3 { half(h.pc.wrapping_add(2)).unwrap_or(0) } else { 0 };
    let text = disassemble_word(high << 16 | low, h.config.xlen, h.pc);
    text.map_or_else(String::new, |t| format!(" ({t})"))
}

fn illegal(h: &Hart, trap: &Trap) -> String {
    let bits = trap.tval as u32;
    let len = if bits & 3 == 3 { 4 } else { 2 };
    let bytes: Vec<_> = bits.to_le_bytes()[..len].iter().map(|b| format!("{b:02x}")).collect();
    let text = disassemble_word(bits, h.config.xlen, h.pc);
    let text = text.map_or_else(String::new, |t| format!(" ({t})"));
    let why = trap.why.map_or_else(String::new, |w| format!(": {w}"));
    let own = if text.is_empty() { custom_opcode(bits) } else { None };
    let own = own.map_or_else(String::new, |n| {
        format!(
            " (opcode custom-{n}: if the instruction is your own, give its file with --isa-file)"
        )
    });
    format!("illegal instruction, bytes {}{text}{own}{why}", bytes.join(" "))
}

/// Which of the opcodes that the architecture leaves to custom instructions this is.
fn custom_opcode(bits: u32) -> Option<usize> {
    [0x0b, 0x2b, 0x5b, 0x7b].iter().position(|opcode| bits & 0x7f == *opcode)
}
