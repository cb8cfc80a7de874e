//! Input and output of an operation between guard pages.

use crate::guarded::Guarded;
use crate::source::Source;

/// Input and output of one operation: the same buffer, or two.
pub struct Io {
    input: Guarded,
    output: Option<Guarded>,
    before: Vec<u8>,
}

impl Io {
    /// Makes buffers for `input` and for output of the same length.
    pub fn new(s: &mut Source, input: &[u8]) -> Io {
        let apart = s.flag();
        let output = apart.then(|| s.buffer(&vec![0xc3; input.len()]));
        Io { input: s.buffer(input), output, before: input.to_vec() }
    }

    /// Pointer to the input at byte `at`.
    pub fn input(&self, at: usize) -> *const u8 {
        self.input.ptr().wrapping_add(at)
    }

    /// Pointer to the output at byte `at`.
    pub fn output(&self, at: usize) -> *mut u8 {
        self.output.as_ref().unwrap_or(&self.input).ptr().wrapping_add(at)
    }

    /// The output. Asserts that nothing else was written, not even a separate input.
    pub fn finish(self) -> Vec<u8> {
        let Some(output) = &self.output else { return self.input.bytes().to_vec() };
        assert_eq!(self.input.bytes(), self.before, "the input was written");
        output.bytes().to_vec()
    }
}
