//! Addresses in the guest, and the layout of the data that host and guest exchange.
//!
//! ```text
//! CODE      harness, then the programs                        r-x
//! CONTROL   the harness's state; signal set-up and stack      rw-
//! TABLE     jobs, states, memory images                        r--
//! RESULT    a result for each job                             rw-
//! DATA      what programs access: two pages rw-, one r--, with nothing mapped around them
//! ```

/// Harness and programs. Out of reach of 32-bit addresses and of 32-bit indices from `DATA`, so stray stores of
/// programs spare the harness. Registers are unlikely to hold this number by chance.
pub const CODE: u64 = 0x9_6530_0000;
/// Control block.
pub const CONTROL: u64 = CODE + 0x0400_0000;
/// Jobs, then states, then memory images.
pub const TABLE: u64 = CODE + 0x0800_0000;
/// Results of jobs.
pub const RESULT: u64 = CODE + 0x1000_0000;
/// The memory that programs access. The harness maps it itself: QEMU reserves the space between segments, which would
/// then be mapped without access instead of unmapped.
pub const DATA: u64 = 0x4000_0000;

/// Bytes of a page.
pub const PAGE: u64 = 4096;
/// Writable bytes at `DATA`; a read-only page follows.
pub const WRITABLE: u64 = 2 * PAGE;
/// First address after the read-only page.
pub const DATA_END: u64 = DATA + WRITABLE + PAGE;

/// Offsets in the control block.
pub mod control {
    /// Address of the current job's row.
    pub const JOB: i64 = 0;
    /// Address after the last row.
    pub const END: i64 = 8;
    /// Address of the current result.
    pub const RESULT: i64 = 16;
    /// `DATA`.
    pub const DATA: i64 = 24;
    /// Address of the memory image for programs without one of their own.
    pub const IMAGE: i64 = 32;
    /// `stack_t` of the signal stack.
    pub const STACK: i64 = 40;
    /// `struct sigaction` of all signals.
    pub const ACTION: i64 = 64;
    /// Target of the store-conditional that drops a reservation.
    pub const SCRATCH: i64 = 128;
    /// Address of the read-only page's contents.
    pub const READ_ONLY: i64 = 144;
    /// Address of the current state.
    pub const STATE: i64 = 152;
    /// Number of the current job's remaining states.
    pub const LEFT: i64 = 160;
    /// Where registers are stored after a program, laid out as `job_result::OUTCOME`.
    pub const STORE: i64 = 168;
    /// Size of the initialised contents.
    pub const SIZE: usize = 256;
    /// Offset of the registers stored after a program if the job leaves a digest, laid out as `job_result::OUTCOME`. Of
    /// the vector registers, only v0 to v7 are stored there.
    pub const OUTCOME: u64 = 2048;
    /// The digest so far, in eight vector registers.
    pub const DIGEST: u64 = 40 << 10;
    /// The signal stack: offset and size.
    pub const SIGNAL_STACK: (u64, u64) = (64 << 10, 128 << 10);
    /// Size of the block including the stack.
    pub const MEMORY: u64 = (64 << 10) + (128 << 10);
}

/// Offsets in a job's row.
pub mod row {
    /// Address of the program.
    pub const START: i64 = 0;
    /// Address after its last instruction.
    pub const END: i64 = 8;
    /// Where the harness continues in any case.
    pub const LEAVE: i64 = 16;
    /// x1, through which it can return to its landing pad.
    pub const RA: i64 = 24;
    /// Address of the first state.
    pub const STATES: i64 = 32;
    /// Number of states.
    pub const COUNT: i64 = 40;
    /// vtype.
    pub const VTYPE: i64 = 48;
    /// vstart.
    pub const VSTART: i64 = 56;
    /// Address of the job's own initial memory image, or 0.
    pub const IMAGE: i64 = 64;
    /// Size of a complete result, or 0 for a digest.
    pub const WHOLE: i64 = 72;
    /// Not 0 if the next job starts with the memory that this one leaves.
    pub const KEEP: i64 = 80;
    /// Maximum number of signals.
    pub const LIMIT: i64 = 88;
    /// Size of a row.
    pub const SIZE: u64 = 96;
}

/// Offsets in an initial state.
pub mod state {
    /// x0 to x31.
    pub const X: i64 = 0;
    /// f0 to f31.
    pub const F: i64 = 256;
    /// The AVL that determines vl.
    pub const AVL: i64 = 512;
    /// vcsr.
    pub const VCSR: i64 = 520;
    /// fcsr.
    pub const FCSR: i64 = 528;
    /// v0 to v31.
    pub const V: i64 = 576;
    /// Size, for this VLEN in bytes.
    pub const fn size(vlenb: u64) -> u64 {
        V as u64 + 32 * vlenb
    }
}

/// Offsets in a result. A digest result has all signals, then eight vector registers that depend on all states and
/// the memory. A complete result has room for `MAX_SIGNALS`, then the outcome and the memory.
pub mod job_result {
    /// Number of signals.
    pub const SIGNALS: i64 = 0;
    /// Maximum number of signals of a run, and so also of instructions of a program.
    pub const MAX_SIGNALS: i64 = 48;
    /// For each: signal and si_code, si_addr, pc; three words from here on.
    pub const SIGNAL: i64 = 8;
    /// Registers and CSRs.
    pub const OUTCOME: i64 = SIGNAL + 24 * MAX_SIGNALS;
    /// x0 to x31, without x3.
    pub const X: i64 = 0;
    /// f0 to f31.
    pub const F: i64 = X + 256;
    /// fcsr, vstart, vl, vtype, vcsr.
    pub const CSRS: i64 = F + 256;
    /// v0 to v31, then the memory.
    pub const V: i64 = CSRS + 40;

    /// Size of a complete result, for this VLEN in bytes.
    pub const fn whole(vlenb: u64) -> u64 {
        (OUTCOME + V) as u64 + 32 * vlenb + super::WRITABLE
    }

    /// Size of a digest result.
    pub const fn digest(vlenb: u64, signals: u64) -> u64 {
        SIGNAL as u64 + 24 * signals + 8 * vlenb
    }
}
