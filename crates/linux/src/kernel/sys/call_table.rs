//! The table of system calls: generic numbers of Linux (`include/uapi/asm-generic/unistd.h` of 6.12) and
//! those of RISC-V. A name without a function is a call that Linux implements and this kernel does not.

use super::args::Args;
use super::no_effect::{self, Check};
use super::refused::{absent, refuse};
use super::sysv::{msg, sem, shm};
use super::{
    clone, cred, execve, exit, fd, futex, hwprobe, ids, info, inotify, lock, mmap, path, poll,
    prctl, read_write, sched, signal, signalfd, socket, time, timer, wait,
};
use crate::kernel::{Kernel, Sys};

/// Executes a system call of the current thread.
pub type Handler = fn(&mut Kernel, &Args) -> Sys;

/// A system call.
pub struct Entry {
    number: u16,
    /// Its name.
    pub name: &'static str,
    /// Its implementation.
    pub run: Run,
}

/// The implementation of a call.
pub enum Run {
    /// None: Linux implements the call, this kernel does not.
    Lacks,
    /// A function.
    Calls(Handler),
    /// It checks its arguments and succeeds without effect. The text is for readers: it says what Linux does, and why no
    /// effect is right here. A test requires it.
    Idle(Check, #[cfg_attr(not(test), expect(dead_code))] &'static str),
}

/// The first number beyond the table.
const COUNT: usize = 512;

/// Index of each number's entry; `NONE` where there is none.
static INDEX: [u16; COUNT] = {
    let mut index = [NONE; COUNT];
    let mut i = 0;
    while i < TABLE.len() {
        index[TABLE[i].number as usize] = i as u16;
        i += 1;
    }
    index
};
const NONE: u16 = u16::MAX;

/// The entry of a number.
pub fn entry(number: u64) -> Option<&'static Entry> {
    let index = *INDEX.get(usize::try_from(number).ok()?)?;
    TABLE.get(index as usize)
}

/// The name of a system call, if Linux has one with this number.
pub fn known_name(number: u64) -> Option<&'static str> {
    entry(number).map(|e| e.name)
}

/// The name of a system call, for messages.
pub fn name_of(number: u64) -> &'static str {
    known_name(number).unwrap_or("an unknown system call")
}

const fn has(number: u16, name: &'static str, run: Handler) -> Entry {
    Entry { number, name, run: Run::Calls(run) }
}

const fn lacks(number: u16, name: &'static str) -> Entry {
    Entry { number, name, run: Run::Lacks }
}

const fn idle(number: u16, name: &'static str, check: Check, why: &'static str) -> Entry {
    Entry { number, name, run: Run::Idle(check, why) }
}

/// Why priorities have no effect.
const TURNS: &str = "Linux gives threads of higher priority more processor time; here threads take turns by retired \
    instructions, so that every run is the same, and the nice value stays 0";
/// Why input and output have no priorities.
const IO_TURNS: &str = "Linux serves disk requests by priority; here no request waits";
/// Why nothing is written back.
const WRITTEN: &str = "Linux writes its cache to the disk; here a write is in the host's file when it returns, and that file \
    outlives this program, while private files are removed after the run";
/// Why nothing is read ahead or dropped.
const ADVISED: &str = "Linux reads ahead or drops pages of its cache, which changes how long reads take; here reads take \
    no time, and return the same data";
/// Why memory need not be locked.
const UNSWAPPED: &str = "Linux keeps the pages from being swapped out; here the guest never sees its memory swapped out";

