//! Translations of one program, which earlier processes have left in a file for this one. All stay encoded in files, since
//! each is used once.

use super::files::File;
use super::kind::{Kind, MAX_AT_ADDRESS};
use super::stored::Stored;
use super::translation::Translation;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A program's translations, for one kind of engine.
pub struct Program {
    file: File,
    /// Approximate number of bytes that are kept.
    bytes: usize,
    kept: OnceLock<(Kind, Mutex<State>)>,
}

struct State {
    stored: Stored,
    /// How often a translation was used.
    found: usize,
    /// What was wrong with the file.
    problem: Option<String>,
}

impl Program {
    /// The translations in this file, which need not exist. Up to about `bytes` bytes are kept.
    pub fn new(file: File, bytes: usize) -> Program {
        Program { file, bytes, kept: OnceLock::new() }
    }

    /// Reads the translations for the first kind of engine that asks. Returns false for any other kind.
    pub(crate) fn serve(&self, kind: Kind) -> bool {
        if let Some((known, _)) = self.kept.get() {
            return *known == kind;
        }
        let (stored, problem) = match self.file.read(&kind) {
            Ok(stored) => (stored, None),
            Err(problem) => (Stored::default(), Some(problem)),
        };
        let state = State { stored, found: 0, problem };
        self.kept.set((kind, Mutex::new(state))).is_ok()
    }

    fn with<T>(&self, f: impl FnOnce(&mut State) -> T) -> Option<T> {
        let (_, state) = self.kept.get()?;
        Some(f(&mut state.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Whether there is room for more translations. Those that earlier processes have left and this one has not used make room.
    pub fn has_room(&self) -> bool {
        self.with(|state| state.stored.in_use() < self.bytes).unwrap_or_default()
    }

    /// See `Keeper`.
    pub fn find<T>(
        &self,
        start: u64,
        fits: impl FnMut(&Translation) -> Option<T>,
    ) -> Option<(Arc<Translation>, T)> {
        self.with(|state| {
            let (t, found) = state.stored.find(start, fits)?;
            state.found += 1;
            Some((Arc::new(t), found))
        })?
    }

    /// See `Keeper`.
    pub fn add(&self, t: &Translation) {
        let Some(first) = t.blocks.first() else { return };
        self.with(|state| {
            state.stored.add(first.start, t, MAX_AT_ADDRESS, self.file.dir());
        });
    }

    /// How often a translation was used.
    pub fn reused(&self) -> usize {
        self.with(|state| state.found).unwrap_or_default()
    }

    /// Writes the file if it was damaged, or if this process has added at least an eighth of what it used and a 64th of the file:
    /// otherwise writing costs more than it gains. Returns what was wrong with the one that was read.
    pub fn save(&self) -> Option<String> {
        let (kind, _) = self.kept.get()?;
        self.with(|state| {
            let stored = &state.stored;
            let (damage, added) = (stored.damage(), stored.added());
            let much = added > 0 && added >= stored.in_use() / 8 && added >= stored.size() / 64;
            if damage.is_some() || much {
                self.file.write(kind, stored, self.bytes);
            }
            let damage = damage.map(|damage| self.file.ignored(kind, damage));
            state.problem.take().or(damage)
        })?
    }
}
