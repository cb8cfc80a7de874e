//! A log of retired instructions in the format of riscv-isa-sim (`--log-commits`), to compare runs line by line.
//!
//! Shows vector registers whose contents changed and, unless `vl` is 0, the first of the destination; riscv-isa-sim
//! shows those in which it wrote an element.

use capvec_isa::{Op, csr_name};
use capvec_sim::hart::{Access, Hart};
use capvec_sim::step::{Retired, step};
use capvec_sim::{Memory, Stop};
use std::fmt::Write as _;
use std::io::Write;

const MSTATUS: u16 = 0x300;
const MSTATUSH: u16 = 0x310;
const FFLAGS: u16 = 0x001;
const FRM: u16 = 0x002;
const FCSR: u16 = 0x003;
const VSTART: u16 = 0x008;
const VXSAT: u16 = 0x009;
const VXRM: u16 = 0x00a;
const VCSR: u16 = 0x00f;
const VL: u16 = 0xc20;
const VTYPE: u16 = 0xc21;

/// The log and its output.
pub struct CommitLog {
    to: Box<dyn Write>,
    error: Option<std::io::Error>,
    /// State that an instruction may change without naming it.
    before: Before,
}

/// That state before the instruction.
#[derive(Default)]
struct Before {
    mode: u8,
    vl: u64,
    vtype: u64,
    v: Vec<u8>,
}

/// What an instruction wrote, in riscv-isa-sim's order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    X,
    F,
    V,
    Csr,
}

impl CommitLog {
    /// A log that writes to `to`.
    pub fn new(to: Box<dyn Write>) -> CommitLog {
        CommitLog { to, error: None, before: Before::default() }
    }

    /// The first write error, if there was one.
    pub fn finish(&mut self) -> std::io::Result<()> {
        match self.error.take() {
            Some(e) => Err(e),
            None => self.to.flush(),
        }
    }

    /// Runs for `budget` instructions or until a trap.
    pub(crate) fn run(&mut self, h: &mut Hart, budget: u64) -> Stop {
        for _ in 0..budget {
            self.before.take(h);
            match step(h) {
                Ok(retired) => self.write(h, &retired),
                Err(trap) => return Stop::Trap(trap),
            }
        }
        Stop::Budget
    }

    fn write(&mut self, h: &Hart, r: &Retired) {
        let result = writeln!(self.to, "{}", line(h, r, &self.before));
        if let Err(e) = result {
            self.error.get_or_insert(e);
        }
    }
}

impl Before {
    fn take(&mut self, h: &Hart) {
        self.mode = h.privilege as u8;
        self.vl = h.v.vl;
        self.vtype = h.v.vtype.bits(h.config.xlen.into());
        self.v.clear();
        self.v.extend_from_slice(h.v.bytes(0));
    }
}

