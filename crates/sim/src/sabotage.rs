//! Makes the semantics of one instruction wrong on purpose, by one fault at a time, to see whether tests notice.
//! Compiled only with the feature `sabotage`; a normal build contains none of it.

use crate::exec::handlers;
use crate::hart::Hart;
use crate::insn::{Exec, Handler, Insn};
use crate::mem::Perm;
use crate::mode::Plain64;
use crate::trap::Cause;
use capvec_isa::{Class, Op};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

static RIGHT: &[Handler] = &handlers::<Plain64>();

/// How an instruction is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Fault {
    /// Flips the lowest bit of the destination, or of its first element.
    Result,
    /// The same, for one in 64 source values.
    RareResult,
    /// Flips the highest bit of the last element below vl.
    LastElement,
    /// Flips a bit at the store's address.
    Memory,
    /// A taken branch or jump falls through; vl is one less; a CSR is not written.
    Effect,
    /// Floating-point flags and vxsat are not set.
    Flags,
    /// The dynamic rounding mode is taken to be RNE, and vxrm to be rnu.
    Rounding,
    /// Changes the first element of the tail.
    Tail,
    /// Changes a masked-off element.
    Inactive,
    /// Changes element 0 although vstart is not 0.
    Prestart,
    /// vstart stays as it was.
    KeepsStart,
    /// A reserved encoding or state does not trap.
    Accepts,
    /// A legal encoding traps.
    Refuses,
    /// A fault reports an address 16 bytes away.
    FaultAddress,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 14] = [
        Fault::Result,
        Fault::RareResult,
        Fault::LastElement,
        Fault::Memory,
        Fault::Effect,
        Fault::Flags,
        Fault::Rounding,
        Fault::Tail,
        Fault::Inactive,
        Fault::Prestart,
        Fault::KeepsStart,
        Fault::Accepts,
        Fault::Refuses,
        Fault::FaultAddress,
    ];
}

/// `Op` and `Fault` packed into one number; this value for none.
const NOTHING: u64 = u64::MAX;
static ARMED: AtomicU64 = AtomicU64::new(NOTHING);
static TOUCHED: AtomicU64 = AtomicU64::new(0);

/// Makes this instruction wrong in all blocks built from now on.
pub fn arm(op: Op, fault: Fault) {
    TOUCHED.store(0, Relaxed);
    ARMED.store((op as u64) << 8 | fault as u64, Relaxed);
}

/// Makes everything right again; returns how often the instruction was made wrong.
pub fn disarm() -> u64 {
    ARMED.store(NOTHING, Relaxed);
    TOUCHED.load(Relaxed)
}

/// The handler of `op`, right or wrong.
pub(crate) fn handler(op: Op, right: Handler) -> Handler {
    let armed = ARMED.load(Relaxed);
    if armed != NOTHING && armed >> 8 == op as u64 { wrong } else { right }
}

fn armed_fault() -> Option<Fault> {
    let fault = ARMED.load(Relaxed) as u8;
    Fault::ALL.into_iter().find(|w| *w as u8 == fault)
}

/// The state before the instruction that decides how it is made wrong.
struct Before {
    flags: (u8, bool),
    frm: u8,
    vxrm: u8,
    vstart: u64,
    pc: u64,
    address: u64,
    chosen: bool,
}

