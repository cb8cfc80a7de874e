//! The programs for the guest, and what each is linked from.

use crate::library_kind::LibraryKind;
use crate::part::{self, Part, Source, Unit};

/// Bytes of the longest message that [`Program::Measure`] holds.
pub const LONGEST: usize = 65536;
/// Units that measure, and reserve the memory for messages.
const BUFFERS: [&str; 2] = ["main.c", "job.c"];
/// File name of a built program.
pub const PROGRAM: &str = "driver";

/// A configuration of OpenSSL with the provider, and the file's name.
pub const CONFIGURATION: Source = ("openssl.cnf", include_str!("../../../crypto/openssl.cnf"));

/// A program for the guest.
///
/// Measuring and checking are separate programs: an edit of the checking code must not move the code and data of the
/// measuring one, since the cycles of cores with small caches depend on their addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Measures, and computes known answers.
    Measure,
    /// Measures messages of more than [`LONGEST`] bytes.
    MeasureLong,
    /// Measures operations one by one.
    MeasureEach,
    /// Measures the two ends of connections of TLS.
    MeasureTls,
    /// Checks vectors in many forms.
    Check,
    /// Performs operations on secrets, for constant-time checks.
    Secrets,
    /// Tests which instructions execute.
    Trial,
    /// The provider: not a program, but a library that OpenSSL loads.
    Provider,
    /// A program that the caller describes.
    Described(&'static ProgramSpec),
}

/// A program whose sources belong to the caller, such as a test.
pub struct ProgramSpec {
    /// Its unique name.
    pub name: &'static str,
    /// Its own units.
    pub parts: &'static [&'static Part],
    /// Whether libcapvec is linked to it.
    pub library: bool,
    /// Whether it marks secrets for `capvec ct` (`crypto/src/secrets.h`).
    pub secrets: bool,
}

impl PartialEq for ProgramSpec {
    fn eq(&self, other: &ProgramSpec) -> bool {
        self.name == other.name
    }
}

impl Eq for ProgramSpec {}

impl std::fmt::Debug for ProgramSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Program {
    /// Its file name after the build.
    pub fn file(self) -> &'static str {
        if self == Program::Provider { "capvec.so" } else { PROGRAM }
    }

    /// Flags for this unit, in addition to those of every unit.
    pub(crate) fn flags(self, unit: &Unit) -> &'static [&'static str] {
        match self {
            // Assembler does not change with these flags, so its object files are shared with the other programs.
            Program::Provider if unit.source.0.ends_with(".S") => &[],
            Program::Provider => &["-fPIC", "-fvisibility=hidden", "-DCV_HIDDEN"],
            // The other units are the same for all that measure, and are compiled once.
            Program::MeasureLong if BUFFERS.contains(&unit.source.0) => self.defines(),
            Program::MeasureTls if uses_tls(unit) => self.defines(),
            Program::MeasureEach if unit.source.0 == BUFFERS[0] => self.defines(),
            Program::Described(own) if own.secrets && marks_secrets(unit) => {
                &["-DCV_FOLLOW_SECRETS"]
            }
            _ => &[],
        }
    }

    /// Macros for compiling its units.
    pub fn defines(self) -> &'static [&'static str] {
        match self {
            Program::MeasureLong => &["-DCAPVEC_LONG"],
            Program::MeasureEach => &["-DCAPVEC_EACH"],
            Program::MeasureTls => &["-DCAPVEC_TLS"],
            _ => &[],
        }
    }

    /// Whether its instructions and cycles are figures.
    pub fn measures(self) -> bool {
        use Program::{Measure, MeasureEach, MeasureLong, MeasureTls};
        matches!(self, Measure | MeasureLong | MeasureEach | MeasureTls)
    }

    /// Arguments of the link, after the object files.
    pub(crate) fn libraries(self, kind: LibraryKind) -> &'static [&'static str] {
        match self {
            Program::Provider => &["-shared", "-Wl,-z,defs", "-lcrypto"],
            Program::MeasureTls => &["-lssl", "-lcrypto"],
            _ => kind.libraries(),
        }
    }

    /// All files of OpenSSL's driver for targets other than the simulator, without duplicates.
    pub fn timed(self) -> Vec<Source> {
        let mut parts = self.parts(LibraryKind::OpenSsl);
        parts.extend(self.measures().then_some(&part::TIMED));
        Part::files(&parts)
    }

    /// The parts from which it is linked, in this order.
    pub(crate) fn parts(self, kind: LibraryKind) -> Vec<&'static Part> {
        let mut parts: Vec<&'static Part> = match self {
            Program::Measure | Program::MeasureLong | Program::MeasureEach => vec![&part::MEASURE],
            Program::MeasureTls => {
                return vec![
                    &part::MEASURE,
                    &part::JOBS,
                    &part::SET_UP,
                    &part::PUBLIC_KEY,
                    &part::TLS,
                ];
            }
            Program::Check => vec![&part::CHECK],
            Program::Secrets => vec![&part::SECRETS],
            Program::Trial => return vec![&part::TRIAL],
            Program::Provider => return [&[&part::PROVIDER], &part::library()[..]].concat(),
            Program::Described(own) => {
                let library = part::library().into_iter().filter(|_| own.library);
                return own.parts.iter().copied().chain(library).collect();
            }
        };
        parts.push(&part::JOBS);
        match kind {
            LibraryKind::OpenSsl | LibraryKind::Provider => {
                parts.extend([&part::SET_UP, &part::CIPHERS, &part::PUBLIC_KEY]);
            }
            LibraryKind::Capvec => {
                parts.extend([&part::CIPHERS, &part::CAPVEC]);
                parts.extend(part::library());
                // Last, so that symmetric cases keep their layout.
                parts.extend([&part::PUBLIC_KEY, &part::CAPVEC_KEYS]);
            }
            LibraryKind::Packaged(library) => {
                parts.extend([&part::CIPHERS, &part::PACKAGED, library.part()]);
            }
        }
        parts
    }
}

