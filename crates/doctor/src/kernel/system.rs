//! What a kernel's files say: its configuration and, if it is running, what it has loaded and how it was started.

use super::release::Release;
use super::table::Arch;
use crate::tree::{read, within};
use anyhow::{Context, Result, bail};
use capvec_isa::{Ext, foreign_isa_string};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A kernel.
#[derive(Debug)]
pub struct System {
    pub arch: Arch,
    pub release: Release,
    /// The release as it is written: of the running kernel, or of the configuration.
    pub shown: String,
    /// Where the configuration was read.
    pub config_file: String,
    /// Options that are set, with their values.
    pub options: BTreeMap<String, String>,
    /// Drivers of /proc/crypto; `None` if there is no such file.
    pub drivers: Option<Vec<Driver>>,
    /// Loaded modules, with underscores.
    pub modules: Option<BTreeSet<String>>,
    pub cmdline: Option<String>,
    /// What the kernel shows of the processor.
    pub shows: Option<BTreeSet<String>>,
    /// What the device tree names for every hart.
    pub device_tree: Option<BTreeSet<String>>,
}

/// A driver of the kernel's crypto API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    pub name: String,
    pub driver: String,
    pub priority: i64,
    /// Its module; `None` if it is built into the kernel.
    pub module: Option<String>,
}

impl System {
    /// Whether an option is built in or a module.
    pub fn has(&self, option: &str) -> bool {
        self.value(option).is_some_and(|v| v == "y" || v == "m")
    }

    /// An option's value.
    pub fn value(&self, option: &str) -> Option<&str> {
        self.options.get(option).map(String::as_str)
    }
}

/// The options of a configuration, and its first lines' architecture and release.
fn options(text: &str) -> (Option<(&str, &str)>, BTreeMap<String, String>) {
    let mut of = None;
    let mut options = BTreeMap::new();
    for line in text.lines() {
        if let Some((name, value)) = line.strip_prefix("CONFIG_").and_then(|l| l.split_once('=')) {
            options.insert(name.to_string(), value.trim().trim_matches('"').to_string());
        } else if of.is_none() {
            // # Linux/riscv 6.12.117 Kernel Configuration
            let words =
                line.strip_prefix("# Linux/").and_then(|l| l.strip_suffix("Kernel Configuration"));
            of = words.and_then(|w| w.trim().split_once(' '));
        }
    }
    (of, options)
}

/// The kernel that a configuration describes.
///
/// # Errors
/// It is not a configuration, or one of an architecture that is not described.
pub fn parse(file: &str, text: &str) -> Result<System> {
    let (of, options) = options(text);
    let Some((arch, release)) = of else {
        bail!(
            "{file}: not a configuration of Linux: none of its lines is like \"# Linux/riscv 6.12 Kernel Configuration\""
        )
    };
    let known = Arch::parse(arch).with_context(|| {
        format!("{file}: a kernel for {arch}; capvec examines kernels for riscv, x86 and arm64")
    })?;
    let parsed = Release::parse(release)
        .with_context(|| format!("{file}: {release} is not a Linux release"))?;
    Ok(System {
        arch: known,
        release: parsed,
        shown: release.into(),
        config_file: file.into(),
        options,
        drivers: None,
        modules: None,
        cmdline: None,
        shows: None,
        device_tree: None,
    })
}

/// The configuration in a file, which may be compressed.
///
/// # Errors
/// As [`parse`], or the file cannot be read.
pub fn from_file(path: &Path) -> Result<System> {
    let name = path.display().to_string();
    let bytes = read(path).with_context(|| name.clone())?;
    from_bytes(&name, &bytes)
}

/// The same from bytes.
///
/// # Errors
/// As [`from_file`].
pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<System> {
    let text = capvec_binscan::unpack(bytes).with_context(|| name.to_string())?;
    parse(name, &String::from_utf8_lossy(&text))
}

