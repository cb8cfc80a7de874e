//! Access to the taint of registers and memory, and to that of a thread that is not running.

use crate::memory;
use crate::roles::Roles;
use crate::shadow::Shadow;
use crate::value::sign_extend;
use capvec_isa::Op;
use capvec_isa::row::Taint;
use capvec_sim::Hart;
use capvec_sim::insn::Insn;

/// The taint of one thread's registers.
#[derive(Clone, Default)]
pub struct Registers {
    x: Vec<u64>,
    f: Vec<u64>,
    v: Vec<u8>,
    csr: (u8, u8, u8, bool),
}

impl Registers {
    /// The tainted bits of x register `r`.
    pub fn x(&self, r: u8) -> u64 {
        self.x.get(r as usize).copied().unwrap_or(0)
    }

    /// The tainted bits of f register `r`.
    pub fn f(&self, r: u8) -> u64 {
        self.f.get(r as usize).copied().unwrap_or(0)
    }

    /// The tainted bits of vector register `r`.
    pub fn v(&self, r: u8) -> &[u8] {
        let len = self.v.len() / 32;
        &self.v[r as usize * len..(r as usize + 1) * len]
    }

    /// The tainted bits of `fcsr` and `vcsr`.
    pub fn csrs(&self) -> [u64; 2] {
        let (fflags, frm, vxrm, vxsat) = self.csr;
        [u64::from(frm) << 5 | u64::from(fflags), u64::from(vxrm) << 1 | u64::from(vxsat)]
    }

    /// The kernel has set these x registers.
    pub fn clean_x(&mut self, registers: &[u8]) {
        for r in registers {
            self.x.get_mut(*r as usize).into_iter().for_each(|taint| *taint = 0);
        }
    }
}

impl Shadow {
    /// A copy of the registers' taint, made before another thread runs.
    pub fn save(&self) -> Registers {
        let h = &self.hart;
        Registers {
            x: (0..32).map(|r| h.x(r)).collect(),
            f: h.f.to_vec(),
            v: h.v.bytes(0).to_vec(),
            csr: (h.fflags, h.frm, h.v.vxrm, h.v.vxsat),
        }
    }

    /// Puts back what `save` has returned.
    pub fn restore(&mut self, registers: &Registers) {
        let h = &mut self.hart;
        for r in 1..32u8 {
            h.write_x(r, registers.x.get(r as usize).copied().unwrap_or(0));
        }
        h.f = std::array::from_fn(|r| registers.f.get(r).copied().unwrap_or(0));
        match registers.v.is_empty() {
            true => h.v.bytes_mut(0).fill(0),
            false => h.v.bytes_mut(0).copy_from_slice(&registers.v),
        }
        (h.fflags, h.frm, h.v.vxrm, h.v.vxsat) = registers.csr;
        self.summarise();
    }

    /// The tainted bits of x register `r`.
    pub fn x(&self, r: u8) -> u64 {
        if self.x >> (r & 31) & 1 != 0 { self.hart.x(r) } else { 0 }
    }

    /// Sets them. On RV32, a register holds its value sign-extended, and so the taint of its sign.
    pub fn set_x(&mut self, r: u8, taint: u64) {
        if (1..32).contains(&r) {
            let taint = sign_extend(taint, self.hart.config.xlen.into());
            self.hart.write_x(r, taint);
            self.x = self.x & !(1 << r) | u32::from(taint != 0) << r;
        }
    }

    /// The tainted bits of f register `r`.
    pub fn f(&self, r: u8) -> u64 {
        self.hart.f[r as usize & 31]
    }

    /// Sets them.
    pub fn set_f(&mut self, r: u8, taint: u64) {
        self.hart.f[r as usize & 31] = taint;
        self.f = self.f & !(1 << (r & 31)) | u32::from(taint != 0) << (r & 31);
    }

    /// The tainted bits of the vector registers from `reg` on.
    pub fn v(&self, reg: u8) -> &[u8] {
        self.hart.v.bytes(reg)
    }

    /// Changes them.
    pub fn change_v(&mut self, change: impl FnOnce(&mut [u8])) {
        change(self.hart.v.bytes_mut(0));
        self.summarise();
    }

    /// Whether one of the `n` vector registers from `reg` on may be tainted.
    pub fn v_group(&self, reg: u8, n: u8) -> bool {
        self.v != 0 && u64::from(self.v) >> (reg & 31) & ((1 << n) - 1) != 0
    }

    /// Whether an element before `vl` of the group at `reg`, with elements of `eew` bits, is tainted. What a register holds beyond
    /// them is not used.
    pub fn v_elements(&self, reg: u8, vl: u64, eew: u32) -> bool {
        let used = (vl * u64::from(eew)).div_ceil(8) as usize;
        self.v != 0 && self.v(reg).iter().take(used).any(|mask| *mask != 0)
    }

    /// Whether one of the first `n` bits of the register, a mask, is tainted.
    fn v_bits(&self, reg: u8, n: u64) -> bool {
        let (whole, rest) = ((n / 8) as usize, n % 8);
        let mask = self.v(reg);
        let last = mask.get(whole).is_some_and(|byte| u64::from(*byte) & ((1 << rest) - 1) != 0);
        self.v != 0 && (last || mask.iter().take(whole).any(|byte| *byte != 0))
    }

    /// Whether a bit of v0 is tainted that the instruction uses, as a mask or an operand.
    pub fn uses_tainted_mask(&self, h: &Hart, i: &Insn, roles: &Roles) -> bool {
        self.mask_is_tainted(i, roles) && self.v_bits(0, h.v.vl)
    }

