//! `capvec doctor`: is cryptography accelerated here, and if not, why.

mod checks;
mod kernel;
mod scan;

use crate::cmd::core_flags::CoreFlags;
use crate::cmd::flags::{
    self, Format, only_with, openssl_subjects, terminal_width, vlen_help, with_default,
};
use crate::cmd::misaligned::MisalignedFlag;
use crate::cmd::progress::spinner;
use crate::cmd::target::TargetFlags;
use crate::cmd::{Usage, say};
use anyhow::Result;
use capvec_bench::run::Runner;
use capvec_doctor::{Findings, Judgement, Request};
use capvec_guest::{LONGEST, LibraryKind, Program};
use capvec_kat::VectorGate;
use capvec_linux::Concealed;
use capvec_record::published::speeds::KARU64;
use capvec_targets::{CORE, Feature, Library, SubjectName, Target, TargetName};
use checks::{cases, configured, processor, refuse, size, target};
use clap::ValueEnum;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Report whether each algorithm is accelerated here and, if not, why, with evidence, the loss and a remedy
///
/// Queries the processor (by trying an instruction of each extension), the kernel, the C library, the library and its
/// code. Then runs each algorithm with the library as it is configured, configured to use no extension, and configured
/// to use every extension that executes; with --target sim, libcapvec is compared too. The exit status is 1 if an answer is
/// wrong or acceleration that the processor offers is lost; --fail-on changes that.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec doctor --target native\n  \
    capvec doctor --target ssh:board -v\n  \
    capvec doctor --core karu64 --isa rva23u64 --cost\n  \
    capvec doctor --hide zvkned,zvkg\n  \
    capvec doctor --env OPENSSL_riscvcap=rv64gcv_zvkned\n  \
    capvec doctor --subject ./build/libcrypto.so.3\n  \
    capvec doctor --target native --program /usr/bin/ssh\n  \
    capvec doctor --package libnettle8t64\n  \
    capvec doctor --runtimes\n  \
    capvec doctor --kernel /\n  \
    capvec doctor --target ssh:board --kernel /\n  \
    capvec doctor --kernel linux-image-riscv64\n\n\
    Verdicts: accelerated; fallback (portable code); faster code exists (in another library, at least 1.5 times as fast); \
    hidden by kernel; hidden by libc; not built (the library has no code for what executes); not detected (the library does \
    not see what the kernel shows); wrong (answers). docs/doctor.md explains these, and the verdicts for files.")]
#[command(mut_arg("core", |a| a.help(with_default("Core model of the simulator: a name from `capvec cores list`, or a file", CORE))))]
#[command(mut_arg("isa", |a| a.help("ISA of the simulator's hart, such as rv64gcv_zvkned or rva23u64 [default: the core's]")))]
#[command(mut_arg("vlen", |a| a.help(vlen_help("Vector register length in bits", "the core's own"))))]
pub struct Args {
    #[command(flatten)]
    on: TargetFlags,
    #[arg(long, alias = "library", default_value_t = SubjectName::default(), conflicts_with_all = ["program", "package", "kernel"],
        help = format!("Library: {}", openssl_subjects("the target's own")))]
    subject: SubjectName,
    /// Scan this program or library, and the shared libraries that it needs, instead of running algorithms
    #[arg(long, value_name = "PATH", conflicts_with = "package")]
    program: Option<PathBuf>,
    /// Scan the programs and libraries of a Debian package, fetched through apt, for the target's architecture
    #[arg(long, value_name = "NAME")]
    package: Option<String>,
    /// Examine a kernel: the root of a running system (/ for this machine, or for the board of --target ssh:HOST), a configuration file, or a kernel package of
    /// Debian's, as a .deb or by its name, fetched through apt for the target's architecture
    #[arg(long, value_name = "ROOT|CONFIG|DEB|NAME", conflicts_with_all = ["program", "package"])]
    kernel: Option<PathBuf>,
    /// Report which language runtimes and libraries (Go, OpenJDK, Node, GnuTLS, nettle, libgcrypt, libsodium, Mbed TLS) do not use what the
    /// core or this machine has, from what was measured of Debian's versions for RISC-V
    #[arg(long, conflicts_with_all = ["program", "package", "kernel", "subject"])]
    runtimes: bool,
    #[arg(long, value_delimiter = ',', help = with_default(
        "Algorithms: names, families and groups of `capvec bench --list`; also spelled --cases",
        format_args!("the {} most used", checks::USUAL.len()),
    ))]
    algorithms: Vec<String>,
    /// The same as --algorithms
    #[arg(long, value_delimiter = ',', hide = true, conflicts_with = "algorithms")]
    cases: Vec<String>,
    #[arg(long, value_parser = size_in_range, help = with_default("Message size in bytes, up to 1 GiB", KARU64.bytes))]
    bytes: Option<u32>,
    /// The library's configuration, such as OPENSSL_riscvcap=VALUE [default, with --target native: the
    /// environment's]
    #[arg(long, value_name = "NAME=VALUE")]
    env: Option<String>,
    #[command(flatten)]
    core: CoreFlags,
    #[command(flatten)]
    misaligned: MisalignedFlag,
    /// Hide these extensions of the hart from programs
    #[arg(long, value_name = "EXT", value_delimiter = ',')]
    hide: Vec<String>,
    /// Give the simulator's kernel no riscv_hwprobe, as in Linux before 6.4
    #[arg(long)]
    no_hwprobe: bool,
    #[arg(long, help = only_with(
        "Also measure what each extension that the core lacks would add",
        Feature::Cost,
    ))]
    cost: bool,
    /// Findings that make the exit status 1
    #[arg(long, value_enum, default_value = "lost")]
    fail_on: FailOn,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Show the evidence for each verdict
    #[arg(short, long)]
    verbose: bool,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// Findings that make the exit status 1.
