//! What `--target` may be.

use super::Arch;

/// A target by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The simulator.
    #[default]
    Sim,
    /// This machine.
    Native,
    /// QEMU in user mode.
    Qemu(Arch),
    /// A board, as the ssh client calls it.
    Ssh(String),
}

impl std::str::FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        match text.split_once(':') {
            None if text == "sim" => Ok(Choice::Sim),
            None if text == "native" => Ok(Choice::Native),
            Some(("ssh", host)) if !host.is_empty() && !host.starts_with('-') => {
                Ok(Choice::Ssh(host.into()))
            }
            Some(("ssh", _)) => Err("name the host, as ssh:board or ssh:user@board".into()),
            Some(("qemu", arch)) => Arch::parse(arch).map(Choice::Qemu).map_err(|e| e.to_string()),
            _ => Err("sim, native, qemu:ARCH (x86_64, aarch64, riscv64) or ssh:HOST".into()),
        }
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Choice::Sim => f.write_str("sim"),
            Choice::Native => f.write_str("native"),
            Choice::Qemu(arch) => write!(f, "qemu:{}", arch.name()),
            Choice::Ssh(host) => write!(f, "ssh:{host}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_targets() {
        assert_eq!("qemu:arm64".parse(), Ok(Choice::Qemu(Arch::Aarch64)));
        assert_eq!("native".parse(), Ok(Choice::Native));
        assert_eq!("ssh:me@board".parse(), Ok(Choice::Ssh("me@board".into())));
        for name in ["sim", "native", "qemu:riscv64", "ssh:me@board"] {
            assert_eq!(name.parse::<Choice>().unwrap().to_string(), name);
        }
        for bad in ["", "ssh:", "ssh:-oX", "qemu", "qemu:mips", "native:x", "simulator"] {
            assert!(bad.parse::<Choice>().is_err(), "{bad}");
        }
        assert!("ssh:".parse::<Choice>().unwrap_err().contains("name the host"));
    }
}