#[rustfmt::skip]
static TABLE: &[Entry] = &[
    lacks(0, "io_setup"),
    lacks(1, "io_destroy"),
    lacks(2, "io_submit"),
    lacks(3, "io_cancel"),
    lacks(4, "io_getevents"),
    has(5, "setxattr", path::no_attributes),
    has(6, "lsetxattr", path::no_attributes),
    has(7, "fsetxattr", path::no_attributes),
    has(8, "getxattr", path::no_attributes),
    has(9, "lgetxattr", path::no_attributes),
    has(10, "fgetxattr", path::no_attributes),
    has(11, "listxattr", path::no_attributes),
    has(12, "llistxattr", path::no_attributes),
    has(13, "flistxattr", path::no_attributes),
    has(14, "removexattr", path::no_attributes),
    has(15, "lremovexattr", path::no_attributes),
    has(16, "fremovexattr", path::no_attributes),
    has(17, "getcwd", path::getcwd),
    lacks(18, "lookup_dcookie"),
    has(19, "eventfd2", fd::eventfd2),
    has(20, "epoll_create1", poll::epoll_create1),
    has(21, "epoll_ctl", poll::epoll_ctl),
    has(22, "epoll_pwait", poll::epoll_pwait),
    has(23, "dup", fd::dup),
    has(24, "dup3", fd::dup3),
    has(25, "fcntl", fd::fcntl),
    has(26, "inotify_init1", inotify::inotify_init1),
    has(27, "inotify_add_watch", inotify::inotify_add_watch),
    has(28, "inotify_rm_watch", inotify::inotify_rm_watch),
    has(29, "ioctl", fd::ioctl),
    idle(30, "ioprio_set", no_effect::IO_PRIORITY, IO_TURNS),
    idle(31, "ioprio_get", no_effect::IO_PRIORITY, IO_TURNS),
    has(32, "flock", lock::flock),
    has(33, "mknodat", path::mknodat),
    has(34, "mkdirat", path::mkdirat),
    has(35, "unlinkat", path::unlinkat),
    has(36, "symlinkat", path::symlinkat),
    has(37, "linkat", path::linkat),
    has(39, "umount2", refuse),
    has(40, "mount", refuse),
    has(41, "pivot_root", refuse),
    lacks(42, "nfsservctl"),
    has(43, "statfs", path::statfs),
    has(44, "fstatfs", fd::fstatfs),
    has(45, "truncate", path::truncate),
    has(46, "ftruncate", fd::ftruncate),
    has(47, "fallocate", fd::fallocate),
    has(48, "faccessat", path::faccessat),
    has(49, "chdir", path::chdir),
    has(50, "fchdir", path::fchdir),
    has(51, "chroot", path::chroot),
    has(52, "fchmod", path::fchmod),
    has(53, "fchmodat", path::fchmodat),
    has(54, "fchownat", path::fchownat),
    has(55, "fchown", path::fchown),
    has(56, "openat", path::openat),
    has(57, "close", fd::close),
    has(58, "vhangup", refuse),
    has(59, "pipe2", fd::pipe2),
    has(60, "quotactl", refuse),
    has(61, "getdents64", fd::getdents64),
    has(62, "lseek", read_write::lseek),
    has(63, "read", read_write::read),
    has(64, "write", read_write::write),
    has(65, "readv", read_write::readv),
    has(66, "writev", read_write::writev),
    has(67, "pread64", read_write::pread64),
    has(68, "pwrite64", read_write::pwrite64),
    has(69, "preadv", read_write::preadv),
    has(70, "pwritev", read_write::pwritev),
    has(71, "sendfile", read_write::sendfile),
    has(72, "pselect6", poll::pselect6),
    has(73, "ppoll", poll::ppoll),
    has(74, "signalfd4", signalfd::signalfd4),
    lacks(75, "vmsplice"),
    lacks(76, "splice"),
    lacks(77, "tee"),
    has(78, "readlinkat", path::readlinkat),
    has(79, "newfstatat", path::newfstatat),
    has(80, "fstat", fd::fstat),
    idle(81, "sync", no_effect::PLAIN, WRITTEN),
    has(82, "fsync", fd::fsync),
    has(83, "fdatasync", fd::fsync),
    idle(84, "sync_file_range", no_effect::RANGE, WRITTEN),
    has(85, "timerfd_create", timer::timerfd_create),
    has(86, "timerfd_settime", timer::timerfd_settime),
    has(87, "timerfd_gettime", timer::timerfd_gettime),
    has(88, "utimensat", path::utimensat),
    has(89, "acct", refuse),
    has(90, "capget", cred::capget),
    has(91, "capset", cred::capset),
    has(92, "personality", info::personality),
    has(93, "exit", exit::exit),
    has(94, "exit_group", exit::exit_group),
    has(95, "waitid", wait::waitid),
    has(96, "set_tid_address", clone::set_tid_address),
    has(97, "unshare", clone::unshare),
    has(98, "futex", futex::futex),
    has(99, "set_robust_list", futex::set_robust_list),
    has(100, "get_robust_list", futex::get_robust_list),
    has(101, "nanosleep", time::nanosleep),
    has(102, "getitimer", timer::getitimer),
    has(103, "setitimer", timer::setitimer),
    has(104, "kexec_load", refuse),
    has(105, "init_module", refuse),
    has(106, "delete_module", refuse),
    has(107, "timer_create", timer::timer_create),
    has(108, "timer_gettime", timer::timer_gettime),
    has(109, "timer_getoverrun", timer::timer_getoverrun),
    has(110, "timer_settime", timer::timer_settime),
    has(111, "timer_delete", timer::timer_delete),
    has(112, "clock_settime", refuse),
    has(113, "clock_gettime", time::clock_gettime),
    has(114, "clock_getres", time::clock_getres),
    has(115, "clock_nanosleep", time::clock_nanosleep),
    has(116, "syslog", info::syslog),
    lacks(117, "ptrace"),
    idle(118, "sched_setparam", sched::PARAMETER, TURNS),
    idle(119, "sched_setscheduler", sched::SCHEDULER, TURNS),
    has(120, "sched_getscheduler", sched::sched_getscheduler),
    has(121, "sched_getparam", sched::sched_getparam),
    has(122, "sched_setaffinity", sched::sched_setaffinity),
    has(123, "sched_getaffinity", sched::sched_getaffinity),
    has(124, "sched_yield", sched::sched_yield),
    has(125, "sched_get_priority_max", sched::priority_max),
    has(126, "sched_get_priority_min", sched::priority_min),
    has(127, "sched_rr_get_interval", sched::rr_interval),
    has(128, "restart_syscall", absent),
    has(129, "kill", signal::kill),
    has(130, "tkill", signal::tkill),
    has(131, "tgkill", signal::tgkill),
    has(132, "sigaltstack", signal::sigaltstack),
    has(133, "rt_sigsuspend", signal::rt_sigsuspend),
    has(134, "rt_sigaction", signal::rt_sigaction),
    has(135, "rt_sigprocmask", signal::rt_sigprocmask),
    has(136, "rt_sigpending", signal::rt_sigpending),
    has(137, "rt_sigtimedwait", signal::rt_sigtimedwait),
    has(138, "rt_sigqueueinfo", signal::rt_sigqueueinfo),
    has(139, "rt_sigreturn", signal::rt_sigreturn),
    idle(140, "setpriority", no_effect::PRIORITY, TURNS),
    has(141, "getpriority", sched::getpriority),
    has(142, "reboot", refuse),
    has(143, "setregid", cred::setregid),
    has(144, "setgid", cred::setgid),
    has(145, "setreuid", cred::setreuid),
    has(146, "setuid", cred::setuid),
    has(147, "setresuid", cred::setresuid),
    has(148, "getresuid", cred::getresuid),
    has(149, "setresgid", cred::setresgid),
    has(150, "getresgid", cred::getresgid),
    has(151, "setfsuid", cred::setfsuid),
    has(152, "setfsgid", cred::setfsgid),
    has(153, "times", info::times),
    has(154, "setpgid", ids::setpgid),
    has(155, "getpgid", ids::getpgid),
    has(156, "getsid", ids::getsid),
    has(157, "setsid", ids::setsid),
    has(158, "getgroups", cred::getgroups),
    has(159, "setgroups", cred::setgroups),
    has(160, "uname", info::uname),
    has(161, "sethostname", refuse),
    has(162, "setdomainname", refuse),
    has(163, "getrlimit", info::getrlimit),
    has(164, "setrlimit", info::setrlimit),
    has(165, "getrusage", info::getrusage),
    has(166, "umask", path::umask),
    has(167, "prctl", prctl::prctl),
    has(168, "getcpu", info::getcpu),
    has(169, "gettimeofday", time::gettimeofday),
    has(170, "settimeofday", refuse),
    has(171, "adjtimex", refuse),
    has(172, "getpid", ids::getpid),
    has(173, "getppid", ids::getppid),
    has(174, "getuid", cred::getuid),
    has(175, "geteuid", cred::geteuid),
    has(176, "getgid", cred::getgid),
    has(177, "getegid", cred::getegid),
    has(178, "gettid", ids::gettid),
    has(179, "sysinfo", info::sysinfo),
    lacks(180, "mq_open"),
    lacks(181, "mq_unlink"),
    lacks(182, "mq_timedsend"),
    lacks(183, "mq_timedreceive"),
    lacks(184, "mq_notify"),
    lacks(185, "mq_getsetattr"),
    has(186, "msgget", msg::msgget),
    has(187, "msgctl", msg::msgctl),
    has(188, "msgrcv", msg::msgrcv),
    has(189, "msgsnd", msg::msgsnd),
    has(190, "semget", sem::semget),
    has(191, "semctl", sem::semctl),
    has(192, "semtimedop", sem::semtimedop),
    has(193, "semop", sem::semop),
    has(194, "shmget", shm::shmget),
    has(195, "shmctl", shm::shmctl),
    has(196, "shmat", shm::shmat),
    has(197, "shmdt", shm::shmdt),
    has(198, "socket", socket::socket),
    has(199, "socketpair", socket::socketpair),
    has(200, "bind", socket::bind),
    has(201, "listen", socket::listen),
    has(202, "accept", socket::accept),
    has(203, "connect", socket::connect),
    has(204, "getsockname", socket::getsockname),
    has(205, "getpeername", socket::getpeername),
    has(206, "sendto", socket::transfer::sendto),
    has(207, "recvfrom", socket::transfer::recvfrom),
    has(208, "setsockopt", socket::options::setsockopt),
    has(209, "getsockopt", socket::options::getsockopt),
    has(210, "shutdown", socket::shutdown),
    has(211, "sendmsg", socket::transfer::sendmsg),
    has(212, "recvmsg", socket::transfer::recvmsg),
    idle(213, "readahead", no_effect::READAHEAD, ADVISED),
    has(214, "brk", mmap::brk),
    has(215, "munmap", mmap::munmap),
    has(216, "mremap", mmap::mremap),
    lacks(217, "add_key"),
    lacks(218, "request_key"),
    lacks(219, "keyctl"),
    has(220, "clone", clone::clone),
    has(221, "execve", execve::execve),
    has(222, "mmap", mmap::mmap),
    idle(223, "fadvise64", no_effect::ADVICE, ADVISED),
    has(224, "swapon", refuse),
    has(225, "swapoff", refuse),
    has(226, "mprotect", mmap::mprotect),
    has(227, "msync", mmap::msync),
    idle(228, "mlock", no_effect::MAPPED, UNSWAPPED),
    idle(229, "munlock", no_effect::MAPPED, UNSWAPPED),
    idle(230, "mlockall", no_effect::ALL_MEMORY, UNSWAPPED),
    idle(231, "munlockall", no_effect::PLAIN, UNSWAPPED),
    has(232, "mincore", mmap::mincore),
    has(233, "madvise", mmap::madvise),
    lacks(234, "remap_file_pages"),
    has(235, "mbind", absent),
    has(236, "get_mempolicy", absent),
    has(237, "set_mempolicy", absent),
    lacks(238, "migrate_pages"),
    lacks(239, "move_pages"),
    has(240, "rt_tgsigqueueinfo", signal::rt_tgsigqueueinfo),
    has(241, "perf_event_open", absent),
    has(242, "accept4", socket::accept4),
    lacks(243, "recvmmsg"),
    has(258, "riscv_hwprobe", hwprobe::riscv_hwprobe),
    has(259, "riscv_flush_icache", hwprobe::riscv_flush_icache),
    has(260, "wait4", wait::wait4),
    has(261, "prlimit64", info::prlimit64),
    lacks(262, "fanotify_init"),
    lacks(263, "fanotify_mark"),
    lacks(264, "name_to_handle_at"),
    lacks(265, "open_by_handle_at"),
    has(266, "clock_adjtime", refuse),
    idle(267, "syncfs", no_effect::OPEN, WRITTEN),
    has(268, "setns", refuse),
    lacks(269, "sendmmsg"),
    lacks(270, "process_vm_readv"),
    lacks(271, "process_vm_writev"),
    lacks(272, "kcmp"),
    has(273, "finit_module", refuse),
    lacks(274, "sched_setattr"),
    lacks(275, "sched_getattr"),
    has(276, "renameat2", path::renameat2),
    lacks(277, "seccomp"),
    has(278, "getrandom", info::getrandom),
    has(279, "memfd_create", fd::memfd_create),
    lacks(280, "bpf"),
    has(281, "execveat", execve::execveat),
    lacks(282, "userfaultfd"),
    has(283, "membarrier", mmap::membarrier),
    idle(284, "mlock2", no_effect::MAPPED_FLAGS, UNSWAPPED),
    has(285, "copy_file_range", read_write::copy_file_range),
    has(286, "preadv2", read_write::preadv2),
    has(287, "pwritev2", read_write::pwritev2),
    lacks(288, "pkey_mprotect"),
    lacks(289, "pkey_alloc"),
    lacks(290, "pkey_free"),
    has(291, "statx", path::statx),
    lacks(292, "io_pgetevents"),
    has(293, "rseq", absent),
    has(294, "kexec_file_load", refuse),
    lacks(424, "pidfd_send_signal"),
    has(425, "io_uring_setup", absent),
    lacks(426, "io_uring_enter"),
    lacks(427, "io_uring_register"),
    lacks(428, "open_tree"),
    lacks(429, "move_mount"),
    lacks(430, "fsopen"),
    lacks(431, "fsconfig"),
    lacks(432, "fsmount"),
    lacks(433, "fspick"),
    has(434, "pidfd_open", absent),
    has(435, "clone3", clone::clone3),
    has(436, "close_range", fd::close_range),
    has(437, "openat2", path::openat2),
    lacks(438, "pidfd_getfd"),
    has(439, "faccessat2", path::faccessat2),
    lacks(440, "process_madvise"),
    has(441, "epoll_pwait2", poll::epoll_pwait2),
    lacks(442, "mount_setattr"),
    lacks(443, "quotactl_fd"),
    has(444, "landlock_create_ruleset", absent),
    lacks(445, "landlock_add_rule"),
    lacks(446, "landlock_restrict_self"),
    lacks(447, "memfd_secret"),
    lacks(448, "process_mrelease"),
    has(449, "futex_waitv", absent),
    lacks(450, "set_mempolicy_home_node"),
    lacks(451, "cachestat"),
    has(452, "fchmodat2", path::fchmodat2),
    lacks(453, "map_shadow_stack"),
    lacks(454, "futex_wake"),
    lacks(455, "futex_wait"),
    lacks(456, "futex_requeue"),
    lacks(457, "statmount"),
    lacks(458, "listmount"),
    lacks(459, "lsm_get_self_attr"),
    lacks(460, "lsm_set_self_attr"),
    lacks(461, "lsm_list_modules"),
    lacks(462, "mseal"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Add a line here for a new call without effect.
    #[test]
    fn calls_that_do_nothing_say_why() {
        let mut idle = Vec::new();
        for entry in TABLE {
            if let Run::Idle(_, why) = &entry.run {
                assert!(
                    why.starts_with("Linux ") && why.contains("; here "),
                    "{}: {why}",
                    entry.name
                );
                idle.push(entry.name);
            }
        }
        let expected = [
            "ioprio_set",
            "ioprio_get",
            "sync",
            "sync_file_range",
            "sched_setparam",
            "sched_setscheduler",
            "setpriority",
            "readahead",
            "fadvise64",
            "mlock",
            "munlock",
            "mlockall",
            "munlockall",
            "syncfs",
            "mlock2",
        ];
        assert_eq!(idle, expected);
    }
}
