//! Numbers of the kernel's interface.

/// Numbers of capabilities (`include/uapi/linux/capability.h`).
#[allow(missing_docs)]
pub mod cap {
    pub const CHOWN: u32 = 0;
    pub const DAC_OVERRIDE: u32 = 1;
    pub const DAC_READ_SEARCH: u32 = 2;
    pub const FOWNER: u32 = 3;
    pub const FSETID: u32 = 4;
    pub const KILL: u32 = 5;
    pub const SETGID: u32 = 6;
    pub const SETUID: u32 = 7;
    pub const SETPCAP: u32 = 8;
    pub const LINUX_IMMUTABLE: u32 = 9;
    pub const NET_BIND_SERVICE: u32 = 10;
    pub const IPC_LOCK: u32 = 14;
    pub const IPC_OWNER: u32 = 15;
    pub const SYS_PTRACE: u32 = 19;
    pub const SYS_ADMIN: u32 = 21;
    pub const SYS_RESOURCE: u32 = 24;
    pub const MKNOD: u32 = 27;
    pub const MAC_OVERRIDE: u32 = 32;
    /// `CAP_LAST_CAP`.
    pub const LAST: u32 = 40;
}

/// Flags of `PR_SET_SECUREBITS` (`include/uapi/linux/securebits.h`).
pub mod secure {
    /// User 0 gains no capabilities by `execve`.
    pub const NOROOT: u32 = 1;
    /// Changes of user IDs leave capabilities alone.
    pub const NO_SETUID_FIXUP: u32 = 1 << 2;
    /// A process that gives up user 0 keeps its permitted capabilities.
    pub const KEEP_CAPS: u32 = 1 << 4;
    /// No further capability can become ambient.
    pub const NO_AMBIENT_RAISE: u32 = 1 << 6;
    /// All flags; each is followed by its lock.
    pub const ALL: u32 = 0xff;
    /// The locks.
    pub const LOCKS: u32 = 0xaa;
}
