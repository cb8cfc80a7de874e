//! What the drivers are built from.

use crate::subject::Subject;

/// Bytes of the longest message that the usual driver measures.
pub const LONGEST: usize = 65536;
/// Units that know where the message that is measured lies.
const PLACES: [&str; 2] = ["main.c", "job.c"];

/// File name of a built driver.
pub const PROGRAM: &str = "driver";

/// A source file: its name and its text.
pub type Source = (&'static str, &'static str);

/// Units and what they include.
pub struct Part {
    pub headers: &'static [Source],
    pub units: &'static [Source],
}

/// `("NAME", its text)` for each file of a directory.
macro_rules! files {
    ($dir:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!($dir, "/", $name)))),*]
    };
}

const DRIVER_H: Source = ("driver.h", include_str!("../driver/driver.h"));
const KAT_H: Source = ("kat.h", include_str!("../driver/kat.h"));
const COMPAT_H: Source = ("compat.h", include_str!("../driver/compat.h"));
const COUNTER_H: Source = ("counter.h", include_str!("../driver/counter.h"));

/// What measures on targets that are no simulator, besides what all drivers have that measure.
const TIMED: Part = Part {
    headers: &[DRIVER_H, COMPAT_H, COUNTER_H],
    units: files!("../driver": "timed.c", "counter.c"),
};

/// What all drivers have: groups of jobs, and their words.
const JOBS: Part = Part { headers: &[DRIVER_H], units: files!("../driver": "group.c", "job.c") };

/// How OpenSSL is set up.
const SET_UP: Part = Part { headers: &[DRIVER_H], units: files!("../driver": "random.c") };

/// Kinds of both subjects.
const CIPHERS: Part = Part {
    headers: &[DRIVER_H],
    units: files!("../driver": "cipher.c", "aead.c", "setup.c", "digest.c", "mac.c"),
};

/// Kinds of OpenSSL only.
const OPENSSL: Part =
    Part { headers: &[DRIVER_H], units: files!("../driver": "key.c", "signature.c", "agree.c") };

const MEASURE: Part =
    Part { headers: &[DRIVER_H], units: files!("../driver": "main.c", "probe.c") };

const CHECK: Part = Part {
    headers: &[DRIVER_H, KAT_H],
    units: files!("../driver": "kat_main.c", "kat.c", "kat_cipher.c", "kat_hash.c"),
};

const CHECK_OPENSSL: Part =
    Part { headers: &[DRIVER_H, KAT_H], units: files!("../driver": "kat_pkey.c") };

const CAPVEC_H: Source = ("capvec.h", include_str!("../../../crypto/include/capvec.h"));

/// As much of EVP as drivers use, over libcapvec.
const CAPVEC: Part = Part {
    headers: &[
        DRIVER_H,
        CAPVEC_H,
        ("evp.h", include_str!("../driver/capvec/evp.h")),
        ("evp_modes.h", include_str!("../driver/capvec/evp_modes.h")),
        ("evp_hash.h", include_str!("../driver/capvec/evp_hash.h")),
    ],
    units: files!("../driver/capvec":
        "library.c",
        "evp_cipher.c",
        "evp_modes.c",
        "evp_aead.c",
        "absent.c",
        "evp_chacha.c",
        "evp_hash.c",
        "evp_mac.c"),
};

const CHECK_CAPVEC: Part =
    Part { headers: &[DRIVER_H, KAT_H], units: files!("../driver/capvec": "absent_kat.c") };

