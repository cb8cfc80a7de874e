//! What is reported about a target.

use serde::{Deserialize, Serialize};

/// A capability that the library has a name for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Capability {
    /// The library's name for it.
    pub name: String,
    /// Whether the processor executes it; `None` if that cannot be tried.
    pub executes: Option<bool>,
    /// Whether the kernel shows it; `None` if the kernel has no word for it.
    pub kernel: Option<bool>,
    /// Whether the C library passes on what the kernel shows; `None` if the library does not ask it.
    pub libc: Option<bool>,
    /// Whether the library reports that it uses it; `None` if it reports nothing.
    pub detected: Option<bool>,
}

/// The library's file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(bound = "Scan: Default + Serialize + schemars::JsonSchema"))]
#[serde(default, bound(deserialize = "Scan: Default + Deserialize<'de>"))]
pub struct LibraryFile<Scan> {
    /// Where it is.
    pub path: String,
    /// What it contains.
    pub scan: Scan,
}

/// Everything that is reported about a target.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(bound = "Scan: Default + Serialize + schemars::JsonSchema"))]
#[serde(default, bound(deserialize = "Scan: Default + Deserialize<'de>"))]
pub struct Facts<Scan> {
    /// The target, as `--target` names it.
    pub target: String,
    /// Architecture.
    pub architecture: String,
    /// Modelled core, or the kernel's name for the processor.
    pub processor: String,
    /// The library, with its version.
    pub version: String,
    /// What it reports about the capabilities that it uses.
    pub settings: String,
    /// The value of its environment variable, if that is set.
    #[serde(alias = "told")]
    pub configured: Option<String>,
    /// Whether riscv_hwprobe answers; `None` on other architectures.
    pub hwprobe: Option<bool>,
    /// What riscv_hwprobe says about misaligned accesses of scalar and of vector instructions: fast, slow, emulated or unsupported; empty
    /// if it does not say.
    pub misaligned: [String; 2],
    /// Release of the running kernel, as uname reports it; empty if unknown.
    pub kernel: String,
    /// The capabilities.
    pub capabilities: Vec<Capability>,
    /// The library's file; `None` if it is linked into the program.
    pub file: Option<LibraryFile<Scan>>,
    /// How it dies at start with this value, if it does.
    pub dies: Option<String>,
}

impl<Scan> Facts<Scan> {
    /// Whether the target is the simulator.
    pub fn is_simulated(&self) -> bool {
        self.target == "sim"
    }

    /// The capability of this name.
    pub fn get(&self, name: &str) -> Option<&Capability> {
        self.capabilities.iter().find(|c| c.name == name)
    }

    /// Whether the processor is known to execute it.
    pub fn executes(&self, name: &str) -> bool {
        self.get(name).is_some_and(|c| c.executes == Some(true))
    }

    /// Names of the capabilities with a property.
    pub fn names(&self, f: impl Fn(&Capability) -> bool) -> Vec<String> {
        self.capabilities.iter().filter(|c| f(c)).map(|c| c.name.clone()).collect()
    }
}
