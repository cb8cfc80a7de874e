//! Instructions on x registers.

use crate::operand::{Operand, Port, register};
use crate::variant::{Variant, reason};
use capvec_sim::Hart;
use capvec_sim::insn::{Exec, Insn};
use capvec_sim::mode::{Plain32, Plain64};

/// A scalar instruction.
pub struct Scalar {
    /// The operands, in the order of the program's ports.
    pub ports: Vec<Port>,
    /// For RV64.
    pub rv64: Option<Variant>,
    /// For RV32.
    pub rv32: Option<Variant>,
}

impl Scalar {
    /// Executes the instruction.
    pub fn execute(&self, h: &mut Hart, i: &Insn) -> Exec {
        let (variant, mask) = match h.config.xlen {
            64 => (&self.rv64, u64::MAX),
            _ => (&self.rv32, u64::from(u32::MAX)),
        };
        // The decoder knows for which XLEN the instruction exists.
        let Some(variant) = variant else { return h.illegal("it does not exist for this XLEN") };
        let ran = variant.with(|m| {
            for (k, port) in self.ports.iter().enumerate().filter(|(_, p)| p.is_read()) {
                let value = match port.operand {
                    Operand::X(slot) => h.x(register(i, slot)),
                    _ => i.imm as u64,
                };
                m.input(k)[0] = value & mask;
            }
            m.run().map_err(|e| reason(&e))?;
            let written = self.ports.iter().position(Port::is_written);
            Ok(written.map(|k| m.output(k)[0]))
        });
        match ran {
            Ok(Some(value)) if mask == u64::MAX => h.set_x::<Plain64>(i.rd, value),
            Ok(Some(value)) => h.set_x::<Plain32>(i.rd, value),
            Ok(None) => {}
            Err(why) => return h.illegal(why),
        }
        Ok(())
    }
}
