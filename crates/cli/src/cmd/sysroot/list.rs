//! The list of the sysroots, as a table or JSON.

use super::args::Format;
use super::print;
use crate::cmd::say;
use capvec_sysroot::{Error, Origin, Store, Sysroot};
use capvec_text::digits::space;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};
use std::process::ExitCode;

pub fn list(store: &Store, format: Format) -> anyhow::Result<ExitCode> {
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
        let size = space(sysroot.size_bytes()?);
        let path = sysroot.root.display().to_string();
        table.add_row([name.clone(), suite, arch, packages, size, path]);
    }
    Ok(table)
}
