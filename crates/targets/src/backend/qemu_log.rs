//! Retired instructions from QEMU's log.
//!
//! With `-d in_asm,exec,nochain,strace`, QEMU logs every instruction of a block when it translates the block, a line
//! whenever a block is executed, and the system calls, in order. So the number of instructions between two system calls
//! that the driver makes as marks is the sum of the blocks' lengths: exactly those that retired, as blocks end where
//! control can leave them. (QEMU, accel/tcg/cpu-exec.c, docs/devel/tcg.rst.)

use std::collections::HashMap;
use std::io::BufRead;

/// Counts up to each mark, by process and mark.
pub type Marks = HashMap<(u64, u64), u64>;

/// Number of bytes that are kept of text that is not QEMU's.
const KEPT: usize = 4096;

/// What has been read so far.
#[derive(Default)]
pub struct Trace {
    /// Number of instructions of a block, by the address of its translation in the host's memory.
    lengths: HashMap<u64, u64>,
    /// Number of instructions of the block that is being listed.
    listed: Option<u64>,
    count: u64,
    marks: Marks,
    /// Other lines: what the guest writes to standard error.
    other: String,
}

/// The content of a log.
pub struct Read {
    /// Counts up to each mark.
    pub marks: Marks,
    /// Lines that are not QEMU's.
    pub other: String,
}

/// Reads a log to its end.
///
/// # Errors
/// It cannot be read.
pub fn read(mut log: impl BufRead) -> std::io::Result<Read> {
    let mut trace = Trace::default();
    let mut line = Vec::new();
    while log.read_until(b'\n', &mut line)? > 0 {
        trace.line(line.trim_ascii_end());
        line.clear();
    }
    Ok(Read { marks: trace.marks, other: trace.other })
}

impl Trace {
    fn line(&mut self, line: &[u8]) {
        if let Some(rest) = line.strip_prefix(b"Trace ") {
            self.executed(rest);
        } else if let Some(rest) = line.strip_prefix(b"Stopped execution of TB chain before ") {
            // The log counted it as executed, and it was not.
            let length = pointer(rest).and_then(|p| self.lengths.get(&p));
            self.count = self.count.saturating_sub(length.copied().unwrap_or(0));
        } else if line.starts_with(b"IN: ") || line == b"IN:" {
            self.listed = Some(0);
        } else if line.starts_with(b"0x") {
            self.listed = self.listed.map(|n| n + 1);
        } else if let Some((process, mark)) = marked(line) {
            self.marks.insert((process, mark), self.count);
        } else if !line.is_empty() && !line.starts_with(b"----") && !is_call(line) {
            self.keep(line);
        }
    }

    /// `N: POINTER [...] SYMBOL`. The instructions listed before belong to this block.
    fn executed(&mut self, rest: &[u8]) {
        let Some(at) = rest.iter().position(|b| *b == b' ') else { return };
        let Some(p) = pointer(&rest[at + 1..]) else { return };
        if let Some(length) = self.listed.take() {
            self.lengths.insert(p, length);
        }
        self.count += self.lengths.get(&p).copied().unwrap_or(0);
    }

    fn keep(&mut self, line: &[u8]) {
        if self.other.len() < KEPT {
            self.other += &String::from_utf8_lossy(line);
            self.other.push('\n');
        }
    }
}

/// A number such as `0x7f0fe4c00100` at the beginning.
fn pointer(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"0x")?;
    let end = digits.iter().position(|b| !b.is_ascii_hexdigit()).unwrap_or(digits.len());
    let digits = std::str::from_utf8(digits.get(..end)?).ok()?;
    u64::from_str_radix(digits, 16).ok()
}

/// `PROCESS write(-1,ADDRESS,MARK) = ...`.
fn marked(line: &[u8]) -> Option<(u64, u64)> {
    let (process, call) = split_process(line)?;
    let arguments = call.strip_prefix("write(-1,")?;
    let mark = arguments.split_once(',')?.1.split_once(')')?.0;
    Some((process, mark.parse().ok()?))
}

/// Whether it is a system call as QEMU logs it, or the result of one.
fn is_call(line: &[u8]) -> bool {
    split_process(line).is_some() || line.starts_with(b" = ")
}

fn split_process(line: &[u8]) -> Option<(u64, &str)> {
    if !line.first()?.is_ascii_digit() {
        return None;
    }
    let (process, call) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    Some((process.parse().ok()?, call))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of qemu-aarch64 10.0.
    const LOG: &str = "\
----------------
IN: loop
0x000105e8:  022000ef          subs    x0, x0, #1
0x000105ec:  54ffffe1          b.ne    #0x105e8

7 write(-1,0x58df0,4) = -1 errno=9 (Bad file descriptor)
Trace 0: 0x7f0fe4c00100 [00000000/00000000000105e8/0202c078/00000200] loop
Trace 0: 0x7f0fe4c00100 [00000000/00000000000105e8/0202c078/00000200] loop
----------------
IN:
0x0001060a:  d65f03c0          ret

Trace 0: 0x7f0fe4c00200 [00000000/000000000001060a/0202c078/00000200]
a message of the guest
Trace 0: 0x7f0fe4c00100 [00000000/00000000000105e8/0202c078/00000200] loop
Stopped execution of TB chain before 0x7f0fe4c00100 [00000000000105e8] loop
7 write(-1,0x58df0,5) = -1 errno=9 (Bad file descriptor)
8 write(1,0x58df0,5)hello = 5
";

    #[test]
    fn blocks_between_marks_are_summed() {
        let read = read(LOG.as_bytes()).unwrap();
        assert_eq!(read.marks, Marks::from([((7, 4), 0), ((7, 5), 5)]));
        assert_eq!(read.other, "a message of the guest\n");
    }

    #[test]
    fn garbage_does_not_panic() {
        for bad in
            ["Trace", "Trace \n", "Trace 0: 0x\n", "0x", "write(-1,", "9 write(-1,\n", "\u{0}\n\n"]
        {
            assert!(read(bad.as_bytes()).unwrap().marks.is_empty(), "{bad}");
        }
    }
}
