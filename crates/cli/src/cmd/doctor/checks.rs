//! Checks of the flags of `capvec doctor` before anything runs.

use super::Args;
use crate::cmd::flags::algorithms;
use crate::cmd::{Usage, usage};
use anyhow::Result;
use capvec_bench::case::{self, Case};
use capvec_doctor::Processor;
use capvec_isa::{Ext, ExtSet, isa_string};
use capvec_linux::Concealed;
use capvec_record::Arch;
use capvec_record::published::speeds::KARU64;
use capvec_targets::{Feature, Target, TargetName};

/// The algorithms that are examined by default.
pub(super) const USUAL: [&str; 13] = [
    "aes-128-gcm",
    "aes-256-gcm",
    "aes-128-cbc",
    "aes-128-ctr",
    "aes-128-xts",
    "sha1",
    "sha256",
    "sha512",
    "sha3-256",
    "chacha20-poly1305",
    "poly1305",
    "sm3",
    "sm4-ctr",
];

/// Refuses flags that the target does not support, and flags about running when files are only scanned.
pub fn refuse(args: &Args) -> Result<()> {
    let files = args.program.is_some() || args.package.is_some() || args.kernel.is_some();
    let scans = files || args.runtimes;
    let kernel = !args.hide.is_empty() || args.no_hwprobe || args.misaligned.is_some();
    let own = [
        (args.on.qemu_cpu.is_some(), Feature::QemuCpu),
        (!args.hide.is_empty(), Feature::Hide),
        (args.no_hwprobe, Feature::NoHwprobe),
        (args.cost, Feature::Cost),
        (args.misaligned.is_some(), Feature::Misaligned),
        // The files of a kernel are copied from a board.
        (scans && args.kernel.is_none(), Feature::Scan),
    ];
    let asked = [&args.core.asked()[..], &own].concat();
    if scans && (args.cost || kernel || asks(args)) {
        let what = "with --program, --package, --kernel or --runtimes, nothing is run; leave out --algorithms, --bytes, --env, --hide, --no-hwprobe, \
                    --misaligned and --cost";
        return Err(Usage(what.into()).into());
    }
    let subject = &args.subject;
    if subject.has_libcapvec() {
        let what = format!(
            "--subject {subject}: the doctor examines OpenSSL; with --target sim, it compares every library with libcapvec"
        );
        return Err(Usage(what).into());
    }
    if let Some(library) = subject.library_kind().packaged() {
        let package = library.package();
        return Err(Usage(format!(
            "--subject {subject}: the doctor runs OpenSSL only; `capvec doctor --package {package}` examines this library's code, and \
             `capvec bench --subject openssl,{subject}` compares the two"
        ))
        .into());
    }
    // Files may be scanned in any sysroot.
    match scans {
        true => args.on.target.require(subject, &asked)?,
        false => args.on.require(subject, &asked)?,
    }
    Ok(())
}

/// Whether any flag affects what is run.
fn asks(args: &Args) -> bool {
    let (_, names) = algorithms(&args.algorithms, &args.cases);
    args.env.is_some() || !names.is_empty() || args.bytes.is_some()
}

/// Message size in bytes.
pub fn size(args: &Args) -> usize {
    args.bytes.map_or(KARU64.bytes, |b| b as usize)
}

/// The algorithms to examine.
pub fn cases(args: &Args) -> Result<Vec<Case>> {
    let usual = USUAL.map(String::from);
    let (flag, names) = algorithms(&args.algorithms, &args.cases);
    let names = if names.is_empty() { &usual[..] } else { names };
    let cases = case::select_by(flag, names).map_err(usage)?;
    if let Some(c) = cases.iter().find(|c| c.kind == case::Kind::Tls) {
        let what = format!(
            "{flag}: {} is no algorithm; capvec bench --cases {} measures it",
            c.title, c.id
        );
        return Err(Usage(what).into());
    }
    for c in &cases {
        let bytes = size(args);
        c.takes(bytes)
            .map_err(|what| Usage(format!("--bytes {bytes}: {} takes {what} bytes", c.id)))?;
    }
    Ok(cases)
}

/// The library's configuration, from `--env` or, natively, from the environment of this program.
pub fn configured(args: &Args, arch: Arch) -> Result<Option<String>> {
    let variable = arch.variable();
    let wrong = |what: String| Err(Usage(what).into());
    let is_variable = |name: &str| Arch::ALL.iter().any(|a| a.variable() == name);
    match args.env.as_deref().map(|e| e.split_once('=').ok_or(e)) {
        Some(Ok((name, value))) if name == variable => Ok(Some(value.into())),
        Some(Ok((name, _)) | Err(name)) if is_variable(name) && name != variable => {
            wrong(format!("--env {name}: on {}, the variable is {variable}", arch.name()))
        }
        Some(Err(name)) if name == variable => {
            wrong(format!("--env {name}: it has no value; write {variable}=VALUE"))
        }
        Some(Err(name)) => wrong(format!(
            "--env {name}: it has no value; write {variable}=VALUE, the only variable that the doctor sets"
        )),
        Some(Ok((name, _))) => wrong(format!(
            "--env {name}: the doctor sets only {variable}, which configures the library; write {variable}=VALUE"
        )),
        None if args.on.target == TargetName::Native => Ok(std::env::var(variable).ok()),
        None => Ok(None),
    }
}

/// The target; for the simulator, with its core and what its kernel hides.
pub fn target(args: &Args) -> Result<Target> {
    if args.on.target != TargetName::Sim {
        return Ok(args.on.chosen(None));
    }
    let core = args.core.core_of_library(&args.misaligned)?;
    args.core.check_costs(&core)?;
    Ok(Target { concealed: concealed(args)?, ..args.on.chosen(Some(core)) })
}

/// The processor that scanned files are judged for.
pub fn processor(args: &Args) -> Result<Processor> {
    Ok(match args.on.target {
        TargetName::Sim => {
            let core = args.core.core_of_library(&args.misaligned)?;
            let isa = args.core.isa().map_or(String::new(), |isa| format!(" with --isa {isa}"));
            Processor::Core { name: core.name + &isa, exts: core.isa.exts }
        }
        TargetName::Native => Processor::host(),
        TargetName::Qemu(_) | TargetName::Ssh(_) => Processor::of(super::scan::arch(&args.on)?),
    })
}

/// What the simulator's kernel hides.
fn concealed(args: &Args) -> Result<Concealed> {
    let mut exts = ExtSet::EMPTY;
    for name in &args.hide {
        exts = exts.union(isa_string::word(name, name).map_err(|e| Usage(format!("--hide: {e}")))?);
    }
    if exts.has(Ext::V) {
        let what = "--hide v: a kernel that hides V does not let programs use it; leave V out of --isa instead";
        return Err(Usage(what.into()).into());
    }
    Ok(Concealed { exts, hwprobe: args.no_hwprobe })
}
