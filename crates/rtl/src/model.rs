//! Builds the unit's Verilator model as a shared object and calls it.

use crate::Verilator;
use crate::library::Library;
use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Widest beat in bytes: ZVKU_BEAT of `shim.h`.
pub const BEAT: usize = 64;
const SHIM: &str = include_str!("shim.cpp");
const SHIM_H: &str = include_str!("shim.h");
/// Extensions by the names of the unit's parameters.
pub const EXTENSIONS: [&str; 9] =
    ["Zvkb", "Zvbb", "Zvbc", "Zvkg", "Zvkned", "Zvknha", "Zvknhb", "Zvksed", "Zvksh"];

/// Inputs of a cycle: `struct zvku_in`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// The x register.
    pub rs1: u64,
    /// Mask, a bit for each byte.
    pub op_mask: u64,
    /// The instruction.
    pub insn: u32,
    /// vl.
    pub vl: u32,
    /// vstart.
    pub vstart: u32,
    /// vtype without vill.
    pub vtype: u32,
    /// vill.
    pub vill: u32,
    /// An instruction is there.
    pub insn_valid: u32,
    /// Operands are there.
    pub op_valid: u32,
    /// A result may come.
    pub res_ready: u32,
    /// Beat of vd.
    pub op_vd: [u8; BEAT],
    /// Beat of vs2.
    pub op_vs2: [u8; BEAT],
    /// Beat of vs1.
    pub op_vs1: [u8; BEAT],
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs {
            rs1: 0,
            op_mask: 0,
            insn: 0,
            vl: 0,
            vstart: 0,
            vtype: 0,
            vill: 0,
            insn_valid: 0,
            op_valid: 0,
            res_ready: 0,
            op_vd: [0; BEAT],
            op_vs2: [0; BEAT],
            op_vs1: [0; BEAT],
        }
    }
}

/// Outputs of a cycle: `struct zvku_out`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Outputs {
    /// Bytes to write.
    pub res_strb: u64,
    /// The instruction is taken.
    pub insn_ready: u32,
    /// It is illegal.
    pub insn_illegal: u32,
    /// It has no body.
    pub insn_empty: u32,
    /// Operands are taken.
    pub op_ready: u32,
    /// Which: bit 0 vd, 1 vs2, 2 vs1, 3 mask.
    pub op_use: u32,
    /// Beat of vd that is wanted.
    pub op_vd_beat: u32,
    /// Beat of vs2.
    pub op_vs2_beat: u32,
    /// Beat of vs1.
    pub op_vs1_beat: u32,
    /// A result is there.
    pub res_valid: u32,
    /// Its beat.
    pub res_beat: u32,
    /// It is its instruction's last.
    pub res_last: u32,
    reserved: u32,
    /// The result.
    pub res_data: [u8; BEAT],
}

impl Default for Outputs {
    fn default() -> Outputs {
        Outputs {
            res_strb: 0,
            insn_ready: 0,
            insn_illegal: 0,
            insn_empty: 0,
            op_ready: 0,
            op_use: 0,
            op_vd_beat: 0,
            op_vs2_beat: 0,
            op_vs1_beat: 0,
            res_valid: 0,
            res_beat: 0,
            res_last: 0,
            reserved: 0,
            res_data: [0; BEAT],
        }
    }
}

/// Parameters of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// VLEN in bits.
    pub vlen: u32,
    /// DLEN in bits.
    pub dlen: u32,
    /// Names of [`EXTENSIONS`] that are on.
    pub on: Vec<&'static str>,
}

impl Parameters {
    /// With every extension.
    pub fn all(vlen: u32, dlen: u32) -> Parameters {
        Parameters { vlen, dlen, on: EXTENSIONS.to_vec() }
    }

    fn arguments(&self) -> Vec<String> {
        let mut all = vec![format!("-GVLEN={}", self.vlen), format!("-GDLEN={}", self.dlen)];
        all.extend(EXTENSIONS.map(|e| format!("-G{e}=1'b{}", u8::from(self.on.contains(&e)))));
        all
    }
}

/// The unit's sources, by name; a test of the test edits them.
#[derive(Clone)]
pub struct Source {
    /// File name and text, packages first.
    pub files: Vec<(String, String)>,
}

impl Source {
    /// Where the repository has them.
    pub fn directory() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rtl/zvku")
    }

    /// Those of the repository.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn load() -> Result<Source> {
        let dir = Source::directory();
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
            let path = entry?.path();
            if path.extension().is_some_and(|e| e == "sv") {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let text = std::fs::read_to_string(&path);
                files.push((name, text.with_context(|| path.display().to_string())?));
            }
        }
        files.sort_by_key(|(name, _)| (!name.ends_with("_pkg.sv"), name.clone()));
        Ok(Source { files })
    }
}