    /// `has_tainted_source` without what registers hold beyond vl, for masks, reductions and `vcompress`.
    pub fn uses_tainted_source(&self, h: &Hart, i: &Insn, roles: &Roles) -> bool {
        let (vl, sew) = (h.v.vl, h.v.vtype.sew);
        let mask = self.uses_tainted_mask(h, i, roles);
        let rest = self.reads_tainted_x(i, roles) || mask;
        match roles.rule {
            // The second source is one element, as wide as the result.
            Taint::Reduce => {
                let wide = sew << roles.by[0];
                rest || self.v_elements(i.rs2, vl, sew) || self.v_elements(i.rs1, 1, wide)
            }
            _ if i.op().row().base == Op::VcompressVm => {
                rest || self.v_elements(i.rs2, vl, sew) || self.v_bits(i.rs1, vl)
            }
            _ if roles.masks => {
                rest || self.v_bits(i.rs2, vl) || (roles.v.s1 && self.v_bits(i.rs1, vl))
            }
            _ => self.has_tainted_source(h, i, roles),
        }
    }

    /// Cleans all vector registers: a system call has overwritten them.
    pub fn clean_v(&mut self) {
        if self.v != 0 {
            self.hart.v.bytes_mut(0).fill(0);
            self.v = 0;
        }
    }

    /// The taint of `csr`, as far as it is made of fflags, frm, vxrm and vxsat.
    pub fn csr(&self, csr: u16) -> u64 {
        use capvec_sim::csr::number::{FCSR, FFLAGS, FRM, VCSR, VXRM, VXSAT};
        let h = &self.hart;
        let (fflags, frm) = (u64::from(h.fflags), u64::from(h.frm));
        let (vxrm, vxsat) = (u64::from(h.v.vxrm), u64::from(h.v.vxsat));
        match csr {
            FFLAGS => fflags,
            FRM => frm,
            FCSR => frm << 5 | fflags,
            VXRM => vxrm,
            VXSAT => vxsat,
            VCSR => vxrm << 1 | vxsat,
            _ => 0,
        }
    }

    /// Sets it.
    pub fn set_csr(&mut self, csr: u16, taint: u64) {
        use capvec_sim::csr::number::{FCSR, FFLAGS, FRM, VCSR, VXRM, VXSAT};
        let h = &mut self.hart;
        if matches!(csr, FFLAGS | FCSR) {
            h.fflags = taint as u8 & 31;
        }
        if matches!(csr, FRM | FCSR) {
            h.frm = (taint >> if csr == FCSR { 5 } else { 0 }) as u8 & 7;
        }
        if matches!(csr, VXSAT | VCSR) {
            h.v.vxsat = taint & 1 != 0;
        }
        if matches!(csr, VXRM | VCSR) {
            h.v.vxrm = (taint >> if csr == VCSR { 1 } else { 0 }) as u8 & 3;
        }
    }

    /// Whether the taint of this CSR is followed. A value that a program keeps in another CSR loses its taint.
    pub fn follows_csr(csr: u16) -> bool {
        use capvec_sim::csr::number::{FCSR, FFLAGS, FRM, VCSR, VXRM, VXSAT};
        matches!(csr, FFLAGS | FRM | FCSR | VXRM | VXSAT | VCSR)
    }

    /// Whether a bit of this memory is tainted.
    pub fn memory(&self, addr: u64, len: u64) -> bool {
        self.has_memory() && memory::is_tainted(&self.hart.mem, addr, len)
    }

    /// Taints this memory, or cleans it.
    pub fn fill(&mut self, addr: u64, len: u64, tainted: bool) {
        if tainted || self.has_memory() {
            let pages = self.pages.entry(self.space).or_default();
            memory::fill(&self.hart.mem, addr, len, tainted, pages);
        }
    }

    /// Sets the taint of memory, one mask for each byte.
    pub fn set_memory(&mut self, addr: u64, masks: &[u8]) {
        if self.map(addr, masks.len() as u64) {
            // It is mapped.
            let _ = self.hart.mem.write(addr, masks);
        }
    }

    /// The taint of memory of an address space, one mask for each byte, if any is tainted.
    pub fn masks(&self, space: u64, addr: u64, len: u64) -> Option<Vec<u8>> {
        let shadow = if space == self.space { &self.hart.mem } else { self.spaces.get(&space)? };
        memory::is_tainted(shadow, addr, len).then(|| memory::masks(shadow, addr, len))
    }

    /// The addresses of the pages of the followed hart's memory that have been tainted.
    pub fn pages(&self) -> &[u64] {
        self.pages.get(&self.space).map_or(&[], Vec::as_slice)
    }

    /// Makes memory accessible in the shadow. Returns false if the host has no memory for that.
    pub(crate) fn map(&mut self, addr: u64, len: u64) -> bool {
        let pages = self.pages.entry(self.space).or_default();
        memory::map(&self.hart.mem, addr, len, pages)
    }

    /// Whether no register is tainted.
    pub fn has_clean_registers(&self) -> bool {
        self.x | self.f | self.v == 0 && self.flags() == 0
    }

    /// Whether `fcsr` and `vcsr` are clean.
    pub fn has_clean_csrs(&self) -> bool {
        self.flags() == 0
    }

    /// Whether an instruction has accessed a page that has been tainted, since this was called last.
    pub fn take_touched(&mut self) -> bool {
        std::mem::take(&mut self.touched)
    }

    /// The taint of memory, one mask for each byte.
    pub fn read_memory(&self, addr: u64, masks: &mut [u8]) {
        for (at, mask) in (addr..).zip(masks) {
            *mask = self.hart.mem.load(at).unwrap_or(0);
        }
    }
}
