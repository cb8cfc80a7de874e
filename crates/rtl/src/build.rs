//! Builds a shared object from a design in SystemVerilog, with Verilator and a C++ compiler.

use crate::Verilator;
use anyhow::{Context, Result, bail};
use capvec_util::build_cache::{is_whole, keep};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// SystemVerilog by file name; tests that check the tests edit it.
#[derive(Clone)]
pub struct Source {
    /// File name and text, packages first.
    pub files: Vec<(String, String)>,
}

impl Source {
    /// All files in these directories of the repository's `rtl/`.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn load(directories: &[&str]) -> Result<Source> {
        Source::in_checkout(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), directories)
    }

    /// The same in another checkout.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn in_checkout(root: &Path, directories: &[&str]) -> Result<Source> {
        let rtl = root.join("rtl");
        let mut files = Vec::new();
        for dir in directories.iter().map(|d| rtl.join(d)) {
            for entry in std::fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
                let path = entry?.path();
                if path.extension().is_some_and(|e| e == "sv") {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    let text = std::fs::read_to_string(&path);
                    files.push((name, text.with_context(|| path.display().to_string())?));
                }
            }
        }
        files.sort_by_key(|(name, _)| (!name.ends_with("_pkg.sv"), name.clone()));
        Ok(Source { files })
    }

    /// Writes the files to a directory.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, to: &Path) -> Result<()> {
        std::fs::create_dir_all(to).with_context(|| to.display().to_string())?;
        for (name, text) in &self.files {
            std::fs::write(to.join(name), text)
                .with_context(|| to.join(name).display().to_string())?;
        }
        Ok(())
    }
}

/// The inputs of a model, in addition to the sources.
pub struct Design {
    /// The top module.
    pub top: &'static str,
    /// Verilator's arguments for the parameters.
    pub parameters: Vec<String>,
    /// Verilator's options for building: of `COMPACT` and `REGISTERS`.
    pub options: &'static [&'static str],
    /// VLEN, which the ports depend on.
    pub vlen: u32,
    /// DLEN, likewise.
    pub dlen: u32,
    /// The structures of the ports: the design's `ports.h`.
    pub ports: &'static str,
}

/// Keeps the instances of a module from being duplicated. With inlining, and with wires replaced by the expressions
/// that drive them, the unit at DLEN 512 becomes 80 MB of C++, for which compilers need more memory than machines have;
/// without, it is 8 MB.
pub const COMPACT: [&str; 2] = ["-fno-inline", "-fno-gate"];

/// With it, a model can say what its registers hold.
pub const REGISTERS: &str = "--vpi";

/// Verilator's configuration for that: a register's name ends in `_q`.
const REGISTERS_FILE: (&str, &str) =
    ("registers.vlt", "`verilator_config\npublic_flat_rd -module \"*\" -var \"*_q\"\n");

/// The functions through which any model is called.
const SHIM: &str = include_str!("shim.cpp");

/// One build at a time: tests of one program need the same models.
static BUILDING: Mutex<()> = Mutex::new(());

/// Options of a lint.
const LINT: [&str; 2] = ["--lint-only", "-Wall"];

/// The compiler of models.
const COMPILER: &str = "c++";

/// The file that records a lint without warnings.
const CLEAN: &str = "clean";

/// The file that is kept of a build.
const OBJECT: &str = "model.so";

impl Design {
    /// Checks that Verilator accepts the design without a warning. That a design is clean is remembered in `dir`, under the
    /// digest of everything that Verilator reads.
    ///
    /// # Errors
    /// Its warnings.
    pub fn lint(&self, verilator: &Verilator, source: &Source, dir: &Path) -> Result<()> {
        let dir = dir.join("lint");
        let digest = self.digest(&[&verilator.version], source, &LINT);
        let kept = dir.join(&digest[..16]);
        if is_whole(&kept, CLEAN) {
            return Ok(());
        }
        keep(&dir, &kept, CLEAN, |work| {
            let sources = work.join("sources");
            source.write(&sources)?;
            let mut lint = verilator.command();
            lint.args(LINT).args(["--top-module", self.top]).args(&self.parameters);
            lint.args(source.files.iter().map(|(name, _)| name));
            run(lint.current_dir(&sources))?;
            std::fs::remove_dir_all(&sources)?;
            Ok(std::fs::write(work.join(CLEAN), "")?)
        })
    }

    /// Of what the tools with these versions make, with these options.
    fn digest(&self, tools: &[&str], source: &Source, options: &[&str]) -> String {
        let mut digest = Sha256::new();
        let texts = [SHIM, self.ports, self.top].into_iter().chain(tools.iter().copied());
        let settings = options.iter().copied().chain(self.parameters.iter().map(String::as_str));
        for text in texts.chain(settings).chain(source.files.iter().map(|(_, t)| t.as_str())) {
            digest.update(text.len().to_le_bytes());
            digest.update(text);
        }
        hex::encode(digest.finalize())
    }

