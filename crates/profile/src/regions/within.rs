//! Whether a thread is in a function.

/// Whether a thread is in a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Within {
    inside: bool,
    /// The last block of the function itself ended with a call, so code that follows outside it was called by it.
    calling: bool,
}

impl Within {
    /// Control enters a block: `inside` the function itself or not, and ending with a call if `calls`. Returns whether it enters the
    /// function.
    pub fn enters(&mut self, inside: bool, calls: bool) -> bool {
        let before = self.inside;
        if inside {
            *self = Within { inside, calling: calls };
        } else if !self.calling {
            self.inside = false;
        }
        inside && !before
    }

    /// Control continues `inside` the function itself or elsewhere, by a call if `by_call`. Returns whether it enters the function.
    pub fn goes(&mut self, inside: bool, by_call: bool) -> bool {
        // Until it makes a call, the code that runs is the function's own.
        self.calling |= self.inside && by_call;
        self.enters(inside, false)
    }

    /// Whether the thread is in the function, or in code that the function has called.
    pub fn is_inside(self) -> bool {
        self.inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_function_calls_is_inside_until_it_returns_elsewhere() {
        let mut w = Within::default();
        assert!(w.goes(true, true));
        // It calls another function, which calls a third, which returns twice.
        assert!(!w.goes(false, true) && w.is_inside());
        assert!(!w.goes(false, true) && !w.goes(false, false) && !w.goes(true, false));
        assert!(w.is_inside());
        // It returns; its caller calls another function.
        assert!(!w.goes(false, false) && !w.is_inside());
        assert!(!w.goes(false, true) && !w.is_inside());
        assert!(w.goes(true, true));
    }
}