/// A file below a root as text.
fn text(root: &Path, path: &str) -> Option<String> {
    let bytes = read(&within(root, Path::new(path))?).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The kernel of the system whose root this is: of this machine, with `/`, or of a copy of its files. The root is shown as `name`.
///
/// # Errors
/// There is no configuration, or as [`from_file`].
pub fn from_root(root: &Path, name: &str) -> Result<System> {
    let running = text(root, "proc/sys/kernel/osrelease").map(|r| r.trim().to_string());
    let path = config(root, name, running.as_deref())?;
    let bytes = read(&path).with_context(|| path.display().to_string())?;
    let below = path.strip_prefix(root).unwrap_or(&path);
    let mut system =
        from_bytes(&format!("{}/{}", name.trim_end_matches('/'), below.display()), &bytes)?;
    system.drivers = text(root, "proc/crypto").map(|t| drivers(&t));
    system.modules = text(root, "proc/modules")
        .map(|t| t.lines().filter_map(|l| l.split_whitespace().next()).map(String::from).collect());
    system.cmdline = text(root, "proc/cmdline").map(|c| c.trim().to_string());
    system.shows = text(root, "proc/cpuinfo").and_then(|t| shows(system.arch, &t));
    system.device_tree = device_tree(root);
    if let Some((release, parsed)) = running.and_then(|r| Some((r.clone(), Release::parse(&r)?))) {
        (system.shown, system.release) = (release, parsed);
    }
    Ok(system)
}

/// The configuration of the running kernel, or else the newest one below /boot.
fn config(root: &Path, name: &str, running: Option<&str>) -> Result<PathBuf> {
    let of = |release: &str| {
        [format!("boot/config-{release}"), format!("usr/lib/modules/{release}/config")]
    };
    let mut places = vec!["proc/config.gz".to_string()];
    places.extend(running.into_iter().flat_map(of));
    if running.is_none() {
        let boot = std::fs::read_dir(root.join("boot")).into_iter().flatten().flatten();
        let names = boot.map(|e| e.file_name().to_string_lossy().into_owned());
        let mut configs: Vec<String> = names.filter(|n| n.starts_with("config-")).collect();
        configs.sort_by_key(|n| std::cmp::Reverse(Release::parse(&n["config-".len()..])));
        places.extend(configs.iter().map(|n| format!("boot/{n}")));
    }
    let found = places.iter().find_map(|p| within(root, Path::new(p)));
    found.with_context(|| {
        format!("no configuration of a kernel in {name}: neither proc/config.gz nor boot/config-RELEASE nor, where /proc names the running release, usr/lib/modules/RELEASE/config")
    })
}

/// The module of a driver that is built in, by /proc/crypto.
const BUILT_IN: &str = "kernel";

/// The drivers of /proc/crypto: blocks of `name : value` lines.
fn drivers(text: &str) -> Vec<Driver> {
    let driver = |block: &str| {
        let field = |name: &str| {
            let lines = block.lines().filter_map(|l| l.split_once(':'));
            lines.map(|(k, v)| (k.trim(), v.trim())).find(|(k, _)| *k == name).map(|(_, v)| v)
        };
        let priority = field("priority")?.parse().ok()?;
        let module = field("module").filter(|module| *module != BUILT_IN).map(String::from);
        Some(Driver {
            name: field("name")?.into(),
            driver: field("driver")?.into(),
            priority,
            module,
        })
    };
    text.split("\n\n").filter_map(driver).collect()
}

/// The extensions that all processors of /proc/cpuinfo have: on RISC-V by their names, elsewhere by the words used there.
fn shows(arch: Arch, cpuinfo: &str) -> Option<BTreeSet<String>> {
    let key = match arch {
        Arch::Riscv => "isa",
        Arch::X86 => "flags",
        Arch::Arm64 => "Features",
    };
    let lines = cpuinfo.lines().filter_map(|l| l.split_once(':'));
    let harts = lines.filter(|(k, _)| k.trim() == key).map(|(_, v)| match arch {
        Arch::Riscv => riscv(v),
        _ => v.split_whitespace().map(String::from).collect(),
    });
    harts.reduce(common)
}

/// The names of the extensions of an ISA string, with those that they imply.
fn riscv(isa: &str) -> BTreeSet<String> {
    let exts = foreign_isa_string::exts(isa).unwrap_or_default();
    Ext::all().filter(|e| exts.has(*e)).map(|e| e.name().to_string()).collect()
}

fn common(a: BTreeSet<String>, b: BTreeSet<String>) -> BTreeSet<String> {
    a.intersection(&b).cloned().collect()
}

/// What the device tree names for every hart: `riscv,isa-extensions`, or else `riscv,isa`.
fn device_tree(root: &Path) -> Option<BTreeSet<String>> {
    let cpus = ["proc/device-tree/cpus", "sys/firmware/devicetree/base/cpus"];
    let cpus = cpus.iter().find_map(|p| crate::tree::resolve(root, Path::new(p)))?;
    let entries = std::fs::read_dir(root.join(&cpus)).ok()?.flatten();
    let harts = entries.filter(|e| e.file_name().to_string_lossy().starts_with("cpu@"));
    let of = |name: std::ffi::OsString| {
        let property = |p: &str| text(root, cpus.join(&name).join(p).to_str()?);
        let listed = property("riscv,isa-extensions").map(|t| {
            let words: Vec<&str> = t.split('\0').filter(|w| !w.is_empty()).collect();
            riscv(&format!("rv64i_{}", words.join("_")))
        });
        listed.or_else(|| property("riscv,isa").map(|t| riscv(t.trim_end_matches('\0'))))
    };
    harts.filter_map(|e| of(e.file_name())).reduce(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "#\n# Linux/riscv 6.12.117 Kernel Configuration\n#\nCONFIG_A=y\nCONFIG_S=\"x\"\n# CONFIG_B is not set\nCONFIG_C=m\n";

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        dir
    }

    #[test]
    fn configurations_are_read() {
        let s = parse("f", CONFIG).unwrap();
        assert!(s.has("A") && s.has("C") && !s.has("B") && !s.has("S"));
        assert_eq!((s.value("S"), s.shown.as_str()), (Some("x"), "6.12.117"));
        for (text, what) in [
            ("CONFIG_A=y\n", "not a configuration"),
            ("# Linux/s390 6.12 Kernel Configuration\n", "a kernel for s390"),
            ("# Linux/riscv x Kernel Configuration\n", "not a Linux release"),
        ] {
            assert!(parse("f", text).unwrap_err().to_string().contains(what), "{text}");
        }
    }

    #[test]
    fn a_system_is_read_within_its_root() {
        let isa = "rv64imafdcv_zvkned";
        let files = [
            ("boot/config-6.1", CONFIG),
            ("boot/config-6.12.117-b", CONFIG),
            (
                "proc/crypto",
                "name : a\ndriver : b\nmodule : kernel\npriority : 3\n\nname : broken\n\n",
            ),
            ("proc/modules", "aes_riscv64 1 0 - Live 0x0\n"),
            ("proc/cmdline", "quiet\n"),
            (
                "proc/cpuinfo",
                "hart : 0\nisa : rv64imafdcv_zvkned_zvkg\n\nhart : 1\nisa : rv64imafdcv_zvkned\n",
            ),
            ("proc/device-tree/cpus/cpu@0/riscv,isa-extensions", "i\0m\0v\0zvkned\0"),
            ("proc/device-tree/cpus/cpu@1/riscv,isa", isa),
            ("proc/device-tree/cpus/#size-cells", ""),
        ];
        let dir = tree(&files);
        let s = from_root(dir.path(), "board").unwrap();
        assert_eq!(s.config_file, "board/boot/config-6.12.117-b");
        assert_eq!(
            s.drivers,
            Some(vec![Driver { name: "a".into(), driver: "b".into(), priority: 3, module: None }])
        );
        assert!(s.modules.unwrap().contains("aes_riscv64"));
        let (shows, tree) = (s.shows.unwrap(), s.device_tree.unwrap());
        assert!(shows.contains("zvkned") && !shows.contains("zvkg"), "one hart lacks it");
        assert!(tree.contains("zvkned") && tree.contains("v") && !tree.contains("zvkg"));
        let empty = tempfile::tempdir().unwrap();
        assert!(
            from_root(empty.path(), "board").unwrap_err().to_string().contains("no configuration")
        );
    }
}
