//! What can go wrong before a program runs.

/// Why a program cannot be run on the bare hart. The texts name the remedy.
#[derive(Debug, thiserror::Error)]
pub enum BareError {
    /// Not an ELF file, or a broken one.
    #[error("not a program for a bare hart: {0}")]
    Malformed(String),
    /// For another machine.
    #[error("not a little-endian RISC-V program: {0}")]
    Machine(String),
    /// For a hart of another width.
    #[error("a program of {0} bits, and the hart has {1}; give its own with --isa, as rv{0}imac")]
    Xlen(u8, u8),
    /// A segment for which there is no memory.
    #[error(
        "segment at {at:#x} of {len:#x} bytes does not fit: memory of {memory:#x} bytes begins at 0x80000000, \
         and as much may lie elsewhere below 0x4000000000; see --memory"
    )]
    Segment {
        /// Physical address.
        at: u64,
        /// Bytes.
        len: u64,
        /// Bytes of memory.
        memory: u64,
    },
    /// More memory than there is room for.
    #[error(
        "memory of {0:#x} bytes from 0x80000000 leaves the physical address space; give less with --memory"
    )]
    Memory(u64),
    /// No such symbol.
    #[error("the program has no symbol \"{0}\"; give an address, as 0x80002000, or another symbol")]
    Symbol(String),
    /// A signature that is no range.
    #[error("signature from {begin:#x} to {end:#x}: not a range of the program's memory")]
    Signature {
        /// First address.
        begin: u64,
        /// Address behind the last.
        end: u64,
    },
    /// The host has no memory left.
    #[error(transparent)]
    Host(#[from] capvec_sim::mem::OutOfMemory),
}