/// Bytes as one number, the most significant first.
fn number(bytes: &[u8]) -> String {
    bytes.iter().rev().fold(String::from("0x"), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}

/// The vector registers to show: those that changed, and the first of the destination.
fn vectors(h: &Hart, before: &Before, first: u8) -> impl Iterator<Item = u8> {
    let size = h.v.vlenb();
    let now = h.v.bytes(0);
    let changed = move |r: u8| {
        let at = r as usize * size..(r as usize + 1) * size;
        now[at.clone()] != before.v[at]
    };
    (0..32).filter(move |r| *r == first && h.v.vl > 0 || changed(*r))
}

/// Everything that the instruction wrote, in order.
fn written(h: &Hart, r: &Retired, before: &Before) -> Vec<(u16, Kind)> {
    let op: Op = r.insn.op().row().base;
    let args = op.row().args;
    let rd = r.insn.rd;
    let mut all = Vec::new();
    match args.split(',').next().unwrap_or_default() {
        "rd" if !r.insn.rd_is_x0() => all.push((rd as u16, Kind::X)),
        "fd" => all.push((rd as u16, Kind::F)),
        "vd" => all.extend(vectors(h, before, rd).map(|v| (v as u16, Kind::V))),
        _ => {}
    }
    if args.contains("csr") && writes_csr(r) {
        let parts = fields(r.insn.imm as u16);
        all.extend(parts.into_iter().map(|csr| (csr, Kind::Csr)));
    } else {
        let raised = [(r.raised.fflags != 0, FFLAGS), (r.raised.vxsat, VXSAT)];
        all.extend(raised.into_iter().filter(|(is, _)| *is).map(|(_, csr)| (csr, Kind::Csr)));
    }
    if op == Op::Mret {
        let high = (h.config.xlen == 32).then_some((MSTATUSH, Kind::Csr));
        all.extend([(MSTATUS, Kind::Csr)].into_iter().chain(high));
    }
    if op.name().starts_with("vset") {
        all.push((VL, Kind::Csr));
        let xlen = h.config.xlen;
        let vtype = h.v.vtype.bits(xlen.into());
        // The requested value is logged, which may itself have vill set.
        let vill = vtype >> (xlen - 1) != 0;
        let asked = op == Op::Vsetvl && h.x(r.insn.rs2) == vtype;
        let changed = vtype != before.vtype || vill && !asked;
        all.extend(changed.then_some((VTYPE, Kind::Csr)));
    }
    if op.name().ends_with("ff.v") && h.v.vl != before.vl {
        all.push((VL, Kind::Csr));
    }
    if op.name().starts_with('v') {
        all.push((VSTART, Kind::Csr));
    }
    all.sort();
    all
}

/// `csrrs` and `csrrc` with x0 or 0 only read.
fn writes_csr(r: &Retired) -> bool {
    matches!(r.insn.op(), Op::Csrrw | Op::Csrrwi) || r.insn.rs1 != 0
}

/// The CSRs that a write changes: some are two in one.
fn fields(csr: u16) -> Vec<u16> {
    match csr {
        FCSR => vec![FFLAGS, FRM],
        VCSR => vec![VXSAT, VXRM],
        _ => vec![csr],
    }
}

/// "e32 m2 l8", the vector configuration.
fn configuration(h: &Hart) -> String {
    let t = &h.v.vtype;
    let lmul = match t.lmul {
        l if l < 0 => format!("mf{}", 1 << -l),
        l => format!("m{}", 1 << l),
    };
    format!(" e{} {lmul} l{}", t.sew, h.v.vl)
}

/// One line, without the newline.
fn line(h: &Hart, r: &Retired, before: &Before) -> String {
    let digits = r.insn.bytes() as usize * 2;
    let word = h.config.xlen as usize / 8;
    let mut s = format!("core   0: {} ", before.mode);
    s += &number(&r.pc.to_le_bytes()[..word]);
    let _ = write!(s, " (0x{:0digits$x})", r.bits);
    let mut configured = false;
    for (n, kind) in written(h, r, before) {
        let value = match kind {
            Kind::X => number(&h.x(n as u8).to_le_bytes()[..word]),
            Kind::F => number(&h.f[n as usize].to_le_bytes()),
            Kind::V => number(&h.v.bytes(n as u8)[..h.v.vlenb()]),
            // After `mret`, the current mode cannot read what it wrote.
            Kind::Csr => {
                let value =
                    h.csr_value(n, h.config.xlen.into()).unwrap_or_else(|| h.machine_read(n));
                number(&value.to_le_bytes()[..word])
            }
        };
        if kind == Kind::V && !configured {
            s += &configuration(h);
            configured = true;
        }
        let _ = match kind {
            Kind::X => write!(s, " x{n:<2} {value}"),
            Kind::F => write!(s, " f{n:<2} {value}"),
            Kind::V => write!(s, " v{n:<2} {value}"),
            Kind::Csr => write!(s, " c{n}_{} {value}", csr_name(n)),
        };
    }
    accesses(&mut s, &h.mem, r, word);
    s
}

/// Bytes that riscv-isa-sim accesses at a time where one access here covers several: elements, whose width is in the
/// mnemonic, and single bytes for cache blocks and whole registers.
fn unit(op: Op) -> Option<u32> {
    let name = op.name();
    if op == Op::CboZero {
        return Some(1);
    }
    let width = name.strip_prefix('v')?.strip_suffix(".v")?.trim_end_matches("ff");
    if !width.starts_with(['l', 's']) {
        return None;
    }
    // Without a width (`vlm.v`, `vs1r.v`), bytes. In indexed accesses the width is the index's.
    let bits = width.rsplit_once('e').map_or(Ok(8), |(_, bits)| bits.parse::<u32>());
    bits.ok().map(|b| b / 8)
}

/// Appends loads, then stores with the values that they wrote; addresses have `word` bytes.
fn accesses(s: &mut String, mem: &Memory, r: &Retired, word: usize) {
    let address = |at: u64| number(&at.to_le_bytes()[..word]);
    let unit = unit(r.insn.op().row().base);
    let parts = |a: &Access| {
        let size = unit.unwrap_or(a.size).clamp(1, a.size.max(1));
        (a.addr..a.addr.wrapping_add(a.size as u64))
            .step_by(size as usize)
            .map(move |at| (at, size))
    };
    for (at, _) in r.accesses.iter().filter(|a| !a.store).flat_map(parts) {
        let _ = write!(s, " mem {}", address(at));
    }
    for (at, size) in r.accesses.iter().filter(|a| a.store).flat_map(parts) {
        let mut bytes = vec![0; size as usize];
        // It was just written, so it is readable.
        let _ = mem.read(at, &mut bytes);
        let _ = write!(s, " mem {} {}", address(at), number(&bytes));
    }
}
