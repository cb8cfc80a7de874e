//! What is known about the floating-point state.

/// What is known about the floating-point state along a trace.
#[derive(Clone, Copy, Default)]
pub struct FloatState {
    /// `frm` is round to nearest.
    nearest: bool,
    /// The f registers that hold a NaN-boxed value in single precision, one bit each.
    boxed: u32,
}

impl FloatState {
    /// Whether `frm` is known to be round to nearest. From here on it is: code that follows is reached only then.
    pub fn assume_nearest(&mut self) -> bool {
        std::mem::replace(&mut self.nearest, true)
    }

    /// Whether f register `f` is known to hold a NaN-boxed value.
    pub fn is_boxed(&self, f: u8) -> bool {
        self.boxed >> (f & 31) & 1 == 1
    }

    /// f register `f` has been written with a value that may not be NaN-boxed.
    pub fn wrote_double(&mut self, f: u8) {
        self.boxed &= !(1 << (f & 31));
    }

    /// f register `f` has been written with a NaN-boxed value.
    pub fn wrote_single(&mut self, f: u8) {
        self.boxed |= 1 << (f & 31);
    }
}
