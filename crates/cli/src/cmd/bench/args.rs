//! Flags of `capvec bench`.

use crate::cmd::core_choice::{CoreName, SetFlag};
use crate::cmd::flags::{self, Format, once, only_with, subjects, vlen, vlen_help, with_default};
use crate::cmd::isa_files::IsaFiles;
use crate::cmd::misaligned::MisalignedFlag;
use crate::cmd::target::TargetFlags;
use anyhow::Result;
use capvec_bench::case::{Case, has_connections};
use capvec_bench::default_plan::{Defaults, defaults};
use capvec_bench::sweep::has_attempts;
use capvec_guest::{LONGEST, Program};
use capvec_targets::{CORE, Feature, SubjectName, TargetName};
use capvec_timing::Core;
use clap::ValueEnum;
use std::path::PathBuf;

/// The end of the help text, after the defaults.
const SETS_AND_EXAMPLES: &str = "Capability sets:\n  \
    scalar        rv64gc, which is another name for it\n  \
    full          all extensions that OpenSSL knows; full_zvknhk0p2 adds a draft\n  \
    auto          everything that the core has, detected by the library\n  \
    zvkb_zvkned   extensions joined by _, with what they imply, and V if one is a vector extension\n  \
    rva23u64_zvkng  a profile or ISA string with additions, taken literally\n  \
    string:VALUE  OPENSSL_riscvcap=VALUE, unchanged, on a hart with the extensions in VALUE (see capvec caps lint)\n\
    and several at once:\n  \
    published     those in the published table\n  \
    singles       each capability that OpenSSL knows, alone\n  \
    dispatch      for each case, one for every path of OpenSSL's dispatch\n  \
    all-subsets   every set of the capabilities that the case's dispatch asks for: hundreds for AES-GCM\n\n\
    With --out DIR, the same command resumes an interrupted sweep.\n\n\
    Examples:\n  \
    capvec bench\n  \
    capvec bench --cases symmetric --caps scalar,full\n  \
    capvec bench --cases aes-128-gcm --caps all-subsets --out out/gcm\n  \
    capvec bench --bytes 16,64,256,1024,8192,16384 --caps scalar,rva22u64,rva23u64_zvkng\n  \
    capvec bench --target qemu:aarch64 --subject openssl:asm,openssl:no-asm\n  \
    capvec bench --core marian --cases aes-128-gcm,sha256 --caps scalar,zvkb_zvkg_zvkned,full\n  \
    capvec bench --core karu64,marian,./mine.toml --cases sha256\n  \
    capvec bench --cases aes-128-gcm --caps scalar,full --set vlen=128,256,512 --set vector.startup=2,4,7.5\n  \
    capvec bench --vlen 128,256,512 --bytes 64,1024,16384 --format csv --out out/vlen";

/// Measure a library on every capability set, on a modelled core or another target
///
/// The library runs unmodified: stock OpenSSL, unless --subject names another. Every algorithm's known answers are checked on
/// every capability set: a wrong one blanks the figure and makes the exit status 1. In the simulator, retired instructions are
/// exact, cycles are those of the core model, and the same command prints the same figures. docs/targets.md says what the figures
/// mean on other targets.
#[derive(clap::Args)]
#[command(after_help = format!("{}\n{SETS_AND_EXAMPLES}", defaults_text()))]
pub struct Args {
    #[command(flatten)]
    pub on: TargetFlags,
    #[arg(long, value_delimiter = ',', default_values_t = [SubjectName::default()],
        help = format!("Libraries: {}. Several are compared", subjects(true)))]
    pub subject: Vec<SubjectName>,
    #[arg(long, value_parser = CoreName, hide_possible_values = true, value_delimiter = ',', help = with_default(
        "Core models of the simulator: names from `capvec cores list`, or files; each row names its core",
        CORE,
    ))]
    pub core: Vec<String>,
    /// Change a parameter of the core model; with several values, or if the flag is repeated, every combination is
    /// measured. `capvec cores show` lists the parameters; the key vlen means the same as --vlen
    #[arg(long, value_name = "KEY=VALUE[,VALUE…]")]
    pub set: Vec<SetFlag>,
    #[command(flatten)]
    pub misaligned: MisalignedFlag,
    #[command(flatten)]
    pub isa_files: IsaFiles,
    #[arg(long, value_delimiter = ',', value_parser = vlen, help = vlen_help("Vector register lengths in bits", &own_vlens()))]
    pub vlen: Vec<u32>,
    /// Cases: all, symmetric, pkey, pqc (post-quantum), tls (handshakes), published, kernels, families, names (see --list),
    /// or files of your own, ending in .toml
    /// [default: see Defaults]
    #[arg(long, value_delimiter = ',')]
    pub cases: Vec<String>,
    /// Capability sets [default: see Defaults]
    #[arg(long, value_delimiter = ',')]
    pub caps: Vec<String>,
    /// Message sizes in bytes, up to 1 GiB; with three or more, the cost per call is separated from the cost per byte [default:
    /// see Defaults]
    #[arg(long, value_delimiter = ',', value_parser = bytes)]
    pub bytes: Vec<usize>,
    #[arg(long, help = only_with(
        "Report what each extension adds to each case. The capability sets needed for that are measured too; their number is \
         printed first. With --caps singles, dispatch or all-subsets, this is reported anyway, as far as their sets show it",
        Feature::Explain,
    ))]
    pub explain: bool,
    #[arg(long, help = only_with(
        "Also report the instruction mix of each row: the instructions of an operation, by class. Everything then runs a \
         second time, in the interpreter",
        Feature::Mix,
    ))]
    pub mix: bool,
    #[arg(long, help = only_with(
        "Also break down the cycles of each operation by function. Each figure is then measured two more times",
        Feature::Profile,
    ))]
    pub profile: bool,
    #[arg(long, help = only_with(
        "Also run the stock program `openssl speed` for each row that it can measure, for one second of the core's time",
        Feature::Speed,
    ))]
    pub speed: bool,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000), help = only_with(
        "Measure everything in this many random layouts of memory, the same ones every time, and report the median, minimum \
         and maximum of the cycles: where stack, heap, libraries and buffers lie decides which cache lines conflict",
        Feature::Layouts,
    ))]
    pub layouts: Option<u64>,
    /// Test vectors of `capvec kat` that each case must pass in each configuration, in addition to its known answers: about a
    /// dozen, all, or none
    #[arg(long, value_enum, default_value = "some")]
    pub kat: Kat,
    /// Directory of test vectors to use instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    pub vectors: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    pub format: Format,
    /// Also write results.csv, record.json and table.md to this directory
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// List the cases, or those of --cases, with the reason for each, and stop
    #[arg(long)]
    pub list: bool,
    /// Fetch and build what measuring needs, and stop
    #[arg(long)]
    pub setup_only: bool,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Refused: `capvec ct --cases` does this
    #[arg(long, hide = true)]
    pub ct: bool,
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
    Ok(flags::bytes(text, 1..=1 << 30, "from 1 to 1G")? as usize)
}

