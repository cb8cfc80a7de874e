//! Embeds the C sources of the programs that only tests run.

use capvec_sources::{Part, Units};

const GUEST: &str = "crypto/test/guest";
const CRYPTO: [&str; 4] =
    ["crypto/include", "crypto/native", "crypto/native/riscv64", "crypto/src"];

const fn test(name: &'static str, units: &'static str) -> Part {
    Part { name, dir: GUEST, units: Units::Named(units), include: &CRYPTO }
}

fn main() {
    let parts = [
        test("ABI", "abi"),
        test("GUARD", "guard"),
        test("BOUNDS", "bounds"),
        test("SECRETS", "secrets"),
        test("TABLE", "table"),
        test("MANY", "many"),
        Part { name: "COMPARE", dir: "crypto/test/provider", units: Units::All, include: &[] },
    ];
    let parts: Vec<&Part> = parts.iter().collect();
    capvec_sources::every_unit_is_used(&[GUEST], &parts);
    capvec_sources::write("capvec_guest", &parts);
}
