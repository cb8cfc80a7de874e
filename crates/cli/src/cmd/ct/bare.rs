//! `capvec ct --bare`: a program without an operating system.

use super::{Args, Format, assume, marks, show};
use crate::cmd::bare_console::Console;
use crate::cmd::limits::interrupts;
use crate::cmd::run::{bare, guest};
use crate::cmd::{Usage, say};
use anyhow::{Context, Result};
use capvec_bare::{Bare, Image, Options};
use capvec_ct::{Checker, Suppressions};
use capvec_linux::Net;
use capvec_text::escape;
use capvec_timing::Core;
use std::io::{LineWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub fn run(args: &Args, core: &Core, suppressions: &Suppressions) -> Result<ExitCode> {
    let [program] = &args.launch.program[..] else {
        return Err(Usage("--bare: the program gets no arguments".into()).into());
    };
    let path = Path::new(program);
    let name = escape::path(path);
    let file = std::fs::read(path).map_err(|e| {
        Usage(format!("{name}: {e}; with --bare the program is a file of the host"))
    })?;
    let image = Image::parse(&file).map_err(|e| Usage(format!("{name}: {e}")))?;
    let config = guest::config(&args.launch, core);
    let checker = Checker::new(marks::of(args, Path::new("/"))?, &config)
        .context("no host memory for the shadow of the guest's memory")?;
    assume(args, core, &checker);
    let mut machine =
        Bare::new(&image, options(args, config)?).map_err(|e| Usage(format!("{name}: {e}")))?;
    bare::warn_if_endless(&image, &args.launch.limits, &name.to_string());
    checker.follow_bare(&path.to_string_lossy(), &file, machine.hart());
    if let Err(e) = capvec_linux::confine(Net::None) {
        say!("{e}");
    }
    let outcome = machine.run(&mut *checker.engine(None));
    // The console's reader may be gone.
    let _ = machine.finish();
    show(args, &checker, bare::report(outcome), suppressions)
}

/// The options that the flags give. In table format, the console is standard output.
fn options(args: &Args, config: capvec_sim::hart::Config) -> Result<Options> {
    let limits = &args.launch.limits;
    let interrupt = interrupts()?;
    let timeout = limits.timeout.map(Duration::from_secs);
    let until = timeout.and_then(|t| Instant::now().checked_add(t));
    let console: Box<dyn Write> = match args.format {
        Format::Table => {
            Box::new(LineWriter::new(Console { until, interrupt: Arc::clone(&interrupt) }))
        }
        _ => Box::new(std::io::stderr()),
    };
    Ok(Options {
        config: Arc::new(config),
        memory: limits.memory,
        max_insns: limits.max_insns,
        timeout,
        interrupt: Some(interrupt),
        console,
        log: None,
    })
}
