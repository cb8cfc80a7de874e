//! Files that `capvec doctor` scans.

/// A scan of any file gives a result or an error; offsets in the result lie within the file.
pub fn run(data: &[u8]) {
    let Ok(report) = capvec_binscan::scan(data) else { return };
    for found in &report.uses {
        assert!(found.clusters <= found.count && found.largest <= found.count);
    }
    // For a compressed file, offsets refer to the unpacked contents.
    let plain = data.starts_with(b"\x7fELF");
    assert!(!plain || report.constants.iter().all(|c| c.offset < data.len()));
}
