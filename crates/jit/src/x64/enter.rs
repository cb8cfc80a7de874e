//! Transitions between Rust and generated code.

use super::access_timing;
use super::asm::{Asm, Reg, Rm, Unencodable, at};
use super::exit::{Edge, Exit};
use super::lines::{self, Side};
use super::regs::{BASE, BIAS, HART, HOMES, LEFT, x_slot};
use crate::timed::Timed;
use capvec_isa::Op;
use capvec_sim::Hart;
use capvec_sim::insn::Insn;
use capvec_timing::InOrder;
use capvec_timing::batch::Batch;
use iced_x86::Code;
use std::mem::offset_of;

/// The arguments of generated code, and its results.
#[repr(C)]
struct Frame {
    /// Instructions left in the budget.
    left: i64,
    /// Initial value of `HART`.
    hart: u64,
    /// Initial value of `BASE`.
    base: u64,
    /// Address of the hart's vector registers.
    vector: u64,
}

/// Points to a word that holds the frame's address.
pub const STACK: Reg = Reg::RSP;
/// Offset in the frame of the address of the hart's vector registers.
pub const FRAME_VECTOR: i64 = offset_of!(Frame, vector) as i64;

/// Calls a handler for generated code. Returns whether it raised a trap.
///
/// # Safety
/// Both pointers are valid, and nothing else uses the hart.
unsafe extern "sysv64" fn thunk(h: *mut Hart, i: *const Insn) -> u32 {
    // SAFETY: `enter` has exclusive access to the hart and lends it to generated code alone; the
    // instructions of a block live as long as its code is entered.
    let (h, i) = unsafe { (&mut *h, &*i) };
    (i.exec)(h, i).is_err() as u32
}

/// Address of `thunk`.
pub fn thunk_address() -> u64 {
    thunk as *const () as u64
}

/// `thunk` for an instruction whose cost is dynamic; `note` and `correction` are the last arguments of
/// `InOrder::count`.
///
/// # Safety
/// As for `thunk`; the model is valid.
unsafe extern "sysv64" fn timed_thunk(
    h: *mut Hart,
    i: *const Insn,
    model: *mut InOrder,
    note: u8,
    correction: i64,
) -> u32 {
    // SAFETY: as in `thunk`; the model is the engine's, which uses it only while no generated code runs.
    let (h, i, model) = unsafe { (&mut *h, &*i, &mut *model) };
    let raised = (i.exec)(h, i).is_err();
    if !raised {
        model.count(h, i, note, correction);
    }
    raised as u32
}

/// Address of `timed_thunk`.
pub fn timed_thunk_address() -> u64 {
    timed_thunk as *const () as u64
}

/// Counts deferred vector instructions.
///
/// # Safety
/// The model and the batch are valid.
unsafe extern "sysv64" fn catch_up(model: *mut InOrder, batch: *const Batch, end: u64) {
    // SAFETY: as in `timed_thunk`; a batch lives as long as its block's code.
    let (model, batch) = unsafe { (&mut *model, &*batch) };
    model.catch_up(batch, end as u8);
}

/// Counts a scalar access, packed by `access_timing::pack`.
///
/// # Safety
/// The model is valid.
unsafe extern "sysv64" fn access(model: *mut InOrder, addr: u64, packed: u64) {
    let (access, counted) = access_timing::unpack(addr, packed);
    // SAFETY: as in `timed_thunk`.
    unsafe { &mut *model }.count_access(access, counted);
}

/// The code around all generated code, and the offsets of its parts.
pub struct Border {
    pub code: Vec<u8>,
    pub leave: usize,
    pub leave_edge: usize,
    pub leave_saved: usize,
    /// Functions that preserve all registers and take two arguments in RCX and RDX.
    pub access: usize,
    /// `access_timing::function`, for loads and for stores, by the binary logarithm of their size.
    pub scalar: [[usize; 4]; 2],
    pub catch_up: usize,
    /// `lines::function`, by `Side`.
    pub lines: [usize; 3],
    /// `lines::span`, by `Side`.
    pub spans: [usize; 3],
    /// `lines::strided`, by `Side`.
    pub strided: [usize; 3],
}

/// Callee-saved registers (System V ABI).
const SAVED: [Reg; 6] = [Reg::RBX, Reg::RBP, Reg::R12, Reg::R13, Reg::R14, Reg::R15];

/// Caller-saved registers, all pushed around a call. With the return address they keep the stack aligned.
const SCRATCH: [Reg; 9] =
    [Reg::RAX, Reg::RCX, Reg::RDX, Reg::RSI, Reg::RDI, Reg::R8, Reg::R9, Reg::R10, Reg::R11];