/// A unit.
pub struct Model {
    library: Library,
    unit: *mut c_void,
    /// What it was built with.
    pub parameters: Parameters,
}

impl Model {
    /// Builds the model below `dir`, unless it is there, and resets a unit.
    ///
    /// # Errors
    /// What Verilator, make or the C++ compiler reports.
    pub fn build(
        verilator: &Verilator,
        source: &Source,
        parameters: Parameters,
        dir: &Path,
    ) -> Result<Model> {
        let object = object(verilator, source, &parameters, dir)?;
        let library = Library::open(&object)?;
        // SAFETY: takes nothing and gives a unit.
        let unit = unsafe { (library.new)() };
        Ok(Model { library, unit, parameters })
    }

    /// Applies inputs: the outputs of the present cycle.
    pub fn eval(&mut self, inputs: &Inputs) -> Outputs {
        let mut outputs = Outputs::default();
        // SAFETY: the unit is alive, and both structures have the layout of `shim.h`.
        unsafe { (self.library.eval)(self.unit, inputs, &mut outputs) };
        outputs
    }

    /// The clock's rising edge.
    pub fn clock(&mut self) {
        // SAFETY: the unit is alive.
        unsafe { (self.library.clock)(self.unit) }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: `new` gave it, and nothing uses it after.
        unsafe { (self.library.free)(self.unit) }
    }
}

/// Whether Verilator has no warning about the repository's sources with these parameters.
///
/// # Errors
/// Its warnings.
pub fn lint(verilator: &Verilator, source: &Source, parameters: &Parameters) -> Result<()> {
    let mut lint = verilator.command();
    lint.args(["--lint-only", "-Wall", "--top-module", "zvku"]).args(parameters.arguments());
    lint.args(source.files.iter().map(|(name, _)| name));
    run(lint.current_dir(Source::directory()))
}

/// One build at a time: tests of one program want the same models.
static BUILDING: Mutex<()> = Mutex::new(());

/// The shared object, kept under the digest of all it is made of.
fn object(
    verilator: &Verilator,
    source: &Source,
    parameters: &Parameters,
    dir: &Path,
) -> Result<PathBuf> {
    let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut digest = Sha256::new();
    for text in [SHIM, SHIM_H, &verilator.version]
        .into_iter()
        .chain(source.files.iter().map(|(_, t)| t.as_str()))
    {
        digest.update(text.len().to_le_bytes());
        digest.update(text);
    }
    digest.update(format!("{parameters:?}"));
    let work = dir.join(&hex::encode(digest.finalize())[..16]);
    let object = work.join("zvku.so");
    if object.is_file() {
        return Ok(object);
    }
    std::fs::create_dir_all(&work).with_context(|| work.display().to_string())?;
    for (name, text) in source
        .files
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .chain([("shim.cpp", SHIM), ("shim.h", SHIM_H)])
    {
        std::fs::write(work.join(name), text)
            .with_context(|| work.join(name).display().to_string())?;
    }
    let mut verilate = verilator.command();
    verilate.args(["--cc", "--top-module", "zvku", "--Mdir", "model", "-O3"]);
    verilate.args(parameters.arguments()).args(source.files.iter().map(|(name, _)| name));
    run(verilate.current_dir(&work))?;
    link(&work, parameters)?;
    std::fs::rename(work.join("linked.so"), &object).context("the model")?;
    Ok(object)
}

/// Compiles the model and the shim at once: Verilator's makefile would ask for perl and python.
fn link(work: &Path, parameters: &Parameters) -> Result<()> {
    let makefile = std::fs::read_to_string(work.join("model/Vzvku.mk")).context("Vzvku.mk")?;
    let root = makefile.lines().find_map(|l| l.strip_prefix("VERILATOR_ROOT = "));
    let include = Path::new(root.context("Vzvku.mk names no VERILATOR_ROOT")?).join("include");
    let mut compile = Command::new("c++");
    compile.args(["-std=c++17", "-O1", "-fPIC", "-shared", "-o", "linked.so", "-Imodel"]);
    compile.arg(format!("-DDLEN={}", parameters.dlen)).arg("-isystem").arg(&include);
    compile.args(["-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0"]);
    for entry in std::fs::read_dir(work.join("model")).context("the model")? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "cpp") {
            compile.arg(path);
        }
    }
    compile.args(["verilated.cpp", "verilated_threads.cpp"].map(|f| include.join(f)));
    run(compile.args(["shim.cpp", "-pthread"]).current_dir(work))
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
