//! The machine that the tool runs on.

use capvec_record::Host;

/// This machine.
pub fn this() -> Host {
    let uname = rustix::system::uname();
    let [name, release] = [uname.sysname(), uname.release()].map(|s| s.to_string_lossy());
    Host {
        architecture: std::env::consts::ARCH.into(),
        processor: value("/proc/cpuinfo", "model name", ':'),
        processors: capvec_util::pool::processors(),
        system: value("/etc/os-release", "PRETTY_NAME", '='),
        kernel: format!("{name} {release}"),
    }
}

/// The command line, for records. Arguments that are not UTF-8, such as paths, are converted lossily.
pub fn command() -> Vec<String> {
    std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect()
}

/// The value in the first line of a file that has the form `key`, `separator`, value.
fn value(file: &str, key: &str, separator: char) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let mut lines = text.lines().filter_map(|l| l.split_once(separator));
    let (_, value) = lines.find(|(k, _)| k.trim() == key)?;
    Some(value.trim().trim_matches('"').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_key() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("f");
        std::fs::write(&file, "NAME=x\nPRETTY_NAME=\"A system 1 (b)\"\nno value\n").unwrap();
        let file = file.to_str().unwrap();
        assert_eq!(value(file, "PRETTY_NAME", '=').as_deref(), Some("A system 1 (b)"));
        assert_eq!(value(file, "VERSION", '='), None);
        assert_eq!(value("/nonexistent", "VERSION", '='), None);
    }

    #[test]
    fn this_machine_has_a_kernel_and_a_processor() {
        let host = this();
        assert!(host.kernel.starts_with("Linux ") && host.processors > 0, "{host:?}");
    }
}
