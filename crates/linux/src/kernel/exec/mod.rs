//! `execve`: replacing the program of a process.

mod auxv;
mod program;
mod vdso;
pub mod vector_control;

pub use program::Request;

use crate::base::errno::Errno;
use crate::fs::FileRef;
use crate::interface::ElfError;
use crate::kernel::Kernel;
use crate::load;
use crate::load::stack::{self, Contents};
use crate::process::Image;
use crate::process::thread::{Context, Wait, Wake};
use crate::signal::AltStack;
use crate::space::{FileId, Space, page_up};
use capvec_sim::Config;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum bytes of a thread's name (`TASK_COMM_LEN` without the NUL).
const COMM: usize = 15;

/// A loaded program, ready to replace another.
struct Prepared {
    space: Space,
    context: Context,
    image: Image,
    comm: Vec<u8>,
    config: Arc<Config>,
    vector_control: u32,
}

fn file_id(file: &FileRef, path: &[u8]) -> Rc<FileId> {
    let stat = file.stat().unwrap_or_default();
    Rc::new(FileId { path: path.to_vec(), dev: stat.dev, ino: stat.ino, _charge: None })
}

fn load(k: &Kernel, mut r: Request) -> Result<Prepared, ElfError> {
    // The script's name, not its interpreter's.
    let filename = r.filename();
    let (file, path) = program::resolve(k, &mut r)?;
    let program = load::elf::parse(&*file)?;
    let interpreter = program::interpreter(k, &program)?;
    let (config, vector_control) = vector_control::config_after_exec(k);

    let mut space = Space::new(&k.memory.account)?;
    space.layout = k.memory.layout;
    let main = load::map(&mut space, &*file, &file_id(&file, &path), &program)?;
    let (base, entry) = match &interpreter {
        None => (0, main.bias.wrapping_add(program.entry)),
        Some((file, path, p)) => {
            let loaded = load::map(&mut space, &**file, &file_id(file, path), p)?;
            // AT_BASE: the address of the interpreter's first segment, which programs take for its load address.
            (loaded.bias.wrapping_add(p.span().0), loaded.bias.wrapping_add(p.entry))
        }
    };
    let alone = program.dynamic && program.interp.is_none();
    let end = if alone { space.layout.program() } else { main.end };
    space.begin_heap(page_up(end).ok_or(Errno::ENOMEM)?)?;
    vdso::map(&mut space)?;
    space.map_stack()?;

    let mut random = [0; 16];
    k.files.vfs.platform().fill_random(&mut random);
    let phdr = if program.phdr == 0 { 0 } else { main.bias.wrapping_add(program.phdr) };
    let shown = k.core.visible_exts(&config);
    let auxv = auxv::entries(&config, shown, &program, phdr, base, main.bias, k.cred());
    let contents = Contents { argv: &r.argv, envp: &r.envp, execfn: &filename, random, auxv };
    let built = stack::build(&mut space, &contents)?;

    let mut context = Context::new(config.vlen);
    context.set_start(entry, built.sp);
    let strings = (built.args.end - built.args.start) + (built.env.end - built.env.start);
    let image = Image {
        _charge: Some(k.memory.account.take(path.len() as u64 + strings)?),
        path,
        args: built.args,
        env: built.env,
        auxv: built.auxv,
        stack: built.sp,
        code: main.bias.wrapping_add(program.segments[0].vaddr),
    };
    let name = filename.rsplit(|b| *b == b'/').next().unwrap_or_default();
    let comm = name[..name.len().min(COMM)].to_vec();
    Ok(Prepared { space, context, image, comm, config, vector_control })
}

/// Replaces the program of the current process. On an error nothing has changed.
///
/// # Errors
/// The reason why it cannot be run.
pub fn exec(k: &mut Kernel, request: Request) -> Result<(), ElfError> {
    let prepared = load(k, request)?;
    k.tasks.unshare_files()?;
    let Prepared { space, mut context, image, comm, config, vector_control } = prepared;
    let pid = k.thread().pid;
    k.end_other_threads(pid, k.tasks.current);
    k.tasks.become_main_thread(pid);
    k.sched.cancel_timers(&mut k.tasks, pid, false);
    k.run.programs += 1;
    let p = k.process_mut();
    let old = std::mem::replace(&mut p.space, Rc::new(RefCell::new(space)));
    p.image = Rc::new(image);
    (p.config, p.vector_control) = (config, vector_control);
    p.has_execed = true;
    p.fds.borrow_mut().close_on_exec();
    let mut actions = p.actions.borrow().clone();
    actions.reset_handlers();
    p.actions = Rc::new(RefCell::new(actions));
    let t = k.thread_mut();
    (t.comm, t.comm_kept) = (comm, 0);
    t.altstack = AltStack::default();
    let cred = t.cred.after_exec();
    k.tasks.set_cred(cred);
    let t = k.thread_mut();
    (t.clear_tid, t.robust_list) = (0, 0);
    k.release_space(old, pid);
    context.swap(&mut k.hart);
    k.enter_space();
    k.hart.reservation = None;
    k.profiler.program(&k.tasks);
    k.debugger.exec(&k.tasks);
    k.sched.wake_where(&mut k.tasks, Wake::Event, |_, on| on == Wait::Vfork(pid));
    Ok(())
}