    /// The shared object in `dir`, kept under the digest of everything it is made of.
    ///
    /// # Errors
    /// Verilator or the C++ compiler fails.
    pub fn build(&self, verilator: &Verilator, source: &Source, dir: &Path) -> Result<PathBuf> {
        let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        let tools = [verilator.version.as_str(), &compiler()?];
        let kept = dir.join(&self.digest(&tools, source, self.options)[..16]);
        if !is_whole(&kept, OBJECT) {
            keep(dir, &kept, OBJECT, |work| {
                let sources = work.join("sources");
                self.compile(verilator, source, &sources)?;
                std::fs::rename(sources.join(OBJECT), work.join(OBJECT))?;
                Ok(std::fs::remove_dir_all(&sources)?)
            })?;
        }
        Ok(kept.join(OBJECT))
    }

    /// Writes the sources into the directory `work`, and builds the shared object there.
    fn compile(&self, verilator: &Verilator, source: &Source, work: &Path) -> Result<()> {
        source.write(work)?;
        for (name, text) in [("shim.cpp", SHIM), ("ports.h", self.ports), REGISTERS_FILE] {
            std::fs::write(work.join(name), text)
                .with_context(|| work.join(name).display().to_string())?;
        }
        let mut verilate = verilator.command();
        verilate.args(["--cc", "--top-module", self.top, "--Mdir", "model", "--prefix", "Vmodel"]);
        verilate.arg("-O3").args(self.options).args(&self.parameters);
        if self.options.contains(&REGISTERS) {
            verilate.arg(REGISTERS_FILE.0);
        }
        verilate.args(source.files.iter().map(|(name, _)| name));
        run(verilate.current_dir(work))?;
        self.link(work)
    }

    /// Compiles the model and the shim without Verilator's makefile, which needs perl and python. The model has many
    /// files that include the same headers, so they are compiled as two units: the code that runs in every cycle, and
    /// the code that runs once, which need not be fast.
    fn link(&self, work: &Path) -> Result<()> {
        let makefile =
            std::fs::read_to_string(work.join("model/Vmodel.mk")).context("Vmodel.mk")?;
        let root = makefile.lines().find_map(|l| l.strip_prefix("VERILATOR_ROOT = "));
        let include = Path::new(root.context("Vmodel.mk names no VERILATOR_ROOT")?).join("include");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(work.join("model")).context("the model")? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.retain(|n| n.ends_with(".cpp"));
        names.sort();
        let (once, mut cycle): (Vec<_>, Vec<_>) =
            names.into_iter().partition(|n| n.ends_with("Slow.cpp"));
        cycle.push("../shim.cpp".into());
        let compile = |names: &[String], out: &str, optimise: &str, more: &[&str]| {
            let text: String = names.iter().map(|n| format!("#include \"{n}\"\n")).collect();
            let all = work.join(out).with_extension("cpp");
            std::fs::write(&all, text).with_context(|| all.display().to_string())?;
            let mut compile = Command::new(COMPILER);
            compile.args(["-std=c++17", optimise, "-fPIC", "-pthread", "-Imodel", "-o", out]);
            compile.args([format!("-DVLEN={}", self.vlen), format!("-DDLEN={}", self.dlen)]);
            compile.arg("-isystem").arg(&include).arg("-isystem").arg(include.join("vltstd"));
            compile.args(["-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0"]);
            if self.options.contains(&REGISTERS) {
                compile.arg("-DREGISTERS");
            }
            run(compile.args(more).arg(all).current_dir(work))
        };
        compile(&once, "once.o", "-O0", &["-c"])?;
        compile(&cycle, "cycle.o", "-O1", &["-c"])?;
        let runtime = ["verilated.cpp", "verilated_threads.cpp"]
            .map(|f| include.join(f).display().to_string());
        compile(&runtime, OBJECT, "-O1", &["-shared", "once.o", "cycle.o"])
    }
}

/// The first line of the C++ compiler's `--version`.
fn compiler() -> Result<String> {
    let output = Command::new(COMPILER).arg("--version").env("LC_ALL", "C").output();
    let needed =
        || format!("running {COMPILER}: a C++ compiler is needed; Debian: apt install g++");
    let text = output.with_context(needed)?.stdout;
    Ok(String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_string())
}

fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("running {name}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        bail!("{name}: {}\n{text}{}", output.status, String::from_utf8_lossy(&output.stdout));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_compiler_or_verilator_builds_another_model() {
        let design =
            Design { top: "a", parameters: vec![], options: &[], vlen: 128, dlen: 64, ports: "" };
        let source = Source { files: vec![("a.sv".into(), "module a; endmodule\n".into())] };
        let digest = |tools: [&str; 2]| design.digest(&tools, &source, &[]);
        let usual = digest(["Verilator 5.006", "c++ 12.2.0"]);
        assert_eq!(usual, digest(["Verilator 5.006", "c++ 12.2.0"]));
        assert_ne!(usual, digest(["Verilator 5.006", "c++ 14.1.0"]));
        assert_ne!(usual, digest(["Verilator 5.020", "c++ 12.2.0"]));
    }
}