/// libcapvec, portable.
const PORTABLE: Part = Part {
    headers: &[
        CAPVEC_H,
        ("api.h", include_str!("../../../crypto/native/api.h")),
        ("internal.h", include_str!("../../../crypto/src/internal.h")),
        ("atomic.h", include_str!("../../../crypto/src/atomic.h")),
        ("caps_table.h", include_str!("../../../crypto/src/caps_table.h")),
        ("aes_portable.h", include_str!("../../../crypto/src/aes_portable.h")),
        ("bitslice.h", include_str!("../../../crypto/src/bitslice.h")),
        ("sbox.h", include_str!("../../../crypto/src/sbox.h")),
        ("double.h", include_str!("../../../crypto/src/double.h")),
        ("hash.h", include_str!("../../../crypto/src/hash.h")),
        ("chacha.h", include_str!("../../../crypto/src/chacha.h")),
        ("sha2_rounds.h", include_str!("../../../crypto/src/sha2_rounds.h")),
        ("sm3_rounds.h", include_str!("../../../crypto/src/sm3_rounds.h")),
    ],
    units: files!("../../../crypto/src":
        "aes.c",
        "aes_one.c",
        "aes_portable.c",
        "caps.c",
        "ccm.c",
        "cmac.c",
        "dispatch.c",
        "gcm.c",
        "ghash_portable.c",
        "mode_cbc.c",
        "mode_ctr.c",
        "mode_ecb.c",
        "mode_feedback.c",
        "mode_xts.c",
        "modes_generic.c",
        "ocb.c",
        "sm4.c",
        "sm4_portable.c",
        "hash.c",
        "hash_many.c",
        "hmac.c",
        "sha1.c",
        "sha2.c",
        "sha2_constants.c",
        "sha256_portable.c",
        "sha512_portable.c",
        "sha3.c",
        "keccak_portable.c",
        "sm3.c",
        "chacha20.c",
        "poly1305.c",
        "tune.c",
        "chacha20_poly1305.c"),
};

