//! The initial stack: arguments, environment and auxiliary vector (RISC-V ELF psABI; Linux's
//! `create_elf_tables`).

use crate::base::errno::Errno;
use crate::interface::ElfError;
use crate::space::{STACK_LIMIT, STACK_TOP, Space};
use std::ops::Range;

/// Types of auxiliary vector entries (`include/uapi/linux/auxvec.h`).
#[allow(missing_docs)]
pub mod at {
    pub const NULL: u64 = 0;
    pub const PHDR: u64 = 3;
    pub const PHENT: u64 = 4;
    pub const PHNUM: u64 = 5;
    pub const PAGESZ: u64 = 6;
    pub const BASE: u64 = 7;
    pub const FLAGS: u64 = 8;
    pub const ENTRY: u64 = 9;
    pub const UID: u64 = 11;
    pub const EUID: u64 = 12;
    pub const GID: u64 = 13;
    pub const EGID: u64 = 14;
    pub const HWCAP: u64 = 16;
    pub const CLKTCK: u64 = 17;
    pub const SECURE: u64 = 23;
    pub const RANDOM: u64 = 25;
    pub const EXECFN: u64 = 31;
    pub const MINSIGSTKSZ: u64 = 51;
}

/// The contents of the stack.
pub struct Contents<'a> {
    /// Arguments, without NUL.
    pub argv: &'a [Vec<u8>],
    /// Environment, without NUL.
    pub envp: &'a [Vec<u8>],
    /// The path of the program, as given.
    pub execfn: &'a [u8],
    /// For `AT_RANDOM`.
    pub random: [u8; 16],
    /// Entries other than those that point to the stack.
    pub auxv: Vec<(u64, u64)>,
}

/// The stack as built.
pub struct Built {
    /// Initial stack pointer.
    pub sp: u64,
    /// The auxiliary vector's bytes, for `/proc`.
    pub auxv: Vec<u8>,
    /// Where the arguments' strings are.
    pub args: Range<u64>,
    /// Where those of the environment are.
    pub env: Range<u64>,
}

/// Strings from the top of the stack downwards.
struct Strings {
    /// Reversed: the last byte of memory first.
    bytes: Vec<u8>,
}

impl Strings {
    /// The lowest address.
    fn bottom(&self) -> u64 {
        STACK_TOP - self.bytes.len() as u64
    }

    fn push(&mut self, s: &[u8]) -> u64 {
        self.bytes.extend(s.iter().rev());
        self.bottom()
    }

    fn push_str(&mut self, s: &[u8]) -> u64 {
        self.bytes.push(0);
        self.push(s)
    }
}

/// Writes the initial stack.
///
/// # Errors
/// `Arguments` when it exceeds a quarter of the stack's limit, `Memory` when it cannot be mapped.
pub fn build(space: &mut Space, c: &Contents<'_>) -> Result<Built, ElfError> {
    let limit = STACK_LIMIT / 4;
    let strings = c.argv.iter().chain(c.envp);
    let bytes: u64 = strings.map(|s| s.len() as u64 + 1 + 8).sum();
    if bytes + c.execfn.len() as u64 > limit {
        return Err(ElfError::Arguments { bytes, limit });
    }
    let mut s = Strings { bytes: vec![0; 8] };
    let execfn = s.push_str(c.execfn);
    // Pushed from the last to the first, so that they ascend in memory.
    let mut push_all = |list: &[Vec<u8>]| {
        let end = s.bottom();
        let mut at: Vec<u64> = list.iter().rev().map(|x| s.push_str(x)).collect();
        at.reverse();
        (at, s.bottom()..end)
    };
    let (envp, env) = push_all(c.envp);
    let (argv, args) = push_all(c.argv);
    let random = s.push(&c.random);

    let mut auxv = c.auxv.clone();
    auxv.extend([(at::RANDOM, random), (at::EXECFN, execfn), (at::NULL, 0)]);
    let auxv: Vec<u8> =
        auxv.iter().flat_map(|(k, v)| [k.to_le_bytes(), v.to_le_bytes()]).flatten().collect();

    let words = 1 + argv.len() + 1 + envp.len() + 1;
    let top = s.bottom();
    let sp = (top - space.layout.stack_gap() - auxv.len() as u64 - words as u64 * 8) & !15;
    let mut vector = vec![argv.len() as u64];
    vector.extend(argv);
    vector.push(0);
    vector.extend(envp);
    vector.push(0);
    let mut image: Vec<u8> = vector.iter().flat_map(|w| w.to_le_bytes()).collect();
    image.extend(&auxv);

    s.bytes.reverse();
    let fail = |_| ElfError::Memory { bytes: STACK_TOP - sp };
    if space.area(sp).is_none() && !space.grow_stack(sp) {
        return Err(ElfError::File(Errno::ENOMEM));
    }
    space.mem.write(top, &s.bytes).map_err(fail)?;
    space.mem.write(sp, &image).map_err(fail)?;
    Ok(Built { sp, auxv, args, env })
}
