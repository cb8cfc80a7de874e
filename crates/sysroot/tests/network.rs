//! Tests against the machine's own Debian mirror.

use std::fs;
use std::path::Path;

use capvec_sysroot::{Progress, Store};

#[test]
#[ignore = "downloads 30 MB from the mirror that this machine's apt is set up with: make test-long"]
fn openssl_of_trixie_for_riscv64() {
    let home = tempfile::tempdir().unwrap();
    let store = Store::at(home.path()).unwrap();
    let mut steps = 0;
    let root =
        store.ensure("trixie-riscv64", &["openssl"], &mut |_: &Progress| steps += 1).unwrap();
    assert!(steps > 4, "{steps}");
    // The program, its library and its interpreter by the path that is written in it: 64-bit
    // RISC-V ELF files (e_machine 243, RISC-V psABI).
    let machine = |path: &str| {
        let path = fs::canonicalize(root.join(path)).unwrap();
        assert!(path.starts_with(&root), "{path:?}");
        let bytes = fs::read(path).unwrap();
        assert_eq!(bytes[..5], [0x7f, b'E', b'L', b'F', 2]);
        u16::from_le_bytes([bytes[18], bytes[19]])
    };
    assert_eq!(machine("usr/bin/openssl"), 243);
    assert_eq!(machine("lib/ld-linux-riscv64-lp64d.so.1"), 243);
    assert_eq!(machine("usr/lib/riscv64-linux-gnu/libcrypto.so.3"), 243);
    assert!(root.starts_with(home.path()) && Path::new(&root).join("etc/ssl/openssl.cnf").exists());

    let sysroot = store.get("trixie-riscv64").unwrap();
    assert!(sysroot.manifest.package("libc6").is_some());
    let mut steps = 0;
    store.ensure("trixie-riscv64", &["openssl"], &mut |_: &Progress| steps += 1).unwrap();
    assert_eq!(steps, 0, "the second call does nothing");
}
