//! Instructions on x and f registers.

use crate::hart_memory::{Framed, Runs};
use crate::operand::{Operand, Port, register};
use crate::variant::Variant;
use capvec_isa::Ext;
use capvec_isa::row::Slot;
use capvec_language::{Place, Short};
use capvec_sim::Hart;
use capvec_sim::fp::{F32, Float};
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::mode::{Plain32, Plain64};

/// The program for one XLEN, and the places of its operands.
pub struct Form {
    variant: Variant,
    /// Where a short program has rs1, rs2, rs3 and the immediate, unless it has f operands. Those that are not operands go where
    /// nobody reads them: four unconditional moves take less time than one after several decisions.
    fixed: Option<[Place; 4]>,
    inputs: Vec<(Place, Operand)>,
    /// The destination; only stores have none.
    output: Option<(Place, Operand)>,
}

/// The widths of a hart's registers.
#[derive(Clone, Copy)]
struct Widths {
    /// The bits of x registers, set.
    x: u64,
    /// Bits of f operands.
    f: u32,
}

impl Form {
    /// `ports` are those of the program; the destination is the first.
    pub fn new(variant: Variant, ports: &[Port]) -> Form {
        let all = ports.iter().enumerate().map(|(k, port)| (k, port.operand));
        let writes = ports.first().is_some_and(Port::is_written);
        let inputs = all.skip(writes.into()).map(|(k, o)| (variant.places(k)[0], o));
        let inputs: Vec<(Place, Operand)> = inputs.collect();
        let output = writes.then(|| (variant.places(0)[1], ports[0].operand));
        let place = |slot: Slot| {
            let found = inputs.iter().find(|(_, o)| o.slot() == Some(slot));
            found.map_or(Short::NOWHERE, |(place, _)| *place)
        };
        let plain = inputs.iter().all(|(_, o)| matches!(o, Operand::Imm(_) | Operand::X(_)));
        let fixed = variant.short.is_some() && plain;
        let fixed = fixed.then(|| [Slot::Rs1, Slot::Rs2, Slot::Rs3, Slot::Imm].map(place));
        Form { variant, fixed, inputs, output }
    }

    /// Executes the instruction with a program of this form.
    #[inline(always)]
    fn execute(
        &self,
        program: &mut impl Runs,
        h: &mut Hart,
        i: &Insn,
        widths: Widths,
        observe: bool,
    ) -> Exec {
        match self.fixed {
            Some([rs1, rs2, rs3, imm]) => {
                *program.word(rs1) = h.x(i.rs1) & widths.x;
                *program.word(rs2) = h.x(i.rs2) & widths.x;
                *program.word(rs3) = h.x(i.rs3) & widths.x;
                *program.word(imm) = i.imm as u64 & widths.x;
            }
            None => self.take(program, h, i, widths),
        }
        program.run(h, observe)?;
        let Some((place, operand)) = self.output else { return Ok(()) };
        let value = *program.word(place);
        match operand {
            Operand::F(_) if widths.f == 32 => {
                h.f[usize::from(i.rd)] = F32(value as u32).nan_box();
            }
            Operand::F(_) => h.f[usize::from(i.rd)] = value,
            _ if widths.x == u64::MAX => h.set_x::<Plain64>(i.rd, value),
            _ => h.set_x::<Plain32>(i.rd, value),
        }
        Ok(())
    }

    /// Gives the program what the operands hold.
    fn take(&self, program: &mut impl Runs, h: &Hart, i: &Insn, widths: Widths) {
        for (place, operand) in &self.inputs {
            *program.word(*place) = match *operand {
                Operand::X(slot) => h.x(register(i, slot)) & widths.x,
                Operand::F(slot) => unboxed(h, register(i, slot), widths.f),
                _ => i.imm as u64 & widths.x,
            };
        }
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
        let (form, x) = match h.config.xlen {
            64 => (&self.rv64, u64::MAX),
            _ => (&self.rv32, u64::from(u32::MAX)),
        };
        // The decoder knows for which XLEN the instruction exists.
        let Some(form) = form else { return h.illegal("it does not exist for this XLEN") };
        let f = match self.float {
            Some((_, ext)) if !h.has(ext) => return h.illegal("the hart has no such f registers"),
            Some((width, _)) => width,
            None => 64,
        };
        let widths = Widths { x, f };
        match &form.variant.short {
            Some(short) => form.execute(&mut Framed::new(short), h, i, widths, observe),
            None => form.variant.once(|m| form.execute(m, h, i, widths, observe)),
        }
    }
}

/// The number of `width` bits in an f register; the canonical NaN if it is not boxed.
pub fn unboxed(h: &Hart, r: u8, width: u32) -> u64 {
    let register = h.f[usize::from(r)];
    if width == 32 { F32::unbox(register).bits() } else { register }
}
