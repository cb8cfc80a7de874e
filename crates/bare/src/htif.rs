//! The host-target interface of Berkeley's simulators: the program writes a command to `tohost` and waits for the
//! answer in `fromhost` (riscv-isa-sim, `fesvr`; riscv-tests, "Target Environments").
//!
//! A command is device << 56 | command << 48 | payload. Device 0 is the system: a payload with bit 0 set ends the
//! program with the code payload >> 1; an even one is the address of eight words that hold a system call's number and
//! arguments. Device 1 is the console.

use capvec_sim::Memory;
use std::io::Write;

/// The effect of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// The program continues.
    Continue,
    /// The program has ended with this code.
    Exit(u64),
}

const SYS_WRITE: u64 = 64;
const SYS_EXIT: u64 = 93;
const ENOSYS: u64 = -38i64 as u64;
const EFAULT: u64 = -14i64 as u64;
/// Longest text of one call, in bytes, that is printed.
const MAX_TEXT: u64 = 1 << 20;

/// The addresses of the interface.
#[derive(Clone, Copy, Debug)]
pub struct Htif {
    /// Address of the command.
    pub tohost: u64,
    /// Address of the answer.
    pub fromhost: Option<u64>,
}

impl Htif {
    /// Executes the command in `tohost`, if there is one, with output to `console`.
    pub fn serve(&self, mem: &Memory, console: &mut dyn Write) -> Request {
        let command = mem.load::<u64>(self.tohost).unwrap_or(0);
        if command == 0 {
            return Request::Continue;
        }
        let (device, function, payload) =
            (command >> 56, command >> 48 & 0xff, command & ((1 << 48) - 1));
        let answer = match (device, function) {
            (0, 0) if payload & 1 != 0 => return Request::Exit(payload >> 1),
            (0, 0) => match self.call(mem, payload, console) {
                Request::Exit(code) => return Request::Exit(code),
                Request::Continue => 1,
            },
            (1, 1) => {
                // The reader may be gone.
                let _ = console.write_all(&[payload as u8]);
                command & !0xff
            }
            // An unknown device never answers.
            _ => 0,
        };
        self.acknowledge(mem, answer);
        Request::Continue
    }

    fn acknowledge(&self, mem: &Memory, answer: u64) {
        // If they are not in the program's memory, it waits in vain.
        let _ = mem.store::<u64>(self.tohost, 0);
        if let Some(at) = self.fromhost {
            let _ = mem.store::<u64>(at, answer);
        }
    }

    /// Executes a system call; its result replaces its number.
    fn call(&self, mem: &Memory, at: u64, console: &mut dyn Write) -> Request {
        let word = |i: u64| mem.load::<u64>(at + 8 * i).unwrap_or(0);
        let result = match word(0) {
            SYS_EXIT => return Request::Exit(word(1)),
            SYS_WRITE => write(mem, word(1), word(2), word(3), console),
            _ => ENOSYS,
        };
        let _ = mem.store::<u64>(at, result);
        Request::Continue
    }
}

/// `write(fd, text, len)` to standard output or error, both of which are the console.
fn write(mem: &Memory, fd: u64, text: u64, len: u64, console: &mut dyn Write) -> u64 {
    const EBADF: u64 = -9i64 as u64;
    if !matches!(fd, 1 | 2) {
        return EBADF;
    }
    let mut bytes = vec![0; len.min(MAX_TEXT) as usize];
    if mem.read(text, &mut bytes).is_err() {
        return EFAULT;
    }
    let _ = console.write_all(&bytes);
    bytes.len() as u64
}
