//! Where everything lies in the guest, and the shapes of what the host and the guest exchange.
//!
//! ```text
//! CODE      harness, then the programs                        r-x
//! CONTROL   where the harness is; signal set-up and stack     rw-
//! TABLE     jobs, states, memory images                        r--
//! RESULT    a record for each job                             rw-
//! DATA      what programs access: two pages rw-, one r--, with nothing mapped around them
//! ```

/// Harness and programs. No address of 32 bits leads here, nor a 32-bit index from `DATA`, so that a program's
/// stray stores spare the harness. Nor is it a number that registers are likely to hold.
pub const CODE: u64 = 0x9_6530_0000;
/// Control block.
pub const CONTROL: u64 = CODE + 0x0400_0000;
/// Jobs, then states, then memory images.
pub const TABLE: u64 = CODE + 0x0800_0000;
/// Records.
pub const RESULT: u64 = CODE + 0x1000_0000;
/// What programs access. The harness maps it: QEMU reserves all that lies between segments, which then is
/// mapped without access, instead of not mapped.
pub const DATA: u64 = 0x4000_0000;

/// Bytes of a page.
pub const PAGE: u64 = 4096;
/// Readable and writable bytes at `DATA`; a page that can only be read follows.
pub const WRITABLE: u64 = 2 * PAGE;
/// First address behind the read-only page.
pub const DATA_END: u64 = DATA + WRITABLE + PAGE;

/// Offsets in the control block.
pub mod control {
    /// Address of the present job's row.
    pub const JOB: i64 = 0;
    /// Address behind the last row.
    pub const END: i64 = 8;
    /// Address of the present record.
    pub const RECORD: i64 = 16;
    /// `DATA`.
    pub const DATA: i64 = 24;
    /// Address of the memory image that programs without an image of their own see.
    pub const IMAGE: i64 = 32;
    /// `stack_t` of the signal stack.
    pub const STACK: i64 = 40;
    /// `struct sigaction` of all signals.
    pub const ACTION: i64 = 64;
    /// Target of the store-conditional that drops a reservation.
    pub const SCRATCH: i64 = 128;
    /// Address of the contents of the page that can only be read.
    pub const READ_ONLY: i64 = 144;
    /// Address of the present state.
    pub const STATE: i64 = 152;
    /// States that are left of the present job.
    pub const LEFT: i64 = 160;
    /// Where registers are stored behind a program: laid out as `record::OUTCOME`.
    pub const STORE: i64 = 168;
    /// Bytes of initialised contents.
    pub const SIZE: usize = 256;
    /// Where that is if a job leaves a digest: a kilobyte, then vector registers. Zero in between.
    pub const OUTCOME: u64 = 2048;
    /// The digest so far: eight vector registers.
    pub const DIGEST: u64 = 40 << 10;
    /// The signal stack: offset and size.
    pub const SIGNAL_STACK: (u64, u64) = (64 << 10, 128 << 10);
    /// Bytes of the block with the stack.
    pub const MEMORY: u64 = (64 << 10) + (128 << 10);
}

/// Offsets in a job's row.
pub mod row {
    /// Address of the program.
    pub const START: i64 = 0;
    /// Address behind its last instruction.
    pub const END: i64 = 8;
    /// Where it goes on behind everything.
    pub const LEAVE: i64 = 16;
    /// x1, with which it can return to its landing pad.
    pub const RA: i64 = 24;
    /// Address of the first state.
    pub const STATES: i64 = 32;
    /// Number of states.
    pub const COUNT: i64 = 40;
    /// vtype.
    pub const VTYPE: i64 = 48;
    /// vstart.
    pub const VSTART: i64 = 56;
    /// Address of the job's own memory image, with which it starts, or 0.
    pub const IMAGE: i64 = 64;
    /// Bytes of a record with everything, or 0 for one with a digest.
    pub const WHOLE: i64 = 72;
    /// Not 0: the next job sees the memory as this one leaves it.
    pub const KEEP: i64 = 80;
    /// Most signals.
    pub const LIMIT: i64 = 88;
    /// Bytes of a row.
    pub const SIZE: u64 = 96;
}

/// Offsets in a state that a program starts from.
pub mod state {
    /// x0 to x31.
    pub const X: i64 = 0;
    /// f0 to f31.
    pub const F: i64 = 256;
    /// The AVL that gives vl.
    pub const AVL: i64 = 512;
    /// vcsr.
    pub const VCSR: i64 = 520;
    /// fcsr.
    pub const FCSR: i64 = 528;
    /// v0 to v31.
    pub const V: i64 = 576;
    /// Bytes, for this VLEN in bytes.
    pub const fn size(vlenb: u64) -> u64 {
        V as u64 + 32 * vlenb
    }
}

/// Offsets in a record. One with a digest has the signals, as many as there are, and then eight vector
/// registers that depend on all states and the memory. One with everything has room for `MAX_SIGNALS`, and then
/// the outcome and the memory.
pub mod record {
    /// Number of signals.
    pub const SIGNALS: i64 = 0;
    /// Most signals of a run of a program, so also most instructions.
    pub const MAX_SIGNALS: i64 = 48;
    /// For each: signal and si_code, si_addr, pc. Three words from here.
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

    /// Bytes of a record with everything, for this VLEN in bytes.
    pub const fn whole(vlenb: u64) -> u64 {
        (OUTCOME + V) as u64 + 32 * vlenb + super::WRITABLE
    }

    /// Bytes of a record with a digest.
    pub const fn digest(vlenb: u64, signals: u64) -> u64 {
        SIGNAL as u64 + 24 * signals + 8 * vlenb
    }
}