/// Kernels of libcapvec.
const NATIVE: Part = Part {
    headers: &[
        CAPVEC_H,
        ("api.h", include_str!("../../../crypto/native/api.h")),
        ("caps_table.h", include_str!("../../../crypto/src/caps_table.h")),
        ("insn_names.h", include_str!("../../../crypto/native/riscv64/insn_names.h")),
        ("insn_v.h", include_str!("../../../crypto/native/riscv64/insn_v.h")),
        ("insn_zvk.h", include_str!("../../../crypto/native/riscv64/insn_zvk.h")),
        ("function.h", include_str!("../../../crypto/native/riscv64/function.h")),
        ("insn_zb.h", include_str!("../../../crypto/native/riscv64/insn_zb.h")),
        ("insn_zk.h", include_str!("../../../crypto/native/riscv64/insn_zk.h")),
        ("vector.h", include_str!("../../../crypto/native/riscv64/vector.h")),
        ("ghash.h", include_str!("../../../crypto/native/riscv64/ghash.h")),
        ("gcm.h", include_str!("../../../crypto/native/riscv64/gcm.h")),
        ("xts.h", include_str!("../../../crypto/native/riscv64/xts.h")),
        ("xts_v.h", include_str!("../../../crypto/native/riscv64/xts_v.h")),
        ("xts_zvkg.h", include_str!("../../../crypto/native/riscv64/xts_zvkg.h")),
        ("aes_xts.h", include_str!("../../../crypto/native/riscv64/aes_xts.h")),
        ("sm4_xts.h", include_str!("../../../crypto/native/riscv64/sm4_xts.h")),
        ("sm4.h", include_str!("../../../crypto/native/riscv64/sm4.h")),
        ("aes.h", include_str!("../../../crypto/native/riscv64/aes.h")),
        ("internal.h", include_str!("../../../crypto/src/internal.h")),
        ("sha2.h", include_str!("../../../crypto/native/riscv64/sha2.h")),
        ("chacha20.h", include_str!("../../../crypto/native/riscv64/chacha20.h")),
        ("keccak_many.h", include_str!("../../../crypto/native/riscv64/keccak_many.h")),
        ("scalar_chain.h", include_str!("../../../crypto/native/riscv64/scalar_chain.h")),
        ("hash_scalar.h", include_str!("../../../crypto/native/riscv64/hash_scalar.h")),
        ("sha2_scalar.h", include_str!("../../../crypto/native/riscv64/sha2_scalar.h")),
        ("sha256_scalar.h", include_str!("../../../crypto/native/riscv64/sha256_scalar.h")),
        ("sha512_scalar.h", include_str!("../../../crypto/native/riscv64/sha512_scalar.h")),
        ("sm3_scalar.h", include_str!("../../../crypto/native/riscv64/sm3_scalar.h")),
    ],
    units: files!("../../../crypto/native/riscv64":
        "aes_zkn_aligned.c",
        "aes_zkn.S",
        "aes_zvkned.S",
        "aes_zvkned_chain.S",
        "aes_zvkned_key.S",
        "aes_zvkned_ocb.S",
        "aes_zvkned_xts.S",
        "aes_zvkned_zvkb.S",
        "aes_zvkned_zvkb_zvkg.S",
        "aes_zvkned_zvkb_zvkg_xts.S",
        "backends.c",
        "ghash_zbkc_aligned.c",
        "ghash_zbkc_zbkb.S",
        "ghash_zvbc_zvkb.S",
        "ghash_zvkg.S",
        "sm4_zksed_aligned.c",
        "sm4_zksed_zbkb.S",
        "sm4_zvksed_zvkb.S",
        "sm4_zvksed_zvkb_key.S",
        "sm4_zvksed_zvkb_xts.S",
        "sm4_zvksed_zvkb_zvkg.S",
        "sm4_zvksed_zvkb_zvkg_xts.S",
        "sha256_zvknha_zvkb.S",
        "sha512_zvknhb_zvkb.S",
        "sm3_zvksh_zvkb.S",
        "chacha20_v.S",
        "chacha20_zvkb.S",
        "poly1305_m.S",
        "poly1305_v.S",
        "poly1305_powers.c",
        "aligned.c",
        "at_once.c",
        "keccak_zbb.S",
        "chacha20_zbb.S",
        "chacha20_zbb_blocks.c",
        "keccak_many_v.S",
        "keccak_many_zvkb.S",
        "sha256_zbb.S",
        "sha256_zknh_zbb.S",
        "sha512_zbb.S",
        "sha512_zknh_zbb.S",
        "sm3_zbb.S",
        "sm3_zksh_zbb.S"),
};

/// What tries instructions and asks the kernel: it needs no library.
const TRIAL: Part = Part { headers: &[], units: files!("../driver": "trial.c") };

/// Whether kernels of libcapvec keep what a callee keeps.
const ABI: Part = Part {
    headers: &[
        CAPVEC_H,
        ("api.h", include_str!("../../../crypto/native/api.h")),
        ("internal.h", include_str!("../../../crypto/src/internal.h")),
        ("caps_table.h", include_str!("../../../crypto/src/caps_table.h")),
    ],
    units: files!("../../../crypto/test": "abi.c", "abi_call.S"),
};

/// Whether kernels of libcapvec keep within what they are given.
const GUARD: Part = Part {
    headers: &[
        CAPVEC_H,
        ("api.h", include_str!("../../../crypto/native/api.h")),
        ("internal.h", include_str!("../../../crypto/src/internal.h")),
        ("caps_table.h", include_str!("../../../crypto/src/caps_table.h")),
        ("guard.h", include_str!("../../../crypto/test/guard.h")),
    ],
    units: files!("../../../crypto/test": "guard.c", "guard_linux.c", "guard_main.c"),
};

/// What the dispatch of libcapvec knows and chose.
const TABLE: Part = Part {
    headers: &[
        CAPVEC_H,
        ("api.h", include_str!("../../../crypto/native/api.h")),
        ("internal.h", include_str!("../../../crypto/src/internal.h")),
        ("caps_table.h", include_str!("../../../crypto/src/caps_table.h")),
        ("table.h", include_str!("../../../crypto/test/table.h")),
    ],
    units: files!("../../../crypto/test": "table.c", "table_linux.c"),
};

