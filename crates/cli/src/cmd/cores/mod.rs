//! `capvec cores`: the core models.

mod c_build;
mod fit;
mod free;
mod import;
mod validate;

use crate::cmd::core_choice::{self, CoreName, SetFlag};
use anyhow::Result;
use capvec_isa::Ext;
use capvec_timing::{Core, Parameter};
use clap::{Subcommand, ValueEnum};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Show core models, each parameter with its source
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List the built-in cores
    #[command(after_help = "Examples:\n  capvec cores list\n  capvec cores list --format json")]
    List {
        /// Output format
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Show a core's parameters and where each comes from
    #[command(after_help = "Examples:\n  \
        capvec cores show karu64\n  \
        capvec cores show karu64 --set vector.startup=4\n  \
        capvec cores show ./mine.toml --format json")]
    Show {
        /// Name of a core, or a TOML file of your own
        #[arg(value_name = "CORE", value_parser = CoreName, hide_possible_values = true)]
        core: String,
        /// Show the core with this parameter changed; repeatable
        #[arg(long, value_name = "KEY=VALUE")]
        set: Vec<SetFlag>,
        /// Output format
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Compare what the models predict with published speeds of OpenSSL
    #[command(after_help = "Examples:\n  \
        capvec cores validate\n  \
        capvec cores validate spacemit-x60 spacemit-x100 --format csv\n  \
        capvec build openssl --arch riscv64 --variant no-asm --command\n  \
        capvec cores validate sifive-u74 --c-build riscv64-no-asm")]
    Validate(validate::Args),
    /// Fit parameters of a model to published speeds of OpenSSL, and report how well the speeds determine them
    #[command(after_help = "Examples:\n  \
        capvec cores fit karu64 --free vector.startup,vector.write,vector.class.vsm3.first --only zvkb_zvkned,zvkb_zvknha,zvkb_zvksh,v_zbb_zvkb\n  \
        capvec cores fit karu64 --to published/karu64_openssl.csv --free fetch.cycles+dcache.write+dcache.miss=5..15 --hold-out ghash\n  \
        capvec cores fit ./mine.toml --to speeds.csv --free dcache.read=0..4,branch.mispredict --set dcache.ways=2\n  \
        capvec cores fit sifive-u74 --c-build riscv64-no-asm --free branch.mispredict")]
    Fit(fit::Args),
    /// Make a core file from a table of instruction costs
    #[command(after_help = "Examples:\n  \
        capvec cores import rvv-bench index.html --name mine --like spacemit-x60 -o mine.toml\n  \
        llvm-mca -mcpu=sifive-x280 -instruction-tables code.s > table && capvec cores import llvm-mca table --name mine --like spacemit-x60")]
    Import(import::Args),
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// Runs the sub-command.
pub fn run(args: Args) -> Result<ExitCode> {
    let text = match args.action {
        Action::List { format } => list(format)?,
        Action::Show { core, set, format } => show(&core_choice::one(&core, &set)?, format)?,
        Action::Validate(args) => validate::text(&args)?,
        Action::Fit(args) => fit::text(&args)?,
        Action::Import(args) => import::text(&args)?,
    };
    crate::cmd::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn list(format: Format) -> Result<String> {
    let cores = Core::names().map(Core::load).collect::<Result<Vec<Core>, _>>()?;
    if let Format::Json = format {
        let rows: Vec<Value> = cores.iter().map(heading).collect();
        return Ok(format!("{}\n", serde_json::to_string_pretty(&rows)?));
    }
    let mut table = new_table(["core", "MHz", "VLEN", "what it is"]);
    for column in [1, 2] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for c in &cores {
        // Cores without vectors have a VLEN, too, for capability sets beyond the core.
        let has_vectors = c.isa.exts.has(Ext::Zve32x);
        table.add_row([
            c.name.clone(),
            megahertz(c.frequency),
            if has_vectors { c.vlen.to_string() } else { String::new() },
            c.title.clone(),
        ]);
    }
    Ok(table.trim_fmt() + "\n")
}

fn show(core: &Core, format: Format) -> Result<String> {
    if let Format::Json = format {
        let mut value = heading(core);
        let changes = core.identity.changes.iter();
        value["label"] = json!(core.identity.label);
        value["digest"] = json!(core.identity.digest);
        value["changes"] =
            changes.map(|c| json!({ "key": c.key, "from": c.from, "to": c.to })).collect();
        value["parameters"] = core.parameters.iter().map(parameter).collect();
        return Ok(format!("{}\n", serde_json::to_string_pretty(&value)?));
    }
    let mut table = new_table(["parameter", "value", "source"]);
    for p in &core.parameters {
        table.add_row([p.key.clone(), p.value_text(), p.source.clone()]);
    }
    Ok(format!("{}: {}\n\n{}\n", core.identity.label, core.title, table.trim_fmt()))
}

/// A core's description without its parameters.
fn heading(core: &Core) -> Value {
    json!({
        "name": core.name,
        "title": core.title,
        "isa": core.isa.to_string(),
        "vlen": core.vlen,
        "frequency_hz": core.frequency,
        "timebase_hz": core.timebase,
        "model": core.model.name(),
    })
}

fn parameter(p: &Parameter) -> Value {
    json!({ "key": p.key, "value": p.value, "source": p.source })
}

fn new_table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header);
    table
}

/// A frequency in MHz, without needless decimals.
fn megahertz(hertz: u64) -> String {
    let (whole, rest) = (hertz / 1_000_000, hertz % 1_000_000);
    let decimals = format!("{rest:06}");
    match decimals.trim_end_matches('0') {
        "" => whole.to_string(),
        decimals => format!("{whole}.{decimals}"),
    }
}

#[cfg(test)]
mod tests {
    use super::megahertz;

    #[test]
    fn frequencies_are_exact() {
        assert_eq!(megahertz(75_000_000), "75");
        assert_eq!(megahertz(32_768), "0.032768");
        assert_eq!(megahertz(1_500_000), "1.5");
    }
}
