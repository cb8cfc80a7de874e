//! Answers of NIST SP 800-185's samples ("cSHAKE_samples.pdf", "KMAC_samples.pdf", csrc.nist.gov), compared with
//! libcapvec and with the oracle, since RustCrypto has no KMAC.

use capvec_cryptotest::hashes::{extendable, kmac};
use capvec_cryptotest::{cshake_of, kmac_of};

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits: Vec<char> = hexadecimal.chars().filter(|c| !c.is_whitespace()).collect();
    digits
        .chunks(2)
        .map(|d| u8::from_str_radix(&d.iter().collect::<String>(), 16).unwrap())
        .collect()
}

/// `len` consecutive bytes, starting with `first`.
fn counting(first: u8, len: usize) -> Vec<u8> {
    (0..len).map(|i| first.wrapping_add(i as u8)).collect()
}

const TAGGED: &[u8] = b"My Tagged Application";

/// KMAC: bits of SHAKE, customization, message length, code.
const KMAC: [(usize, &[u8], usize, &str); 6] = [
    (128, b"", 4, "E5780B0D3EA6F7D3A429C5706AA43A00FADBD7D49628839E3187243F456EE14E"),
    (128, TAGGED, 4, "3B1FBA963CD8B0B59E8C1A6D71888B7143651AF8BA0A7070C0979E2811324AA5"),
    (128, TAGGED, 200, "1F5B4E6CCA02209E0DCB5CA635B89A15E271ECC760071DFD805FAA38F9729230"),
    (
        256,
        TAGGED,
        4,
        "20C570C31346F703C9AC36C61C03CB64C3970D0CFC787E9B79599D273A68D2F7
         F69D4CC3DE9D104A351689F27CF6F5951F0103F33F4F24871024D9C27773A8DD",
    ),
    (
        256,
        b"",
        200,
        "75358CF39E41494E949707927CEE0AF20A3FF553904C86B08F21CC414BCFD691
         589D27CF5E15369CBBFF8B9A4C2EB17800855D0235FF635DA82533EC6B759B69",
    ),
    (
        256,
        TAGGED,
        200,
        "B58618F71F92E1D56C1B8C55DDD7CD188B97B4CA4D99831EB2699A837DA2E4D9
         70FBACFDE50033AEA585F1A2708510C32D07880801BD182898FE476876FC8965",
    ),
];

#[test]
fn samples_of_kmac() {
    let key = counting(0x40, 32);
    for (bits, custom, len, code) in KMAC {
        let (hash, text, code) = (&extendable()[bits / 256], counting(0, len), bytes(code));
        assert_eq!(kmac_of(hash, &key, custom, &text, code.len()), code, "KMAC{bits}, {len} bytes");
        let oracle = kmac(hash, &key, custom, &text, code.len(), false);
        assert_eq!(oracle, code, "the oracle: KMAC{bits}, {len} bytes");
    }
}

/// cSHAKE: bits, message length, digest. The name is empty.
const CSHAKE: [(usize, usize, &str); 4] = [
    (128, 4, "C1C36925B6409A04F1B504FCBCA9D82B4017277CB5ED2B2065FC1D3814D5AAF5"),
    (128, 200, "C5221D50E4F822D96A2E8881A961420F294B7B24FE3D2094BAED2C6524CC166B"),
    (
        256,
        4,
        "D008828E2B80AC9D2218FFEE1D070C48B8E4C87BFF32C9699D5B6896EEE0EDD1
         64020E2BE0560858D9C00C037E34A96937C561A74C412BB4C746469527281C8C",
    ),
    (
        256,
        200,
        "07DC27B11E51FBAC75BC7B3C1D983E8B4B85FB1DEFAF218912AC864302730917
         27F42B17ED1DF63E8EC118F04B23633C1DFB1574C8FB55CB45DA8E25AFB092BB",
    ),
];

#[test]
fn samples_of_cshake() {
    for (bits, len, digest) in CSHAKE {
        let (hash, text, digest) = (&extendable()[bits / 256], counting(0, len), bytes(digest));
        let custom = b"Email Signature";
        assert_eq!(cshake_of(hash, b"", custom, &text, digest.len()), digest, "cSHAKE{bits}");
        assert_eq!((hash.cshake)(b"", custom, &text, digest.len()), digest, "the oracle");
    }
}
