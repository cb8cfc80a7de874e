//! Commands for people to paste into any POSIX shell.

/// A word, quoted for a shell.
pub fn word(w: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,/:+@%".contains(c);
    if !w.is_empty() && w.chars().all(plain) {
        w.to_string()
    } else {
        format!("'{}'", w.replace('\'', "'\\''"))
    }
}

/// The format that makes `printf` write these bytes. POSIX has octal escapes only.
pub fn printf(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("\\{b:03o}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Checked with `sh`, which is a POSIX shell: dash on Debian.
    #[test]
    fn a_shell_reads_quoted_words_unchanged() {
        let bytes: Vec<u8> = (0..=255).collect();
        let name = "a'b $c\"d\\e;f";
        let script = format!("printf '{}'; printf %s {}", printf(&bytes), word(name));
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(output.stdout, [&bytes[..], name.as_bytes()].concat());
        assert_eq!(
            (word("wycheproof/a.txt:1"), word("")),
            ("wycheproof/a.txt:1".into(), "''".into())
        );
    }
}
