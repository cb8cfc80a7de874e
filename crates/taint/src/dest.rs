//! Where the result of an instruction goes.

/// Where the result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dest {
    /// Nowhere, or to memory.
    None,
    /// To an x register.
    X,
    /// To an f register.
    F,
    /// To a vector register group.
    V,
    /// To a mask register, one bit for each element.
    Mask,
}
