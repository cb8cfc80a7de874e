//! Copies of a board's files.

use super::ssh_link::{Link, client, quoted};
use anyhow::{Context, Result, bail};
use std::path::{Component, Path};

/// Says what a file's name is, and that its bytes follow.
const FILE: &str = "FILE ";

/// The files of a running system that describe its kernel and its processor, as words of the shell; of the configurations, the first
/// one that there is.
const KERNEL: &str = "proc/sys/kernel/osrelease proc/crypto proc/modules proc/cmdline proc/cpuinfo \
    proc/device-tree/cpus/cpu@*/riscv,isa proc/device-tree/cpus/cpu@*/riscv,isa-extensions";
const CONFIGURATIONS: &str = "proc/config.gz \"boot/config-$r\" \"usr/lib/modules/$r/config\"";

/// Copies the files of the board that describe its kernel to the directory `to`, below which they have the same paths as below `root`
/// there.
///
/// # Errors
/// The connection fails, the board has no such directory, or a copy cannot be written.
pub fn copy_kernel(host: &str, root: &Path, to: &Path) -> Result<()> {
    let link = Link::to(&client(), host)?;
    let at = root.to_str().context("a path there is text")?;
    // Files of /proc have no size, so they are read to their ends; od, which every board has, makes them text.
    let script = format!(
        "cd {} || exit 1; r=$(cat proc/sys/kernel/osrelease 2>/dev/null); \
         one() {{ [ -f \"$1\" ] && [ -r \"$1\" ] && echo \"{FILE}$1\" && od -An -v -tx1 <\"$1\"; }}; \
         for f in {KERNEL}; do one \"$f\"; done; for f in {CONFIGURATIONS}; do one \"$f\" && break; done; exit 0",
        quoted(at)
    );
    let ended = link.shell(&script, b"")?;
    if ended.status != 0 {
        let why = if ended.stderr.is_empty() { "it prints nothing" } else { &ended.stderr };
        bail!(
            "--target ssh:{host}: reading {at} there ended with status {} ({why}); check the path, and that `{} {host} true` works",
            ended.status,
            client()
        );
    }
    for file in ended.stdout.split(FILE).skip(1) {
        let (name, hex) = file.split_once('\n').unwrap_or((file, ""));
        let path = Path::new(name);
        // What the board sends must not leave the directory.
        if !path.components().all(|c| matches!(c, Component::Normal(_))) {
            bail!("--target ssh:{host}: it sends a file named {name}");
        }
        let bytes = bytes(hex).with_context(|| format!("--target ssh:{host}: {name}"))?;
        let path = to.join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(to))?;
        std::fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The bytes that od prints in hexadecimal.
fn bytes(hex: &str) -> Result<Vec<u8>> {
    let byte = |word| u8::from_str_radix(word, 16).context("od does not print bytes there");
    hex.split_whitespace().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn what_od_prints_is_read() {
        assert_eq!(bytes(" 00 1f ff\n 7e\n").unwrap(), [0, 0x1f, 0xff, 0x7e]);
        assert!(bytes("").unwrap().is_empty() && bytes("sh: od: not found").is_err());
    }
}
