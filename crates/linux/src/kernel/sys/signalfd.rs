//! The signalfd calls (signalfd(2)).

use super::Args;
use super::signal::get_set;
use crate::base::errno::{Errno, Result};
use crate::fs::{KERNEL, SignalFd, StoredByte};
use crate::kernel::{Kernel, Sys};
use crate::signal::{Detail, SigInfo, SigSet};
use crate::space::Range;

/// Bytes of `struct signalfd_siginfo`.
const SIZE: usize = 128;
/// Where it has the sender and the value, as a word and as a pointer.
const PID: usize = 12;
const UID: usize = 16;
const INT: usize = 44;
const LONG: usize = 48;
/// The same parts as `Detail::Raw` has them: where they go, where they come from, and their size.
const RAW_PARTS: [(usize, u64, u64); 4] = [(PID, 4, 4), (UID, 8, 4), (INT, 12, 4), (LONG, 12, 8)];

pub fn signalfd4(k: &mut Kernel, a: &Args) -> Sys {
    let mask = get_set(k, a.raw(1), a.raw(2))?.minus(SigSet::UNBLOCKABLE).0;
    if a.int(0) == -1 {
        let file = k.files.vfs.signalfd(mask, a.word(3))?;
        return k.install(file, a.word(3));
    }
    // The flags are checked first.
    k.files.vfs.signalfd(mask, a.word(3))?;
    let file = k.file(a.int(0))?;
    SignalFd::of(&file)?.set_mask(mask);
    Ok(a.int(0) as u64)
}

/// `struct signalfd_siginfo` (`include/uapi/linux/signalfd.h`).
fn encode(info: &SigInfo) -> [u8; SIZE] {
    let mut b = [0; SIZE];
    let mut put = |at: usize, v: &[u8]| b[at..at + v.len()].copy_from_slice(v);
    let mut put_words = |words: &[(usize, u32)]| {
        words.iter().for_each(|(at, word)| put(*at, &word.to_le_bytes()));
    };
    const TID: usize = 24;
    const OVERRUN: usize = 32;
    const STATUS: usize = 40;
    put_words(&[(0, info.signal as u32), (8, info.code as u32)]);
    let long = match info.detail {
        Detail::Sender(pid, uid) => {
            put_words(&[(PID, pid as u32), (UID, uid)]);
            None
        }
        Detail::Fault(addr) => Some((72, addr)),
        Detail::Child((pid, uid), status, time) => {
            put_words(&[(PID, pid as u32), (UID, uid), (STATUS, status as u32)]);
            Some((56, time))
        }
        Detail::Timer(id, overrun, value) => {
            put_words(&[(TID, id as u32), (OVERRUN, overrun as u32), (INT, value as u32)]);
            Some((LONG, value))
        }
        // From byte 12 of `siginfo_t`: sender at 16 and 20, value at 24.
        Detail::Raw(raw, _) => {
            let word =
                |at: usize| u32::from_le_bytes([raw[at], raw[at + 1], raw[at + 2], raw[at + 3]]);
            put_words(&[(PID, word(4)), (UID, word(8)), (INT, word(12))]);
            Some((LONG, u64::from(word(12)) | u64::from(word(16)) << 32))
        }
    };
    if let Some((at, value)) = long {
        put(at, &value.to_le_bytes());
    }
    b
}

/// Reads pending signals of the current thread into the ranges, as many as fit.
///
/// # Errors
/// `EAGAIN` when there is none, `EINVAL` when there is no room for one; `EFAULT`.
pub fn read_signals(k: &mut Kernel, mask: SigSet, ranges: &[Range]) -> Result<u64> {
    let room: u64 = ranges.iter().map(|r| r.1).sum();
    if room < SIZE as u64 {
        return Err(Errno::EINVAL);
    }
    let (mut data, mut kept) = (Vec::new(), Vec::new());
    while (data.len() + SIZE) as u64 <= room {
        match k.tasks.take_pending(mask) {
            Some(info) => {
                if let Detail::Raw(_, number) = info.detail {
                    kept.push((data.len(), number));
                }
                data.extend(encode(&info));
            }
            None => break,
        }
    }
    if data.is_empty() {
        return Err(Errno::EAGAIN);
    }
    k.guest().scatter(ranges, 0, &data)?;
    for (start, number) in kept {
        for (to, position, bytes) in RAW_PARTS {
            let held = StoredByte { object: (KERNEL, number), position };
            let into = (ranges, (start + to) as u64);
            k.profiler.scattered(held, k.hart.mem.id(), into, bytes);
        }
    }
    Ok(data.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_signal_are_where_the_manual_says() {
        let word = |b: &[u8; SIZE], at: usize| {
            u32::from_le_bytes(b[at..at + 4].try_into().expect("four bytes"))
        };
        let b = encode(&SigInfo { signal: 17, code: 1, detail: Detail::Child((5, 6), 7, 8) });
        assert_eq!([0, 8, 12, 16, 40, 56].map(|at| word(&b, at)), [17, 1, 5, 6, 7, 8]);
        let mut raw = [0; 116];
        raw[4..20].copy_from_slice(&[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
        let b = encode(&SigInfo { signal: 34, code: -1, detail: Detail::Raw(raw, 0) });
        assert_eq!([12, 16, 44, 48, 52].map(|at| word(&b, at)), [1, 2, 3, 3, 4]);
        let b = encode(&SigInfo { signal: 34, code: -2, detail: Detail::Timer(1, 2, 3 << 32 | 4) });
        assert_eq!([24, 32, 44, 48, 52].map(|at| word(&b, at)), [1, 2, 4, 4, 3]);
    }
}