#[derive(Clone, Copy, ValueEnum)]
enum FailOn {
    /// Wrong answers only
    Wrong,
    /// Also acceleration that the processor offers, but that the library does not use or was built without
    Lost,
    /// Also algorithms for which only another library is much faster
    Faster,
}

/// A message size.
fn size_in_range(text: &str) -> Result<u32, String> {
    Ok(flags::bytes(text, 16..=1 << 30, "from 16 to 1G")? as u32)
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    refuse(&args)?;
    let found = match (&args.program, &args.package) {
        (Some(path), _) => scan::program(&args.on, path, processor(&args)?)?,
        (_, Some(name)) => scan::package(&args.on, name, &processor(&args)?, args.quiet)?,
        _ => match &args.kernel {
            Some(what) => kernel::examine(&args.on, what, args.quiet)?,
            None if args.runtimes => runtimes(&args)?,
            None => diagnose(&args)?,
        },
    };
    let text = match args.format {
        Format::Table => capvec_doctor::text(&found, args.verbose, terminal_width()),
        Format::Md => capvec_doctor::markdown(&found, args.verbose),
        Format::Csv => capvec_doctor::csv(&found),
        Format::Json => serde_json::to_string_pretty(&found)? + "\n",
    };
    crate::cmd::print(&text)?;
    if matches!(args.fail_on, FailOn::Faster) && args.on.target != TargetName::Sim {
        say!(
            "warning: --fail-on faster: libcapvec runs in the simulator only, so nothing was compared with it"
        );
    }
    let fails = match args.fail_on {
        FailOn::Wrong => found.is_wrong(),
        FailOn::Lost => found.is_lost(),
        FailOn::Faster => found.is_slower(),
    };
    Ok(if fails { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn runtimes(args: &Args) -> Result<Findings> {
    let what = "--runtimes: nothing is known for this architecture; `--package NAME` scans the code of a library, such as libnettle8t64";
    capvec_doctor::runtimes(&processor(args)?)?.ok_or_else(|| Usage(what.into()).into())
}

/// Opens a target with the drivers for examining its library.
fn open(
    args: &Args,
    target: &Target,
    library: &Library,
    progress: &mut dyn FnMut(&str),
) -> Result<Runner> {
    let trial = library.kind == LibraryKind::OpenSsl;
    let others = [
        (trial, Program::Trial),
        (trial, Program::Check),
        (size(args) > LONGEST, Program::MeasureLong),
    ];
    let others = others.into_iter().filter(|(needed, _)| *needed).map(|(_, program)| program);
    let programs: Vec<Program> = std::iter::once(Program::Measure).chain(others).collect();
    Runner::open(target, library, &programs, progress)
}

/// The library of `--subject`, unless it is the target's own.
fn library(args: &Args, target: &Target) -> Result<Option<Library>> {
    let other = args.subject != SubjectName::OpenSsl;
    other.then(|| target.find(&args.subject)).transpose()
}

fn diagnose(args: &Args) -> Result<Findings> {
    let target = target(args)?;
    let own = Library::own(&SubjectName::OpenSsl);
    let given = library(args, &target)?;
    let cases = cases(args)?;
    let bar = spinner(args.quiet);
    let progress = &mut |what: &str| bar.set_message(what.to_string());
    let subject = open(args, &target, given.as_ref().unwrap_or(&own), progress)?;
    let arch = subject.target().arch();
    let vlen = target.vlens(args.core.vlen().as_slice()).first().copied().unwrap_or(0);
    let gate = Arc::new(VectorGate::new(&cases, false, None)?);
    let configured = configured(args, arch)?;
    let request = Request { cases, bytes: size(args), vlen, configured, gate };
    progress("running the algorithms");
    let mut diagnosis = capvec_doctor::examine(&subject, &request)?;
    // What other libraries achieve on the same target: the target's own, then this project's.
    if given.is_some() && diagnosis.judgements.iter().any(Judgement::wants_reference) {
        match open(args, &target, &own, progress) {
            Ok(own) => {
                diagnosis =
                    diagnosis.compared_with(&own, &request, "the target's own library", false)?;
            }
            Err(e) => say!("the target's own library could not be measured for comparison: {e:#}"),
        }
    }
    let wants = |j: &Judgement| j.wants_reference() || j.is_accelerated();
    if args.on.target == TargetName::Sim && diagnosis.judgements.iter().any(wants) {
        // On a kernel that hides nothing: what the library could achieve.
        let target = Target { concealed: Concealed::default(), ..target };
        let other = open(args, &target, &Library::own(&SubjectName::Capvec), progress)?;
        diagnosis = diagnosis.compared_with(&other, &request, "libcapvec", true)?;
    }
    let cost = match args.cost {
        true => {
            progress("measuring what extensions would add");
            Some(capvec_doctor::cost(&subject, &request)?)
        }
        false => None,
    };
    bar.finish_and_clear();
    for warning in &diagnosis.warnings {
        say!("warning: {warning}");
    }
    Ok(Findings::of_target(diagnosis.found(), cost))
}
