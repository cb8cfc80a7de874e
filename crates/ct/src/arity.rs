//! The arguments of system calls on whose values the kernel acts, so that a secret in them becomes visible outside the process.

/// How many arguments the call takes. Registers beyond them hold whatever the program left there. 0 for calls that are not
/// listed: of these, only the number is checked (Linux, include/uapi/asm-generic/unistd.h).
pub fn arguments(number: u64) -> u8 {
    match number {
        // dup, close, exit, exit_group, brk, umask
        23 | 57 | 93 | 94 | 166 | 214 => 1,
        // fstat, nanosleep, getcwd, munmap
        17 | 80 | 101 | 215 => 2,
        // dup3, fcntl, ioctl, lseek, read, write, readv, writev, mprotect, madvise, getrandom
        24 | 25 | 29 | 62..=66 | 226 | 233 | 278 => 3,
        // openat, pread64, pwrite64, newfstatat
        56 | 67 | 68 | 79 => 4,
        // mremap
        216 => 5,
        // futex, mmap, sendto, recvfrom
        98 | 206 | 207 | 222 => 6,
        _ => 0,
    }
}
