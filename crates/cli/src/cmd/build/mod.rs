//! `capvec build`: OpenSSL from source, with and without assembly; libcapvec as its provider, and in Mbed TLS; its ML-KEM without kernels.

mod mlkem;

use crate::cmd::progress::spinner;
use crate::cmd::{Usage, say, usage};
use anyhow::{Context, Result};
use capvec_record::Arch;
use capvec_sysroot::Store;
use capvec_targets::SYSROOT;
use capvec_targets::builds::mbedtls;
use capvec_targets::builds::{self, OwnFile, OwnProgram, Spec};
use capvec_text::escape;
use clap::Subcommand;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Build OpenSSL from source, to compare builds; build libcapvec as its provider, or into Mbed TLS
///
/// Source and compiler are Debian's, fetched through apt, unless others are given. Builds from the same source with the
/// same flags differ only in their variant. `capvec bench --subject openssl:NAME,openssl:NAME` compares them.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    capvec build openssl --arch aarch64 --variant asm\n  \
    capvec build openssl --arch aarch64 --variant no-asm\n  \
    capvec bench --target qemu:aarch64 --subject openssl:aarch64-asm,openssl:aarch64-no-asm --cases aes-128-cbc,published\n  \
    capvec build openssl --arch riscv64 --variant asm --source ~/openssl --name mine\n  \
    capvec build openssl --arch riscv64 --variant no-asm --march rv64gc,rv64gcv_zbb\n  \
    capvec build provider --output out/provider\n  \
    capvec build mbedtls --output out/mbedtls\n  \
    capvec build mlkem --march rv64gc,rv64gcv,rv64gcv_zbb_zvbb --output out/remarks\n  \
    capvec run --isa rv64gcv_zvkng --bind out/mbedtls:/mbedtls -- /mbedtls/selftest\n\n\
    CAPVEC_CC, a compiler with arguments, replaces Debian's gcc: CAPVEC_CC='zig cc -target aarch64-linux-gnu'. \
    Building OpenSSL needs perl and make.")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Build libcrypto
    Openssl(Openssl),
    /// Build libcapvec as a provider of OpenSSL 3 for riscv64
    ///
    /// The distribution's own compiler compiles it in the simulator. To use it in any program that uses OpenSSL, set
    /// OPENSSL_CONF=DIR/openssl.cnf and OPENSSL_MODULES=DIR, or give options such as -provider-path DIR -provider
    /// capvec -provider default -propquery '?provider=capvec'.
    Provider(Provider),
    /// Build the self-test of Mbed TLS 3.6 with libcapvec in it, for riscv64
    ///
    /// Mbed TLS is unchanged except for what libcapvec replaces. The program is linked statically, so it runs in any
    /// sysroot.
    Mbedtls(Mbedtls),
    /// Build libcapvec's ML-KEM from its portable C alone, for several ISAs and by two compilers, and measure each
    ///
    /// The table shows what a compiler makes of V and of other extensions by itself, next to libcapvec's kernels on the same hart.
    /// The distribution's compilers run in the simulator.
    Mlkem(mlkem::Args),
    /// List the existing builds
    List,
    /// Remove a build
    #[command(after_help = "Example:\n  capvec build remove aarch64-no-asm")]
    Remove {
        /// Name of the build, as listed, with or without `openssl:`
        #[arg(value_name = "BUILD")]
        name: String,
    },
}

#[derive(clap::Args)]
struct Provider {
    /// Directory to write capvec.so and openssl.cnf to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Name of the sysroot whose OpenSSL will load it
    #[arg(long, default_value = SYSROOT)]
    sysroot: String,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(clap::Args)]
struct Mbedtls {
    /// Directory to write the program `selftest` to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Directory with the C files of a program of your own: it is linked with the same libraries, and named like the directory
    #[arg(long, value_name = "DIR")]
    program: Option<PathBuf>,
    /// Source tree of a release, or an archive of one [default: Debian's source package]
    #[arg(long, value_name = "PATH")]
    source: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(clap::Args)]
