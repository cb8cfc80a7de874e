//! `execve`: replacing the program of a process.

use crate::base::cred::Cred;
use crate::base::errno::Errno;
use crate::fs::{FileRef, OpenFile};
use crate::kernel::{Kernel, vector};
use crate::load::stack::{self, Contents, at};
use crate::load::{self, ElfError, Program};
use crate::process::Image;
use crate::process::thread::{Context, Wait, Wake};
use crate::signal::AltStack;
use crate::space::{FileBytes, FileId, PIE_BASE, Space, TRAMPOLINE, Vma, page_up};
use capvec_isa::{Ext, ExtSet};
use capvec_sim::Config;
use capvec_sim::mem::{PAGE, Perm};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum length of a script's first line (`BINPRM_BUF_SIZE`).
const SHEBANG: usize = 256;
/// Maximum nesting of scripts as interpreters.
const SCRIPT_DEPTH: u32 = 4;
/// Maximum bytes of a thread's name (`TASK_COMM_LEN` without the NUL).
const COMM: usize = 15;

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
    fn filename(&self) -> Vec<u8> {
        let fd = self.dirfd;
        match &self.path[..] {
            path if fd == crate::fs::abi::at::FDCWD || path.starts_with(b"/") => path.to_vec(),
            b"" => format!("/dev/fd/{fd}").into_bytes(),
            path => [format!("/dev/fd/{fd}/").as_bytes(), path].concat(),
        }
    }
}

/// A loaded program, ready to replace another.
struct Prepared {
    space: Space,
    context: Context,
    image: Image,
    comm: Vec<u8>,
    config: Arc<Config>,
    vector_control: u32,
}

impl FileBytes for OpenFile {
    fn size(&self) -> u64 {
        self.stat().map_or(0, |s| s.size)
    }

    fn read_at(&self, offset: u64, to: &mut [u8]) -> Result<usize, Errno> {
        // Programs may be executable without being readable.
        self.object().positioned().pread(to, offset)
    }
}

