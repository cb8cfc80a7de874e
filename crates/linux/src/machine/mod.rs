//! The machine: the interface of this crate.

pub mod confine;
mod debug;
mod start;
mod stream;

use crate::base::cred::Cred;
use crate::fs::{FdTable, FileRef, OpenFile, Vfs, VfsConfig};
use crate::interface::{ConfineError, Exit, Input, LoadError, Options, Output};
use crate::kernel::exec::vector_control::DEFAULT_CONTROL;
use crate::kernel::fs_platform::Devices;
use crate::kernel::run::Run;
use crate::kernel::time::clock::Clock;
use crate::kernel::tracing::debugger::Debugger;
use crate::kernel::tracing::profiler::Profiler;
use crate::kernel::{Core, Files, HostInput, Kernel, MemoryState, Network, Schedule, Tasks};
use crate::netlink::Ports;
use crate::process::futex_queue::Futexes;
use crate::process::rlimits::Limits;
use crate::process::thread::{Context, Thread};
use crate::process::timer_queue::Timers;
use crate::process::timers::ProcessTimers;
use crate::process::{FsContext, Image, Life, Process};
use crate::signal::{Actions, Pending};
use crate::space::{Account, Layout, Reads, SharedFiles, Space, StopRequest};
use crate::sysv_ipc::Ipc;
use capvec_sim::{Engine, Hart};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::os::fd::AsFd;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::time::Instant;

/// The number of the first process.
const FIRST: i32 = 100;

/// Where captured output goes.
type Capture = Option<Rc<RefCell<Vec<u8>>>>;

/// A machine that is ready to run a program.
pub struct Machine {
    kernel: Kernel,
    stdout: Capture,
    stderr: Capture,
}

fn output(vfs: &Vfs, how: Output, host: HostStream) -> Result<(FileRef, Capture), LoadError> {
    match how {
        Output::Inherit => Ok((host.open(vfs)?, None)),
        Output::Capture => {
            let (file, captured) = stream::sink();
            Ok((file, Some(captured)))
        }
    }
}

/// A standard stream of the host.
#[derive(Clone, Copy)]
enum HostStream {
    Input,
    Output,
    Error,
}

impl HostStream {
    fn open(self, vfs: &Vfs) -> Result<FileRef, LoadError> {
        let (copy, name) = match self {
            HostStream::Input => (std::io::stdin().as_fd().try_clone_to_owned(), "input"),
            HostStream::Output => (std::io::stdout().as_fd().try_clone_to_owned(), "output"),
            HostStream::Error => (std::io::stderr().as_fd().try_clone_to_owned(), "error"),
        };
        let copy = copy.map_err(|e| LoadError::Stream(name, e))?;
        vfs.stdio(copy).map_err(|e| LoadError::Stream(name, std::io::Error::from_raw_os_error(e.0)))
    }
}

/// The standard streams.
struct Streams {
    fds: FdTable,
    host_files: Vec<Weak<OpenFile>>,
    /// What is captured of standard output and error.
    captured: [Capture; 2],
}

fn streams(o: &Options, vfs: &Vfs) -> Result<Streams, LoadError> {
    let (stdout, stdout_kept) = output(vfs, o.stdout, HostStream::Output)?;
    let (stderr, stderr_kept) = output(vfs, o.stderr, HostStream::Error)?;
    let stdin = match &o.stdin {
        Input::Inherit => HostStream::Input.open(vfs)?,
        Input::Bytes(bytes) => stream::source(bytes.clone()),
    };
    let host_files = vec![Rc::downgrade(&stdin)];
    let mut fds = FdTable::new();
    for file in [stdin, stdout, stderr] {
        // The table is empty, so there is room.
        let _ = fds.insert(file, 0);
    }
    Ok(Streams { fds, host_files, captured: [stdout_kept, stderr_kept] })
}

fn file_system(o: &Options, devices: &Rc<Devices>) -> Result<Vfs, LoadError> {
    let mut config = VfsConfig::new(&o.root);
    config.binds = o.binds.clone();
    Ok(Vfs::new(&config, Rc::clone(devices) as Rc<dyn crate::fs::Platform>)?)
}

fn first_process(o: &Options, vfs: &Vfs, space: Rc<RefCell<Space>>, fds: FdTable) -> Process {
    Process {
        pid: FIRST,
        ppid: crate::process::INIT,
        pgid: FIRST,
        sid: FIRST,
        cred: Rc::new(Cred::root()),
        space,
        fds: Rc::new(RefCell::new(fds)),
        fs: Rc::new(RefCell::new(FsContext { cwd: vfs.root(), umask: 0o022 })),
        actions: Rc::new(RefCell::new(Actions::default())),
        pending: Pending::default(),
        threads: BTreeSet::from([FIRST]),
        exit_signal: 0,
        life: Life::Running,
        unreported: None,
        image: Rc::new(Image::default()),
        comm: Vec::new(),
        has_execed: false,
        config: Arc::clone(&o.config),
        vector_control: DEFAULT_CONTROL,
        undo: Rc::default(),
        timers: ProcessTimers::default(),
        limits: Limits::default(),
        death_signal: 0,
        subreaper: false,
        past_cycles: 0,
        child_cycles: 0,
        started: 0,
        _charge: None,
        peak_mapped: 0,
    }
}