impl Args {
    /// Libraries by name, each once.
    pub fn subjects(&self) -> Vec<SubjectName> {
        once(self.subject.clone())
    }

    /// What is measured where no flag says it.
    pub fn defaults(&self) -> Result<Defaults> {
        defaults(&self.on.target, self.subjects().len())
    }

    /// The sets of `--caps`, or else these.
    pub fn caps_or(&self, usual: &[&str]) -> Vec<String> {
        let usual = usual.iter().map(|s| s.to_string());
        if self.caps.is_empty() { usual.collect() } else { self.caps.clone() }
    }

    /// Core models by name or file.
    pub fn cores(&self) -> Vec<String> {
        if self.core.is_empty() { vec![CORE.into()] } else { self.core.clone() }
    }

    /// The drivers that these flags need for these cases.
    pub fn programs(&self, cases: &[Case]) -> Vec<Program> {
        let long = self.bytes.iter().any(|b| *b > LONGEST);
        let check = self.kat != Kat::None;
        let each = self.on.target == TargetName::Sim && has_attempts(cases);
        let others = [
            (long, Program::MeasureLong),
            (each, Program::MeasureEach),
            (has_connections(cases), Program::MeasureTls),
            (check, Program::Check),
        ];
        let others = others.into_iter().filter(|(needed, _)| *needed).map(|(_, program)| program);
        std::iter::once(Program::Measure).chain(others).collect()
    }
}

/// The VLEN of each core that comes with the program.
fn own_vlens() -> String {
    let vlens: Vec<String> = Core::vlens().map(|(name, vlen)| format!("{name} {vlen}")).collect();
    format!("the core's own ({})", vlens.join(", "))
}

/// What is measured by default, by target and number of subjects: see [`defaults`].
fn defaults_text() -> String {
    let rows = [
        ("sim", TargetName::Sim, 1),
        ("others, one subject", TargetName::Native, 1),
        ("others, several", TargetName::Native, 2),
    ];
    let line = |cells: [&str; 4]| {
        let [target, cases, caps, bytes] = cells;
        format!("  {target:<19}  {cases:<21}  {caps:<26}  {bytes}\n")
    };
    let row = |(what, target, subjects): (&str, TargetName, usize)| {
        // Help text cannot report an error; a broken table is reported when it is used.
        let d = defaults(&target, subjects).ok()?;
        let bytes: Vec<String> = d.bytes.iter().map(usize::to_string).collect();
        Some(line([what, &d.cases.join(","), &d.caps.join(","), &bytes.join(",")]))
    };
    let head = line(["--target", "--cases", "--caps", "--bytes"]);
    format!("Defaults:\n{head}{}", rows.into_iter().filter_map(row).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The help has a row for other targets: all of them are alike.
    #[test]
    fn other_targets_have_the_same_defaults() {
        for name in ["qemu:aarch64", "qemu:riscv64", "qemu:x86_64", "ssh:board"] {
            let target: TargetName = name.parse().expect("a target");
            for subjects in [1, 2, 3] {
                let native = defaults(&TargetName::Native, subjects).expect("a table");
                assert_eq!(defaults(&target, subjects).expect("a table"), native, "{name}");
            }
        }
        assert_eq!(defaults_text().lines().count(), 5);
        assert!(defaults_text().lines().all(|l| l.len() <= 100), "{}", defaults_text());
        assert!(defaults_text().contains("16,64,256,1024,8192,16384"), "{}", defaults_text());
    }
}