/// What hashing many messages costs, each alone and at once.
const MANY: Part = Part {
    headers: &[
        CAPVEC_H,
        ("api.h", include_str!("../../../crypto/native/api.h")),
        ("internal.h", include_str!("../../../crypto/src/internal.h")),
        ("caps_table.h", include_str!("../../../crypto/src/caps_table.h")),
    ],
    units: files!("../../../crypto/test": "many.c"),
};

/// Configuration of OpenSSL with the provider, and its file name beside that.
pub const CONFIGURATION: Source = ("openssl.cnf", include_str!("../../../crypto/openssl.cnf"));

/// libcapvec as a provider of OpenSSL.
const PROVIDER: Part = Part {
    headers: &[
        CAPVEC_H,
        ("aead.h", include_str!("../../../crypto/provider/aead.h")),
        ("basic.h", include_str!("../../../crypto/provider/basic.h")),
        ("cipher.h", include_str!("../../../crypto/provider/cipher.h")),
        ("ct.h", include_str!("../../../crypto/provider/ct.h")),
        ("digest.h", include_str!("../../../crypto/provider/digest.h")),
        ("mac.h", include_str!("../../../crypto/provider/mac.h")),
        ("provider.h", include_str!("../../../crypto/provider/provider.h")),
        ("tls_hmac.h", include_str!("../../../crypto/provider/tls_hmac.h")),
    ],
    units: files!("../../../crypto/provider":
        "aead.c",
        "aead_ccm.c",
        "aead_chacha.c",
        "aead_gcm.c",
        "aead_ocb.c",
        "basic.c",
        "cipher.c",
        "cipher_block.c",
        "cipher_chacha20.c",
        "cipher_stream.c",
        "cipher_xts.c",
        "ciphers.c",
        "digest.c",
        "mac.c",
        "mac_cmac.c",
        "mac_gmac.c",
        "mac_hmac.c",
        "mac_kmac.c",
        "mac_poly1305.c",
        "provider.c",
        "tls_cbc.c",
        "tls_hmac.c"),
};

/// Compares that with OpenSSL's own.
const COMPARE: Part = Part {
    headers: &[("pair.h", include_str!("../../../crypto/test/provider/pair.h"))],
    units: files!("../../../crypto/test/provider":
        "main.c", "pair.c", "ciphers.c", "aeads.c", "tls.c", "hashes.c", "states.c"),
};

/// What replaces parts of Mbed TLS.
pub const MBEDTLS: Part = Part {
    headers: &[
        CAPVEC_H,
        ("aes_alt.h", include_str!("../../../crypto/mbedtls/aes_alt.h")),
        ("capvec_config.h", include_str!("../../../crypto/mbedtls/capvec_config.h")),
        ("ccm_alt.h", include_str!("../../../crypto/mbedtls/ccm_alt.h")),
        ("chacha20_alt.h", include_str!("../../../crypto/mbedtls/chacha20_alt.h")),
        ("gcm_alt.h", include_str!("../../../crypto/mbedtls/gcm_alt.h")),
        ("poly1305_alt.h", include_str!("../../../crypto/mbedtls/poly1305_alt.h")),
        ("sha256_alt.h", include_str!("../../../crypto/mbedtls/sha256_alt.h")),
        ("sha512_alt.h", include_str!("../../../crypto/mbedtls/sha512_alt.h")),
    ],
    units: files!("../../../crypto/mbedtls":
        "aes_alt.c", "ccm_alt.c", "chacha_alt.c", "gcm_alt.c", "init.c", "sha2_alt.c"),
};

/// Compares CCM of Mbed TLS in steps with libcapvec's own.
pub const MBEDTLS_CCM: Part = Part {
    headers: &[("ccm_refused.h", include_str!("../../../crypto/test/mbedtls/ccm_refused.h"))],
    units: files!("../../../crypto/test/mbedtls": "ccm_refused.c", "ccm_steps.c"),
};

