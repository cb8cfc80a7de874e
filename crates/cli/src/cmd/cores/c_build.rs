//! `--c-build`: a build of OpenSSL's C, whose command predicts published figures of such programs.

use crate::cmd::setup;
use anyhow::{Context, Result, ensure};
use capvec_bench::run::Runner;
use capvec_guest::Program;
use capvec_record::subject::BUILD;
use capvec_record::{Arch, Manifest};
use capvec_sysroot::Store;
use capvec_targets::backend::COMMAND;
use capvec_targets::builds;
use capvec_targets::{SubjectName, Target, TargetName};
use capvec_timing::Core;

/// How a build for `--c-build` is made.
const HOW: &str =
    "`capvec build openssl --arch riscv64 --variant no-asm --command` makes riscv64-no-asm";

/// A build of `--c-build`, with or without `openssl:`.
///
/// # Errors
/// There is no such build; or it is of another architecture, has assembly, or lacks the command.
pub fn find(name: &str) -> Result<Manifest> {
    let store = Store::from_env()?;
    let plain = name.strip_prefix(BUILD).unwrap_or(name);
    let found = match builds::find(&store, plain).with_context(|| format!("--c-build {name}"))? {
        Some(build) => build,
        None => anyhow::bail!("--c-build {name}: there is no such build; {HOW}"),
    };
    let manifest = &found.manifest;
    let (arch, c) = (Arch::Riscv64.name(), manifest.options().any(|o| o == "no-asm"));
    ensure!(
        manifest.architecture == arch && c,
        "--c-build {name}: this is not a build of OpenSSL's C for {arch}; {HOW}"
    );
    ensure!(
        found.dir.join(COMMAND).is_file(),
        "--c-build {name}: this build lacks the command openssl; {HOW}"
    );
    Ok(found.manifest)
}

/// Name, source, flags and compiler of a build.
pub fn described(build: &Manifest) -> String {
    let flags: Vec<&str> = build.flags().collect();
    format!("{BUILD}{} ({}; {}; {})", build.name, build.source, flags.join(" "), build.compiler)
}

/// What runs a subject on a core.
///
/// # Errors
/// The subject is not there, or its driver cannot be built.
pub fn runner(core: Core, subject: &SubjectName, quiet: bool) -> Result<Runner> {
    let target = Target { core: Some(core), ..Target::new(TargetName::Sim) };
    let library = target.find(subject)?;
    setup::open(&target, &library, &[Program::Measure, Program::Check], quiet)
}
