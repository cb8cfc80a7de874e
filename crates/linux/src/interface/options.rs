//! Options of a machine.

use super::notice::Notify;
use super::setting::{Bind, ClockMode, Concealed, Net};
use capvec_isa::capability::Misaligned;
use capvec_sim::Config;
use capvec_sim::calls::Follower;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Duration;

/// The guest's standard input.
#[derive(Clone, Debug, Default)]
pub enum Input {
    /// The host's.
    #[default]
    Inherit,
    /// These bytes, then the end.
    Bytes(Vec<u8>),
}

/// The guest's standard output or error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Output {
    /// The host's.
    #[default]
    Inherit,
    /// Captured for [`crate::Exit`], up to 64 MiB; beyond that the guest gets `ENOSPC`.
    Capture,
}

/// The program to run, and how to run it. [`Options::new`] has the defaults.
pub struct Options {
    /// Host directory that is the guest's `/`.
    pub root: PathBuf,
    /// Host directories that the guest sees.
    pub binds: Vec<Bind>,
    /// Program and arguments. A program without a slash is looked up in the guest's PATH.
    pub argv: Vec<Vec<u8>>,
    /// The guest's whole environment as `NAME=value`; nothing of the host's is added.
    pub env: Vec<Vec<u8>>,
    /// Guest path of the working directory.
    pub cwd: Vec<u8>,
    /// The hart.
    pub config: Arc<Config>,
    /// Name of the core's microarchitecture for `/proc/cpuinfo`.
    pub core_name: String,
    /// Speed of misaligned scalar and vector accesses, as `riscv_hwprobe` reports it.
    pub misaligned: [Misaligned; 2],
    /// Features of the hart that the kernel does not report.
    pub concealed: Concealed,
    /// Where time comes from.
    pub clock: ClockMode,
    /// Retired instructions after which another thread runs.
    pub quantum: u64,
    /// Retired instructions after which the run ends.
    pub max_insns: Option<u64>,
    /// Host time after which the run ends.
    pub timeout: Option<Duration>,
    /// Guest memory in bytes.
    pub memory: u64,
    /// Sockets.
    pub net: Net,
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    /// Seed of all random numbers that the guest gets.
    pub seed: u64,
    /// Seed of a random layout of each program's address space; `None` for the fixed layout.
    pub layout: Option<u64>,
    /// Set by the host when its user interrupts: the guest's foreground process group gets SIGINT, as from a terminal.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Set by the host to the number of a signal that ends the run: the guest ends as if by that signal, and private
    /// files are removed.
    pub terminate: Option<Arc<AtomicUsize>>,
    /// Follows the threads, for a profile. The engine reports calls to it.
    pub profile: Option<Rc<RefCell<dyn Follower>>>,
    /// Called with each notice as it arises.
    pub notify: Option<Notify>,
}

impl Options {
    /// Runs `argv` on `root` with the defaults: default environment, working directory `/`, virtual
    /// clock, 4 GiB of memory, no network, standard streams of the host.
    pub fn new(root: impl Into<PathBuf>, argv: Vec<Vec<u8>>, config: Arc<Config>) -> Options {
        Options {
            root: root.into(),
            binds: Vec::new(),
            argv,
            env: DEFAULT_ENV.iter().map(|(k, v)| format!("{k}={v}").into_bytes()).collect(),
            cwd: b"/".to_vec(),
            seed: config.seed,
            layout: None,
            config,
            core_name: "capvec".into(),
            misaligned: [Misaligned::Fast; 2],
            concealed: Concealed::default(),
            clock: ClockMode::Virtual,
            quantum: 100_000,
            max_insns: None,
            timeout: None,
            memory: 4 << 30,
            net: Net::None,
            stdin: Input::Inherit,
            stdout: Output::Inherit,
            stderr: Output::Inherit,
            interrupt: None,
            terminate: None,
            profile: None,
            notify: None,
        }
    }

    /// Sets a variable of the guest's environment, in place of one of the same name.
    pub fn set_env(&mut self, name: &[u8], value: &[u8]) {
        let entry = [name, b"=", value].concat();
        let same = |e: &&mut Vec<u8>| e.starts_with(name) && e.get(name.len()) == Some(&b'=');
        match self.env.iter_mut().find(same) {
            Some(old) => *old = entry,
            None => self.env.push(entry),
        }
    }
}

/// The default environment of a guest.
const DEFAULT_ENV: [(&str, &str); 5] = [
    ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    ("HOME", "/root"),
    ("USER", "root"),
    ("LANG", "C"),
    ("TERM", "dumb"),
];
