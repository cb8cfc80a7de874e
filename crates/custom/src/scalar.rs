//! Instructions on x and f registers.

use crate::hart_memory;
use crate::operand::{Operand, Port, register};
use crate::variant::Variant;
use capvec_isa::Ext;
use capvec_semantics::Place;
use capvec_sim::Hart;
use capvec_sim::fp::{F32, Float};
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::mode::{Plain32, Plain64};

/// The program for one XLEN, and the places of its operands.
pub struct Form {
    variant: Variant,
    inputs: Vec<(Place, Operand)>,
    /// The destination; only stores have none.
    output: Option<(Place, Operand)>,
}

impl Form {
    /// `ports` are those of the program; the destination is the first.
    pub fn new(variant: Variant, ports: &[Port]) -> Form {
        let all = ports.iter().enumerate().map(|(k, port)| (k, port.operand));
        let writes = ports.first().is_some_and(Port::is_written);
        let inputs = all.skip(writes.into()).map(|(k, o)| (variant.places(k)[0], o)).collect();
        let output = writes.then(|| (variant.places(0)[1], ports[0].operand));
        Form { variant, inputs, output }
    }
}

/// A scalar instruction.
pub struct Scalar {
    /// The width of f operands, and the extension that has registers of this width, if there are any.
    pub float: Option<(u32, Ext)>,
    /// For RV64.
    pub rv64: Option<Form>,
    /// For RV32.
    pub rv32: Option<Form>,
}

impl Scalar {
    /// Executes the instruction.
    pub fn execute(&self, h: &mut Hart, i: &Insn, observe: bool) -> Exec {
        let (form, mask) = match h.config.xlen {
            64 => (&self.rv64, u64::MAX),
            _ => (&self.rv32, u64::from(u32::MAX)),
        };
        // The decoder knows for which XLEN the instruction exists.
        let Some(form) = form else { return h.illegal("it does not exist for this XLEN") };
        let width = match self.float {
            Some((_, ext)) if !h.has(ext) => return h.illegal("the hart has no such f registers"),
            Some((width, _)) => width,
            None => 64,
        };
        form.variant.once(|m| {
            for (place, operand) in &form.inputs {
                *m.word(*place) = match *operand {
                    Operand::X(slot) => h.x(register(i, slot)) & mask,
                    Operand::F(slot) => unboxed(h, register(i, slot), width),
                    _ => i.imm as u64 & mask,
                };
            }
            hart_memory::run(m, h, observe)?;
            let Some((place, operand)) = form.output else { return Ok(()) };
            let value = *m.word(place);
            match operand {
                Operand::F(_) if width == 32 => {
                    h.f[usize::from(i.rd)] = F32(value as u32).nan_box();
                }
                Operand::F(_) => h.f[usize::from(i.rd)] = value,
                _ if mask == u64::MAX => h.set_x::<Plain64>(i.rd, value),
                _ => h.set_x::<Plain32>(i.rd, value),
            }
            Ok(())
        })
    }
}

/// The number of so many bits in an f register; the canonical NaN if it is not boxed.
pub fn unboxed(h: &Hart, r: u8, width: u32) -> u64 {
    let register = h.f[usize::from(r)];
    if width == 32 { F32::unbox(register).bits() } else { register }
}
