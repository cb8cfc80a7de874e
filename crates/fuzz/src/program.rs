//! Programs of user-mode Linux.

use capvec_isa::Isa;
use capvec_linux::{Input, Machine, Options, Output};
use capvec_timing::Core;
use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of instructions of a run.
const INSNS: u64 = 20_000;
/// Bytes of guest memory.
const MEMORY: u64 = 16 << 20;
/// A run that takes this many seconds is stuck.
const SECONDS: u64 = 10;

thread_local! {
    /// One root for all runs of a thread: making one takes longer than a run.
    static ROOT: RefCell<Option<tempfile::TempDir>> = const { RefCell::new(None) };
}

fn root() -> PathBuf {
    ROOT.with_borrow_mut(|r| {
        r.get_or_insert_with(|| tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"))).path().into()
    })
}

/// Runs these bytes as a program in an empty system and checks that limits hold. Returns its exit status, unless it
/// is refused.
fn execute(program: &[u8]) -> Option<u8> {
    let (Ok(core), Ok(isa)) = (Core::load("ideal"), "rv64gcv_zk_zks_zicntr".parse::<Isa>()) else {
        panic!("the core ideal and its ISA are known");
    };
    let root = root();
    std::fs::write(root.join("prog"), program).unwrap_or_else(|e| panic!("{e}"));
    let mut options = Options::new(&root, vec![b"/prog".to_vec()], Arc::new(core.hart(isa)));
    options.max_insns = Some(INSNS);
    options.memory = MEMORY;
    options.quantum = 500;
    options.timeout = Some(Duration::from_secs(SECONDS));
    (options.stdin, options.stdout, options.stderr) =
        (Input::Bytes(b"input".to_vec()), Output::Capture, Output::Capture);
    let start = std::time::Instant::now();
    let exit = Machine::new(options, core.engine(false)).ok().map(|mut machine| machine.run());
    if let Some(exit) = &exit {
        assert!(exit.peak_memory <= MEMORY, "{} bytes", exit.peak_memory);
    }
    let took = start.elapsed().as_secs();
    assert!(took < SECONDS, "stuck for {took} s");
    exit.map(|e| e.status.code())
}

/// Refuses or runs an ELF file.
pub fn run(data: &[u8]) {
    status(data);
}

/// Like `run`, but returns the program's exit status if it ran.
pub fn status(data: &[u8]) -> Option<u8> {
    // The file must be executable: its mode is not what is fuzzed.
    let path = root().join("prog");
    if !path.exists() {
        use std::os::unix::fs::PermissionsExt;
        let made = std::fs::write(&path, b"")
            .and_then(|()| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)));
        made.unwrap_or_else(|e| panic!("{e}"));
    }
    execute(data)
}
