//! Registers by the numbers of the target description, and their bytes.

use capvec_isa::Ext;
use capvec_sim::Hart;
use capvec_sim::csr::number as csr;
use gdbstub::arch::{Arch, RegId, Registers};
use std::num::NonZeroUsize;

/// gdb's numbers of pc, and of the first f register, CSR and vector register. The first three are gdb's own (gdb/riscv-tdep.h); a
/// target description may choose the last.
pub const PC: usize = 32;
pub const F0: usize = 33;
pub const CSR0: usize = 65;
pub const V0: usize = CSR0 + 4096;
/// One past the last.
const END: usize = V0 + 32;

/// CSRs of the floating-point unit, by name.
pub const FLOATING: [(&str, u16); 3] =
    [("fflags", csr::FFLAGS), ("frm", csr::FRM), ("fcsr", csr::FCSR)];
/// CSRs of the vector unit.
pub const VECTOR: [(&str, u16); 7] = [
    ("vstart", csr::VSTART),
    ("vxsat", csr::VXSAT),
    ("vxrm", csr::VXRM),
    ("vcsr", csr::VCSR),
    ("vl", csr::VL),
    ("vtype", csr::VTYPE),
    ("vlenb", csr::VLENB),
];
/// Counters.
pub const COUNTERS: [(&str, u16); 3] =
    [("cycle", csr::CYCLE), ("time", csr::TIME), ("instret", csr::INSTRET)];
/// CSRs of machine mode, which only bare harts have ("Machine-Level CSRs" of the privileged ISA manual). gdb shows them in
/// every mode, and does not change them.
pub const MACHINE: [(&str, u16); 14] = [
    ("mvendorid", 0xf11),
    ("marchid", 0xf12),
    ("mimpid", 0xf13),
    ("mhartid", 0xf14),
    ("mstatus", 0x300),
    ("misa", 0x301),
    ("mie", 0x304),
    ("mtvec", 0x305),
    ("mcounteren", 0x306),
    ("mscratch", 0x340),
    ("mepc", 0x341),
    ("mcause", 0x342),
    ("mtval", 0x343),
    ("mip", 0x344),
];

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    X(u8),
    Pc,
    F(u8),
    Csr(u16),
    V(u8),
}

impl RegId for Register {
    fn from_raw_id(id: usize) -> Option<(Register, Option<NonZeroUsize>)> {
        let register = match id {
            0..PC => Register::X(id as u8),
            PC => Register::Pc,
            F0..CSR0 => Register::F((id - F0) as u8),
            CSR0..V0 => Register::Csr((id - CSR0) as u16),
            V0..END => Register::V((id - V0) as u8),
            _ => return None,
        };
        Some((register, None))
    }
}

/// Bytes of an x register.
pub fn xlen(h: &Hart) -> usize {
    usize::from(h.config.xlen / 8)
}

/// Whether the hart has the extension. A unit that is switched off still has its registers.
pub fn has(h: &Hart, ext: Ext) -> bool {
    h.whole_config().exts.has(ext)
}

/// Bytes of an f register.
pub fn flen(h: &Hart) -> usize {
    if has(h, Ext::D) { 8 } else { 4 }
}

impl Register {
    /// Its bytes; `None` if the hart does not have it.
    pub fn read(self, h: &Hart) -> Option<Vec<u8>> {
        let number = |v: u64| v.to_le_bytes()[..xlen(h)].to_vec();
        Some(match self {
            Register::X(r) => number(h.x(r)),
            Register::Pc => number(h.pc),
            Register::F(_) if !has(h, Ext::F) => return None,
            Register::F(r) => h.f[r as usize].to_le_bytes()[..flen(h)].to_vec(),
            Register::Csr(c) => number(read_csr(h, c)?),
            Register::V(_) if !has(h, Ext::Zve32x) => return None,
            Register::V(r) => h.v.bytes(r)[..h.v.vlenb()].to_vec(),
        })
    }

    /// Writes it; `None` if the hart does not have it, if gdb may not change it, or if the size is wrong.
    pub fn write(self, h: &mut Hart, bytes: &[u8]) -> Option<()> {
        match self {
            Register::X(0) => {}
            Register::X(r) => {
                let v = number(h, bytes)?;
                h.write_x(r, v);
            }
            // An instruction is never at an odd address.
            Register::Pc => h.pc = number(h, bytes)? & !1,
            Register::F(r) if has(h, Ext::F) && bytes.len() == flen(h) => {
                let boxed = if bytes.len() == 4 { u64::MAX << 32 } else { 0 };
                h.f[r as usize] = boxed | little(bytes)?;
            }
            Register::Csr(c) if read_csr(h, c).is_some() && c >> 8 & 3 == 0 && c >> 10 != 3 => {
                let v = number(h, bytes)?;
                let trap = h.trap;
                let written = h.csr_write(c, v);
                h.trap = trap;
                written.ok()?;
            }
            Register::V(r) if has(h, Ext::Zve32x) && bytes.len() == h.v.vlenb() => {
                h.v.bytes_mut(r)[..bytes.len()].copy_from_slice(bytes);
            }
            _ => return None,
        }
        Some(())
    }
}

/// The value of a CSR; `None` if the hart does not have it.
fn read_csr(h: &Hart, c: u16) -> Option<u64> {
    let named = |list: &[(&str, u16)]| list.iter().any(|(_, number)| *number == c);
    if named(&MACHINE) {
        return h.machine.is_some().then(|| h.machine_read(c));
    }
    let there = named(&FLOATING) && has(h, Ext::F)
        || named(&VECTOR) && has(h, Ext::Zve32x)
        || named(&COUNTERS) && has(h, Ext::Zicntr);
    there.then(|| h.csr_value(c, h.config.xlen.into())).flatten()
}

fn little(bytes: &[u8]) -> Option<u64> {
    let mut all = [0; 8];
    all.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(all))
}

/// A number in a register of the hart's width, which is sign-extended there.
fn number(h: &Hart, bytes: &[u8]) -> Option<u64> {
    if bytes.len() != xlen(h) {
        return None;
    }
    let v = little(bytes)?;
    Some(if bytes.len() == 4 { v as i32 as u64 } else { v })
}

/// x registers and pc, which gdb reads and writes together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct General {
    pub bytes: Vec<u8>,
    pub pc: u64,
}

impl General {
    pub fn of(h: &Hart) -> General {
        let all = (0..32).map(Register::X).chain([Register::Pc]);
        General { bytes: all.filter_map(|r| r.read(h)).flatten().collect(), pc: h.pc }
    }

    /// Puts them into the hart; `None` if they have another size.
    pub fn store(&self, h: &mut Hart) -> Option<()> {
        let size = xlen(h);
        if self.bytes.len() != 33 * size {
            return None;
        }
        let all = (0..32).map(Register::X).chain([Register::Pc]);
        all.zip(self.bytes.chunks(size)).try_for_each(|(r, bytes)| r.write(h, bytes))
    }
}

impl Registers for General {
    type ProgramCounter = u64;

    fn pc(&self) -> u64 {
        self.pc
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        self.bytes.iter().for_each(|b| write_byte(Some(*b)));
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        self.bytes = bytes.to_vec();
        Ok(())
    }
}

/// RISC-V, of either width: addresses of RV32 fit.
pub struct RiscV;

impl Arch for RiscV {
    type Usize = u64;
    type Registers = General;
    type BreakpointKind = usize;
    type RegId = Register;
}
