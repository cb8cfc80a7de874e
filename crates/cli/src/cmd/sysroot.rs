//! `capvec sysroot`: package trees of other architectures.

use std::path::PathBuf;
use std::process::ExitCode;

use capvec_sysroot::{Collect, Error, Item, Origin, Progress, Request, Store, Sysroot};
use capvec_sysroot::{check_arch, check_mirror, check_name, check_package, check_suite};
use clap::{Subcommand, ValueEnum};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use anyhow::anyhow;

use crate::cmd::flags::bytes;
use crate::cmd::setup::spinner;
use crate::cmd::{print_path, say, usage};

/// Package trees of other architectures, fetched through apt and kept below
/// $CAPVEC_HOME (default ~/.local/share/capvec). Nothing on the system changes.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add packages with their dependencies, or register a directory
    ///
    /// Uses the Debian mirror, proxy and keys that this machine's apt is configured with; signatures are
    /// verified. Needs no root. Prints the sysroot's root directory.
    #[command(after_help = "Examples:\n  \
        capvec sysroot add openssl\n  \
        capvec sysroot add --suite sid --arch riscv64 openssl bash coreutils\n  \
        capvec sysroot add --suite trixie --arch amd64 qemu-user\n  \
        capvec sysroot add --mirror file:/srv/debian --keyring /srv/keys.gpg openssl\n  \
        capvec sysroot add --from /srv/board-image --name board")]
    Add(Add),
    /// List the sysroots
    #[command(after_help = "Examples:\n  \
        capvec sysroot list\n  capvec sysroot list --format json")]
    List(List),
    /// Compare a sysroot's files with what was installed
    ///
    /// Reads every file. The exit status is 1 if one has changed.
    #[command(after_help = "Example:\n  capvec sysroot check trixie-riscv64")]
    Check(Check),
    /// Remove a sysroot, and the one that capvec made to compile for it (a registered directory itself stays)
    #[command(after_help = "Example:\n  capvec sysroot remove trixie-riscv64")]
    Remove(Remove),
    /// Remove what can be fetched again, least recently used first
    ///
    /// This covers the sysroots that capvec made for itself, such as those for compilers and scanned packages, compiled
    /// drivers, and downloaded packages. Sysroots that were added or registered by name stay, and so does everything that a
    /// running capvec uses. What was removed is fetched or compiled again when needed. `capvec build remove` removes builds.
    #[command(after_help = "Examples:\n  \
        capvec sysroot gc --dry-run\n  \
        capvec sysroot gc\n  \
        capvec sysroot gc --keep 0")]
    Gc(Gc),
}

#[derive(Debug, clap::Args)]
struct Add {
    /// Suite of the archive [default: trixie, or the existing sysroot's]
    #[arg(long, value_parser = checked(check_suite))]
    suite: Option<String>,
    /// Debian's name for the architecture [default: riscv64, or the existing sysroot's]
    #[arg(long, value_parser = checked(check_arch))]
    arch: Option<String>,
    /// Name of the sysroot [default: SUITE-ARCH]
    #[arg(long, value_parser = checked(check_name))]
    name: Option<String>,
    /// Register this directory in place instead of fetching packages
    #[arg(
        long, value_name = "DIR", requires = "name",
        conflicts_with_all = ["packages", "suite", "arch", "mirror", "keyring"]
    )]
    from: Option<PathBuf>,
    /// Keyring with the archive's signing keys [default: $CAPVEC_KEYRING, or the installed one]
    #[arg(long, value_name = "FILE")]
    keyring: Option<PathBuf>,
    /// URL of the archive [default: $CAPVEC_MIRROR, or the Debian archive among apt's sources]
    #[arg(long, value_name = "URL", value_parser = checked(check_mirror))]
    mirror: Option<String>,
    /// Names of packages
    #[arg(value_name = "PACKAGE", required_unless_present = "from",
        value_parser = checked(check_package))]
    packages: Vec<String>,
}

#[derive(Debug, clap::Args)]
struct List {
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

#[derive(Debug, clap::Args)]
struct Check {
    /// Name of the sysroot
    #[arg(value_parser = checked(check_name))]
    name: String,
}

#[derive(Debug, clap::Args)]
struct Remove {
    /// Name of the sysroot
    #[arg(value_parser = checked(check_name))]
    name: String,
}

fn size(text: &str) -> Result<u64, String> {
    bytes(text, 0..=u64::MAX, "from 0 up")
}

#[derive(Debug, clap::Args)]
struct Gc {
    /// Total size that may stay
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = size)]
    keep: u64,
    /// Say what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// Turns one of the library's checks into clap's, so that a bad value is a usage error.
