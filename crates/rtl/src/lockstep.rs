//! Compares the unit with the simulator.

use crate::harness::{Done, Harness, Request};
use crate::ports::{DRAFTS, EXTENSIONS, Parameters};
use crate::stimulus;
use anyhow::{Context, Result, ensure};
use capvec_isa::{Ext, ExtSet, decode, disassemble};
use capvec_sim::hart::{Agnostic, Config};
use capvec_sim::testing::{Rig, Rng, config};
use capvec_sim::trap::Cause;
use capvec_sim::vector::VType;

/// The expected outcome of an instruction.
pub struct Expected {
    /// It traps.
    pub illegal: bool,
    /// The registers after it.
    pub registers: Vec<u8>,
}

/// A hart with the unit's extensions.
pub struct Judge {
    rig: Rig,
    config: Config,
    exts: ExtSet,
}

/// The x register that holds a request's scalar, if the word names another one than x0.
fn scalar(insn: u32) -> u8 {
    (insn >> 15 & 31) as u8
}

impl Judge {
    /// For a unit with these parameters.
    pub fn new(parameters: &Parameters) -> Judge {
        let on = stimulus::extensions(&parameters.on);
        let config =
            config(&[on.as_slice(), &[Ext::V]].concat(), parameters.vlen, Agnostic::Undisturbed);
        let unit = ExtSet::of(&stimulus::extensions(&[&EXTENSIONS[..], &DRAFTS].concat()));
        let exts = ExtSet::of(&on).closed().intersection(unit);
        Judge { rig: Rig::new(config.clone()), config, exts }
    }

    /// The registers, to set them.
    pub fn registers(&mut self) -> &mut [u8] {
        self.rig.h.v.bytes_mut(0)
    }

    /// Whether the word is an instruction of the unit. The unit refuses all others, some of which this hart would execute.
    fn is_the_units(&self, insn: u32) -> bool {
        decode(insn, 64, self.config.exts).is_ok_and(|d| self.exts.intersects(d.op.row().exts))
    }

    /// Runs an instruction.
    ///
    /// # Errors
    /// A trap other than for an illegal instruction.
    pub fn run(&mut self, request: &Request) -> Result<Expected> {
        let mut illegal = true;
        if self.is_the_units(request.insn) {
            let h = &mut self.rig.h;
            h.v.vtype =
                if request.vill { VType::ILLEGAL } else { VType::decode(request.vtype.into(), 64) };
            h.v.vl = request.vl.into();
            h.v.vstart = request.vstart.into();
            if scalar(request.insn) != 0 {
                h.set_x::<capvec_sim::mode::Plain64>(scalar(request.insn), request.rs1);
            }
            let trap = self.rig.run(&[request.insn]);
            illegal = match trap.cause {
                Cause::Breakpoint => false,
                Cause::Illegal => true,
                other => anyhow::bail!("{other:?} at {}", text(request)),
            };
        }
        Ok(Expected { illegal, registers: self.rig.h.v.bytes(0).to_vec() })
    }
}

/// A request as text, for messages.
pub fn text(r: &Request) -> String {
    let name = decode(r.insn, 64, ExtSet::of(&Ext::ratified().collect::<Vec<_>>()));
    let name = name.map_or_else(|e| format!("{e:?}"), |d| disassemble(&d, 0));
    format!("{name} ({:#010x}) {r:?}", r.insn)
}

/// Runs these requests on both, and compares every result and exception.
///
/// # Errors
/// The first difference.
pub fn compare(
    harness: &mut Harness,
    judge: &mut Judge,
    program: &[Request],
    stalls: &mut Option<Rng>,
    mut each: impl FnMut(&Request, &Done),
) -> Result<()> {
    judge.registers()[..harness.registers.len()].copy_from_slice(&harness.registers);
    let expected: Vec<Expected> = program.iter().map(|r| judge.run(r)).collect::<Result<_>>()?;
    harness
        .run(program, stalls, |n, done, registers| {
            let (want, request) = (&expected[n], &program[n]);
            ensure!(
                done.illegal == want.illegal,
                "the unit says illegal: {}, the simulator {}: {}",
                done.illegal,
                want.illegal,
                text(request)
            );
            let differs = registers.iter().zip(&want.registers).position(|(a, b)| a != b);
            if let Some(at) = differs {
                let vlenb = registers.len() / 32;
                let to = (at / vlenb + 1) * vlenb;
                anyhow::bail!(
                    "v{} differs from byte {} on: {}\n  unit      {}\n  simulator {}",
                    at / vlenb,
                    at % vlenb,
                    text(request),
                    hex::encode(&registers[to - vlenb..to]),
                    hex::encode(&want.registers[to - vlenb..to])
                );
            }
            each(request, done);
            Ok(())
        })
        .with_context(|| format!("{:?}", harness.model().parameters))
}
