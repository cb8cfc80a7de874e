//! Files with custom instructions.

/// Refuses a file, or makes its header. Registering is left out, because what is registered stays.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match capvec_custom::parse("fuzz.toml", text) {
        Ok(extension) => assert!(extension.header().contains(extension.name())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
