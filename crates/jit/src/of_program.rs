//! Translations of a program that are kept for later processes, in files. On hosts without the translating engine, nothing is
//! kept.

#[cfg(translates)]
use crate::kept::{File, Program};
use crate::options::{Options, Unsupported};
use capvec_sim::Engine;
use capvec_timing::FirstOrder;
use std::path::Path;
#[cfg(translates)]
use std::sync::Arc;

/// Most bytes that are kept for a program. A compiler has 50 MiB of translations.
#[cfg(translates)]
const BYTES: usize = 64 << 20;

/// The translations of the program that this process runs.
pub struct OfProgram {
    #[cfg(translates)]
    kept: Arc<Program>,
}

impl OfProgram {
    /// The translations of the program of this name, in files of this directory, which need not exist.
    #[cfg(translates)]
    pub fn kept_in(dir: &Path, name: &str) -> OfProgram {
        OfProgram { kept: Arc::new(Program::new(File::new(dir, name), BYTES)) }
    }

    /// Nothing is kept on this host.
    #[cfg(not(translates))]
    pub fn kept_in(_: &Path, _: &str) -> OfProgram {
        OfProgram {}
    }

    /// A translating engine for the program.
    ///
    /// # Errors
    /// As for [`engine`](fn@crate::engine).
    pub fn engine(
        &self,
        options: Options,
        model: Option<FirstOrder>,
    ) -> Result<Box<dyn Engine>, Unsupported> {
        #[cfg(translates)]
        return Ok(Box::new(crate::engine::Jit::of_program(options, model, &self.kept)?));
        #[cfg(not(translates))]
        return crate::engine(options, model);
    }

    /// How often a translation of an earlier process was used.
    pub fn reused(&self) -> usize {
        #[cfg(translates)]
        return self.kept.reused();
        #[cfg(not(translates))]
        return 0;
    }

    /// Writes the file. Returns what was wrong with the one that was read, which has been ignored; the text begins with its
    /// path.
    pub fn finish(self) -> Option<String> {
        #[cfg(translates)]
        return self.kept.save();
        #[cfg(not(translates))]
        return None;
    }
}
