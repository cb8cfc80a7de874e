//! What `--target` names.

use capvec_record::Arch;

/// A target by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TargetName {
    /// The simulator.
    #[default]
    Sim,
    /// This machine.
    Native,
    /// QEMU in user mode.
    Qemu(Arch),
    /// A board, by its name for the ssh client.
    Ssh(String),
}

/// The core of `rtl/` is no target: a target runs drivers with the subject that `--subject` names.
const RTL: &str = "the core of rtl/ has no operating system, so it runs none of the libraries that --subject names; \
    use `capvec rtl` or `capvec bench --target rtl`, which measure libcapvec's kernels on it (docs/rtl.md)";

impl std::str::FromStr for TargetName {
    type Err = String;

    fn from_str(text: &str) -> Result<TargetName, String> {
        match text.split_once(':') {
            None if text == "sim" => Ok(TargetName::Sim),
            None if text == "native" => Ok(TargetName::Native),
            None if text == "rtl" => Err(RTL.into()),
            Some(("ssh", host)) if !host.is_empty() && !host.starts_with('-') => {
                Ok(TargetName::Ssh(host.into()))
            }
            Some(("ssh", _)) => Err("name the host, such as ssh:board or ssh:user@board".into()),
            Some(("qemu", "")) => {
                Err("name the architecture, such as qemu:x86_64, qemu:aarch64 or qemu:riscv64"
                    .into())
            }
            Some(("qemu", arch)) => {
                Arch::parse(arch).map(TargetName::Qemu).map_err(|e| e.to_string())
            }
            _ => Err("sim, native, qemu:ARCH (x86_64, aarch64, riscv64) or ssh:HOST".into()),
        }
    }
}

impl std::fmt::Display for TargetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TargetName::Sim => f.write_str("sim"),
            TargetName::Native => f.write_str("native"),
            TargetName::Qemu(arch) => write!(f, "qemu:{}", arch.name()),
            TargetName::Ssh(host) => write!(f, "ssh:{host}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_targets() {
        assert_eq!("qemu:arm64".parse(), Ok(TargetName::Qemu(Arch::Aarch64)));
        assert_eq!("native".parse(), Ok(TargetName::Native));
        assert_eq!("ssh:me@board".parse(), Ok(TargetName::Ssh("me@board".into())));
        for name in ["sim", "native", "qemu:riscv64", "ssh:me@board"] {
            assert_eq!(name.parse::<TargetName>().unwrap().to_string(), name);
        }
        for bad in ["", "ssh:", "ssh:-oX", "qemu", "qemu:mips", "native:x", "simulator"] {
            assert!(bad.parse::<TargetName>().is_err(), "{bad}");
        }
        assert!("rtl".parse::<TargetName>().unwrap_err().contains("use `capvec rtl`"));
        assert!("ssh:".parse::<TargetName>().unwrap_err().contains("name the host"));
        assert!("qemu:".parse::<TargetName>().unwrap_err().contains("name the architecture"));
    }
}