struct Openssl {
    /// Architecture to build for: x86_64, aarch64 or riscv64
    #[arg(long, value_parser = arch)]
    arch: Arch,
    /// asm, no-asm, or other options of OpenSSL's Configure, joined by commas
    #[arg(long, default_value = "asm")]
    variant: String,
    /// Source tree, or an archive of one [default: Debian's source package]
    #[arg(long, value_name = "PATH")]
    source: Option<PathBuf>,
    /// Replace a file of the source archive with your own, such as crypto/sha/keccak1600.c=my.c; the original stays next to it as
    /// FILE.orig, so that yours can include it. Repeatable
    #[arg(long, value_name = "FILE=OWN", value_parser = OwnFile::replacing)]
    replace: Vec<OwnFile>,
    /// Add a file to the source archive, such as a header of `capvec isa header`: crypto/sha/my.h=my.h. Repeatable
    #[arg(long, value_name = "FILE=OWN", value_parser = OwnFile::added)]
    add: Vec<OwnFile>,
    /// Flags for the compiler; builds to be compared need the same flags
    #[arg(long, default_value = "-O2", allow_hyphen_values = true)]
    cflags: String,
    /// Build once for each of these ISAs, as compilers take them with -march: the builds' names end with the ISA
    #[arg(long, value_delimiter = ',', value_name = "ISA[,ISA…]")]
    march: Vec<String>,
    /// Also build the command openssl, whose `openssl speed` `capvec cores validate --c-build` runs
    #[arg(long)]
    command: bool,
    /// Name of the build [default: ARCH-VARIANT]
    #[arg(long)]
    name: Option<String>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

fn arch(text: &str) -> Result<Arch, String> {
    Arch::parse(text).map_err(|e| e.to_string())
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let store = Store::from_env()?;
    match args.what {
        What::List => {
            let lines = builds::list(&store)?.into_iter().map(|b| {
                let m = b.manifest;
                format!(
                    "openssl:{:<24} {:<8} {} ({})\n",
                    m.name,
                    m.architecture,
                    m.source,
                    m.configure.join(" ")
                )
            });
            crate::cmd::print(&lines.collect::<String>())?;
        }
        What::Remove { name } => {
            let name = name.strip_prefix("openssl:").unwrap_or(&name);
            builds::require(&store, name).map_err(usage)?;
            builds::remove(&store, name)?;
            say!("removed {name}");
        }
        What::Openssl(args) => openssl(&store, args)?,
        What::Provider(args) => provider(&store, &args)?,
        What::Mbedtls(args) => mbedtls(&store, &args)?,
        What::Mlkem(args) => return mlkem::run(&args),
    }
    Ok(ExitCode::SUCCESS)
}

fn provider(store: &Store, args: &Provider) -> Result<()> {
    let spinner = spinner(args.quiet);
    let progress = &mut |what: &str| spinner.set_message(what.to_string());
    let built = builds::provider(store, &args.sysroot, progress)?;
    spinner.finish_and_clear();
    if !args.quiet {
        say!(
            "to use the provider in a program with OpenSSL 3, set OPENSSL_CONF=DIR/openssl.cnf and OPENSSL_MODULES=DIR; DIR is"
        );
    }
    copy(&built, &builds::PROVIDER_FILES, &args.output)
}

/// Copies the results to `--output`, and prints their paths.
fn copy(built: &Path, names: &[impl AsRef<Path>], output: &Path) -> Result<()> {
    let fail = |file: &Path| format!("--output: cannot write {}", escape::path(file));
    std::fs::create_dir_all(output).with_context(|| fail(output))?;
    for name in names {
        let to = output.join(name);
        std::fs::copy(built.join(name), &to).with_context(|| fail(&to))?;
    }
    crate::cmd::print_path(output)
}

fn mbedtls(store: &Store, args: &Mbedtls) -> Result<()> {
    let spinner = spinner(args.quiet);
    let progress = &mut |what: &str| spinner.set_message(what.to_string());
    let read = |dir: &PathBuf| OwnProgram::read(dir, mbedtls::SELFTEST).map_err(usage);
    let (cc, program) = (cc(), args.program.as_ref().map(read).transpose()?);
    let source = args.source.as_deref();
    let wanted = mbedtls::Wanted { source, program: program.as_ref(), cc: cc.as_deref() };
    let built = mbedtls::mbedtls(store, wanted, progress)?;
    spinner.finish_and_clear();
    say!("{}", built.source);
    copy(&built.dir, &built.programs, &args.output)
}

/// The compiler that replaces Debian's.
fn cc() -> Option<String> {
    std::env::var("CAPVEC_CC").ok().filter(|c| !c.trim().is_empty())
}

fn openssl(store: &Store, args: Openssl) -> Result<()> {
    let options: Vec<String> =
        args.variant.split(',').filter(|o| *o != "asm").map(String::from).collect();
    let good = |o: &String| {
        o.starts_with(|c: char| c.is_ascii_lowercase()) && !o.contains(char::is_whitespace)
    };
    if !options.iter().all(good) {
        let what = format!(
            "--variant {}: give asm, no-asm, or options such as no-deprecated",
            args.variant
        );
        return Err(Usage(what).into());
    }
    let Openssl { arch, variant, cflags, march, source, replace, add, command, name, quiet } = args;
    let own = [replace, add].concat();
    let name = name.unwrap_or_else(|| format!("{}-{}", arch.name(), variant.replace(',', "-")));
    let spec = Spec { arch, name, options, cflags, remarks: false, command, source, own, cc: cc() };
    let for_isa = |isa: &String| Spec {
        name: format!("{}-{isa}", spec.name),
        cflags: format!("{} -march={isa}", spec.cflags),
        remarks: true,
        ..spec.clone()
    };
    let specs: Vec<Spec> = match march.is_empty() {
        true => vec![spec],
        false => march.iter().map(for_isa).collect(),
    };
    for spec in &specs {
        let name = &spec.name;
        builds::check_name(name).map_err(|e| Usage(format!("--name {name}: {e}")))?;
    }
    for spec in &specs {
        let spinner = spinner(quiet);
        let build = builds::build(store, spec, &mut |what| spinner.set_message(what.to_string()))?;
        spinner.finish_and_clear();
        say!("{}: {}", escape::path(&build.dir), build.manifest.source);
        if spec.remarks {
            let file = build.dir.join(builds::REMARKS);
            let text = std::fs::read_to_string(&file)
                .with_context(|| format!("reading {}", file.display()))?;
            let (file, loops) = (escape::path(&file), text.lines().count());
            say!("{file}: the compiler's remarks on {loops} loops that it did not vectorise");
        }
        crate::cmd::print(&format!("openssl:{}\n", build.manifest.name))?;
    }
    Ok(())
}
