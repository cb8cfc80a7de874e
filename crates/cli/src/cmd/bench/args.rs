//! Flags of `capvec bench`.

use crate::cmd::flags::{self, Format, once, vlen};
use crate::cmd::model::Set;
use crate::cmd::place::Place;
use capvec_bench::run::{LONGEST, Program};
use capvec_bench::target::Choice;
use clap::ValueEnum;
use std::path::PathBuf;

/// Measure stock OpenSSL on a modelled core, with every capability set
///
/// The library of the sysroot runs unmodified. Instructions retired are exact, cycles are of the core model,
/// and every algorithm's known answers are checked on every capability set: a wrong one blanks the figure and
/// makes the exit status 1. The same command prints the same figures.
#[derive(clap::Args)]
#[command(after_help = "Capability sets:\n  \
    scalar        rv64gc\n  \
    full          all that OpenSSL knows\n  \
    auto          the core as it is, detected by the library\n  \
    zvkb_zvkned   extensions joined by _, with what they imply, and V if one is a vector extension\n  \
    rva23u64_zvkng  a profile or ISA string with additions, just as it says\n  \
    string:VALUE  VALUE as OPENSSL_riscvcap, as it is, on a hart that has what it says (see capvec caps lint)\n\
    and many at once:\n  \
    published     those of the published table\n  \
    singles       every capability that OpenSSL knows by itself\n  \
    dispatch      one for every path of OpenSSL's dispatch, by case\n  \
    all-subsets   every set of the capabilities that the case's dispatch asks for: hundreds for AES-GCM\n\n\
    With --out DIR an interrupted sweep goes on where it was when the same command is given again.\n\n\
    Examples:\n  \
    capvec bench\n  \
    capvec bench --cases symmetric --caps scalar,full\n  \
    capvec bench --cases aes-128-gcm --caps all-subsets --out out/gcm\n  \
    capvec bench --bytes 16,64,256,1024,8192,16384 --caps scalar,rva22u64,rva23u64_zvkng\n  \
    capvec bench --target qemu:aarch64 --subject openssl:asm,openssl:no-asm\n  \
    capvec bench --core marian --cases aes-128-gcm,sha256 --caps scalar,zvkb_zvkg_zvkned,full\n  \
    capvec bench --core karu64,marian,./mine.toml --cases sha256\n  \
    capvec bench --cases aes-128-gcm --caps scalar,full --set vlen=128,256,512 --set vector.startup=2,4,7.5\n  \
    capvec bench --vlen 128,256,512 --bytes 64,1024,16384 --format csv --out out/vlen")]
