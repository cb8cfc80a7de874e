//! The host's terminal: its modes and its size.

use super::Stream;
use crate::base::errno::{Errno, Result};
use crate::fs::abi::ioctl;
use crate::fs::object::IoctlArg;
use rustix::termios;

impl Stream {
    /// An `ioctl` of the terminal.
    pub(super) fn terminal_ioctl(&self, command: u32, arg: &mut dyn IoctlArg) -> Result<()> {
        match command {
            ioctl::TCGETS => arg.write(&self.encode_termios()?),
            ioctl::TCSETS | ioctl::TCSETSW | ioctl::TCSETSF => self.set_termios(arg),
            ioctl::TIOCGWINSZ => {
                let size = termios::tcgetwinsize(&*self.fd)?;
                let words = [size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel];
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                arg.write(&bytes)
            }
            _ => Err(Errno::ENOTTY),
        }
    }

    /// `TCGETS`: `struct termios` of `include/uapi/asm-generic/termbits.h`, 36 bytes.
    fn encode_termios(&self) -> Result<[u8; 36]> {
        /// Order of the control characters in `c_cc`.
        const ORDER: [termios::SpecialCodeIndex; 17] = [
            termios::SpecialCodeIndex::VINTR,
            termios::SpecialCodeIndex::VQUIT,
            termios::SpecialCodeIndex::VERASE,
            termios::SpecialCodeIndex::VKILL,
            termios::SpecialCodeIndex::VEOF,
            termios::SpecialCodeIndex::VTIME,
            termios::SpecialCodeIndex::VMIN,
            termios::SpecialCodeIndex::VSWTC,
            termios::SpecialCodeIndex::VSTART,
            termios::SpecialCodeIndex::VSTOP,
            termios::SpecialCodeIndex::VSUSP,
            termios::SpecialCodeIndex::VEOL,
            termios::SpecialCodeIndex::VREPRINT,
            termios::SpecialCodeIndex::VDISCARD,
            termios::SpecialCodeIndex::VWERASE,
            termios::SpecialCodeIndex::VLNEXT,
            termios::SpecialCodeIndex::VEOL2,
        ];
        let t = termios::tcgetattr(&*self.fd)?;
        let mut out = [0; 36];
        let words = [
            t.input_modes.bits(),
            t.output_modes.bits(),
            t.control_modes.bits(),
            t.local_modes.bits(),
        ];
        for (at, word) in words.into_iter().enumerate() {
            out[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
        }
        out[16] = t.line_discipline;
        for (at, index) in ORDER.into_iter().enumerate() {
            out[17 + at] = t.special_codes[index];
        }
        Ok(out)
    }

    /// `TCSETS*`: takes over the input, output and local modes, but not the control modes, the speed or the control
    /// characters. Enough for reading a password or single keys.
    fn set_termios(&self, arg: &dyn IoctlArg) -> Result<()> {
        let mut new = [0; 36];
        arg.read(&mut new)?;
        let word = |at: usize| u32::from_le_bytes([new[at], new[at + 1], new[at + 2], new[at + 3]]);
        let mut t = termios::tcgetattr(&*self.fd)?;
        t.input_modes = termios::InputModes::from_bits_retain(word(0));
        t.output_modes = termios::OutputModes::from_bits_retain(word(4));
        t.local_modes = termios::LocalModes::from_bits_retain(word(12));
        self.vfs.shared.save_terminal(&self.fd);
        Ok(termios::tcsetattr(&*self.fd, termios::OptionalActions::Drain, &t)?)
    }
}
