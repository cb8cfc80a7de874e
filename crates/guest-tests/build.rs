//! Embeds the C sources of the programs that only tests run.

use capvec_sources::{Part, Units};

const CRYPTO: [&str; 3] = ["crypto/include", "crypto/native", "crypto/src"];

const fn test(name: &'static str, units: &'static [&'static str]) -> Part {
    Part { name, dir: "crypto/test", units: Units::These(units), include: &CRYPTO }
}

fn main() {
    let parts = [
        test("ABI", &["abi.c", "abi_call.S"]),
        test(
            "GUARD",
            &["guard.c", "guard_linux.c", "guard_main.c", "guard_mldsa.c", "guard_mlkem.c"],
        ),
        test("TABLE", &["table.c", "table_linux.c"]),
        test("MANY", &["many.c"]),
        Part { name: "COMPARE", dir: "crypto/test/provider", units: Units::All, include: &[] },
    ];
    capvec_sources::write("capvec_guest", &parts.iter().collect::<Vec<_>>());
}
