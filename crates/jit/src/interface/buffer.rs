//! Memory for generated code, mapped twice: once writable, once executable. No mapping is both.

use super::fetch;
use rustix::mm::{Advice, MapFlags, ProtFlags};

/// The code buffer, filled from its start. The host gives it memory as it is filled.
pub struct Buffer {
    write: *mut u8,
    exec: *const u8,
    size: usize,
    used: usize,
    /// The pages of the writable mapping that have been written to since it was last released, as bits.
    touched: Vec<u64>,
    /// Their number.
    resident: usize,
}

/// The host's page size, or a divisor of it.
const PAGE: usize = 4096;

/// Maximum number of resident pages of the writable mapping. Without a limit, all code would be counted twice in the
/// process's resident memory.
const MAX_RESIDENT: usize = (2 << 20) / PAGE;

impl Buffer {
    /// An empty buffer of `size` bytes.
    pub fn new(size: usize) -> rustix::io::Result<Buffer> {
        let file = capvec_sim::mem::memory_file("capvec-jit")?;
        rustix::fs::ftruncate(&file, size as u64)?;
        let map = |prot| {
            // SAFETY: new mappings at addresses of the kernel's choice touch nothing of ours.
            unsafe {
                rustix::mm::mmap(std::ptr::null_mut(), size, prot, MapFlags::SHARED, &file, 0)
            }
        };
        let write = map(ProtFlags::READ | ProtFlags::WRITE)?;
        let exec = match map(ProtFlags::READ | ProtFlags::EXEC) {
            Ok(p) => p,
            Err(e) => {
                // SAFETY: mapped just above with this length; nothing uses it.
                let _ = unsafe { rustix::mm::munmap(write, size) };
                return Err(e);
            }
        };
        let touched = vec![0; size.div_ceil(PAGE * u64::BITS as usize)];
        let (write, exec) = (write.cast(), exec.cast());
        Ok(Buffer { write, exec, size, used: 0, touched, resident: 0 })
    }

    /// Address at which the next code will be executed.
    pub fn next(&self) -> u64 {
        self.address(self.used)
    }

    /// Address at which the byte at `offset` is executed.
    pub fn address(&self, offset: usize) -> u64 {
        self.exec as u64 + offset as u64
    }

    /// Bytes used.
    pub fn used(&self) -> usize {
        self.used
    }

    /// Appends code and returns its offset; `None` if it does not fit.
    pub fn push(&mut self, code: &[u8]) -> Option<usize> {
        let start = self.used;
        if code.len() > self.size - start {
            return None;
        }
        self.put(start, code);
        // Entries are aligned because they are jump targets.
        self.used = (start + code.len()).next_multiple_of(16).min(self.size);
        self.touch(start, self.used);
        Some(start)
    }

    /// Overwrites bytes of code that was pushed.
    pub fn patch(&mut self, offset: usize, bytes: &[u8]) {
        if offset <= self.used.saturating_sub(bytes.len()) {
            self.put(offset, bytes);
            self.touch(offset, offset + bytes.len());
        }
    }

    /// Counts the pages of bytes that were written, and releases the writable mapping's pages when there are many. Their contents
    /// stay in the executable mapping.
    fn touch(&mut self, from: usize, to: usize) {
        for page in from / PAGE..to.div_ceil(PAGE) {
            let (word, bit) = (page / u64::BITS as usize, 1 << (page % u64::BITS as usize));
            self.resident += usize::from(self.touched[word] & bit == 0);
            self.touched[word] |= bit;
        }
        if self.resident > MAX_RESIDENT {
            self.resident = 0;
            self.touched.fill(0);
            // SAFETY: the pages of a shared mapping keep their contents. If the host refuses, nothing changes.
            let _ =
                unsafe { rustix::mm::madvise(self.write.cast(), self.size, Advice::LinuxDontNeed) };
        }
    }

    /// Drops all code from `offset` on.
    pub fn truncate(&mut self, offset: usize) {
        self.used = self.used.min(offset);
    }

    /// Writes bytes. The writing thread is also the executing one, and enters the code only after this returns.
    fn put(&mut self, offset: usize, bytes: &[u8]) {
        // SAFETY: the callers have checked that the range lies in the mapping, which only this writes to.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.write.add(offset), bytes.len());
        }
        // SAFETY: both mappings have this range.
        unsafe {
            fetch::synchronise(self.write.add(offset), self.exec.add(offset), bytes.len());
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: mapped in `new` with this length; nobody executes in it, since that borrows the buffer.
        unsafe {
            let _ = rustix::mm::munmap(self.write.cast(), self.size);
            let _ = rustix::mm::munmap(self.exec.cast_mut().cast(), self.size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, MAX_RESIDENT, PAGE};

    /// KiB of the mapping at `address` that are resident.
    fn resident(address: u64) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("a list of mappings");
        let start = format!("{address:x}-");
        let mut lines = maps.lines().skip_while(|line| !line.starts_with(&start));
        let rss = lines.find_map(|line| line.strip_prefix("Rss:")).expect("a mapping");
        rss.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    #[test]
    fn the_writable_mapping_is_released_and_nothing_is_lost() {
        let mut buffer = Buffer::new(10 * MAX_RESIDENT * PAGE).expect("memory");
        let piece = |n: usize| vec![n as u8; 3 * PAGE];
        let starts: Vec<usize> = (0..9 * MAX_RESIDENT / 3)
            .map(|n| {
                let start = buffer.push(&piece(n)).expect("room in the buffer");
                buffer.patch(start / 2, &[0xcc]);
                start
            })
            .collect();
        assert!(buffer.used() > MAX_RESIDENT * PAGE * 89 / 10);
        assert!(resident(buffer.write as u64) <= (MAX_RESIDENT + 3) * PAGE / 1024);
        let patched: Vec<usize> = starts.iter().map(|start| start / 2).collect();
        for (n, start) in starts.into_iter().enumerate() {
            for at in start..start + 3 * PAGE {
                // SAFETY: within the mapping, which nothing writes to meanwhile.
                let byte = unsafe { *buffer.exec.add(at) };
                let expected = if patched.binary_search(&at).is_ok() { 0xcc } else { n as u8 };
                assert_eq!(byte, expected, "at {at}");
            }
        }
    }
}
