//! Code of the user's own: what `capvec measure` and `capvec check` share.

pub mod check;
pub mod measure;

use crate::cmd::core_choice::CoreName;
use crate::cmd::flags::{CORES_HELP, Format, bytes, once};
use crate::cmd::misaligned::MisalignedFlag;
use crate::cmd::{core_choice, progress, usage};
use anyhow::{Result, bail};
use capvec_bench::own_code::Plan;
use capvec_guest::{OwnCode, Sources};
use capvec_sysroot::Store;
use capvec_targets::{CORE, SYSROOT};
use capvec_timing::Core;
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::time::Duration;

/// The longest message.
const MOST: u64 = 1 << 20;

/// Flags that say which code, where, and how it is shown.
#[derive(clap::Args)]
pub struct Own {
    /// Sources, objects and libraries: .c, .S, .s, .o, .a, .so
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Call this instead of what the harness names. It may use n, the message size in bytes; data and out, buffers of n bytes; and
    /// state, 4096 bytes; all are zeroed
    #[arg(long, value_name = "CALL")]
    call: Vec<String>,
    #[arg(long, value_parser = CoreName, hide_possible_values = true, help = CORES_HELP, value_delimiter = ',', default_value = CORE)]
    core: Vec<String>,
    #[command(flatten)]
    misaligned: MisalignedFlag,
    /// Capability sets, each by a name that `capvec bench --help` lists for one set; auto is what the core has
    #[arg(long, value_delimiter = ',', default_value = "auto", value_name = "SET")]
    caps: Vec<String>,
    /// -march for the compiler and assembler
    #[arg(long, value_name = "ISA")]
    march: Option<String>,
    /// A further argument of the compiler, such as -O3; repeatable
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    cflag: Vec<String>,
    /// A directory with headers; repeatable
    #[arg(short = 'I', long, value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Name of the code in tables and records
    #[arg(long, default_value = "own")]
    name: String,
    /// End a run after this many seconds of host time
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

fn size(text: &str) -> Result<u64, String> {
    bytes(text, 1..=MOST, &format!("from 1 to {MOST}"))
}

impl Own {
    fn plan(&self, vlens: &[u32], bytes: &[u64]) -> Result<Plan> {
        let mut cores = Vec::new();
        for name in once(self.core.clone()) {
            let core = core_choice::one(&name, &self.misaligned.and(&[]))?;
            let vlens = if vlens.is_empty() { vec![core.vlen] } else { once(vlens.to_vec()) };
            cores.extend(vlens.into_iter().map(|vlen| Core { vlen, ..core.clone() }));
        }
        Ok(Plan {
            cores,
            caps: once(self.caps.clone()),
            bytes: once(bytes.iter().map(|b| *b as usize).collect()),
            subject: self.name.clone(),
            layouts: 0,
            timeout: Some(Duration::from_secs(self.timeout)),
        })
    }

    fn sources(&self) -> Result<Sources> {
        let march = self.march.iter().map(|march| format!("-march={march}"));
        let calls = once(self.call.clone());
        let written = match calls[..] {
            [] => None,
            _ => Some(("capvec_calls.c".to_string(), harness(&calls)?)),
        };
        Ok(Sources {
            files: self.files.clone(),
            written: written.into_iter().collect(),
            include: self.include.clone(),
            flags: march.chain(self.cflag.iter().cloned()).collect(),
        })
    }

    /// Builds the program.
    fn build(&self) -> Result<OwnCode> {
        let sources = self.sources().map_err(usage)?;
        sources.check().map_err(usage)?;
        let spinner = progress::spinner(self.quiet);
        let shown = &mut |what: &str| spinner.set_message(what.to_string());
        let code = OwnCode::build(&Store::from_env()?, SYSROOT, &sources, shown);
        spinner.finish_and_clear();
        code
    }

    /// A progress bar for this many runs.
    fn bar(&self, runs: usize) -> Result<ProgressBar> {
        progress::bar(self.quiet, runs, "runs")
    }
}

/// A source that measures these calls.
fn harness(calls: &[String]) -> Result<String> {
    let mut text = String::from(
        "#include <capvec/measure.h>\n\
        static unsigned char *data, *out, *state;\n\
        static void capvec_buffers(size_t n)\n\
        {\n    data = capvec_buffer(n, 1);\n    out = capvec_buffer(n, 1);\n    state = capvec_buffer(4096, 16);\n    \
        (void)data, (void)out, (void)state;\n}\n\
        CAPVEC_SETUP(capvec_buffers)\n",
    );
    for call in calls {
        let name = call.split('(').next().unwrap_or_default().trim();
        let is_name = !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit());
        if !is_name || !call.contains('(') {
            bail!("--call {call}: write a call of a function, such as 'f(state, data, n)'");
        }
        text += &format!("long {name}();\nCAPVEC_MEASURE(\"{name}\", n, {call})\n");
    }
    Ok(text)
}
