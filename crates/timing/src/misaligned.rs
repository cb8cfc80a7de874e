//! What becomes of accesses that are not aligned, as a core's file says it.

use crate::error::CoreError;
use crate::reader::Reader;
use capvec_isa::capability::Misaligned as Reported;
use capvec_sim::hart::MustAlign;

/// What becomes of an access that is not aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handling {
    /// The core carries it out.
    Done,
    /// It traps, and firmware or the kernel emulates it.
    Emulated,
    /// It traps, and the program gets a signal.
    Trap,
}

impl Handling {
    /// The names in core files and flags, in the order of declaration.
    const NAMES: [&str; 3] = ["ok", "slow", "trap"];
    const ALL: [Handling; 3] = [Handling::Done, Handling::Emulated, Handling::Trap];

    /// What the file says; without it, the core carries misaligned accesses out.
    fn read(r: &mut Reader, key: &str) -> Result<Handling, CoreError> {
        match r.has(key) {
            true => Ok(Handling::ALL[r.choice(key, &Handling::NAMES)?]),
            false => Ok(Handling::Done),
        }
    }
}

/// What becomes of accesses of scalar instructions that are not aligned to their size, and of accesses of vector instructions
/// that are not aligned to EEW.
pub struct Misaligned {
    scalar: Handling,
    vector: Handling,
}

impl Misaligned {
    /// Reads it; `vector`: the core has vector registers.
    pub fn read(r: &mut Reader, vector: bool) -> Result<Misaligned, CoreError> {
        Ok(Misaligned {
            scalar: Handling::read(r, "misaligned.scalar")?,
            vector: match vector {
                true => Handling::read(r, "misaligned.vector")?,
                false => Handling::Done,
            },
        })
    }

    /// Reads the ticks of emulating an access of a scalar instruction; 0 if none is emulated.
    pub fn scalar_ticks(&self, r: &mut Reader) -> Result<u32, CoreError> {
        match self.scalar {
            Handling::Emulated => r.ticks("misaligned.scalar_cycles"),
            _ => Ok(0),
        }
    }

    /// Reads the ticks of emulating a vector instruction: of its first misaligned element, and of each other one.
    pub fn vector_ticks(&self, r: &mut Reader) -> Result<Option<[u32; 2]>, CoreError> {
        match self.vector {
            Handling::Emulated => {
                let keys = ["misaligned.vector_cycles", "misaligned.element_cycles"];
                if !r.has_all(&keys)? {
                    return Err(r.missing(&keys));
                }
                Ok(Some([r.ticks(keys[0])?, r.ticks(keys[1])?]))
            }
            _ => Ok(None),
        }
    }

    /// Which accesses trap.
    pub fn must_align(&self) -> MustAlign {
        let traps = |handling| handling == Handling::Trap;
        MustAlign { scalar: traps(self.scalar), vector: traps(self.vector) }
    }

    /// What Linux reports for scalar and for vector instructions, unless the core file states it: `done` if the core carries
    /// misaligned accesses out. Linux has no value for vector instructions that are emulated.
    pub fn reported(&self, done: Reported) -> [Reported; 2] {
        let of = |handling, emulated| match handling {
            Handling::Done => done,
            Handling::Emulated => emulated,
            Handling::Trap => Reported::Unsupported,
        };
        [of(self.scalar, Reported::Emulated), of(self.vector, Reported::Slow)]
    }
}
