//! The border between Rust and generated code: the code that enters generated code, and the code that
//! generated code calls or jumps to.

mod callbacks;
mod returns;

use crate::host_features::Host;
use crate::interface::exit::{Edge, Exit};
use crate::timed::Timed;
use crate::x64::asm::{Asm, Reg, Rm, Unencodable, at};
use crate::x64::cycles::access;
use crate::x64::cycles::lines::{self, Side};
use crate::x64::cycles::tage;
use crate::x64::emit::{pages, spill};
use crate::x64::runtime::Runtime;
use crate::x64::runtime::convention::{Arguments, BASE, BIAS, HART, HOMES, LEFT, x_slot};
use crate::x64::runtime::float_flags;
use crate::x64::runtime::stack::{Cells, Stack};
use capvec_isa::Op;
use capvec_sim::Hart;
use capvec_timing::inline::InlineState;
use iced_x86::Code;
use std::mem::offset_of;

/// Callee-saved registers (System V ABI).
const SAVED: [Reg; 6] = [Reg::RBX, Reg::RBP, Reg::R12, Reg::R13, Reg::R14, Reg::R15];

/// Caller-saved registers, all pushed around a call. With the return address they keep the stack aligned.
const SCRATCH: [Reg; 9] =
    [Reg::RAX, Reg::RCX, Reg::RDX, Reg::RSI, Reg::RDI, Reg::R8, Reg::R9, Reg::R10, Reg::R11];

/// Emits a function that calls `f(model, RCX, RDX)` and preserves all general-purpose
/// registers, but neither flags nor vector registers.
fn keeping(a: &mut Asm, f: u64, model: u64) {
    call(a, f, model, false);
}

/// The same for an `f` whose result, in RAX, is kept if `result`.
fn call(a: &mut Asm, f: u64, model: u64, result: bool) {
    SCRATCH.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    a.mov_address(Reg::RDI, model);
    a.mov(Reg::RSI, Rm::R(Reg::RCX));
    a.mov_address(Reg::RAX, f);
    a.op1(Code::Call_rm64, Reg::RAX);
    if result {
        a.store(at(Reg::RSP, 8 * (SCRATCH.len() as i64 - 1)), Reg::RAX);
    }
    SCRATCH.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
}

/// Addresses of the ways out of generated code, as in `Runtime`.
struct WaysOut {
    leave: u64,
    leave_edge: u64,
    leave_saved: u64,
}

/// Emits the entry, a `fn(arguments, code)`, and the ways out of generated code. `stack`: address of the stack's cells.
fn entry(a: &mut Asm, stack: u64) -> WaysOut {
    SAVED.iter().for_each(|r| a.op1(Code::Push_r64, *r));
    // Also aligns the stack for calls.
    a.op1(Code::Push_r64, Reg::RDI);
    a.mov_address(Reg::RCX, stack);
    a.store(at(Reg::RCX, offset_of!(Cells, outer) as i64), Reg::RSP);
    let field = |offset| Rm::M(at(Reg::RDI, offset as i64));
    a.mov(LEFT, field(offset_of!(Arguments, left)));
    a.mov(HART, field(offset_of!(Arguments, hart)));
    a.mov(BASE, field(offset_of!(Arguments, base)));
    a.op1_rm(Code::Ldmxcsr_m32, field(offset_of!(Arguments, mxcsr)));
    a.mov(Reg::RAX, Rm::R(Reg::RSI));
    HOMES.iter().for_each(|(x, home)| a.mov(*home, Rm::M(x_slot(*x))));
    a.mov(Reg::RSP, Rm::M(at(Reg::RCX, offset_of!(Cells, inner) as i64)));
    a.op1(Code::Jmp_rm64, Reg::RAX);
    let leave_edge = a.address();
    a.imm(Code::Shl_rm64_imm8, Rm::R(Reg::RAX), Exit::SHIFT);
    a.imm(Code::Or_rm64_imm32, Rm::R(Reg::RAX), Exit::Edge(Edge(0)).encode() as i32);
    let leave = a.address();
    HOMES.iter().for_each(|(x, home)| a.store(x_slot(*x), *home));
    let leave_saved = a.address();
    a.mov_address(Reg::RCX, stack);
    a.store(at(Reg::RCX, offset_of!(Cells, inner) as i64), Reg::RSP);
    a.mov(Reg::RSP, Rm::M(at(Reg::RCX, offset_of!(Cells, outer) as i64)));
    a.op1(Code::Pop_r64, Reg::RCX);
    a.store(at(Reg::RCX, offset_of!(Arguments, left) as i64), LEFT);
    a.op1_rm(Code::Stmxcsr_m32, Rm::M(at(Reg::RCX, offset_of!(Arguments, mxcsr) as i64)));
    SAVED.iter().rev().for_each(|r| a.op1(Code::Pop_r64, *r));
    a.ret();
    WaysOut { leave, leave_edge, leave_saved }
}

/// The functions that count accesses and branches by a core model: addresses, as in `Runtime`.
struct Counters {
    lines: [u64; 3],
    scalar: [[u64; 4]; 2],
    spans: [u64; 3],
    strided: [u64; 3],
    branches: [u64; 2],
}

