//! A log of retired instructions in the format of riscv-isa-sim (`--log-commits`), to compare runs line by
//! line.
//!
//! Of vector registers those are shown whose contents changed, and always the first of the destination;
//! riscv-isa-sim shows those of which it wrote an element.

use capvec_isa::{Op, csr_name};
use capvec_sim::hart::Hart;
use capvec_sim::step::{Retired, step};
use capvec_sim::{Memory, Stop};
use std::fmt::Write as _;
use std::io::Write;

const FFLAGS: u16 = 0x001;
const VSTART: u16 = 0x008;
const VL: u16 = 0xc20;
const VTYPE: u16 = 0xc21;

/// Where retired instructions are logged.
pub struct CommitLog {
    to: Box<dyn Write>,
    error: Option<std::io::Error>,
    /// What the instruction may change without naming it.
    before: Before,
}

/// State before an instruction.
#[derive(Default)]
struct Before {
    mode: u8,
    fflags: u8,
    v: Vec<u8>,
}

/// What an instruction wrote: the kinds sort as riscv-isa-sim's do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    X,
    F,
    V,
    Csr,
}

impl CommitLog {
    /// Logs to `to`.
    pub fn new(to: Box<dyn Write>) -> CommitLog {
        CommitLog { to, error: None, before: Before::default() }
    }

    /// The first error in writing, if there was one.
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
        self.fflags = h.fflags;
        self.v.clear();
        self.v.extend_from_slice(h.v.bytes(0));
    }
}

/// Bytes as one number, the highest first.
fn number(bytes: &[u8]) -> String {
    bytes.iter().rev().fold(String::from("0x"), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}

/// Which vector registers to show: those that changed, and the destination's first.
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
        all.push((r.insn.imm as u16, Kind::Csr));
    } else if h.fflags != before.fflags {
        all.push((FFLAGS, Kind::Csr));
    }
    if op.name().starts_with("vset") {
        all.extend([(VL, Kind::Csr), (VTYPE, Kind::Csr)]);
    }
    if op.name().starts_with('v') {
        all.push((VSTART, Kind::Csr));
    }
    all.sort();
    all
}

/// `csrrs` and `csrrc` of x0 or 0 only read.
fn writes_csr(r: &Retired) -> bool {
    matches!(r.insn.op(), Op::Csrrw | Op::Csrrwi) || r.insn.rs1 != 0
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

/// One line, without its end.
fn line(h: &Hart, r: &Retired, before: &Before) -> String {
    let digits = r.insn.bytes() as usize * 2;
    let mut s = format!("core   0: {} {:#018x} (0x{:0digits$x})", before.mode, r.pc, r.bits);
    let mut configured = false;
    for (n, kind) in written(h, r, before) {
        let value = match kind {
            Kind::X => number(&h.x(n as u8).to_le_bytes()),
            Kind::F => number(&h.f[n as usize].to_le_bytes()),
            Kind::V => number(&h.v.bytes(n as u8)[..h.v.vlenb()]),
            Kind::Csr => number(&h.csr_value(n, 64).unwrap_or(0).to_le_bytes()),
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
    accesses(&mut s, &h.mem, r);
    s
}

/// Loads, then stores with what they wrote.
fn accesses(s: &mut String, mem: &Memory, r: &Retired) {
    for a in r.accesses.iter().filter(|a| !a.store) {
        let _ = write!(s, " mem {:#018x}", a.addr);
    }
    for a in r.accesses.iter().filter(|a| a.store) {
        let mut bytes = vec![0; a.size as usize];
        // It was written just now.
        let _ = mem.read(a.addr, &mut bytes);
        let _ = write!(s, " mem {:#018x} {}", a.addr, number(&bytes));
    }
}
