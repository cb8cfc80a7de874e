//! The filter of host system calls for a thread that runs a guest (seccomp(2)).
//!
//! The guest reaches the host only through this program's own code. Should that code have an exploitable fault, the
//! filter still forbids new programs, processes and threads, signals to other processes, tracing, executable memory,
//! sockets (unless the run has some) and changes of the host's configuration.

use crate::interface::{ConfineError, Net};
use rustix::io::Errno;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition,
    SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls that are allowed with any arguments: on files, which are beneath directories held open or have been opened
/// here; on memory; on time; on this thread.
const PLAIN: &[i64] = &[
    // Files.
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_close,
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_fstatfs,
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_dup,
    libc::SYS_getdents64,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_symlinkat,
    libc::SYS_linkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_readlinkat,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_utimensat,
    libc::SYS_getcwd,
    libc::SYS_memfd_create,
    libc::SYS_ppoll,
    // Memory.
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_membarrier,
    // Time, and this thread.
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_futex,
    libc::SYS_getrandom,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_geteuid,
    libc::SYS_sigaltstack,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_restart_syscall,
    libc::SYS_set_robust_list,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Older variants of these calls, which other architectures do not have.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_poll,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_chmod,
    libc::SYS_readlink,
    libc::SYS_access,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[];

/// Calls on sockets of the loopback interface, once they exist.
const SOCKETS: &[i64] = &[
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept4,
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_setsockopt,
    libc::SYS_getsockopt,
    libc::SYS_shutdown,
];

/// Commands for terminals and pipes: getting and setting modes (`TCGETS`, `TCSETS*`, `TCGETS2`, `TCSETS2*`), the window
/// size, the bytes available. Not `TIOCSTI`, which simulates keystrokes of the user.
const IOCTLS: &[u32] = &[
    0x5401,
    0x5402,
    0x5403,
    0x5404,
    0x802c_542a,
    0x402c_542b,
    0x402c_542c,
    0x402c_542d,
    0x5413,
    0x541b,
];

/// Commands for descriptors: duplication and flags. Not the recipient of signals (`F_SETOWN`, `F_SETSIG`).
const FCNTLS: [i32; 5] =
    [libc::F_DUPFD, libc::F_DUPFD_CLOEXEC, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL];

/// Types of nodes that may be created: the guest's named pipes and sockets, no devices.
const NODES: [u32; 2] = [libc::S_IFIFO, libc::S_IFSOCK];

fn rule(argument: u8, op: Op, value: u64) -> Result<SeccompRule, ConfineError> {
    all(&[(argument, op, value)])
}

/// A rule that requires all of these conditions on arguments.
fn all(conditions: &[(u8, Op, u64)]) -> Result<SeccompRule, ConfineError> {
    let of = |(argument, op, value): &(u8, Op, u64)| {
        SeccompCondition::new(*argument, Len::Dword, op.clone(), *value)
    };
    let conditions: Result<_, _> = conditions.iter().map(of).collect();
    SeccompRule::new(conditions.map_err(refused)?).map_err(refused)
}

fn refused(e: impl std::fmt::Display) -> ConfineError {
    ConfineError::Refused(e.to_string())
}

fn rules(net: Net) -> Result<Rules, ConfineError> {
    let mut rules: Rules = PLAIN.iter().chain(OLDER).map(|n| (*n, Vec::new())).collect();
    let ioctls: Result<_, _> = IOCTLS.iter().map(|c| rule(1, Op::Eq, (*c).into())).collect();
    rules.insert(libc::SYS_ioctl, ioctls?);
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        let not_executable = rule(2, Op::MaskedEq(libc::PROT_EXEC as u64), 0)?;
        rules.insert(call, vec![not_executable]);
    }
    let fcntls = FCNTLS.iter().map(|c| rule(1, Op::Eq, *c as u64));
    let status = [(1, Op::Eq, libc::F_SETFL as u64), (2, Op::MaskedEq(libc::O_ASYNC as u64), 0)];
    let fcntls = fcntls.chain([all(&status)]).collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_fcntl, fcntls);
    let kind = Op::MaskedEq(libc::S_IFMT.into());
    let nodes = NODES.iter().map(|n| rule(2, kind.clone(), (*n).into()));
    rules.insert(libc::SYS_mknodat, nodes.collect::<Result<_, _>>()?);
    // For abort().
    rules.insert(libc::SYS_tgkill, vec![rule(0, Op::Eq, std::process::id().into())?]);
    if net == Net::Loopback {
        rules.extend(SOCKETS.iter().map(|n| (*n, Vec::new())));
        let families = [libc::AF_INET, libc::AF_INET6].map(|f| rule(0, Op::Eq, f as u64));
        rules.insert(libc::SYS_socket, families.into_iter().collect::<Result<_, _>>()?);
    }
    Ok(rules)
}

/// Permanently confines the calling thread to the system calls that running a machine needs, and denies it new
/// privileges (`PR_SET_NO_NEW_PRIVS`). Other calls fail with `ENOSYS`, as on a host that does not have them.
///
/// # Errors
/// The host does not support it; the thread is then unchanged.
pub fn confine(net: Net) -> Result<(), ConfineError> {
    let name = std::env::consts::ARCH;
    let arch = name.try_into().map_err(|_| ConfineError::Architecture(name))?;
    let otherwise = SeccompAction::Errno(Errno::NOSYS.raw_os_error() as u32);
    let filter = SeccompFilter::new(rules(net)?, otherwise, SeccompAction::Allow, arch);
    let program: BpfProgram = filter.map_err(refused)?.try_into().map_err(refused)?;
    seccompiler::apply_filter(&program).map_err(refused)
}
