//! A vector instruction as an operation on the bytes of register groups, done in pieces as wide as a host register.

use super::kind::Kind;
use crate::interface::state::State;
use crate::x64::asm::vector::Wide;

/// A vector operation in a known state. It writes all elements except those masked off.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// The state under which it does it.
    pub state: State,
    /// v0 masks it.
    pub masked: bool,
    /// Bytes of the destination's body, or of the stored data.
    pub bytes: u32,
    /// The widest pieces in which it is done.
    pub max_width: Wide,
}

impl Operation {
    /// The width of its widest piece.
    pub fn widest(&self) -> Wide {
        Wide::within(self.bytes).min(self.max_width)
    }

    /// The pieces in which its bytes are processed.
    /// Offset and width of each; the last one may extend beyond the operation's bytes.
    pub fn pieces(&self) -> impl Iterator<Item = (u32, Wide)> + use<> {
        let (bytes, max_width, mut at) = (self.bytes, self.max_width, 0);
        std::iter::from_fn(move || {
            let w = (at < bytes).then(|| Wide::within(bytes - at).min(max_width))?;
            at += w.bytes();
            Some((at - w.bytes(), w))
        })
    }

    /// Number of bytes of a piece that belong to the operation, unless all do.
    pub fn cut(&self, at: u32, w: Wide) -> Option<u32> {
        Some(self.bytes - at).filter(|rest| *rest < w.bytes())
    }
}
