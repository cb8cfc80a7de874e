//! Runs the commands of docs/first-table.md, docs/programs.md, docs/matrix.md, docs/misaligned.md, docs/profile.md, docs/custom.md,
//! docs/explore.md, docs/gdb.md, docs/reports.md and docs/sweeps.md, which must print what the pages say.

use crate::common::{Running, capvec};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const FIRST: &str = include_str!("../../../docs/first-table.md");
const PROGRAMS: &str = include_str!("../../../docs/programs.md");
const MATRIX: &str = include_str!("../../../docs/matrix.md");
const MISALIGNED: &str = include_str!("../../../docs/misaligned.md");
const PROFILE: &str = include_str!("../../../docs/profile.md");
const CUSTOM: &str = include_str!("../../../docs/custom.md");
const GDB: &str = include_str!("../../../docs/gdb.md");
const EXPLORE: &str = include_str!("../../../docs/explore.md");
const REPORTS: &str = include_str!("../../../docs/reports.md");
const SWEEPS: &str = include_str!("../../../docs/sweeps.md");
/// A sysroot that capvec makes itself. It has a compiler, as the page's own sysroot `dev` does, and is used instead.
const COMPILER: &str = "trixie-riscv64-build";

/// Whether a block with this first line is a file to save: C, instructions, commands of gdb, axes, or areas.
fn is_file(line: &str) -> bool {
    ["#include", "ext = ", "target remote", "[axes]", "core,"]
        .iter()
        .any(|begin| line.starts_with(begin))
}

/// The page's indented blocks.
fn blocks(page: &'static str) -> Vec<Vec<&'static str>> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in page.lines() {
        match line.strip_prefix("    ") {
            Some(code) => blocks.last_mut().unwrap().push(code),
            None if line.is_empty()
                && blocks.last().unwrap().first().is_some_and(|l| is_file(l)) =>
            {
                blocks.last_mut().unwrap().push("");
            }
            None => blocks.push(Vec::new()),
        }
    }
    blocks.retain(|b| !b.is_empty());
    blocks
}

/// Commands, each with the lines that it prints.
fn commands(page: &'static str) -> Vec<(String, Vec<&'static str>)> {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for line in blocks(page).into_iter().filter(|b| b[0].starts_with("$ ")).flatten() {
        match line.strip_prefix("$ ") {
            Some(command) => all.push((command.to_string(), Vec::new())),
            None => all.last_mut().unwrap().1.push(line),
        }
    }
    all
}

/// Whether `line` matches the page's; `…` stands for any text, and numbers of cycles, which depend on the layout, may
/// differ.
fn fits(line: &str, page: &str) -> bool {
    let without_cycles = |text: &str| match text.strip_suffix(" cycles") {
        Some(rest) => rest.trim_end_matches(|c: char| c.is_ascii_digit()).to_string(),
        None => text.to_string(),
    };
    let (line, page) = (without_cycles(line), without_cycles(page));
    match page.split_once('…') {
        Some((begin, end)) => {
            line.len() >= begin.len() + end.len() && line.starts_with(begin) && line.ends_with(end)
        }
        None => line == page,
    }
}

/// Whether the output has the page's lines in this order; a line with only `…` stands for any number of lines.
fn is_on_page(printed: &str, page: &[&str]) -> bool {
    let mut lines = printed.lines();
    let mut skip = false;
    for expected in page {
        if *expected == "…" {
            skip = true;
        } else if skip {
            if !lines.any(|l| fits(l, expected)) {
                return false;
            }
            skip = false;
        } else if !lines.next().is_some_and(|l| fits(l, expected)) {
            return false;
        }
    }
    skip || lines.next().is_none()
}

/// A command of the page, in `dir`. A command that would change the user's store gets one of its own.
fn shell(command: &str, dir: &Path) -> Command {
    let mut shell = Command::new("bash");
    let program = capvec().get_program().to_owned();
    let directory = Path::new(&program).parent().unwrap().display().to_string();
    let own = dir.display();
    let path = format!("{own}:{directory}:{}", std::env::var("PATH").unwrap());
    let command = command.replace("--sysroot dev", &format!("--sysroot {COMPILER}"));
    shell.args(["-c", &command]).env("PATH", path).current_dir(dir);
    if ["--name board", "--sysroot board", "remove board", "sysroot gc"]
        .iter()
        .any(|w| command.contains(w))
    {
        shell.env("CAPVEC_HOME", dir.join("store"));
    }
    shell
}

#[test]
fn the_commands_of_the_page_on_a_first_table_print_what_it_says() {
    check(FIRST, &[], 4);
}

#[test]
fn the_commands_of_the_page_on_programs_print_what_it_says() {
    check(PROGRAMS, &["count.c"], 12);
}

#[test]
fn the_commands_of_the_page_on_feature_tests_print_what_it_says() {
    check(MATRIX, &["gate.c"], 3);
}