fn checked(
    check: fn(&str) -> Result<(), Error>,
) -> impl Fn(&str) -> Result<String, String> + Clone + Send + Sync + 'static {
    move |value| match check(value) {
        Ok(()) => Ok(value.to_owned()),
        // clap shows the value itself.
        Err(Error::Invalid { why, .. }) => Err(why),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs `capvec sysroot`.
///
/// # Errors
/// Failures (exit status 3), with a message that names the remedy.
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
                say!("left {name}, since who made it cannot be read: {why}");
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
    let line = |verb: &str, i: &Item| format!("{verb} {} ({})\n", i.name, mebibytes(i.bytes));
    let verb = if args.dry_run { "would remove" } else { "removed" };
    let lines = done.removed.iter().map(|i| line(verb, i));
    let lines = lines.chain(done.busy.iter().map(|i| line("in use:", i)));
    let lines: String = lines.chain(done.kept.iter().map(|i| line("kept", i))).collect();
    let freed = mebibytes(done.removed.iter().map(|i| i.bytes).sum());
    let total = if args.dry_run { "would free" } else { "freed" };
    print(&format!("{lines}{total} {freed}\n"))
}

fn check(sysroot: &Sysroot) -> anyhow::Result<ExitCode> {
    let name = &sysroot.name;
    let Some(found) = sysroot.check(true)? else {
        return Err(anyhow!(
            "sysroot {name}: nothing is known of its files: it is a registered directory, or was made by an \
             older capvec; then remove it and add it again"
        ));
    };
    let lines = found.changed.iter().map(|c| format!("{}: {}\n", c.path.display(), c.what));
    crate::cmd::print(&lines.collect::<String>())?;
    if found.changed.is_empty() {
        return print(&format!("sysroot {name}: {} files, as installed\n", found.files));
    }
    let changed = found.changed.len();
    say!(
        "sysroot {name}: {changed} of {} files are not as installed: run `capvec sysroot remove {name}` and \
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

fn list(store: &Store, format: Format) -> anyhow::Result<ExitCode> {
    let sysroots = store.list()?;
    for (_, sysroot) in &sysroots {
        if let Err(error) = sysroot {
            say!("{error}");
        }
    }
    match format {
        Format::Json => {
            let rows = sysroots.iter().map(json_row).collect::<anyhow::Result<Vec<Value>>>()?;
            print(&format!("{}\n", serde_json::to_string_pretty(&rows)?))
        }
        Format::Table => print(&format!("{}\n", table(&sysroots)?)),
    }
}

fn json_row((name, sysroot): &(String, Result<Sysroot, Error>)) -> anyhow::Result<Value> {
    Ok(match sysroot {
        Ok(sysroot) => json!({
            "name": name,
            "origin": sysroot.manifest.origin,
            "packages": sysroot.manifest.packages,
            "size_bytes": sysroot.size_bytes()?,
            "path": sysroot.root,
        }),
        Err(error) => json!({ "name": name, "error": error.to_string() }),
    })
}

fn table(sysroots: &[(String, Result<Sysroot, Error>)]) -> anyhow::Result<Table> {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["name", "suite", "arch", "packages", "size", "path"]);
    for column in [3, 4] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for (name, sysroot) in sysroots {
        let none = || "-".to_owned();
        let Ok(sysroot) = sysroot else {
            table.add_row([name.clone(), none(), none(), "damaged".to_owned(), none(), none()]);
            continue;
        };
        let (suite, arch, packages) = match &sysroot.manifest.origin {
            Origin::Apt { suite, arch, .. } => {
                (suite.clone(), arch.clone(), sysroot.manifest.packages.len().to_string())
            }
            Origin::Directory { .. } => (none(), none(), none()),
        };
        let size = mebibytes(sysroot.size_bytes()?);
        let path = sysroot.root.display().to_string();
        table.add_row([name.clone(), suite, arch, packages, size, path]);
    }
    Ok(table)
}

/// A size in MiB with one decimal.
fn mebibytes(bytes: u64) -> String {
    let tenths = (u128::from(bytes) * 10 + (1 << 19)) >> 20;
    format!("{}.{} MiB", tenths / 10, tenths % 10)
}

/// Prints a result.
fn print(text: &str) -> anyhow::Result<ExitCode> {
    crate::cmd::print(text)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::mebibytes;

    #[test]
    fn sizes_are_rounded_to_a_tenth() {
        assert_eq!(mebibytes(0), "0.0 MiB");
        assert_eq!(mebibytes(1 << 20), "1.0 MiB");
        assert_eq!(mebibytes((1 << 20) * 3 / 2), "1.5 MiB");
        assert_eq!(mebibytes(52_429), "0.1 MiB");
        assert_eq!(mebibytes(52_428), "0.0 MiB");
        assert_eq!(mebibytes(u64::MAX), "17592186044416.0 MiB");
    }
}
