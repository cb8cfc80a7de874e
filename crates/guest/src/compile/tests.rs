//! Whether the cross compiler writes what the compiler in the simulator writes.

use super::*;
use crate::part::{self, Part};

/// Compiles these tasks both ways, and compares the object files and what the compilers say.
fn compare(workshop: &Workshop, tasks: &[Task], cross: &Toolchain) {
    let both = |task: &Task| -> Result<()> {
        let object = object(task.unit.source.0);
        let made = |cross| -> Result<(Vec<u8>, String)> {
            let work = tempfile::tempdir()?;
            let said = workshop.object(task, cross, work.path())?;
            Ok((std::fs::read(work.path().join(&object))?, said))
        };
        let (native, guest) = (made(Some(cross))?, made(None)?);
        assert!(native.0 == guest.0, "{object} with {:?}: other bytes", task.flags);
        assert_eq!(native.1, guest.1, "{object} with {:?}: other remarks", task.flags);
        Ok(())
    };
    pool::each(tasks, both).unwrap();
}

fn with_both(parts: &[&'static Part], is_taken: impl Fn(&Unit) -> bool) {
    let store = Store::from_env().unwrap();
    let gcc = match tools::gcc(&store, SYSROOT, &mut |_| ()) {
        Ok(gcc) => gcc,
        Err(why) => return capvec_util::testing::skipped("apt-get", format!("{why:#}")),
    };
    let cross = toolchain::same_as(&store, &gcc.sysroot, true, &mut |_| ()).unwrap();
    let Some(cross) = cross else {
        return capvec_util::testing::skipped("cross-compiler", "none of the same version");
    };
    let workshop =
        Workshop { store: &store, gcc, clang: None, library: None, kept: store.drivers() };
    let units: Vec<&'static Unit> = parts.iter().flat_map(|p| p.units).collect();
    let taken: Vec<&'static Unit> = units.into_iter().filter(|u| is_taken(u)).collect();
    assert!(!taken.is_empty());
    let how = Portable { compiler: Compiler::Gcc, march: "rv64gcv_zbb".into() };
    let of_march = taken.iter().filter(|u| how.flags(u).is_some());
    let of_march = of_march.map(|u| workshop.task_of(u, &how));
    let mut tasks: Vec<Task> = taken.iter().map(|u| workshop.task(u, &[])).collect();
    tasks.extend(of_march);
    compare(&workshop, &tasks, &cross);
}

const SYSROOT: &str = "trixie-riscv64";

#[test]
fn a_cross_compiler_writes_the_same_objects() {
    with_both(&part::library(), |unit| {
        ["sha2.c", "mlkem_ntt.c", "keccak_zvknhk0p2.S", "poly1305_v.S"].contains(&unit.source.0)
    });
}

#[test]
#[ignore = "minutes: make test-long"]
fn a_cross_compiler_writes_the_same_library() {
    with_both(&part::library(), |_| true);
}

#[test]
fn versions_are_compared() {
    let manifest = |cpp: &str, gcc: &str, binutils: &str| -> capvec_sysroot::Manifest {
        let versions = [("cpp-14", cpp), ("gcc-14", gcc), ("binutils", binutils)];
        let packages = versions.map(|(name, version)| {
            let name = format!("{name}-riscv64-linux-gnu");
            let rest = r#""arch": "amd64", "sha256": "", "reason": "dependency""#;
            format!(r#"{{"name": "{name}", "version": "{version}", {rest}}}"#)
        });
        let origin = r#"{"kind": "directory", "path": "/"}"#;
        let packages = packages.join(", ");
        let text = format!(r#"{{"format": 1, "origin": {origin}, "packages": [{packages}]}}"#);
        serde_json::from_str(&text).unwrap()
    };
    let native = manifest("14.2.0-19", "14.2.0-19", "2.44-3");
    let same = |m| toolchain::are_same(&m, &native);
    assert!(same(manifest("14.2.0-19cross1", "14.2.0-19cross1", "2.44-3")));
    assert!(!same(manifest("14.2.0-20cross1", "14.2.0-19cross1", "2.44-3")));
    assert!(!same(manifest("14.2.0-19cross1", "14.2.0-18cross1", "2.44-3")));
    assert!(!same(manifest("14.2.0-19cross1", "14.2.0-19cross1", "2.44-2")));
}
