//! Text files.

use std::io::{Error, ErrorKind, Result};
use std::path::Path;

/// The text of a file.
///
/// # Errors
/// Those of the system; or the file is not UTF-8, which usually means that another file was meant.
pub fn read(path: &Path) -> Result<String> {
    let binary = || Error::new(ErrorKind::InvalidData, "not a text file (it is not UTF-8)");
    String::from_utf8(std::fs::read(path)?).map_err(|_| binary())
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::path::Path;

    #[test]
    fn a_binary_file_is_called_one() {
        let program = std::env::current_exe().unwrap();
        assert_eq!(read(&program).unwrap_err().to_string(), "not a text file (it is not UTF-8)");
        let text = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
        assert!(text.starts_with("[package]"));
    }
}
