//! Why a program cannot be loaded.

use crate::base::errno::Errno;

/// Why a program's file cannot be opened for running.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unopened {
    /// Nothing exists at the path.
    #[error(
        "no such file in the guest, which sees the sysroot, the current directory and --bind; show its directory with --bind, or add its package to the sysroot"
    )]
    Missing,
    /// It is a symbolic link to a path that does not exist.
    #[error(
        "a symbolic link to {0}, which the guest does not have; show that with --bind, or name the target"
    )]
    Dangling(String),
    /// It is a directory.
    #[error("a directory; name a program in it")]
    Directory,
    /// No permission bit allows it.
    #[error("not executable; set its mode (chmod +x), or name the interpreter before it")]
    NotExecutable,
    /// A device, pipe or socket.
    #[error("not a regular file; name a program")]
    Special,
    /// Another error.
    #[error("cannot be opened ({0}); check the path and its directories")]
    Other(Errno),
}

/// Why a file cannot be run. The texts name the remedy; `LoadError` adds the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ElfError {
    /// A file operation failed.
    #[error("{0}")]
    File(Errno),
    /// The first program cannot be opened.
    #[error("{0}")]
    Open(Unopened),
    /// The interpreter of a script cannot be run.
    #[error("its #! line asks for {interpreter}: {cause}")]
    Script {
        /// The interpreter's path in that line.
        interpreter: String,
        /// Why.
        cause: Box<ElfError>,
    },
    /// Neither ELF nor a script.
    #[error("not an ELF file and not a script (no #! line); give a riscv64 Linux program")]
    NotElf,
    /// ELFCLASS32.
    #[error("a 32-bit ELF file (ELFCLASS32); only RV64 programs run here")]
    Class32,
    /// Not little-endian.
    #[error("a big-endian ELF file; RISC-V Linux programs are little-endian")]
    BigEndian,
    /// Of another architecture.
    #[error(
        "built for {0}, not for RISC-V; take the program from a riscv64 sysroot or cross-compile it"
    )]
    Machine(String),
    /// Neither ET_EXEC nor ET_DYN.
    #[error("ELF type {0} is not a program; link it first (a relocatable object cannot run)")]
    Type(String),
    /// The base ISA has 16 registers.
    #[error("built for RV64E (EF_RISCV_RVE); only RV64I programs run here")]
    Embedded,
    /// The file is shorter than its headers say.
    #[error("truncated: {what} ends at byte {end}, the file has {size}; copy or build it again")]
    Truncated {
        /// Header or segment.
        what: String,
        /// Where it should end.
        end: u64,
        /// Bytes of the file.
        size: u64,
    },
    /// A header contradicts the ELF specification or cannot be honoured.
    #[error("malformed ELF: {0}; build it again")]
    Malformed(String),
    /// The program needs more memory than the guest has.
    #[error("needs {bytes} bytes for its segments, more than the guest's memory; raise --memory")]
    Memory {
        /// Bytes of all segments.
        bytes: u64,
    },
    /// The interpreter (dynamic linker) is not in the sysroot.
    #[error(
        "its interpreter {path} cannot be opened in the guest ({cause}); add {package} to the sysroot, or link statically"
    )]
    Interpreter {
        /// Guest path.
        path: String,
        /// Why.
        cause: Errno,
        /// The Debian package that contains it.
        package: &'static str,
    },
    /// The interpreter cannot be run.
    #[error("its interpreter {path}: {cause}")]
    BadInterpreter {
        /// Guest path.
        path: String,
        /// Why.
        cause: Box<ElfError>,
    },
    /// Scripts are nested too deeply as interpreters.
    #[error("its interpreter is itself a script, and so on, more than {0} deep; check its #! line")]
    ScriptDepth(u32),
    /// Arguments and environment are too long.
    #[error("arguments and environment need {bytes} bytes, more than {limit}; pass fewer")]
    Arguments {
        /// Their size.
        bytes: u64,
        /// A quarter of the stack, as Linux grants.
        limit: u64,
    },
}

impl ElfError {
    /// What `execve` returns for it.
    pub fn errno(&self) -> Errno {
        match self {
            ElfError::File(e) | ElfError::Open(Unopened::Other(e)) => *e,
            ElfError::Open(Unopened::Missing | Unopened::Dangling(_)) => Errno::ENOENT,
            ElfError::Open(_) => Errno::EACCES,
            ElfError::Script { cause, .. } => cause.errno(),
            ElfError::Interpreter { cause, .. } => *cause,
            ElfError::BadInterpreter { .. } => Errno::ELIBBAD,
            ElfError::ScriptDepth(_) => Errno::ELOOP,
            ElfError::Arguments { .. } => Errno::E2BIG,
            ElfError::Memory { .. } => Errno::ENOMEM,
            _ => Errno::ENOEXEC,
        }
    }
}

impl From<Errno> for ElfError {
    fn from(e: Errno) -> ElfError {
        ElfError::File(e)
    }
}
