//! Files that `capvec doctor` scans.

/// Whatever is in a file, a scan says something of it or says why not; what it finds lies in the file.
pub fn run(data: &[u8]) {
    let Ok(report) = capvec_binscan::scan(data) else { return };
    for found in &report.uses {
        assert!(found.clusters <= found.count && found.largest <= found.count);
    }
    // Of a compressed file, offsets are in what it unpacks to.
    let plain = data.starts_with(b"\x7fELF");
    assert!(!plain || report.constants.iter().all(|c| c.offset < data.len()));
}