#[test]
fn the_commands_of_the_page_on_misaligned_accesses_print_what_it_says() {
    check(MISALIGNED, &["length.c"], 4);
}

#[test]
fn the_commands_of_the_page_on_profiles_print_what_it_says() {
    check(PROFILE, &["hot.c"], 6);
}

#[test]
fn the_commands_of_the_page_on_instructions_print_what_it_says() {
    check(CUSTOM, &["my.toml", "mix.c"], 9);
}

#[test]
fn the_commands_of_the_page_on_gdb_print_what_it_says() {
    let Some(gdb) = crate::gdb::debian() else { return };
    check_with(GDB, &["twice.c", "look.gdb"], 3, |dir| {
        let script = format!("#!/bin/sh\n{} \"$@\"\n", crate::gdb::command_line(gdb));
        let file = dir.join("gdb-multiarch");
        std::fs::write(&file, script).unwrap();
        std::fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
    });
}

#[test]
fn the_commands_of_the_page_on_reports_print_what_it_says() {
    check(REPORTS, &["area.csv"], 1);
    // The areas are those of the record.
    let record = include_str!("../../../records/rtl.md");
    let areas = REPORTS.lines().filter_map(|l| l.strip_prefix("    zvku,"));
    for line in areas.clone() {
        let (place, off) = line.trim_end_matches('"').split_once(",\"records/rtl.md: ").unwrap();
        let off = off.trim_end_matches(" off");
        let row = record.lines().find(|l| l.starts_with(&format!("| {off} | "))).unwrap();
        let area = row.split(" | ").nth(2).unwrap();
        assert_eq!(place.rsplit(',').next(), Some(area), "{line}");
    }
    assert_eq!(areas.count(), 3);
}

#[test]
fn the_commands_of_the_page_on_sweeps_print_what_it_says() {
    check(SWEEPS, &["sweep.toml"], 5);
    let example = include_str!("../../../examples/sweep/sweep.toml");
    let page = SWEEPS.split("    [axes]").nth(1).unwrap();
    let code = example.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).skip(1);
    assert!(
        code.clone().count() > 8 && code.into_iter().all(|l| page.contains(&format!("    {l}\n")))
    );
}

#[test]
fn the_commands_of_the_page_on_proposals_print_what_it_says() {
    check(EXPLORE, &["my.toml"], 5);
}

/// Runs the page's commands, of which there must be more than `least`, with its files saved under these names.
fn check(page: &'static str, names: &[&str], least: usize) {
    check_with(page, names, least, |_| ());
}

/// The same in a directory that was prepared.
fn check_with(page: &'static str, names: &[&str], least: usize, prepare: impl FnOnce(&Path)) {
    capvec().args(["bench", "-q", "--setup-only"]).assert().success();
    let dir = tempfile::tempdir().unwrap();
    prepare(dir.path());
    let mut background = Vec::new();
    let files: Vec<_> = blocks(page).into_iter().filter(|b| is_file(b[0])).collect();
    assert_eq!(files.len(), names.len());
    for (name, lines) in names.iter().zip(files) {
        std::fs::write(dir.path().join(name), lines.join("\n")).unwrap();
    }
    let commands = commands(page);
    assert!(commands.len() > least, "{commands:?}");
    for (command, page) in commands {
        // Would fetch packages from the archive, which is not tested here.
        if command.starts_with("capvec sysroot add --name dev ") {
            continue;
        }
        if let Some(command) = command.strip_suffix(" &") {
            let mut shell = shell(&format!("exec {command}"), dir.path());
            background.push(Running(shell.stdout(Stdio::null()).spawn().unwrap()));
            let socket = dir.path().join("gdb.sock");
            while !socket.exists() {
                std::thread::sleep(Duration::from_millis(20));
            }
            continue;
        }
        let out = shell(&command, dir.path()).output().unwrap();
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        assert!(out.status.success(), "{command}: {}", text(&out.stderr));
        let reports = ["--stats", "--profile"].iter().any(|flag| command.contains(flag));
        let stats = if reports { text(&out.stderr) } else { String::new() };
        let printed = text(&out.stdout) + &stats;
        assert!(is_on_page(&printed, &page), "{command}: {printed}\nbut the page has {page:#?}");
    }
}

#[test]
fn differences_from_the_page_are_found() {
    let page = ["a …", "…", "c 1"];
    assert!(is_on_page("a b\nx\ny\nc 1\n", &page) && is_on_page("a z\nc 1\n", &page));
    assert!(!is_on_page("a b\nx\nc 2\n", &page) && !is_on_page("b\nc 1\n", &page));
    assert!(!is_on_page("a b\nc 1\nmore\n", &page) && is_on_page("n 7 cycles", &["n 8 cycles"]));
    assert!(!is_on_page("2004 instructions", &["2003 instructions"]));
}
