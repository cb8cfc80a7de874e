//! Errors that prevent a program from running.

/// Why a program cannot run on the bare hart. The messages name the remedy.
#[derive(Debug, thiserror::Error)]
pub enum BareError {
    /// Not an ELF file, or a broken one.
    #[error("not a program for a bare hart: {0}")]
    Malformed(String),
    /// An ELF file for another machine.
    #[error("not a little-endian RISC-V program: {0}")]
    Machine(String),
    /// An ELF file for a hart of another XLEN.
    #[error(
        "the program is for a {0}-bit hart, but this hart has {1} bits; use --isa, for example rv{0}imac"
    )]
    Xlen(u8, u8),
    /// A segment outside memory.
    #[error(
        "segment of {len:#x} bytes at {at:#x} does not fit: {memory:#x} bytes of memory begin at 0x80000000, and \
         segments elsewhere below 0x4000000000 may take as much; see --memory"
    )]
    Segment {
        /// Physical address.
        at: u64,
        /// Bytes.
        len: u64,
        /// Size of the memory.
        memory: u64,
    },
    /// More memory than the physical address space can hold.
    #[error(
        "memory of {0:#x} bytes from 0x80000000 exceeds the physical address space; reduce --memory"
    )]
    Memory(u64),
    /// No such symbol.
    #[error(
        "the program has no symbol \"{0}\"; give an address, such as 0x80002000, or another symbol"
    )]
    Symbol(String),
    /// A signature that is not a range of addresses.
    #[error("signature from {begin:#x} to {end:#x}: not a range of the program's memory")]
    Signature {
        /// First address.
        begin: u64,
        /// End address.
        end: u64,
    },
    /// The host refused memory.
    #[error(transparent)]
    Host(#[from] capvec_sim::mem::OutOfMemory),
    /// The host cannot map a guest's memory.
    #[error(transparent)]
    HostPages(#[from] capvec_sim::mem::LargePages),
}
