//! The stack frame of a signal handler (Linux `arch/riscv/kernel/signal.c`,
//! `arch/riscv/include/uapi/asm/{ucontext,sigcontext,ptrace}.h`).
//!
//! ```text
//! sp + 0      siginfo_t                                  128 bytes
//!    + 128    ucontext: flags, link, stack, mask         176, with room for a larger mask
//!    + 304    sc_regs: pc, x1..x31                       256
//!    + 560    sc_fpregs: f0..f31, fcsr; sized for the Q extension    528
//!    + 1080     of which the last 8: header of the first extension record
//!    + 1088   with V: vstart vl vtype vcsr vlenb datap   48
//!    + 1136           v0..v31, then the end's header     32·vlenb + 8
//! ```

use crate::base::errno::{Errno, Result};
use crate::kernel::Tasks;
use crate::kernel::registers::A0;
use crate::signal::{Action, AltStack, SIGINFO_SIZE, SigInfo, SigSet, sa, ss};
use crate::space::{GuestMemory, TRAMPOLINE};
use capvec_isa::{Ext, ExtSet};
use capvec_sim::calls::Frame;
use capvec_sim::vector::VType;
use capvec_sim::{Config, Hart};

const UCONTEXT: u64 = SIGINFO_SIZE as u64;
const UC_STACK: u64 = UCONTEXT + 16;
const UC_MASK: u64 = UCONTEXT + 40;
const REGS: u64 = UCONTEXT + 176;
const FPREGS: u64 = REGS + 256;
const FCSR: u64 = FPREGS + 256;
const RESERVED: u64 = FPREGS + 516;
const HEADER: u64 = FPREGS + 520;
const FRAME: u64 = FPREGS + 528;
/// Bytes of a record's header: magic and size.
const HEADER_SIZE: u64 = 8;
/// `RISCV_V_MAGIC`.
const V_MAGIC: u32 = 0x5346_5457;
/// Bytes of `struct __riscv_v_ext_state`.
const V_STATE: u64 = 48;

const RA: u8 = 1;
/// The stack pointer.
pub const SP: u8 = 2;

fn vector_size(config: &Config) -> Option<u64> {
    let vector = config.exts.intersects(ExtSet::of(&[Ext::Zve32x]));
    vector.then(|| HEADER_SIZE + V_STATE + 32 * (config.vlen as u64 / 8))
}

/// The size of a frame in bytes: also the minimum useful size of a signal stack.
pub fn frame_size(config: &Config) -> u64 {
    let extension = vector_size(config).map_or(0, |n| n + HEADER_SIZE);
    (FRAME + extension).next_multiple_of(16)
}

/// Where the registers are in a frame.
pub fn parts(config: &Config) -> Frame {
    let vectors = vector_size(config).map(|_| HEADER + HEADER_SIZE);
    Frame {
        x: REGS,
        f: FPREGS,
        fcsr: FCSR,
        vcsr: vectors.map(|at| at + 24),
        v: vectors.map(|at| at + 40),
    }
}

struct Image(Vec<u8>);

