//! `capvec sysroot`: package trees of other architectures.

mod args;
mod list;

use crate::cmd::progress::spinner;
use crate::cmd::{print_path, say, usage};
use anyhow::anyhow;
use args::{Action, Add, Gc};
use capvec_sysroot::{Collect, Error, Item, Progress, Request, Store, Sysroot};
use capvec_text::digits::space;
use list::list;
use std::process::ExitCode;

pub use args::Args;

/// Runs `capvec sysroot`.
///
/// # Errors
/// Usage errors (exit status 2) and failures (3), with a message that names the remedy. `check` returns exit status 1 if a
/// file has changed.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let store = Store::from_env()?;
    match args.action {
        Action::Add(args) => add(&store, args),
        Action::List(args) => list(&store, args.format),
        Action::Check(args) => check(&store.get(&args.name)?),
        Action::Gc(args) => gc(&store, &args),
        Action::Remove(args) => {
            let removed = with_spinner(|progress| store.remove(&args.name, progress));
            let removed = removed.map_err(|e| match e {
                // The error's own text advises to create it.
                Error::NotFound { name, known } => {
                    usage(anyhow!("no sysroot {name:?} to remove (there are: {known})"))
                }
                other => other.into(),
            })?;
            say!("removed {}", removed.names.join(" and "));
            if let Some((name, why)) = removed.damaged {
                say!("kept {name}, since it is not known whether capvec made it: {why}");
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn add(store: &Store, args: Add) -> anyhow::Result<ExitCode> {
    let sysroot = with_spinner(|progress| match (args.from, args.name) {
        (Some(directory), Some(name)) => store.register(&name, &directory, progress),
        (_, name) => {
            let Add { suite, arch, mirror, keyring, packages, .. } =
                Add { from: None, name: None, ..args };
            store.add(
                &Request { name, suite, arch, mirror, keyring, packages, automatic: false },
                progress,
            )
        }
    })?;
    match sysroot.manifest.packages.len() {
        0 => say!("sysroot {}: registered in place", sysroot.name),
        1 => say!("sysroot {}: 1 package", sysroot.name),
        packages => say!("sysroot {}: {packages} packages", sysroot.name),
    }
    print_path(&sysroot.root)?;
    Ok(ExitCode::SUCCESS)
}

fn gc(store: &Store, args: &Gc) -> anyhow::Result<ExitCode> {
    let what = Collect { keep: args.keep, dry_run: args.dry_run, only: None };
    let done = with_spinner(|progress| store.collect(what, progress))?;
    let line = |verb: &str, i: &Item| format!("{verb} {} ({})\n", i.name, space(i.bytes));
    let verb = if args.dry_run { "would remove" } else { "removed" };
    let lines = done.removed.iter().map(|i| line(verb, i));
    let lines = lines.chain(done.busy.iter().map(|i| line("in use:", i)));
    let lines: String = lines.chain(done.kept.iter().map(|i| line("kept", i))).collect();
    let freed = space(done.removed.iter().map(|i| i.bytes).sum());
    let total = if args.dry_run { "would free" } else { "freed" };
    print(&format!("{lines}{total} {freed}\n"))
}

fn check(sysroot: &Sysroot) -> anyhow::Result<ExitCode> {
    let name = &sysroot.name;
    let Some(found) = sysroot.check(true)? else {
        return Err(anyhow!(
            "sysroot {name}: nothing is known about its files: either it is a registered directory, or an older capvec \
             made it; in the latter case, remove it and add it again"
        ));
    };
    let lines = found.changed.iter().map(|c| format!("{}: {}\n", c.path.display(), c.what));
    crate::cmd::print(&lines.collect::<String>())?;
    if found.changed.is_empty() {
        return print(&format!("sysroot {name}: {} files, as installed\n", found.files));
    }
    let changed = found.changed.len();
    say!(
        "sysroot {name}: {changed} of {} files differ from what was installed: run `capvec sysroot remove {name}` and \
         add it again",
        found.files
    );
    Ok(ExitCode::FAILURE)
}

/// The message when a program of the sysroot was killed by a signal that a damaged file may cause.
pub fn damage(name: &str) -> Option<String> {
    let found = Store::from_env().ok()?.get(name).ok()?.check(false).ok()??;
    let first = found.changed.first()?;
    let more = match found.changed.len() {
        1 => String::new(),
        n => format!(", and {} more", n - 1),
    };
    Some(format!(
        "the sysroot {name} is damaged ({}: {}{more}): see `capvec sysroot check {name}`",
        first.path.display(),
        first.what
    ))
}

/// Runs `work` with its progress shown on standard error.
fn with_spinner<T>(work: impl FnOnce(&mut dyn FnMut(&Progress)) -> T) -> T {
    let steps = spinner(false);
    let result = work(&mut |progress| steps.set_message(progress.to_string()));
    steps.finish_and_clear();
    result
}

/// Prints a result.
fn print(text: &str) -> anyhow::Result<ExitCode> {
    crate::cmd::print(text)?;
    Ok(ExitCode::SUCCESS)
}
