//! Compressed files, the form in which distributions ship kernel modules: `.ko.xz`, `.ko.zst`, `.ko.gz`. They are
//! recognised by their first bytes, not by their names.

use crate::error::ScanError;
use std::borrow::Cow;
use std::io::Read;

/// Maximum size of an unpacked file: far more than any kernel module, program or library; it stops a decompression bomb.
pub const LARGEST: u64 = 256 << 20;
/// Maximum window of a decompressor, in KiB; that of `xz -9` is 64 MiB, of `zstd --ultra` 128 MiB.
const WINDOW: u32 = 160 << 10;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Xz,
    Zstd,
    Gzip,
}

/// First bytes: the .xz file format 1.2.1, 2.1.1.1; RFC 8878, 3.1.1; RFC 1952, 2.3.1.
const MAGIC: [(&[u8], Packing); 3] = [
    (b"\xfd7zXZ\0", Packing::Xz),
    (b"\x28\xb5\x2f\xfd", Packing::Zstd),
    (b"\x1f\x8b\x08", Packing::Gzip),
];

impl Packing {
    fn name(self) -> &'static str {
        match self {
            Packing::Xz => "xz",
            Packing::Zstd => "zstd",
            Packing::Gzip => "gzip",
        }
    }
}

/// The file, unpacked if it is compressed.
///
/// # Errors
/// [`ScanError::Packed`]: it is damaged, or too large unpacked.
pub fn unpack(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ScanError> {
    let Some((_, packing)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) else {
        return Ok(Cow::Borrowed(bytes));
    };
    up_to(*packing, bytes, LARGEST).map(Cow::Owned)
}

const DAMAGED: &str = "damaged or incomplete";

fn up_to(packing: Packing, bytes: &[u8], most: u64) -> Result<Vec<u8>, ScanError> {
    let fail = |what: String| ScanError::Packed { packing: packing.name(), what };
    let mut out = Vec::new();
    // One byte more distinguishes a file that is too large from one that just fits.
    let mut read = |from: &mut dyn Read| from.take(most + 1).read_to_end(&mut out);
    let read = match packing {
        Packing::Xz => read(&mut lzma_rust2::XzReader::new_mem_limit(bytes, true, WINDOW)),
        Packing::Gzip => read(&mut flate2::read::MultiGzDecoder::new(bytes)),
        Packing::Zstd => {
            let mut decoder = ruzstd::decoding::FrameDecoder::new();
            decoder.set_max_window_size(u64::from(WINDOW) << 10);
            let frame = ruzstd::decoding::StreamingDecoder::new_with_decoder(bytes, decoder);
            read(&mut frame.map_err(|_| fail(DAMAGED.into()))?)
        }
    };
    // The libraries' error texts name their internals, so they are not shown.
    read.map_err(|_| fail(DAMAGED.into()))?;
    if out.len() as u64 > most {
        return Err(fail(format!("more than {} MiB unpacked", most >> 20)));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "capvec capvec capvec\n", packed by xz 5.4, zstd 1.5 and gzip 1.12.
    const XZ: &str = "fd377a585a000004e6d6b4460200210116000000742fe5a3e00014000e5d0031984a684b9e0c5596a038ac800000000055f25349c3132a1a00012a15e89d30221fb6f37d010000000004595a";
    const ZSTD: &str = "28b52ffd045875000040636170766563200a01003a8a11656ebb56";
    const GZIP: &str = "1f8b08000000000000034b4e2c284b4d564846a6b8005f3cb62715000000";

    fn bytes(hex: &str) -> Vec<u8> {
        let digit = |i: usize| u8::from_str_radix(&hex[i..i + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(digit).collect()
    }

    #[test]
    fn files_of_the_usual_programs_are_unpacked() {
        for packed in [XZ, ZSTD, GZIP] {
            let packed = bytes(packed);
            assert_eq!(unpack(&packed).unwrap().as_ref(), b"capvec capvec capvec\n");
            let cut = unpack(&packed[..packed.len() - 9]).map(|b| b.len());
            assert!(cut.is_err(), "cut short, {cut:?}");
        }
        assert!(matches!(unpack(b"\x7fELF").unwrap(), Cow::Borrowed(_)));
    }

    /// A flipped bit gives an error or other bytes, never a panic.
    #[test]
    fn damaged_files_never_panic() {
        for packed in [XZ, ZSTD, GZIP].map(bytes) {
            for at in 0..packed.len() {
                for flip in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                    let mut damaged = packed.clone();
                    damaged[at] ^= flip;
                    let _ = unpack(&damaged).map(|b| b.len());
                }
            }
        }
    }

    #[test]
    fn unpacking_stops_at_the_limit() {
        for (packing, packed) in [(Packing::Xz, XZ), (Packing::Zstd, ZSTD), (Packing::Gzip, GZIP)] {
            let packed = bytes(packed);
            assert_eq!(up_to(packing, &packed, 21).unwrap().len(), 21);
            let e = up_to(packing, &packed, 20).unwrap_err().to_string();
            assert!(e.contains("unpacked") && e.contains(packing.name()), "{e}");
        }
    }

    /// A header that requests a window of 1.5 GiB is refused before the window is allocated.
    #[test]
    fn a_huge_window_is_refused() {
        let zstd = [&b"\x28\xb5\x2f\xfd"[..], &[0x00, 0xa4], &[0; 16]].concat();
        assert!(unpack(&zstd).unwrap_err().to_string().contains("zstd"));
    }
}