/// libcapvec itself.
pub fn library() -> [&'static Part; 2] {
    [&PORTABLE, &NATIVE]
}

/// A program for the guest. Two of them talk, so that editing what checks vectors does not move the code and data of what
/// measures, which small caches would show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Measures, and answers known answers.
    Measure,
    /// Measures messages of more than [`LONGEST`] bytes.
    MeasureLong,
    /// Checks vectors in many forms.
    Check,
    /// Checks what kernels leave in registers; of libcapvec only.
    Abi,
    /// Checks what kernels read and write, and that they agree with portable C; of libcapvec only.
    Guard,
    /// Prints which kernel serves what; of libcapvec only.
    Table,
    /// Measures messages hashed at once; of libcapvec only.
    Many,
    /// Tries which instructions execute.
    Trial,
    /// The provider: not a program, but a library that OpenSSL loads.
    Provider,
    /// Compares the provider with OpenSSL's own.
    Compare,
}

impl Program {
    /// Its file name once it is built.
    pub fn file(self) -> &'static str {
        if self == Program::Provider { "capvec.so" } else { PROGRAM }
    }

    /// What the units of a part are compiled with, besides what all are.
    pub fn compiled(self, part: &Part) -> &'static [&'static str] {
        match self {
            Program::Provider => &["-fPIC", "-fvisibility=hidden", "-DCV_HIDDEN"],
            // What of the others depends on the longest message does not depend on the longest that is measured.
            Program::MeasureLong if part.units.iter().any(|u| PLACES.contains(&u.0)) => {
                self.defined()
            }
            _ => &[],
        }
    }

    /// What is defined in its units.
    pub fn defined(self) -> &'static [&'static str] {
        if self == Program::MeasureLong { &["-DCAPVEC_LONG"] } else { &[] }
    }

    /// Whether it measures.
    fn measures(self) -> bool {
        matches!(self, Program::Measure | Program::MeasureLong)
    }

    /// What it is linked with, besides its units.
    pub fn linked(self, subject: Subject) -> &'static [&'static str] {
        match self {
            Program::Provider => &["-shared", "-Wl,-z,defs", "-lcrypto"],
            _ => subject.libraries(),
        }
    }

    /// All files of OpenSSL's driver for targets that are no simulator, each once.
    pub fn timed(self) -> Vec<Source> {
        let units = if self.measures() { TIMED.units } else { &[] };
        let parts = self.parts(Subject::OpenSsl).into_iter();
        let files =
            parts.flat_map(|p| p.headers.iter().chain(p.units)).chain(TIMED.headers).chain(units);
        files.fold(Vec::new(), |mut all, file| {
            if !all.contains(file) {
                all.push(*file);
            }
            all
        })
    }

    /// Units that it is linked from, in this order: another one moves code, which small caches show.
    pub fn parts(self, subject: Subject) -> Vec<&'static Part> {
        let measures = self.measures();
        match self {
            Program::Abi => return vec![&ABI, &PORTABLE, &NATIVE],
            Program::Guard => return vec![&GUARD, &PORTABLE, &NATIVE],
            Program::Table => return vec![&TABLE, &PORTABLE, &NATIVE],
            Program::Many => return vec![&MANY, &PORTABLE, &NATIVE],
            Program::Provider => return vec![&PROVIDER, &PORTABLE, &NATIVE],
            Program::Compare => return vec![&COMPARE],
            Program::Trial => return vec![&TRIAL],
            Program::Measure | Program::MeasureLong | Program::Check => {}
        }
        let mut parts = vec![if measures { &MEASURE } else { &CHECK }];
        match subject {
            Subject::OpenSsl | Subject::Provider => {
                parts.extend((!measures).then_some(&CHECK_OPENSSL));
                parts.extend([&JOBS, &SET_UP, &CIPHERS, &OPENSSL]);
            }
            Subject::Capvec => {
                parts.extend((!measures).then_some(&CHECK_CAPVEC));
                parts.extend([&JOBS, &CIPHERS, &CAPVEC, &PORTABLE, &NATIVE]);
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(program: Program, subject: Subject) -> Vec<&'static str> {
        let parts = program.parts(subject).into_iter();
        parts.flat_map(|p| p.headers.iter().chain(p.units)).map(|s| s.0).collect()
    }

    /// What checks vectors can change without moving what measures.
    #[test]
    fn nothing_of_what_checks_is_in_what_measures() {
        for subject in Subject::ALL {
            let measures = files(Program::Measure, subject);
            assert!(measures.iter().all(|f| !f.starts_with("kat")), "{measures:?}");
            assert!(files(Program::Check, subject).contains(&"kat.h"));
        }
    }

    /// Of the driver for long messages nothing is compiled otherwise than of the usual one but what places the message.
    #[test]
    fn long_messages_change_what_places_them_only() {
        for subject in Subject::ALL {
            for part in Program::MeasureLong.parts(subject) {
                let names: Vec<&str> = part.units.iter().map(|u| u.0).collect();
                let texts = part.units.iter().map(|u| u.1);
                let places =
                    texts.clone().any(|t| t.contains("MAX_MEASURED") || t.contains("CAPVEC_LONG"));
                let flags = Program::MeasureLong.compiled(part);
                assert_eq!(flags.contains(&"-DCAPVEC_LONG"), places, "{names:?}");
                assert!(Program::Measure.compiled(part).is_empty());
            }
        }
        let header = DRIVER_H.1;
        assert!(header.contains(&format!("#define MAX_MESSAGE {LONGEST}\n")));
    }

    /// A unit is compiled with its part's headers only, and is kept by them.
    #[test]
    fn every_header_that_a_part_includes_belongs_to_it() {
        for (program, subject) in [
            (Program::Measure, Subject::OpenSsl),
            (Program::MeasureLong, Subject::OpenSsl),
            (Program::Check, Subject::OpenSsl),
            (Program::Measure, Subject::Capvec),
            (Program::Check, Subject::Capvec),
            (Program::Abi, Subject::Capvec),
            (Program::Guard, Subject::Capvec),
            (Program::Table, Subject::Capvec),
            (Program::Many, Subject::Capvec),
            (Program::Provider, Subject::Provider),
            (Program::Compare, Subject::Provider),
        ] {
            for part in program.parts(subject) {
                for (file, text) in part.units.iter().chain(part.headers) {
                    let included = text
                        .lines()
                        .filter_map(|l| l.strip_prefix("#include \"")?.strip_suffix('"'));
                    let known = |h: &str| part.headers.iter().any(|own| own.0 == h);
                    assert!(included.clone().all(known), "{file}");
                }
            }
        }
    }

    /// Each source of libcapvec is in the driver, or nobody measures or checks it.
    #[test]
    fn all_of_the_library_is_there() {
        let known = files(Program::Check, Subject::Capvec);
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crypto");
        let provider = files(Program::Provider, Subject::Provider);
        let compare = files(Program::Compare, Subject::Provider);
        let names = |p: &Part| p.headers.iter().chain(p.units).map(|s| s.0).collect();
        let (mbedtls, ccm) = (names(&MBEDTLS), names(&MBEDTLS_CCM));
        for (dir, known) in [
            ("mbedtls", &mbedtls),
            ("test/mbedtls", &ccm),
            ("include", &known),
            ("src", &known),
            ("native/riscv64", &known),
            ("provider", &provider),
            ("test/provider", &compare),
        ] {
            for entry in std::fs::read_dir(root.join(dir)).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!(known.contains(&name.as_str()), "{dir}/{name}");
            }
        }
    }
}