pub struct Args {
    /// Where code runs: sim, native (this machine), qemu:ARCH, ssh:HOST (docs/targets.md)
    #[arg(long, default_value = "sim")]
    pub target: Choice,
    /// Library: openssl, or openssl:NAME of `capvec build`, such as openssl:asm,openssl:no-asm; in the simulator also capvec,
    /// the project's own, and openssl+capvec, stock OpenSSL with that as its provider. Several are compared
    #[arg(long, value_delimiter = ',', default_value = "openssl")]
    pub subject: Vec<String>,
    /// Core models of the simulator: names of `capvec cores list`, or files; each row says its core [default: karu64]
    #[arg(long, value_delimiter = ',')]
    pub core: Vec<String>,
    /// Give a parameter of the core model other values; several values, and several of these flags, measure every
    /// combination. `capvec cores show` lists the parameters; vlen is that of --vlen
    #[arg(long, value_name = "KEY=VALUE[,VALUE…]")]
    pub set: Vec<Set>,
    /// Vector register lengths in bits, of sim and qemu:riscv64 [default: each core's own: ideal 256, karu64 256,
    /// marian 512, ux900 128; of qemu 256]
    #[arg(long, value_delimiter = ',', value_parser = vlen)]
    pub vlen: Vec<u32>,
    /// Cases: all, symmetric, pkey, published, kernels, families, names (see --list), or files of your own, ending in .toml
    /// [default: published; of several builds elsewhere than in the simulator aes-128-cbc,published]
    #[arg(long, value_delimiter = ',')]
    pub cases: Vec<String>,
    /// Capability sets [default: scalar,published,auto,full; elsewhere than in the simulator scalar,auto; of several subjects
    /// auto]
    #[arg(long, value_delimiter = ',')]
    pub caps: Vec<String>,
    /// Message sizes in bytes, up to 1 GiB; with three or more, the cost of a call is separated from that of a byte [default: 16384; of
    /// several builds elsewhere than in the simulator 16,64,256,1024,8192,16384, the six of `openssl speed`]
    #[arg(long, value_delimiter = ',', value_parser = bytes)]
    pub bytes: Vec<usize>,
    /// Say by case what each extension adds, and measure the sets that show it besides (how many, is said first); singles, dispatch and all-subsets say it
    /// anyway, of what they measure
    #[arg(long)]
    pub explain: bool,
    /// Also count by class which instructions an operation executes, in the simulator: an instruction mix for each row. All
    /// is interpreted once more for it
    #[arg(long)]
    pub mix: bool,
    /// Also run the stock program `openssl speed`, for one second of the core's time for each row that it can measure
    #[arg(long)]
    pub speed: bool,
    /// Vectors of `capvec kat` that a case must pass on a configuration, besides its known answers: about a dozen, all,
    /// or none
    #[arg(long, value_enum, default_value = "some")]
    pub kat: Kat,
    /// Directory of vectors instead of those built in
    #[arg(long, value_name = "DIR")]
    pub vectors: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// Also write results.csv, record.json and table.md there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Processor that QEMU emulates, as its -cpu: cortex-a76 [default: the largest that it has]
    #[arg(long, value_name = "CPU")]
    pub qemu_cpu: Option<String>,
    /// Sysroot that the library comes from, by name, of sim and qemu [default: trixie-riscv64, trixie-ARCH]
    #[arg(long)]
    pub sysroot: Option<String>,
    /// List the cases, or those of --cases, with why they are there, and stop
    #[arg(long)]
    pub list: bool,
    /// Fetch and build what measuring needs, and stop
    #[arg(long)]
    pub setup_only: bool,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// How many vectors.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Kat {
    All,
    Some,
    None,
}

/// A message size: the drivers take no more than 1 GiB.
fn bytes(text: &str) -> Result<usize, String> {
    match flags::bytes(text)?.try_into() {
        Ok(v) if (1..=1 << 30).contains(&v) => Ok(v),
        _ => Err("from 1 byte to 1G".into()),
    }
}

impl Args {
    /// Where code runs.
    pub fn place(&self) -> Place<'_> {
        Place {
            target: &self.target,
            sysroot: self.sysroot.as_deref(),
            qemu_cpu: self.qemu_cpu.as_deref(),
        }
    }

    /// Libraries by name, each once.
    pub fn subjects(&self) -> Vec<String> {
        once(self.subject.clone())
    }

    /// Core models by name or file.
    pub fn cores(&self) -> Vec<String> {
        if self.core.is_empty() { vec!["karu64".into()] } else { self.core.clone() }
    }

    /// Drivers that are needed.
    pub fn programs(&self) -> Vec<Program> {
        let long = self.bytes.iter().any(|b| *b > LONGEST);
        let check = self.kat != Kat::None;
        let besides = [(long, Program::MeasureLong), (check, Program::Check)];
        let besides = besides.into_iter().filter(|(wanted, _)| *wanted).map(|(_, program)| program);
        std::iter::once(Program::Measure).chain(besides).collect()
    }

    /// Whether builds are set beside each other, as the published arm64 comparison does.
    pub fn compares_builds(&self) -> bool {
        self.target != Choice::Sim && self.subjects().len() > 1
    }

    /// The sets that were asked for, or the usual ones.
    pub fn caps(&self, usual: &[&str]) -> Vec<String> {
        let usual = usual.iter().map(|s| s.to_string());
        if self.caps.is_empty() { usual.collect() } else { self.caps.clone() }
    }
}