/// The first thread and process.
fn tasks(thread: Thread, process: Process) -> Tasks {
    Tasks {
        threads: BTreeMap::from([(FIRST, thread)]),
        processes: BTreeMap::from([(FIRST, process)]),
        current: FIRST,
        first: FIRST,
        next_tid: FIRST + 1,
        foreground: FIRST,
        reads: Reads::default(),
    }
}

/// The schedule, in which the first thread is ready; `quantum` is in instructions.
fn schedule(quantum: u64) -> Schedule {
    Schedule {
        ready: [FIRST].into(),
        timers: Timers::default(),
        futexes: Futexes::default(),
        quantum: quantum.max(1),
        yielded: false,
        pace: 1,
        interrupted: None,
        accounted: 0,
        idle_cycles: 0,
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.kernel.files.vfs.close();
    }
}

impl Machine {
    /// Sets up the system and loads the program.
    ///
    /// # Errors
    /// [`LoadError`] names the cause and the remedy.
    pub fn new(o: Options, engine: Box<dyn Engine>) -> Result<Machine, LoadError> {
        crate::interface::check_host()?;
        crate::kernel::check_config(&o.config).map_err(LoadError::Isa)?;
        let deadline = o.timeout.and_then(|t| Instant::now().checked_add(t));
        let account =
            Rc::new(Account::limited(o.memory, StopRequest::new(deadline, o.terminate.clone())));
        let clock = Clock::new(o.clock, o.config.frequency);
        let devices = Rc::new(Devices::new(clock, &account, o.seed));
        let vfs = file_system(&o, &devices)?;
        let layout = o.layout.map_or(Layout::default(), Layout::random);
        let space = Rc::new(RefCell::new(Space::new(&account).map_err(LoadError::Memory)?));

        let Streams { fds, host_files, captured } = streams(&o, &vfs)?;
        let mut hart = Hart::new(Arc::clone(&o.config), space.borrow().mem.clone());
        if devices.clock.is_host() {
            hart.clock = capvec_sim::hart::Clock::Host(devices.clock.start());
        }
        let process = first_process(&o, &vfs, Rc::clone(&space), fds);
        let thread =
            Thread::new(FIRST, FIRST, Rc::clone(&process.cred), Context::new(o.config.vlen));
        let core = Core {
            config: Arc::clone(&o.config),
            concealed: o.concealed,
            name: o.core_name,
            misaligned: o.misaligned,
        };
        let profiler = Profiler::new(o.profile);
        profiler.start(&vfs);
        let mut kernel = Kernel {
            hart,
            engine,
            core,
            devices,
            memory: MemoryState { account, layout, no_space: space },
            tasks: tasks(thread, process),
            sched: schedule(o.quantum),
            files: Files { vfs, mapped: SharedFiles::default(), seen_activity: 0 },
            ipc: Ipc::default(),
            network: Network { allowed: o.net, netlink_ports: Ports::default() },
            host: HostInput {
                files: host_files,
                seen: 0,
                waiting_since: None,
                interrupt: o.interrupt,
            },
            run: Run::new(o.max_insns, o.notify),
            profiler,
            debugger: Debugger::default(),
        };
        start::enter_directory(&mut kernel, &o.cwd)?;
        start::load_first(&mut kernel, o.argv, o.env)?;
        kernel.memory.account.stop_request().start();
        let [stdout, stderr] = captured;
        Ok(Machine { kernel, stdout, stderr })
    }

    /// Permanently confines the calling thread to what running this machine needs: see [`confine::confine`].
    ///
    /// # Errors
    /// When the host does not support it.
    pub fn confine(&self) -> Result<(), ConfineError> {
        confine::confine(self.kernel.network.allowed)
    }

    /// Runs until the first process has ended, or a limit is reached.
    pub fn run(&mut self) -> Exit {
        let status = self.kernel.run();
        let k = &mut self.kernel;
        let take = |captured: &Capture| captured.as_ref().map(|b| b.take()).unwrap_or_default();
        Exit {
            status,
            instret: k.hart.instret,
            cycles: k.hart.cycles - k.sched.idle_cycles,
            idle_cycles: k.sched.idle_cycles,
            seconds: k.now() as f64 / crate::base::time::SECOND as f64,
            peak_memory: k.memory.account.peak(),
            programs: k.run.programs,
            notices: std::mem::take(&mut k.run.notices),
            stdout: take(&self.stdout),
            stderr: take(&self.stderr),
        }
    }

    /// The engine, for its counts.
    pub fn engine(&self) -> &dyn Engine {
        &*self.kernel.engine
    }
}
