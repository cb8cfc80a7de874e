//! `exit`, `exit_group`.

use super::Args;
use crate::kernel::{Abort, Kernel, Sys};
use crate::process::Ended;

pub fn exit(k: &mut Kernel, a: &Args) -> Sys {
    let status = a.word(0) as u8;
    k.report_use(a);
    k.end_thread(k.tasks.current, status);
    Err(Abort::NoReturn)
}

pub fn exit_group(k: &mut Kernel, a: &Args) -> Sys {
    let (pid, status) = (k.thread().pid, a.word(0) as u8);
    k.report_use(a);
    k.end_process(pid, Ended::Code(status));
    Err(Abort::NoReturn)
}