/// Whether a unit differs in the driver for connections.
fn uses_tls(unit: &Unit) -> bool {
    BUFFERS.contains(&unit.source.0) || unit.source.0.starts_with("tls")
}

/// Whether the macro makes a difference.
fn marks_secrets(unit: &Unit) -> bool {
    ["CV_PUBLIC(", "CV_SECRET("].iter().any(|m| unit.source.1.contains(m))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(program: Program, kind: LibraryKind) -> impl Iterator<Item = &'static Unit> {
        program.parts(kind).into_iter().flat_map(|p| p.units)
    }

    #[test]
    fn the_program_that_measures_has_no_unit_of_the_one_that_checks() {
        for kind in LibraryKind::ALL {
            let uses_kat = |u: &Unit| u.headers.iter().any(|h| h.0 == "kat.h");
            assert!(!units(Program::Measure, kind).any(uses_kat));
            assert!(units(Program::Check, kind).any(uses_kat));
        }
    }

    #[test]
    fn only_units_with_buffers_are_compiled_again_for_long_messages() {
        let mut header = None;
        for kind in LibraryKind::ALL {
            for unit in units(Program::MeasureLong, kind) {
                let (name, text) = unit.source;
                let buffers = text.contains("MAX_MEASURED") || text.contains("CAPVEC_LONG");
                let flags = Program::MeasureLong.flags(unit);
                assert_eq!(flags.contains(&"-DCAPVEC_LONG"), buffers, "{name}");
                assert!(Program::Measure.flags(unit).is_empty());
                header = header.or(unit.headers.iter().find(|h| h.0 == "driver.h"));
            }
        }
        assert!(header.unwrap().1.contains(&format!("#define MAX_MESSAGE {LONGEST}\n")));
    }

    /// The build script follows the includes of headers, too.
    #[test]
    fn headers_of_headers_are_included() {
        let [portable, _] = part::library();
        let unit = portable.units.iter().find(|u| u.source.0 == "sm3.c").unwrap();
        let headers: Vec<&str> = unit.headers.iter().map(|h| h.0).collect();
        for header in ["internal.h", "capvec.h"] {
            assert!(headers.contains(&header), "{headers:?}");
        }
    }
}
