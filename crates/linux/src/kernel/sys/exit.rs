//! `exit`, `exit_group`.

use super::Args;
use crate::kernel::{Abort, Kernel, Sys};
use crate::process::Ended;

pub fn exit(k: &mut Kernel, a: &Args) -> Sys {
    k.end_thread(k.tasks.current, a.word(0) as u8);
    Err(Abort::NoReturn)
}

pub fn exit_group(k: &mut Kernel, a: &Args) -> Sys {
    let pid = k.thread().pid;
    k.end_process(pid, Ended::Code(a.word(0) as u8));
    Err(Abort::NoReturn)
}
