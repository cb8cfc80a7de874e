//! What in a trace's code depends on more than the guest's code: on the engine, the address space, or where the code is.

/// A value in the code, and what it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Its offset in the code.
    pub at: u32,
    /// What it refers to.
    pub refers: Refers,
}

/// What a value in the code refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refers {
    /// 64 bits: an address of the host.
    Address,
    /// 31 bits: a low address of the host. Only in code for x86-64.
    #[cfg(target_arch = "x86_64")]
    LowAddress,
    /// 32 bits: an exit, with the number of a block.
    Block,
    /// 32 bits: the number of an edge.
    Edge,
    /// 32 bits: an exit, with the number of an edge. Only in code for x86-64.
    #[cfg(target_arch = "x86_64")]
    EdgeExit,
    /// 32 bits: the distance from the end of the value to a function of the border. Only in code for x86-64.
    #[cfg(target_arch = "x86_64")]
    Function,
}
