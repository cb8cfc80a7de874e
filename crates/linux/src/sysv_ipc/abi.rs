//! Numbers and structures of System V IPC: `include/uapi/linux/{ipc,msg,sem,shm}.h` and `asm-generic/*buf.h` of
//! Linux 6.12.

/// Keys and flags.
pub mod flag {
    /// `IPC_PRIVATE`.
    pub const PRIVATE: i32 = 0;
    pub const CREAT: u32 = 0o1000;
    pub const EXCL: u32 = 0o2000;
    pub const NOWAIT: u32 = 0o4000;
    /// `MSG_NOERROR`, `MSG_EXCEPT`, `MSG_COPY`.
    pub const MSG_NOERROR: u32 = 0o10_000;
    pub const MSG_EXCEPT: u32 = 0o20_000;
    pub const MSG_COPY: u32 = 0o40_000;
    /// `SEM_UNDO`.
    pub const SEM_UNDO: u32 = 0x1000;
    /// `SHM_RDONLY`, `SHM_RND`, `SHM_REMAP`, `SHM_EXEC`; `SHM_HUGETLB` of `shmget`.
    pub const SHM_RDONLY: u32 = 0o10_000;
    pub const SHM_RND: u32 = 0o20_000;
    pub const SHM_REMAP: u32 = 0o40_000;
    pub const SHM_EXEC: u32 = 0o100_000;
    pub const SHM_HUGETLB: u32 = 0o4000;
    /// Bits of a segment's mode: marked for destruction, locked.
    pub const SHM_DEST: u32 = 0o1000;
    pub const SHM_LOCKED: u32 = 0o2000;
    /// Reading and changing, for owner, group and others.
    pub const READ: u32 = 0o444;
    pub const WRITE: u32 = 0o222;
}

/// Commands of `msgctl`, `semctl` and `shmctl`.
pub mod cmd {
    pub const RMID: u32 = 0;
    pub const SET: u32 = 1;
    pub const STAT: u32 = 2;
    pub const INFO: u32 = 3;
    pub const MSG_STAT: u32 = 11;
    pub const MSG_INFO: u32 = 12;
    pub const MSG_STAT_ANY: u32 = 13;
    pub const GETPID: u32 = 11;
    pub const GETVAL: u32 = 12;
    pub const GETALL: u32 = 13;
    pub const GETNCNT: u32 = 14;
    pub const GETZCNT: u32 = 15;
    pub const SETVAL: u32 = 16;
    pub const SETALL: u32 = 17;
    pub const SEM_STAT: u32 = 18;
    pub const SEM_INFO: u32 = 19;
    pub const SEM_STAT_ANY: u32 = 20;
    pub const SHM_LOCK: u32 = 11;
    pub const SHM_UNLOCK: u32 = 12;
    pub const SHM_STAT: u32 = 13;
    pub const SHM_INFO: u32 = 14;
    pub const SHM_STAT_ANY: u32 = 15;
}

/// Limits of message queues (`MSGMNI`, `MSGMAX`, `MSGMNB`).
pub struct MsgLimits {
    /// Queues.
    pub objects: usize,
    /// Bytes of a message.
    pub size: u64,
    /// Bytes of a queue.
    pub bytes: u64,
}

/// Linux's defaults.
pub const MSG: MsgLimits = MsgLimits { objects: 32000, size: 8192, bytes: 16384 };

/// Limits of semaphores (`SEMMNI`, `SEMMSL`, `SEMMNS`, `SEMOPM`, `SEMVMX`).
pub struct SemLimits {
    /// Sets.
    pub sets: usize,
    /// Semaphores of a set.
    pub per_set: i32,
    /// Semaphores.
    pub all: u64,
    /// Operations of a call.
    pub ops: u64,
    /// Greatest value.
    pub value: i32,
}

/// Linux's defaults.
pub const SEM: SemLimits =
    SemLimits { sets: 32000, per_set: 32000, all: 1_024_000_000, ops: 500, value: 32767 };

/// Limits of shared memory (`SHMMNI`, `SHMMAX`, which is `SHMALL`, too).
pub struct ShmLimits {
    /// Segments.
    pub segments: usize,
    /// Bytes of a segment, and pages of all.
    pub size: u64,
}

/// Linux's defaults.
pub const SHM: ShmLimits = ShmLimits { segments: 4096, size: u64::MAX - (1 << 24) };

/// Limits and figures of a kind.
pub struct Info;

impl Info {
    /// `struct msginfo`: the limits; with `used`, the numbers of queues, messages and bytes in use replace some of them.
    pub fn messages(used: Option<[u32; 3]>) -> Vec<u8> {
        // MSGPOOL in kilobytes, MSGMAP, MSGTQL; MSGSSZ and MSGSEG are fixed.
        let pool = (MSG.objects as u64 * MSG.bytes / 1024) as u32;
        let [pool, map, heads] = used.unwrap_or([pool, MSG.bytes as u32, MSG.bytes as u32]);
        let words =
            [pool, map, MSG.size as u32, MSG.bytes as u32, MSG.objects as u32, 16, heads, 0xffff];
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    /// `struct seminfo`: the limits; with `used`, the numbers of sets and semaphores in use replace some of them.
    pub fn semaphores(used: Option<[u32; 2]>) -> Vec<u8> {
        /// `SEMUSZ` and `SEMAEM`.
        const UNDO: [u32; 2] = [20, SEM.value as u32];
        let [sets, count] = used.unwrap_or(UNDO);
        let (all, ops) = (SEM.all as u32, SEM.ops as u32);
        let words = [
            all,
            SEM.sets as u32,
            all,
            all,
            SEM.per_set as u32,
            ops,
            ops,
            sets,
            SEM.value as u32,
            count,
        ];
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    /// `struct shminfo64`.
    pub fn segments() -> Vec<u8> {
        let words = [SHM.size, 1, SHM.segments as u64, SHM.segments as u64, SHM.size, 0, 0, 0, 0];
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }
}