impl Image {
    fn put(&mut self, at: u64, bytes: &[u8]) {
        self.0[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
    }

    fn word(&self, at: u64) -> u64 {
        let mut b = [0; 8];
        b.copy_from_slice(&self.0[at as usize..at as usize + 8]);
        u64::from_le_bytes(b)
    }

    fn half(&self, at: u64) -> u32 {
        self.word(at & !7).to_le_bytes()[(at & 4) as usize..][..4]
            .iter()
            .rev()
            .fold(0, |v, b| v << 8 | *b as u32)
    }
}

fn save_vectors(image: &mut Image, h: &Hart, base: u64, size: u64) {
    image.put(HEADER, &V_MAGIC.to_le_bytes());
    image.put(HEADER + 4, &(size as u32).to_le_bytes());
    let at = HEADER + HEADER_SIZE;
    let vcsr = (h.v.vxrm as u64) << 1 | h.v.vxsat as u64;
    let words =
        [h.v.vstart, h.v.vl, h.v.vtype.bits(64), vcsr, h.v.vlenb() as u64, base + at + V_STATE];
    for (i, w) in (0..).zip(words) {
        image.put(at + 8 * i, &w.to_le_bytes());
    }
    image.put(at + V_STATE, h.v.bytes(0));
}

/// Builds the frame on the handler's stack, and continues the thread in the handler.
pub fn push(h: &mut Hart, tasks: &mut Tasks, info: &SigInfo, action: &Action) -> Result<()> {
    let (t, size) = (tasks.thread(), frame_size(&h.config));
    let sp = h.x(SP);
    let on_stack = t.altstack.holds(sp);
    let wants = action.flags & sa::ONSTACK != 0 && t.altstack.flags & ss::DISABLE == 0;
    let top = if wants && !on_stack && t.altstack.size != 0 {
        t.altstack.sp.wrapping_add(t.altstack.size)
    } else {
        sp
    };
    let base = top.wrapping_sub(size) & !15;
    if on_stack && !t.altstack.holds(base) {
        return Err(Errno::EFAULT);
    }
    let mut image = Image(vec![0; size as usize]);
    image.put(0, &info.encode());
    image.put(UC_STACK, &t.altstack.sp.to_le_bytes());
    image.put(UC_STACK + 8, &t.altstack.flags_at(sp).to_le_bytes());
    image.put(UC_STACK + 16, &t.altstack.size.to_le_bytes());
    image.put(UC_MASK, &t.saved_mask.unwrap_or(t.mask).0.to_le_bytes());
    image.put(REGS, &h.pc.to_le_bytes());
    for r in 1..32u8 {
        image.put(REGS + 8 * r as u64, &h.x(r).to_le_bytes());
    }
    for (r, f) in (0..).zip(&h.f) {
        image.put(FPREGS + 8 * r, &f.to_le_bytes());
    }
    image.put(FCSR, &((h.frm as u32) << 5 | h.fflags as u32).to_le_bytes());
    if let Some(size) = vector_size(&h.config) {
        save_vectors(&mut image, h, base, size);
    }
    tasks.guest().write(base, &image.0)?;
    h.write_x(RA, TRAMPOLINE);
    h.write_x(SP, base);
    h.write_x(A0, info.signal as u64);
    h.write_x(A0 + 1, base);
    h.write_x(A0 + 2, base + UCONTEXT);
    h.pc = action.handler;
    let t = tasks.thread_mut();
    if t.altstack.flags & ss::AUTODISARM != 0 {
        t.altstack = AltStack::default();
    }
    Ok(())
}

/// Restores the state from the frame at the stack pointer (`rt_sigreturn`).
///
/// # Errors
/// `EFAULT` or `EINVAL` for an invalid frame; registers may have changed then.
pub fn pop(h: &mut Hart, tasks: &mut Tasks) -> Result<()> {
    let base = h.x(SP);
    let mut image = Image(vec![0; FRAME as usize]);
    // The registers get back what they had; what else the frame holds decides how the thread continues.
    tasks.guest().copy(base, &mut image.0)?;
    for at in [UC_STACK, UC_STACK + 16, UC_MASK, REGS] {
        tasks.reads.note(base.wrapping_add(at), 8);
    }
    let mask = SigSet(image.word(UC_MASK)).minus(SigSet::UNBLOCKABLE);
    tasks.thread_mut().mask = mask;
    if image.half(RESERVED) != 0 {
        return Err(Errno::EINVAL);
    }
    restore_vectors(h, tasks.guest(), &image, base)?;
    let stack = AltStack {
        sp: image.word(UC_STACK),
        flags: image.half(UC_STACK + 8),
        size: image.word(UC_STACK + 16),
    };
    h.pc = image.word(REGS);
    for r in 1..32u8 {
        h.write_x(r, image.word(REGS + 8 * r as u64));
    }
    for r in 0..32 {
        h.f[r] = image.word(FPREGS + 8 * r as u64);
    }
    let fcsr = image.half(FCSR);
    h.fflags = fcsr as u8 & 31;
    h.frm = (fcsr >> 5) as u8 & 7;
    // As on Linux, failing to restore the signal stack is not an error.
    let min_size = frame_size(&h.config);
    let _ = tasks.thread_mut().set_altstack(stack, h.x(SP), min_size);
    Ok(())
}

/// Walks the extension records; V's is the only kind.
fn restore_vectors(h: &mut Hart, guest: GuestMemory<'_>, image: &Image, base: u64) -> Result<()> {
    let size = vector_size(&h.config);
    let mut at = base + HEADER;
    let (mut magic, mut len) = (image.half(HEADER), image.half(HEADER + 4));
    let mut seen = false;
    while magic != 0 {
        if magic != V_MAGIC || seen || size != Some(len as u64) {
            return Err(Errno::EINVAL);
        }
        seen = true;
        restore_vector_record(h, guest, at + HEADER_SIZE)?;
        at = at.wrapping_add(len as u64);
        (magic, len) = (guest.get(at)?, guest.get(at.wrapping_add(4))?);
    }
    if len == 0 { Ok(()) } else { Err(Errno::EINVAL) }
}

fn restore_vector_record(h: &mut Hart, guest: GuestMemory<'_>, at: u64) -> Result<()> {
    let [vstart, vl, vtype] = guest.get_words(at)?;
    let mut vcsr = [0; 8];
    guest.copy(at.wrapping_add(24), &mut vcsr)?;
    let vcsr = u64::from_le_bytes(vcsr);
    let mut regs = vec![0; h.v.bytes(0).len()];
    guest.copy(guest.get(at.wrapping_add(40))?, &mut regs)?;
    let elen = if h.has(Ext::Zve64x) { 64 } else { 32 };
    let v = &mut h.v;
    v.bytes_mut(0).copy_from_slice(&regs);
    // The program may have changed the frame: the values are treated as if written to the CSRs.
    v.vtype = VType::decode(vtype, elen);
    v.vl = if v.vtype.vill { 0 } else { vl.min(v.vlmax()) };
    v.vstart = vstart & (v.vlen() - 1);
    (v.vxrm, v.vxsat) = ((vcsr >> 1) as u8 & 3, vcsr & 1 != 0);
    Ok(())
}
