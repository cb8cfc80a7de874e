//! The report of a scan.

use crate::archive;
use crate::clusters::{self, Use};
use crate::constants::{self, Constant};
use crate::elf::{File, Linkage, Machine};
use crate::error::ScanError;
use crate::go;
use crate::instruction_family::Family;
use crate::library::{self, Library};
use crate::unpack::unpack;
use crate::used_libraries::{self, Call};
use crate::words;
use serde::Serialize;

/// The contents of a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// Architecture.
    pub machine: Machine,
    /// How it is linked.
    pub linkage: Linkage,
    /// Whether it has no symbols other than those of the dynamic linker.
    pub stripped: bool,
    /// Its own name as a shared library.
    pub soname: Option<String>,
    /// Shared libraries that it needs.
    pub needed: Vec<String>,
    /// Libraries whose code is in it.
    pub libraries: Vec<Library>,
    /// Libraries that it uses but does not contain.
    pub calls: Vec<Call>,
    /// Instructions of extensions.
    pub uses: Vec<Use>,
    /// Tables and words of portable code.
    pub constants: Vec<Constant>,
    /// Bytes of code that were scanned.
    pub code_bytes: usize,
}

/// Scans a file: a program, a shared library, an object file or kernel module, compressed or not, or an archive.
///
/// # Errors
/// [`ScanError`] when it is none of these, or damaged.
pub fn scan(bytes: &[u8]) -> Result<Report, ScanError> {
    let bytes = unpack(bytes)?;
    let bytes = bytes.as_ref();
    if bytes.starts_with(archive::THIN) {
        return Err(ScanError::Archive("that only names its object files: scan these"));
    }
    if bytes.starts_with(archive::MAGIC) {
        return scan_archive(bytes);
    }
    if !bytes.starts_with(ELF) {
        return Err(ScanError::NotElf(what_else(bytes)));
    }
    scan_elf(bytes)
}

const ELF: &[u8] = b"\x7fELF";

/// Guesses from its first bytes what a file is if it is not an ELF file.
fn what_else(bytes: &[u8]) -> String {
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    match bytes {
        [] => ", it is empty".into(),
        [b'#', b'!', ..] => {
            let interpreter =
                String::from_utf8_lossy(line.get(2..60.min(line.len())).unwrap_or_default());
            format!(", but a script for {}", interpreter.trim())
        }
        [b'M', b'Z', ..] => ", but a program for Windows or EFI, such as a kernel image".into(),
        [0xcf, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => {
            ", but a program for macOS".into()
        }
        b if !b.contains(&0) && std::str::from_utf8(b).is_ok() => ", but a text file".into(),
        _ => String::new(),
    }
}

fn scan_elf(bytes: &[u8]) -> Result<Report, ScanError> {
    let file = File::read(bytes).map_err(|e| ScanError::Damaged(e.to_string()))?;
    Ok(Report {
        machine: file.machine,
        linkage: file.linkage,
        stripped: file.stripped,
        soname: file.soname.clone(),
        needed: file.needed.clone(),
        libraries: library::find(&file).into_iter().chain(go::find(&file)).collect(),
        calls: used_libraries::find(&file),
        uses: clusters::find(&file),
        constants: constants::find(&file).into_iter().chain(words::find(&file)).collect(),
        code_bytes: file.code.iter().map(|c| c.bytes.len()).sum(),
    })
}

/// All object files of an archive together.
fn scan_archive(bytes: &[u8]) -> Result<Report, ScanError> {
    let (members, whole) = archive::members(bytes);
    if !whole {
        return Err(ScanError::Archive("that is damaged or cut short"));
    }
    let mut all: Option<Report> = None;
    for member in members.into_iter().filter(|m| m.starts_with(ELF)) {
        let report = scan_elf(member)?;
        match &mut all {
            None => all = Some(report),
            Some(all) => all.join(report),
        }
    }
    let mut all = all.ok_or(ScanError::Archive("without an ELF object file"))?;
    library::without_ancestors(&mut all.libraries);
    // A symbol that another member defines does not refer to an external library.
    all.calls.retain(|c| !all.libraries.iter().any(|l| c.library.contains(&l.name)));
    Ok(Report { linkage: Linkage::Archive, ..all })
}

impl Report {
    /// Adds another member of the same archive.
    fn join(&mut self, other: Report) {
        if other.machine != self.machine {
            self.machine = Machine::Other;
        }
        self.stripped &= other.stripped;
        for l in other.libraries {
            match self.libraries.iter_mut().find(|own| own.name == l.name) {
                Some(own) if own.version.is_empty() => own.version = l.version,
                Some(_) => {}
                None => self.libraries.push(l),
            }
        }
        self.calls.extend(
            other.calls.into_iter().filter(|c| !self.calls.contains(c)).collect::<Vec<_>>(),
        );
        for u in other.uses {
            match self.uses.iter_mut().find(|o| (o.extension, o.family) == (u.extension, u.family))
            {
                Some(own) => own.join(u),
                None => self.uses.push(u),
            }
        }
        for c in other.constants {
            if !self.constants.iter().any(|own| own.what == c.what) {
                self.constants.push(c);
            }
        }
        self.code_bytes += other.code_bytes;
    }

    /// Whether any instructions of an extension are certainly code.
    pub fn has(&self, extension: &str) -> bool {
        self.uses.iter().any(|u| u.extension == extension && u.sure)
    }

    /// The number of instructions of a family that are certainly code.
    pub fn family(&self, family: Family) -> usize {
        let own = self.uses.iter().filter(|u| u.family == family && u.sure);
        own.map(|u| u.count).sum()
    }

    /// Whether it has dedicated instructions for any algorithm. Carry-less multiplication alone may be for checksums.
    pub fn is_accelerated(&self) -> bool {
        // Zvkg has no use but GHASH.
        self.has("zvkg") || Family::OWN.iter().any(|f| *f != Family::Ghash && self.family(*f) > 0)
    }
}
