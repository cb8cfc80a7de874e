//! The page that programs see as the vDSO. It has only the code that signal handlers return to: without
//! `AT_SYSINFO_EHDR`, programs make system calls to read the clock.

use crate::base::errno::Errno;
use crate::space::{FileId, Space, TRAMPOLINE, Vma};
use capvec_sim::mem::{PAGE, Perm};
use std::rc::Rc;

/// The code that handlers return to: `li a7, __NR_rt_sigreturn; ecall`.
fn trampoline() -> [u8; 8] {
    // addi a7, x0, 139 and ecall (RISC-V Unprivileged ISA manual, RV32I instruction listings).
    let words: [u32; 2] = [139 << 20 | 17 << 7 | 0x13, 0x73];
    std::array::from_fn(|i| words[i / 4].to_le_bytes()[i % 4])
}

/// Maps the page.
pub fn map(space: &mut Space) -> Result<(), Errno> {
    let mut vma = Vma::anon(TRAMPOLINE + PAGE, Perm::R.union(Perm::X));
    vma.id = Some(Rc::new(FileId { path: b"[vdso]".to_vec(), dev: 0, ino: 0, _charge: None }));
    space.map(TRAMPOLINE, vma)?;
    let code = trampoline();
    space.mem.write_as(TRAMPOLINE, &code, Perm::NONE).map_err(|_| Errno::EFAULT)
}