/// Emits a function that calls `f(model, RCX, RDX)` and preserves all registers but flags.
pub fn keeping(a: &mut Asm, f: u64, model: u64) {
    SCRATCH.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    a.mov_imm(Reg::RDI, model);
    a.mov(Reg::RSI, Rm::R(Reg::RCX));
    a.mov_imm(Reg::RAX, f);
    a.op1(Code::Call_rm64, Reg::RAX);
    SCRATCH.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
}

/// Emits the border code for address `base`. Its first byte is the entry, a `fn(frame, code)`.
pub fn border(base: u64, timed: Option<&Timed>) -> Result<Border, Unencodable> {
    let mut a = Asm::new(base);
    SAVED.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    // Pushes the frame's address, which also aligns the stack for calls.
    a.op1(Code::Push_r64, Reg::RDI);
    let field = |offset| Rm::M(at(Reg::RDI, offset as i64));
    a.mov(LEFT, field(offset_of!(Frame, left)));
    a.mov(HART, field(offset_of!(Frame, hart)));
    a.mov(BASE, field(offset_of!(Frame, base)));
    a.mov(Reg::RAX, Rm::R(Reg::RSI));
    HOMES.iter().for_each(|(x, home)| a.mov(*home, Rm::M(x_slot(*x))));
    a.op1(Code::Jmp_rm64, Reg::RAX);
    let leave_edge = a.len();
    a.imm(Code::Shl_rm64_imm8, Rm::R(Reg::RAX), Exit::SHIFT);
    a.imm(Code::Or_rm64_imm32, Rm::R(Reg::RAX), Exit::Edge(Edge(0)).encode() as i32);
    let leave = a.len();
    HOMES.iter().for_each(|(x, home)| a.store(x_slot(*x), *home));
    let leave_saved = a.len();
    a.op1(Code::Pop_r64, Reg::RCX);
    a.store(at(Reg::RCX, offset_of!(Frame, left) as i64), LEFT);
    SAVED.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
    // Unused without a model.
    let model = timed.map_or(0, Timed::address);
    let at_access = a.len();
    keeping(&mut a, access as *const () as u64, model);
    let at_catch_up = a.len();
    keeping(&mut a, catch_up as *const () as u64, model);
    let sides = [Side::Fetch, Side::Load, Side::Store];
    let lines = sides.map(|side| {
        let here = a.len();
        timed.iter().for_each(|t| lines::function(&mut a, t.native(), side));
        here
    });
    let address = |offset| base + offset as u64;
    let scalar = [
        (Side::Load, [Op::Lb, Op::Lh, Op::Lw, Op::Ld]),
        (Side::Store, [Op::Sb, Op::Sh, Op::Sw, Op::Sd]),
    ]
    .map(|(side, sizes)| {
        let (line, general) = (address(lines[side as usize]), address(at_access));
        sizes.map(|op| {
            let here = a.len();
            let emit = |t: &Timed| access_timing::function(&mut a, t.native(), op, line, general);
            timed.into_iter().for_each(emit);
            here
        })
    });
    let spans = sides.map(|side| {
        let (here, line) = (a.len(), address(lines[side as usize]));
        timed.iter().for_each(|t| lines::span(&mut a, t.native(), side, line));
        here
    });
    let strided = sides.map(|side| {
        let (here, line) = (a.len(), address(lines[side as usize]));
        let span = address(spans[side as usize]);
        timed.iter().for_each(|t| lines::strided(&mut a, t.native(), side, line, span));
        here
    });
    Ok(Border {
        code: a.finish()?,
        leave,
        leave_edge,
        leave_saved,
        access: at_access,
        scalar,
        catch_up: at_catch_up,
        lines,
        spans,
        strided,
    })
}

/// Runs the generated code at `code` for a budget of `left` instructions. The code was translated for this hart's
/// kind, and its blocks still exist. Returns the remaining budget and the exit.
///
/// # Safety
/// `border` is the address of the border's code, `code` an entry of a block translated for the same addresses; both
/// are executable.
pub unsafe fn enter(border: u64, code: u64, h: &mut Hart, left: i64) -> (i64, Exit) {
    let base = h.mem.host_base() as u64;
    let hart = std::ptr::from_mut(h) as u64 + Hart::X_OFFSET as u64 + BIAS as u64;
    let vector = h.v.bytes_mut(0).as_mut_ptr() as u64;
    let mut frame = Frame { left, hart, base, vector };
    // SAFETY: the caller says that the border's code stands there; it has this signature.
    let run = unsafe {
        std::mem::transmute::<u64, unsafe extern "sysv64" fn(*mut Frame, u64) -> u64>(border)
    };
    // SAFETY: the code keeps to the ABI; it accesses the frame, this hart, and its space where the table of
    // permissions allows.
    let exit = unsafe { run(&mut frame, code) };
    (frame.left, Exit::decode(exit))
}
