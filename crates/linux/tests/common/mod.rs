//! Guest programs for tests: a small assembler on the instruction table's encoder, an ELF file around its output, and
//! a machine that runs it.

pub mod asm;

use asm::Asm;
use capvec_isa::Isa;
use capvec_linux::{Exit, Input, LoadError, Machine, Options, Output};
use capvec_sim::hart::{Agnostic, Config, MustAlign};
use capvec_sim::{Interpreter, timing::Ideal};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

/// Core clock of the tests in Hz: one cycle is 10 ns.
pub const FREQUENCY: u64 = 100_000_000;

/// Registers.
pub mod reg {
    pub const ZERO: u8 = 0;
    pub const RA: u8 = 1;
    pub const SP: u8 = 2;
    pub const T0: u8 = 5;
    pub const T1: u8 = 6;
    pub const T2: u8 = 7;
    pub const S0: u8 = 8;
    pub const S1: u8 = 9;
    pub const A0: u8 = 10;
    pub const A1: u8 = 11;
    pub const A2: u8 = 12;
    pub const A3: u8 = 13;
    pub const A4: u8 = 14;
    pub const A5: u8 = 15;
    pub const A7: u8 = 17;
    pub const S2: u8 = 18;
    pub const S3: u8 = 19;
    pub const S4: u8 = 20;
    pub const S5: u8 = 21;
    pub const T3: u8 = 28;
}

/// System call numbers.
pub mod nr {
    pub const FTRUNCATE: u64 = 46;
    pub const PIPE2: u64 = 59;
    pub const READ: u64 = 63;
    pub const WRITE: u64 = 64;
    pub const EXIT: u64 = 93;
    pub const EXIT_GROUP: u64 = 94;
    pub const FUTEX: u64 = 98;
    pub const NANOSLEEP: u64 = 101;
    pub const SETITIMER: u64 = 103;
    pub const CLOCK_GETTIME: u64 = 113;
    pub const SCHED_RR_GET_INTERVAL: u64 = 127;
    pub const KILL: u64 = 129;
    pub const SIGACTION: u64 = 134;
    pub const SIGRETURN: u64 = 139;
    pub const PRCTL: u64 = 167;
    pub const GETPID: u64 = 172;
    pub const MUNMAP: u64 = 215;
    pub const MREMAP: u64 = 216;
    pub const CLONE: u64 = 220;
    pub const EXECVE: u64 = 221;
    pub const MMAP: u64 = 222;
    pub const MPROTECT: u64 = 226;
    pub const HWPROBE: u64 = 258;
    pub const WAIT4: u64 = 260;
    pub const GETRANDOM: u64 = 278;
    pub const MEMFD_CREATE: u64 = 279;
}

/// A hart with the extensions of an ISA string.
pub fn config(isa: &str, vlen: u32) -> Config {
    let isa: Isa = isa.parse().expect("an ISA string");
    Config {
        xlen: 64,
        exts: isa.exts,
        vlen,
        agnostic: Agnostic::Undisturbed,
        must_align: MustAlign::default(),
        cache_block: 64,
        seed: 7,
        timebase: 10_000_000,
        frequency: FREQUENCY,
    }
}

/// A directory for the guest's /, with these executable files.
pub fn root(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, bytes) in files {
        let path = dir.path().join(name.trim_start_matches('/'));
        std::fs::create_dir_all(path.parent().expect("a parent directory")).expect("a directory");
        std::fs::write(&path, bytes).expect("a file");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    dir
}

/// Options for `/prog` with captured output.
pub fn options(root: &Path, config: Config) -> Options {
    let mut o = Options::new(root, vec![b"/prog".to_vec()], Arc::new(config));
    o.stdin = Input::Bytes(Vec::new());
    (o.stdout, o.stderr) = (Output::Capture, Output::Capture);
    o.max_insns = Some(200_000_000);
    o
}

/// A machine with the reference interpreter.
pub fn machine(o: Options) -> Result<Machine, LoadError> {
    Machine::new(o, Box::new(Interpreter::new(Ideal, false)))
}

/// Runs an assembled program on an RV64GCV hart, with the options that `change` has modified.
pub fn run_with(a: &Asm, change: impl FnOnce(&mut Options)) -> Exit {
    let dir = root(&[("prog", &a.elf())]);
    let mut o = options(dir.path(), config("rv64gcv", 256));
    change(&mut o);
    machine(o).expect("the program loads").run()
}

/// Runs an assembled program.
pub fn run(a: &Asm) -> Exit {
    run_with(a, |_| {})
}

/// The 64-bit words that a program has written to its standard output.
pub fn words(exit: &Exit) -> Vec<u64> {
    exit.stdout.chunks(8).map(|c| u64::from_le_bytes(c.try_into().expect("whole words"))).collect()
}
