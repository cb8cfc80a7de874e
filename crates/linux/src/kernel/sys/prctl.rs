//! `prctl`.

use super::{Args, cred};
use crate::base::cred::secure;
use crate::base::errno::{Errno, Result};
use crate::kernel::exec::vector_control;
use crate::kernel::{Kernel, Sys};

/// `include/uapi/linux/prctl.h`.
mod pr {
    pub const SET_PDEATHSIG: i32 = 1;
    pub const GET_PDEATHSIG: i32 = 2;
    pub const GET_DUMPABLE: i32 = 3;
    pub const SET_DUMPABLE: i32 = 4;
    pub const GET_KEEPCAPS: i32 = 7;
    pub const SET_KEEPCAPS: i32 = 8;
    pub const SET_NAME: i32 = 15;
    pub const GET_NAME: i32 = 16;
    pub const CAPBSET_READ: i32 = 23;
    pub const CAPBSET_DROP: i32 = 24;
    pub const GET_SECUREBITS: i32 = 27;
    pub const SET_SECUREBITS: i32 = 28;
    pub const SET_TIMERSLACK: i32 = 29;
    pub const GET_TIMERSLACK: i32 = 30;
    pub const SET_CHILD_SUBREAPER: i32 = 36;
    pub const GET_CHILD_SUBREAPER: i32 = 37;
    pub const SET_NO_NEW_PRIVS: i32 = 38;
    pub const GET_NO_NEW_PRIVS: i32 = 39;
    pub const CAP_AMBIENT: i32 = 47;
    pub const RISCV_V_SET_CONTROL: i32 = 69;
    pub const RISCV_V_GET_CONTROL: i32 = 70;
    pub const RISCV_SET_ICACHE_FLUSH_CTX: i32 = 71;
    /// Names anonymous memory in `/proc`; optional, and programs expect `EINVAL`.
    pub const SET_VMA: i32 = 0x5356_4d41;
}

/// Bytes of a thread's name, with NUL.
const NAME: usize = 16;
/// Nanoseconds (the default of Linux).
const TIMER_SLACK: u64 = 50_000;

fn set_name(k: &mut Kernel, addr: u64) -> Result<()> {
    let mut name = [0; NAME];
    let text = k.guest().text(addr, NAME - 1, Errno::EINVAL).or_else(|e| {
        // A longer name is truncated.
        k.guest().copy(addr, &mut name).map(|()| name[..NAME - 1].to_vec()).map_err(|_| e)
    })?;
    let kept = k.profiler.kept(&k.files.vfs, k.hart.mem.id(), addr, text.len() as u64);
    let t = k.thread_mut();
    (t.comm, t.comm_kept) = (text, kept);
    Ok(())
}

pub fn prctl(k: &mut Kernel, a: &Args) -> Sys {
    let arg = match a.int(0) {
        pr::GET_DUMPABLE | pr::GET_KEEPCAPS | pr::GET_SECUREBITS | pr::GET_TIMERSLACK => 0,
        pr::GET_NO_NEW_PRIVS | pr::RISCV_V_GET_CONTROL => 0,
        _ => a.raw(1),
    };
    match a.int(0) {
        pr::SET_PDEATHSIG if arg <= 64 => k.process_mut().death_signal = arg as i32,
        pr::GET_PDEATHSIG => k.guest().put(arg, k.process().death_signal)?,
        pr::GET_DUMPABLE => return Ok(1),
        pr::SET_NAME => set_name(k, arg)?,
        pr::GET_NAME => {
            let mut name = k.thread().comm.clone();
            name.resize(NAME, 0);
            k.guest().write(arg, &name)?;
            let kept = k.thread().comm_kept;
            k.profiler.returned(kept, k.hart.mem.id(), arg, k.thread().comm.len() as u64);
        }
        pr::CAPBSET_READ => return cred::bounding_has(k, arg),
        pr::CAPBSET_DROP => return cred::bounding_drop(k, arg),
        pr::CAP_AMBIENT => return cred::ambient(k, a),
        pr::GET_SECUREBITS => return Ok(k.cred().securebits.into()),
        pr::SET_SECUREBITS => return cred::set_securebits(k, arg),
        pr::GET_KEEPCAPS => return Ok((k.cred().securebits & secure::KEEP_CAPS != 0).into()),
        pr::SET_KEEPCAPS => return cred::set_keep_caps(k, arg),
        pr::SET_CHILD_SUBREAPER => k.process_mut().subreaper = arg != 0,
        pr::GET_CHILD_SUBREAPER => k.guest().put(arg, k.process().subreaper as i32)?,
        pr::GET_TIMERSLACK => return Ok(TIMER_SLACK),
        pr::SET_NO_NEW_PRIVS if arg == 1 => return cred::set_no_new_privs(k),
        pr::GET_NO_NEW_PRIVS => return Ok(k.cred().no_new_privs.into()),
        pr::SET_DUMPABLE | pr::SET_TIMERSLACK | pr::RISCV_SET_ICACHE_FLUSH_CTX => {}
        pr::RISCV_V_SET_CONTROL => return vector_control::set_control(k, arg),
        pr::RISCV_V_GET_CONTROL => return vector_control::get_control(k),
        pr::SET_VMA => return Err(Errno::EINVAL.into()),
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(0)
}
