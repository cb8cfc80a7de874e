//! `execve`.

use super::Args;
use crate::fs::abi::at;
use crate::kernel::exec::{Request, exec};
use crate::kernel::{Abort, Kernel, Sys};

fn replace_program(k: &mut Kernel, a: &Args, request: Request) -> Sys {
    k.report_use(a);
    exec(k, request).map_err(|e| e.errno())?;
    Err(Abort::NoReturn)
}

pub fn execve(k: &mut Kernel, a: &Args) -> Sys {
    let (path, argv, envp) =
        (k.guest().path(a.raw(0))?, k.guest().strings(a.raw(1))?, k.guest().strings(a.raw(2))?);
    let argv = with_argv0(argv);
    replace_program(k, a, Request { dirfd: at::FDCWD, path, flags: 0, argv, envp })
}

pub fn execveat(k: &mut Kernel, a: &Args) -> Sys {
    let (path, argv, envp) =
        (k.guest().path(a.raw(1))?, k.guest().strings(a.raw(2))?, k.guest().strings(a.raw(3))?);
    let (dirfd, flags) = (a.int(0), a.word(4));
    replace_program(k, a, Request { dirfd, path, flags, argv: with_argv0(argv), envp })
}

/// Since 5.18, Linux gives a program without arguments an empty first argument.
fn with_argv0(argv: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    if argv.is_empty() { vec![Vec::new()] } else { argv }
}
