//! Finding the program of an `execve`: scripts lead to their interpreters, dynamic programs need the dynamic linker.

use crate::base::errno::Errno;
use crate::fs::abi::at;
use crate::fs::{FileRef, OpenFile};
use crate::interface::ElfError;
use crate::kernel::Kernel;
use crate::load::{self, Program};
use crate::space::FileBytes;
use std::os::fd::OwnedFd;
use std::rc::Rc;

/// Maximum length of a script's first line (`BINPRM_BUF_SIZE`).
const SHEBANG: usize = 256;
/// Maximum nesting of scripts as interpreters.
const SCRIPT_DEPTH: u32 = 4;

/// A program to run.
pub struct Request {
    /// Directory descriptor that a relative path starts from.
    pub dirfd: i32,
    /// Path as given.
    pub path: Vec<u8>,
    /// `AT_*` flags.
    pub flags: u32,
    /// Arguments.
    pub argv: Vec<Vec<u8>>,
    /// Environment.
    pub envp: Vec<Vec<u8>>,
}

impl Request {
    /// The name that the program goes by (`bprm->filename` of Linux): the path as given, or one through `/dev/fd` when it
    /// is relative to a descriptor.
    pub fn filename(&self) -> Vec<u8> {
        let fd = self.dirfd;
        match &self.path[..] {
            path if fd == at::FDCWD || path.starts_with(b"/") => path.to_vec(),
            b"" => format!("/dev/fd/{fd}").into_bytes(),
            path => [format!("/dev/fd/{fd}/").as_bytes(), path].concat(),
        }
    }
}

impl FileBytes for OpenFile {
    fn size(&self) -> u64 {
        self.stat().map_or(0, |s| s.size)
    }

    fn read_at(&self, offset: u64, to: &mut [u8]) -> Result<usize, Errno> {
        // Programs may be executable without being readable.
        self.object().positioned().pread(to, offset)
    }

    fn image(&self) -> Option<Rc<OwnedFd>> {
        self.object().mappable().image()
    }
}

/// An interpreter and its argument.
type Shebang = (Vec<u8>, Option<Vec<u8>>);

/// Parses a script's first line.
fn shebang(file: &FileRef) -> Result<Option<Shebang>, Errno> {
    let mut head = [0; SHEBANG];
    let n = file.read_at(0, &mut head)?;
    let Some(line) = head[..n].strip_prefix(b"#!") else { return Ok(None) };
    let end = line.iter().position(|b| *b == b'\n').unwrap_or(line.len());
    let line = line[..end].trim_ascii();
    let split = line.iter().position(|b| matches!(b, b' ' | b'\t'));
    let (name, rest) = line.split_at(split.unwrap_or(line.len()));
    if name.is_empty() {
        return Err(Errno::ENOEXEC);
    }
    let rest = rest.trim_ascii();
    Ok(Some((name.to_vec(), (!rest.is_empty()).then(|| rest.to_vec()))))
}

fn open_program(k: &Kernel, r: &Request) -> Result<(FileRef, Vec<u8>), Errno> {
    k.with_caller(|vfs, c| vfs.open_exec(c, r.dirfd, &r.path, r.flags))
}

/// Follows `#!` lines to the program proper; `argv` becomes its arguments.
pub fn resolve(k: &Kernel, r: &mut Request) -> Result<(FileRef, Vec<u8>), ElfError> {
    for depth in 0..=SCRIPT_DEPTH {
        let (file, path) = open_program(k, r).map_err(|e| match depth {
            0 => ElfError::File(e),
            _ => ElfError::Script {
                interpreter: String::from_utf8_lossy(&r.path).into_owned(),
                cause: Box::new(e.into()),
            },
        })?;
        let Some((interpreter, argument)) = shebang(&file)? else { return Ok((file, path)) };
        let mut argv = vec![interpreter.clone()];
        argv.extend(argument);
        argv.push(r.filename());
        argv.extend(r.argv.drain(..).skip(1));
        (r.argv, r.path, r.flags) = (argv, interpreter, 0);
        r.dirfd = at::FDCWD;
    }
    Err(ElfError::ScriptDepth(SCRIPT_DEPTH))
}

/// Opens and checks the program's interpreter.
pub fn interpreter(
    k: &Kernel,
    program: &Program,
) -> Result<Option<(FileRef, Vec<u8>, Program)>, ElfError> {
    let Some(path) = &program.interp else { return Ok(None) };
    let request = Request {
        dirfd: at::FDCWD,
        path: path.clone(),
        flags: 0,
        argv: Vec::new(),
        envp: Vec::new(),
    };
    let name = String::from_utf8_lossy(path).into_owned();
    let (file, path) = open_program(k, &request).map_err(|cause| {
        let package = package_of(&name);
        ElfError::Interpreter { path: name.clone(), cause, package }
    })?;
    match load::elf::parse(&*file) {
        Ok(p) if p.interp.is_none() => Ok(Some((file, path, p))),
        Ok(_) => {
            let cause = Box::new(ElfError::Malformed("it has an interpreter itself".into()));
            Err(ElfError::BadInterpreter { path: name, cause })
        }
        Err(e) => Err(ElfError::BadInterpreter { path: name, cause: Box::new(e) }),
    }
}

/// The Debian package that contains an interpreter, as messages name it: `package libc6`.
fn package_of(interpreter: &str) -> &'static str {
    let name = interpreter.rsplit('/').next().unwrap_or_default();
    if name.starts_with("ld-musl") {
        "package musl"
    } else if name.starts_with("ld-linux") {
        "package libc6"
    } else {
        "the package that contains it"
    }
}