fn file_id(file: &FileRef, path: &[u8]) -> Rc<FileId> {
    let stat = file.stat().unwrap_or_default();
    Rc::new(FileId { path: path.to_vec(), dev: stat.dev, ino: stat.ino, _charge: None })
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

impl Kernel {
    fn open_program(&self, r: &Request) -> Result<(FileRef, Vec<u8>), Errno> {
        self.with_caller(|vfs, c| vfs.open_exec(c, r.dirfd, &r.path, r.flags))
    }

    /// Follows `#!` lines to the program proper; `argv` becomes its arguments.
    fn resolve(&self, r: &mut Request) -> Result<(FileRef, Vec<u8>), ElfError> {
        for depth in 0..=SCRIPT_DEPTH {
            let (file, path) = self.open_program(r).map_err(|e| match depth {
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
            r.dirfd = crate::fs::abi::at::FDCWD;
        }
        Err(ElfError::ScriptDepth(SCRIPT_DEPTH))
    }

    /// Opens and checks the program's interpreter.
    fn interpreter(
        &self,
        program: &Program,
    ) -> Result<Option<(FileRef, Vec<u8>, Program)>, ElfError> {
        let Some(path) = &program.interp else { return Ok(None) };
        let request = Request {
            dirfd: crate::fs::abi::at::FDCWD,
            path: path.clone(),
            flags: 0,
            argv: Vec::new(),
            envp: Vec::new(),
        };
        let name = String::from_utf8_lossy(path).into_owned();
        let (file, path) = self.open_program(&request).map_err(|cause| {
            let package = load::package_of(&name);
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

    fn load(&self, mut r: Request) -> Result<Prepared, ElfError> {
        // A script's own, not its interpreter's.
        let filename = r.filename();
        let (file, path) = self.resolve(&mut r)?;
        let program = load::elf::parse(&*file)?;
        let interpreter = self.interpreter(&program)?;
        let (config, vector_control) = vector::config_after_exec(self);

        let mut space = Space::new(&self.memory.account)?;
        let main = load::map(&mut space, &*file, &file_id(&file, &path), &program)?;
        let (base, entry) = match &interpreter {
            None => (0, main.bias.wrapping_add(program.entry)),
            Some((file, path, p)) => {
                let loaded = load::map(&mut space, &**file, &file_id(file, path), p)?;
                // Programs take the address of its first segment for its load address.
                (loaded.bias.wrapping_add(p.span().0), loaded.bias.wrapping_add(p.entry))
            }
        };
        let heap = if program.dynamic && program.interp.is_none() { PIE_BASE } else { main.end };
        space.brk_start = page_up(heap).ok_or(Errno::ENOMEM)?;
        space.brk = space.brk_start;
        map_trampoline(&mut space)?;
        space.map_stack()?;

        let mut random = [0; 16];
        self.files.vfs.platform().fill_random(&mut random);
        let phdr = if program.phdr == 0 { 0 } else { main.bias.wrapping_add(program.phdr) };
        let shown = self.core.visible_exts(&config);
        let auxv = auxiliary(&config, shown, &program, phdr, base, main.bias, self.cred());
        let contents = Contents { argv: &r.argv, envp: &r.envp, execfn: &filename, random, auxv };
        let built = stack::build(&mut space, &contents)?;

        let mut context = Context::new(config.vlen);
        context.set_start(entry, built.sp);
        let strings = (built.args.end - built.args.start) + (built.env.end - built.env.start);
        let image = Image {
            _charge: Some(self.memory.account.take(path.len() as u64 + strings)?),
            path,
            args: built.args,
            env: built.env,
            auxv: built.auxv,
            stack: built.sp,
            code: main.bias.wrapping_add(program.segments[0].vaddr),
        };
        let base = filename.rsplit(|b| *b == b'/').next().unwrap_or_default();
        let comm = base[..base.len().min(COMM)].to_vec();
        Ok(Prepared { space, context, image, comm, config, vector_control })
    }

    /// Replaces the program of the current process. On an error nothing has changed.
    ///
    /// # Errors
    /// The reason why it cannot be run.
    pub fn exec(&mut self, request: Request) -> Result<(), ElfError> {
        let prepared = self.load(request)?;
        self.tasks.unshare_files()?;
        let Prepared { space, mut context, image, comm, config, vector_control } = prepared;
        let pid = self.thread().pid;
        self.end_other_threads(pid, self.tasks.current);
        self.tasks.become_main_thread(pid);
        self.sched.cancel_timers(&mut self.tasks, pid, false);
        self.run.programs += 1;
        let p = self.process_mut();
        let old = std::mem::replace(&mut p.space, Rc::new(RefCell::new(space)));
        p.image = Rc::new(image);
        (p.config, p.vector_control) = (config, vector_control);
        p.has_execed = true;
        p.fds.borrow_mut().close_on_exec();
        let mut actions = p.actions.borrow().clone();
        actions.reset_handlers();
        p.actions = Rc::new(RefCell::new(actions));
        let t = self.thread_mut();
        t.comm = comm;
        t.altstack = AltStack::default();
        let cred = t.cred.after_exec();
        self.tasks.set_cred(cred);
        let t = self.thread_mut();
        (t.clear_tid, t.robust_list) = (0, 0);
        self.release_space(old, pid);
        context.swap(&mut self.hart);
        self.enter_space();
        self.hart.reservation = None;
        self.run.profile_program(&self.tasks);
        self.debug_exec();
        self.sched.wake_where(&mut self.tasks, Wake::Event, |_, on| on == Wait::Vfork(pid));
        Ok(())
    }
}

fn map_trampoline(space: &mut Space) -> Result<(), Errno> {
    let mut vma = Vma::anon(TRAMPOLINE + PAGE, Perm::R.union(Perm::X));
    vma.id = Some(Rc::new(FileId { path: b"[vdso]".to_vec(), dev: 0, ino: 0, _charge: None }));
    space.map(TRAMPOLINE, vma)?;
    let code = super::signal_delivery::trampoline();
    space.mem.write_as(TRAMPOLINE, &code, Perm::NONE).map_err(|_| Errno::EFAULT)
}

/// Bit of a single-letter extension in `AT_HWCAP`.
fn hwcap(shown: ExtSet) -> u64 {
    let letters =
        [(Ext::A, 'a'), (Ext::C, 'c'), (Ext::D, 'd'), (Ext::F, 'f'), (Ext::M, 'm'), (Ext::V, 'v')];
    let bit = |letter: char| 1 << (letter as u32 - 'a' as u32);
    let have = letters.iter().filter(|(e, _)| shown.has(*e));
    have.fold(bit('i'), |bits, (_, letter)| bits | bit(*letter))
}

fn auxiliary(
    config: &Config,
    shown: ExtSet,
    program: &Program,
    phdr: u64,
    base: u64,
    bias: u64,
    cred: &Cred,
) -> Vec<(u64, u64)> {
    let (uid, gid) = (cred.uid, cred.gid);
    vec![
        (at::MINSIGSTKSZ, super::signal_delivery::frame_size(config)),
        (at::HWCAP, hwcap(shown)),
        (at::PAGESZ, PAGE),
        (at::CLKTCK, 100),
        (at::PHDR, phdr),
        (at::PHENT, 56),
        (at::PHNUM, program.phnum),
        (at::BASE, base),
        (at::FLAGS, 0),
        (at::ENTRY, bias.wrapping_add(program.entry)),
        (at::UID, uid.real.into()),
        (at::EUID, uid.effective.into()),
        (at::GID, gid.real.into()),
        (at::EGID, gid.effective.into()),
        // A program with other rights than its caller must not trust its environment.
        (at::SECURE, (uid.real != uid.effective || gid.real != gid.effective).into()),
    ]
}