impl Before {
    fn of(h: &Hart, i: &Insn) -> Before {
        let v = |r: u8| {
            u64::from_le_bytes(h.v.bytes(r & 31).first_chunk().copied().unwrap_or_default())
        };
        let f = |r: u8| h.f[r as usize & 31];
        let sources = [i.rs1, i.rs2].map(|r| h.x(r) ^ f(r).rotate_left(21) ^ v(r).rotate_left(42));
        let mix = sources[0].wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ sources[1].rotate_left(32)
            ^ i.imm as u64;
        let mix = (mix ^ mix >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Before {
            flags: (h.fflags, h.v.vxsat),
            frm: h.frm,
            vxrm: h.v.vxrm,
            vstart: h.v.vstart,
            pc: h.pc,
            address: h.x(i.rs1).wrapping_add_signed(if i.op().row().class.is_vector() {
                0
            } else {
                i.imm
            }),
            chosen: mix >> 58 == 0,
        }
    }
}

/// Flips bits of byte `at` of the group at `rd`; returns whether that byte exists.
fn flip(h: &mut Hart, rd: u8, at: u64, bits: u8) -> bool {
    h.v.bytes_mut(rd & 31).get_mut(at as usize).map(|b| *b ^= bits).is_some()
}

fn destination(h: &mut Hart, i: &Insn) -> bool {
    let args = i.op().row().base.row().args;
    if args.starts_with("rd") && !i.rd_is_x0() {
        h.set_x::<Plain64>(i.rd, h.x(i.rd) ^ 1);
    } else if args.starts_with("fd") {
        h.f[i.rd as usize] ^= 1;
    } else if args.starts_with("vd") {
        return flip(h, i.rd, 0, 1);
    } else {
        return false;
    }
    true
}

/// Flips a bit of element `n` of the destination, assuming SEW.
fn element(h: &mut Hart, i: &Insn, n: u64, top: bool) -> bool {
    let bytes = h.v.vtype.sew as u64 / 8;
    let (at, bits) = if top { (n * bytes + bytes - 1, 0x80) } else { (n * bytes, 1) };
    i.op().row().base.row().args.starts_with("vd") && flip(h, i.rd, at, bits)
}

fn memory(h: &mut Hart, i: &Insn, b: &Before) -> bool {
    use Class::{Amo, Cache, Store, Vstore, VstoreIndexed, VstoreStrided};
    let class = i.op().row().class;
    if !matches!(class, Amo | Cache | Store | Vstore | VstoreIndexed | VstoreStrided) {
        return false;
    }
    let address = if class == Class::Amo { h.x(i.rs1) } else { b.address };
    let mut byte = [0];
    let read = h.mem.read_as(address, &mut byte, Perm::W).is_ok();
    read && h.mem.write_as(address, &[byte[0] ^ 1], Perm::W).is_ok()
}

fn effect(h: &mut Hart, i: &Insn, b: &Before) -> bool {
    let old = (h.pc, h.v.vl, h.fflags, h.frm, h.v.vxrm, h.v.vxsat);
    match i.op().row().class {
        Class::Branch | Class::Jump => h.pc = b.pc,
        Class::Vset => h.v.vl = h.v.vl.saturating_sub(1),
        Class::Csr => {
            (h.fflags, h.v.vxsat) = b.flags;
            (h.frm, h.v.vxrm) = (b.frm, b.vxrm);
        }
        _ => {}
    }
    old != (h.pc, h.v.vl, h.fflags, h.frm, h.v.vxrm, h.v.vxsat)
}

/// Spoils the instruction's effect; returns whether it did.
fn spoil(h: &mut Hart, i: &Insn, fault: Fault, b: &Before) -> bool {
    let vector = i.op().row().class.is_vector();
    match fault {
        Fault::Result => destination(h, i),
        Fault::RareResult => b.chosen && destination(h, i),
        Fault::LastElement => vector && h.v.vl > 0 && element(h, i, h.v.vl - 1, true),
        Fault::Memory => memory(h, i, b),
        Fault::Effect => effect(h, i, b),
        Fault::Flags => {
            let raised = b.flags != (h.fflags, h.v.vxsat);
            (h.fflags, h.v.vxsat) = b.flags;
            raised && i.op().row().class != Class::Csr
        }
        Fault::Tail => vector && h.v.vl < h.v.vlmax() && element(h, i, h.v.vl, false),
        Fault::Inactive => {
            let off = (b.vstart..h.v.vl).find(|n| !h.v.mask_bit(0, *n));
            vector && !i.vm() && i.rd & 31 != 0 && off.is_some_and(|n| element(h, i, n, false))
        }
        Fault::Prestart => vector && b.vstart > 0 && element(h, i, 0, false),
        Fault::KeepsStart => {
            let kept = vector && b.vstart > 0 && h.v.vstart == 0;
            if kept {
                h.v.vstart = b.vstart;
            }
            kept
        }
        Fault::Rounding | Fault::Accepts | Fault::Refuses | Fault::FaultAddress => false,
    }
}

/// Executes the instruction with rounding mode RNE in place of the dynamic one, and rnu in place of vxrm.
fn execute_rounded_to_nearest(h: &mut Hart, i: &Insn, b: &Before) -> Exec {
    let row = i.op().row();
    let float = matches!(row.class, Class::Vfp | Class::Vfdiv | Class::Vfred)
        || row.args.contains("rm") && i.aux() == 7;
    let fixed =
        ["vaadd", "vasub", "vsmul", "vssr", "vnclip"].iter().any(|n| row.name.starts_with(n));
    if float && b.frm < 5 && b.frm > 0 {
        h.frm = 0;
    }
    if fixed {
        h.v.vxrm = 0;
    }
    if (h.frm, h.v.vxrm) != (b.frm, b.vxrm) {
        TOUCHED.fetch_add(1, Relaxed);
    }
    let done = RIGHT[i.op() as usize](h, i);
    (h.frm, h.v.vxrm) = (b.frm, b.vxrm);
    done
}

fn wrong(h: &mut Hart, i: &Insn) -> Exec {
    let right = RIGHT[i.op() as usize];
    let Some(fault) = armed_fault() else { return right(h, i) };
    let before = Before::of(h, i);
    if fault == Fault::Rounding {
        return execute_rounded_to_nearest(h, i, &before);
    }
    let done = right(h, i);
    let spoiled = match (done, fault) {
        (Ok(()), Fault::Refuses) => {
            h.pc = before.pc;
            TOUCHED.fetch_add(1, Relaxed);
            return h.illegal("sabotage");
        }
        (Ok(()), _) => spoil(h, i, fault, &before),
        (Err(_), Fault::Accepts) if h.trap.cause == Cause::Illegal => {
            TOUCHED.fetch_add(1, Relaxed);
            return Ok(());
        }
        (Err(_), Fault::FaultAddress)
            if matches!(h.trap.cause, Cause::LoadPage | Cause::StorePage) =>
        {
            h.trap.tval ^= 16;
            true
        }
        _ => false,
    };
    TOUCHED.fetch_add(spoiled as u64, Relaxed);
    done
}
