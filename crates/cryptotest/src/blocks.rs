//! Modes over whole blocks, and XTS.

use crate::ffi::c;
use crate::ffi::{self, CV_ERR_LENGTH, CV_OK, Chain, Unit};
use crate::in_out::Io;
use crate::key::Key;
use crate::oracle::{self, Mode, Name};
use crate::source::Source;

/// Electronic codebook.
pub fn ecb(s: &mut Source) {
    let key = Key::any(s);
    let text = whole_blocks(s);
    let sealed = oracle::encrypt(key.name, Mode::Ecb, &key.bytes, &[], &text);
    for (from, to, decrypt) in [(&text, &sealed, false), (&sealed, &text, true)] {
        let io = Io::new(s, from);
        let mut at = 0;
        for n in s.pieces(from.len(), 16) {
            let (out, input) = (io.output(at), io.input(at));
            match decrypt {
                false => c!(cv_ecb_encrypt(key.ptr(), out, input, n / 16)),
                true => c!(cv_ecb_decrypt(key.ptr(), out, input, n / 16)),
            }
            at += n;
        }
        assert_eq!(&io.finish(), to, "ECB, {:?}, decrypting: {decrypt}", key.name);
    }
}

/// Cipher block chaining.
pub fn cbc(s: &mut Source) {
    let key = Key::any(s);
    let text = whole_blocks(s);
    let iv = s.bytes(16);
    let sealed = oracle::encrypt(key.name, Mode::Cbc, &key.bytes, &iv, &text);
    let both: [(_, _, Chain); 2] =
        [(&text, &sealed, ffi::cv_cbc_encrypt), (&sealed, &text, ffi::cv_cbc_decrypt)];
    for (from, to, function) in both {
        let (io, chain) = (Io::new(s, from), s.buffer(&iv));
        let mut at = 0;
        for n in s.pieces(from.len(), 16) {
            // SAFETY: buffers of `io`, a whole IV, and an initialised key.
            unsafe { function(key.ptr(), io.output(at), io.input(at), n / 16, chain.ptr()) };
            at += n;
        }
        assert_eq!(&io.finish(), to, "CBC, {:?}", key.name);
        // The IV of the next call is the last ciphertext block.
        let last = sealed.rchunks_exact(16).next().unwrap_or(&iv);
        assert_eq!(chain.bytes(), last, "CBC, {:?}: the IV", key.name);
    }
}

fn whole_blocks(s: &mut Source) -> Vec<u8> {
    let len = s.len(5000) / 16 * 16;
    s.bytes(len)
}

/// XTS of IEEE 1619.
pub fn xts(s: &mut Source) {
    tweaked(s, ffi::cv_xts_encrypt, ffi::cv_xts_decrypt, oracle::xts);
}

/// XTS of GB/T 17964.
pub fn xts_gb(s: &mut Source) {
    tweaked(s, ffi::cv_xts_gb_encrypt, ffi::cv_xts_gb_decrypt, oracle::xts_gb);
}

/// XTS as a function of key, tweak and text.
type Oracle = fn(Name, &[u8], [u8; 16], &[u8]) -> Vec<u8>;

fn tweaked(s: &mut Source, encrypt: Unit, decrypt: Unit, oracle: Oracle) {
    let key = Key::any(s);
    let tweak_key = Key::of(s, key.name);
    let len = s.len(5000);
    let text = s.bytes(len);
    let tweak = s.bytes(16);
    let both = [&key.bytes[..], &tweak_key.bytes].concat();
    let number = tweak.as_slice().try_into().expect("16 bytes");
    let short = len < 16;
    let sealed = if short { text.clone() } else { oracle(key.name, &both, number, &text) };
    for (from, to, function) in [(&text, &sealed, encrypt), (&sealed, &text, decrypt)] {
        let (io, tweak) = (Io::new(s, from), s.buffer(&tweak));
        let (out, input) = (io.output(0), io.input(0));
        // SAFETY: buffers of `io`, a whole tweak, and initialised keys.
        let status = unsafe { function(key.ptr(), tweak_key.ptr(), out, input, len, tweak.ptr()) };
        assert_eq!(status, if short { CV_ERR_LENGTH } else { CV_OK }, "XTS of {len} bytes");
        if short {
            continue;
        }
        assert_eq!(&io.finish(), to, "XTS, {:?}, {len} bytes", key.name);
    }
}
