//! Arguments of `capvec sysroot`.

use crate::cmd::flags::{bytes, with_default};
use capvec_sysroot::{
    DEFAULT_ARCH, DEFAULT_SUITE, Error, check_arch, check_mirror, check_name, check_package,
    check_suite,
};
use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;

/// Manage sysroots: package trees of other architectures, fetched through apt
///
/// They are kept below $CAPVEC_HOME (default ~/.local/share/capvec). Nothing else on the system changes.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    pub action: Action,
}

#[derive(Debug, Subcommand)]
pub enum Action {
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
    /// Remove a sysroot and the build sysroot that capvec made for it; a registered directory stays
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

/// The help of a flag whose default an existing sysroot may replace.
fn own_or(help: &str, default: &str) -> String {
    with_default(help, format_args!("{default}, or the existing sysroot's"))
}

#[derive(Debug, clap::Args)]
pub struct Add {
    #[arg(long, value_parser = checked(check_suite), help = own_or("Suite of the archive", DEFAULT_SUITE))]
    pub suite: Option<String>,
    #[arg(long, value_parser = checked(check_arch), help = own_or("Debian's name for the architecture", DEFAULT_ARCH))]
    pub arch: Option<String>,
    /// Name of the sysroot [default: SUITE-ARCH]
    #[arg(long, value_parser = checked(check_name))]
    pub name: Option<String>,
    /// Register this directory in place instead of fetching packages
    #[arg(
        long, value_name = "DIR", requires = "name",
        conflicts_with_all = ["packages", "suite", "arch", "mirror", "keyring"]
    )]
    pub from: Option<PathBuf>,
    /// Keyring with the archive's signing keys [default: $CAPVEC_KEYRING, or the installed one]
    #[arg(long, value_name = "FILE")]
    pub keyring: Option<PathBuf>,
    /// URL of the archive [default: $CAPVEC_MIRROR, or the Debian archive among apt's sources]
    #[arg(long, value_name = "URL", value_parser = checked(check_mirror))]
    pub mirror: Option<String>,
    /// Names of packages
    #[arg(value_name = "PACKAGE", required_unless_present = "from",
        value_parser = checked(check_package))]
    pub packages: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub struct List {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

#[derive(Debug, clap::Args)]
pub struct Check {
    /// Name of the sysroot
    #[arg(value_parser = checked(check_name))]
    pub name: String,
}

#[derive(Debug, clap::Args)]
pub struct Remove {
    /// Name of the sysroot
    #[arg(value_parser = checked(check_name))]
    pub name: String,
}

fn size(text: &str) -> Result<u64, String> {
    bytes(text, 0..=u64::MAX, "from 0 up")
}

#[derive(Debug, clap::Args)]
pub struct Gc {
    /// Total size of what is kept
    #[arg(long, value_name = "BYTES", default_value = "2G", value_parser = size)]
    pub keep: u64,
    /// Show what would be removed, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Format {
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