/// Emits the functions that count accesses and branches, if there is a core model. `general` is the one that calls the model
/// for an access; `model` is the model's address.
fn counters(
    a: &mut Asm,
    n: Option<&InlineState>,
    (general, model): (u64, u64),
    host: Host,
) -> Counters {
    let sides = [Side::Fetch, Side::Load, Side::Store];
    // Emits a function and returns its address.
    let mut function = |emit: &dyn Fn(&mut Asm, &InlineState)| {
        let here = a.address();
        n.iter().for_each(|n| emit(a, n));
        here
    };
    let second = function(&lines::second_level);
    let lines = sides.map(|side| function(&|a, n| lines::function(a, n, side, second)));
    let scalar = [
        (Side::Load, [Op::Lb, Op::Lh, Op::Lw, Op::Ld]),
        (Side::Store, [Op::Sb, Op::Sh, Op::Sw, Op::Sd]),
    ]
    .map(|(side, sizes)| {
        let line = lines[side as usize];
        sizes.map(|op| function(&|a, n| access::function(a, n, op, line, general)))
    });
    let spans = sides.map(|side| function(&|a, n| lines::span(a, n, side, lines[side as usize])));
    let strided = sides.map(|side| {
        let (line, span) = (lines[side as usize], spans[side as usize]);
        function(&|a, n| lines::strided(a, n, side, line, span))
    });
    let branch = [
        callbacks::branch::<false> as *const () as u64,
        callbacks::branch::<true> as *const () as u64,
    ];
    let branches = [false, true].map(|taken| {
        function(&|a, n| match host.avx512 || host.avx2 {
            true => tage::function(a, n, taken),
            false => call(a, branch[taken as usize], model, true),
        })
    });
    Counters { lines, scalar, spans, strided, branches }
}

/// The border's code for address `base`, where its entry is, and the addresses that generated code uses; `targets` is the
/// address of the table of indirect-jump targets.
pub fn border(
    base: u64,
    timed: Option<&Timed>,
    targets: u64,
    stack: &Stack,
    host: Host,
) -> Result<(Vec<u8>, Runtime), Unencodable> {
    let mut a = Asm::new(base);
    a.avx2 = !host.avx512;
    let WaysOut { leave, leave_edge, leave_saved } = entry(&mut a, stack.address());
    let returns = returns::emit(&mut a, timed, targets, leave);
    stack.set_no_frame(returns.no_frame);
    // Unused without a model.
    let model = timed.map_or(0, Timed::address);
    let access = a.address();
    keeping(&mut a, callbacks::access as *const () as u64, model);
    let catch_up = a.address();
    keeping(&mut a, callbacks::catch_up as *const () as u64, model);
    let spill = a.address();
    spill::function(&mut a);
    let pages = pages::NEEDS.map(|need| {
        let here = a.address();
        pages::one_page(&mut a, need);
        here
    });
    let Counters { lines, scalar, spans, strided, branches } =
        counters(&mut a, timed.map(Timed::inline_state), (access, model), host);
    let runtime = Runtime {
        leave,
        leave_edge,
        leave_saved,
        other_return: returns.other_frame,
        find_return: returns.find,
        thunk: callbacks::thunk as *const () as u64,
        csr_thunk: callbacks::csr_thunk as *const () as u64,
        timed_thunk: callbacks::timed_thunk as *const () as u64,
        access,
        scalar,
        catch_up,
        lines,
        spans,
        strided,
        spill,
        pages,
        branches,
        targets,
        stack: stack.address(),
    };
    Ok((a.finish()?.0, runtime))
}

/// For address `base`, a function that passes the events of the log in RCX to the observer. It preserves all
/// general-purpose registers.
pub fn flush(base: u64) -> Result<Vec<u8>, Unencodable> {
    let mut a = Asm::new(base);
    keeping(&mut a, callbacks::flush as *const () as u64, 0);
    Ok(a.finish()?.0)
}

/// Runs the generated code at `code` for a budget of `left` instructions. The code was translated for this hart's
/// kind, and its blocks still exist. Returns the remaining budget and the exit.
///
/// # Safety
/// `border` is the address of the border's code, `code` an entry of a block translated for the same addresses; both
/// are executable.
pub unsafe fn enter(border: u64, stack: &Stack, code: u64, h: &mut Hart, left: i64) -> (i64, Exit) {
    let base = h.mem.host_base() as u64;
    let hart = std::ptr::from_mut(h) as u64 + Hart::X_OFFSET as u64 + BIAS as u64;
    stack.begin(h.v.bytes_mut(0).as_mut_ptr() as u64);
    let mut arguments = Arguments { left, hart, base, mxcsr: float_flags::CLEAR };
    // SAFETY: the caller says that the border's code stands there; it has this signature.
    let run = unsafe {
        std::mem::transmute::<u64, unsafe extern "sysv64" fn(*mut Arguments, u64) -> u64>(border)
    };
    // SAFETY: the code keeps to the ABI; it accesses the arguments, this hart, and its space where the table of
    // permissions allows.
    let exit = unsafe { run(&mut arguments, code) };
    float_flags::accrue(h, arguments.mxcsr);
    (arguments.left, Exit::decode(exit))
}
