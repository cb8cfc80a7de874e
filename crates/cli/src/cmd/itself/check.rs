//! `capvec self check`.

use crate::cmd::print;
use crate::cmd::setup::TOOL;
use crate::cmd::sysroot::damage;
use anyhow::{Context, Result, bail, ensure};
use capvec_isa::Isa;
use capvec_linux::Net;
use capvec_sim::mem::{PAGE, Perm};
use capvec_sim::{Cause, Engine, Hart, Memory, Stop};
use capvec_sysroot::Store;
use capvec_targets::SYSROOT;
use capvec_text::escape;
use capvec_timing::Core;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

/// A check: what it examines, and what it found.
type Check = (&'static str, fn() -> Result<String>);

const CHECKS: [Check; 6] = [
    ("program", program),
    ("interpreter", interpreter),
    ("translating engine", translator),
    ("sandbox", sandbox),
    ("store", store),
    ("sysroot", sysroot),
];

/// Prints a line for each check; the exit status is 1 if one of them failed.
pub fn run() -> Result<ExitCode> {
    let mut failed = false;
    for (what, check) in CHECKS {
        let line = match check() {
            Ok(found) => format!("ok      {what}: {found}\n"),
            Err(e) => {
                failed = true;
                format!("FAILED  {what}: {e:#}\n")
            }
        };
        print(&line)?;
    }
    Ok(ExitCode::from(u8::from(failed)))
}

fn program() -> Result<String> {
    let program = std::env::current_exe().context("finding the running program")?;
    let (system, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    Ok(format!("{TOOL} for {system} on {arch}, {}", escape::path(&program)))
}

/// A round of AES on both element groups of a register, a thousand times, so that the translating engine translates it.
const LOOP: &str = "li t0, 1000\n vsetivli zero, 8, e32, m1, ta, ma\n\
    again: vaesem.vv v2, v4\n addi t0, t0, -1\n bnez t0, again\n ebreak";
const CODE: u64 = 0x1_0000;

/// Memory of guests is counted in `/proc/self/maps`, and their files are opened through `/proc/self/fd`.
fn has_proc() -> Result<()> {
    let there = !cfg!(target_os = "linux") || std::fs::exists("/proc/self/maps").unwrap_or(false);
    ensure!(there, "this needs a host /proc (mount -t proc proc /proc)");
    Ok(())
}

/// What the loop leaves in v2 on this engine, and how many instructions retired.
fn result(mut engine: Box<dyn Engine>) -> Result<(Vec<u8>, u64)> {
    has_proc()?;
    let isa: Isa = "rv64gcv_zvkned".parse()?;
    let code = capvec_asm::assemble(LOOP, CODE, isa)?;
    let memory = Memory::new()?;
    memory.map(CODE, PAGE, Perm::R.union(Perm::X))?;
    let _ = memory.write_as(CODE, &code, Perm::NONE);
    memory.code_changed();
    let mut hart = Hart::new(Arc::new(Core::load("ideal")?.hart(isa)), memory);
    hart.pc = CODE;
    match engine.run(&mut hart, u64::MAX) {
        Stop::Trap(trap) if trap.cause == Cause::Breakpoint => {}
        other => bail!("the test program ended with {other:?}"),
    }
    let bytes = hart.v.vlenb();
    Ok((hart.v.bytes(2)[..bytes].to_vec(), hart.instret))
}

/// With a state and a key of zeros, every byte goes through the S-box a thousand times, since MixColumns leaves columns of four equal
/// bytes as they are (FIPS 197, section 5.1.3: 2 ⊕ 3 ⊕ 1 ⊕ 1 = 1). The S-box returns to 0 after 59 times, and 56 times give 0xd4.
const RESULT: u8 = 0xd4;

fn interpreter() -> Result<String> {
    let (state, retired) = result(Core::load("ideal")?.engine(false))?;
    ensure!(state.iter().all(|byte| *byte == RESULT), "AES gives a wrong result");
    Ok(format!("{retired} instructions, the result is right"))
}

fn translator() -> Result<String> {
    let core = Core::load("ideal")?;
    let engine = match capvec_jit::engine(capvec_jit::Options::default(), None) {
        Ok(engine) => engine,
        Err(e) => return Ok(format!("not on this machine ({e}); the interpreter does the work")),
    };
    ensure!(
        result(engine)? == result(core.engine(false))?,
        "its result differs from the interpreter's"
    );
    Ok("the same result as the interpreter".into())
}

/// On a thread of its own, which stays confined.
fn sandbox() -> Result<String> {
    capvec_linux::check_host()?;
    has_proc()?;
    let confined = std::thread::spawn(|| capvec_linux::confine(Net::None)).join();
    match confined {
        Ok(Ok(())) => Ok("guests run confined".into()),
        Ok(Err(e)) => bail!("guests would not be confined: {e}"),
        Err(_) => bail!("this check itself failed"),
    }
}

fn store() -> Result<String> {
    let store = Store::from_env()?;
    let home = store.home();
    let name = escape::path(home);
    std::fs::create_dir_all(home)
        .with_context(|| format!("cannot make {name}; set CAPVEC_HOME"))?;
    tempfile::tempfile_in(home)
        .with_context(|| format!("cannot write to {name}; set CAPVEC_HOME"))?;
    Ok(name)
}

fn sysroot() -> Result<String> {
    if Store::from_env()?.get(SYSROOT).is_err() {
        let apt = Command::new("apt-get").arg("--version").stdout(Stdio::null()).status();
        ensure!(
            apt.is_ok(),
            "{SYSROOT} has to be fetched with apt-get, which is not installed here"
        );
        return Ok(format!(
            "{SYSROOT} is fetched when it is first needed (capvec bench --setup-only)"
        ));
    }
    match damage(SYSROOT) {
        Some(text) => bail!("{text}"),
        None => Ok(format!("{SYSROOT} is complete")),
    }
}
