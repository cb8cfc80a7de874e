//! Profiles as text and in the formats of other tools.

mod firefox;
mod flame;
mod flat;
mod folded;
mod pprof;
mod text;

use crate::tree::Profile;
pub use flat::{Row, flat};
use std::path::Path;
pub use text::summary;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A flame graph.
    Svg,
    /// The processed format of the Firefox Profiler.
    Firefox,
    /// pprof's format.
    Pprof,
    /// pprof's format, compressed.
    PprofGz,
    /// Collapsed stacks.
    Folded,
    /// Tables.
    Text,
}

/// Endings of file names.
const ENDINGS: [(&str, Format); 6] = [
    (".svg", Format::Svg),
    (".json", Format::Firefox),
    (".pb.gz", Format::PprofGz),
    (".pb", Format::Pprof),
    (".folded", Format::Folded),
    (".txt", Format::Text),
];

/// What ran.
#[derive(Clone, Debug)]
pub struct About {
    /// The command.
    pub title: String,
    /// Cycles per second.
    pub frequency: u64,
}

impl Format {
    /// The format by the ending of the file's name.
    ///
    /// # Errors
    /// The ending is unknown; the message lists the known ones.
    pub fn of(path: &Path) -> Result<Format, String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let found = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
        let endings = ENDINGS.map(|(ending, _)| ending).join(", ");
        let unknown = || format!("the format follows from the ending; give one of {endings}");
        found.map(|(_, format)| *format).ok_or_else(unknown)
    }

    /// The file's contents.
    ///
    /// # Errors
    /// The profile does not fit the format.
    pub fn write(self, profile: &Profile, about: &About) -> serde_json::Result<Vec<u8>> {
        Ok(match self {
            Format::Svg => flame::flame(profile, &about.title).into_bytes(),
            Format::Firefox => firefox::firefox(profile, about.frequency)?,
            Format::Pprof => pprof::pprof(profile, about.frequency, false),
            Format::PprofGz => pprof::pprof(profile, about.frequency, true),
            Format::Folded => folded::folded(profile).into_bytes(),
            Format::Text => text::tables(profile).into_bytes(),
        })
    }
}
