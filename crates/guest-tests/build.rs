//! Embeds the C sources of the programs that only tests run.

use capvec_sources::{Part, Units};

const CRYPTO: [&str; 4] =
    ["crypto/include", "crypto/native", "crypto/native/riscv64", "crypto/src"];

const fn test(name: &'static str, units: &'static [&'static str]) -> Part {
    Part { name, dir: "crypto/test/guest", units: Units::These(units), include: &CRYPTO }
}

fn main() {
    let parts = [
        test("ABI", &["abi.c", "abi_call.S"]),
        test(
            "GUARD",
            &["guard.c", "guard_linux.c", "guard_main.c", "guard_mldsa.c", "guard_mlkem.c"],
        ),
        test(
            "BOUNDS",
            &[
                "bounds.c",
                "bounds_mlkem.c",
                "bounds_mlkem_kernels.c",
                "bounds_mldsa.c",
                "bounds_mldsa_kernels.c",
            ],
        ),
        test("SECRETS", &["secrets.c"]),
        test("TABLE", &["table.c", "table_linux.c"]),
        test("MANY", &["many.c"]),
        Part { name: "COMPARE", dir: "crypto/test/provider", units: Units::All, include: &[] },
    ];
    let parts: Vec<&Part> = parts.iter().collect();
    capvec_sources::every_unit_is_used(&["crypto/test/guest"], &parts);
    capvec_sources::write("capvec_guest", &parts);
}
