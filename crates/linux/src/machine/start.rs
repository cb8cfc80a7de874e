//! Loading the first program of a machine.

use crate::base::errno::Errno;
use crate::fs::abi::{at, s};
use crate::interface::{ElfError, LoadError, Unopened};
use crate::kernel::Kernel;
use crate::kernel::exec::{Request, exec};

/// Makes `cwd` the working directory.
pub fn enter_directory(k: &mut Kernel, cwd: &[u8]) -> Result<(), LoadError> {
    let dir = k.with_caller(|vfs, c| vfs.chdir(c, cwd));
    let name = || String::from_utf8_lossy(cwd).into_owned();
    let dir = dir.map_err(|e| LoadError::Cwd(name(), e))?;
    k.process().fs.borrow_mut().cwd = dir;
    Ok(())
}

/// The path of a program: as given if it has a slash, else the first match in the guest's PATH.
fn find_program(k: &Kernel, program: &[u8], env: &[Vec<u8>]) -> Result<Vec<u8>, LoadError> {
    if program.contains(&b'/') {
        return Ok(program.to_vec());
    }
    let path = env.iter().find_map(|e| e.strip_prefix(b"PATH=")).unwrap_or_default();
    for dir in path.split(|b| *b == b':') {
        let dir = if dir.is_empty() { b"." } else { dir };
        let full = [dir, b"/", program].concat();
        if k.with_caller(|vfs, c| vfs.open_exec(c, at::FDCWD, &full, 0)).is_ok() {
            return Ok(full);
        }
    }
    Err(LoadError::NotFound {
        program: String::from_utf8_lossy(program).into_owned(),
        path: String::from_utf8_lossy(path).into_owned(),
    })
}

/// Loads the first program.
pub fn load_first(k: &mut Kernel, argv: Vec<Vec<u8>>, envp: Vec<Vec<u8>>) -> Result<(), LoadError> {
    let program = argv.first().filter(|p| !p.is_empty()).ok_or(LoadError::NoProgram)?;
    let path = find_program(k, program, &envp)?;
    let name = String::from_utf8_lossy(&path).into_owned();
    let request = Request { dirfd: at::FDCWD, path, flags: 0, argv, envp };
    let copy = request.path.clone();
    exec(k, request).map_err(|cause| {
        let cause = explain(k, cause, &copy);
        LoadError::Program { path: name, cause }
    })
}

/// Adds the reason why the first program could not be opened.
fn explain(k: &Kernel, cause: ElfError, path: &[u8]) -> ElfError {
    match cause {
        ElfError::File(e) => ElfError::Open(unopened(k, path, e)),
        ElfError::Script { interpreter, cause } => {
            let cause = Box::new(explain(k, *cause, interpreter.as_bytes()));
            ElfError::Script { interpreter, cause }
        }
        other => other,
    }
}

fn unopened(k: &Kernel, path: &[u8], e: Errno) -> Unopened {
    let stat = |flags| k.with_caller(|vfs, c| vfs.stat_at(c, at::FDCWD, path, flags));
    match (e, stat(0).map(|s| s.file_type())) {
        (Errno::EACCES, Ok(s::IFDIR)) => Unopened::Directory,
        (Errno::EACCES, Ok(s::IFREG)) => Unopened::NotExecutable,
        (Errno::EACCES, Ok(_)) => Unopened::Special,
        (Errno::ENOENT, Err(Errno::ENOENT)) => {
            match k.with_caller(|vfs, c| vfs.readlinkat(c, at::FDCWD, path)) {
                Ok(to) => Unopened::Dangling(String::from_utf8_lossy(&to).into_owned()),
                Err(_) => Unopened::Missing,
            }
        }
        _ => Unopened::Other(e),
    }
}
