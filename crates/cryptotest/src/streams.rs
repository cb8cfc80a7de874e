//! Modes that take any number of bytes at a time.

use crate::ffi::c;
use crate::ffi::{self, Chacha20, Stream, Streaming};
use crate::guarded::Ctx;
use crate::in_out::Io;
use crate::key::Key;
use crate::oracle::{self, Mode};
use crate::source::Source;

/// Counter mode, often with a carry into the upper words of the counter.
pub fn ctr(s: &mut Source) {
    let mut iv = s.bytes(16);
    if s.flag() {
        let from = s.below(16);
        iv[from..15].fill(0xff);
    }
    check(s, Mode::Ctr, [ffi::cv_ctr, ffi::cv_ctr], iv, 5000);
}

/// Cipher feedback with block segments.
pub fn cfb(s: &mut Source) {
    let iv = s.bytes(16);
    check(s, Mode::Cfb, [ffi::cv_cfb_encrypt, ffi::cv_cfb_decrypt], iv, 5000);
}

/// Cipher feedback with byte segments.
pub fn cfb8(s: &mut Source) {
    let iv = s.bytes(16);
    check(s, Mode::Cfb8, [ffi::cv_cfb8_encrypt, ffi::cv_cfb8_decrypt], iv, 400);
}

/// Output feedback.
pub fn ofb(s: &mut Source) {
    let iv = s.bytes(16);
    check(s, Mode::Ofb, [ffi::cv_ofb, ffi::cv_ofb], iv, 3000);
}

fn check(s: &mut Source, mode: Mode, functions: [Streaming; 2], iv: Vec<u8>, max: usize) {
    let key = Key::any(s);
    let len = s.len(max);
    let text = s.bytes(len);
    let sealed = oracle::encrypt(key.name, mode, &key.bytes, &iv, &text);
    for (from, to, function) in [(&text, &sealed, functions[0]), (&sealed, &text, functions[1])] {
        let io = Io::new(s, from);
        let mut stream = begin(s, &key, &iv);
        let mut at = 0;
        for n in s.pieces(len, 1) {
            if s.below(8) == 0 {
                stream = stream.copy();
            }
            // SAFETY: buffers of `io` and an initialised stream, whose key lives.
            unsafe { function(stream.ptr(), io.output(at), io.input(at), n) };
            at += n;
        }
        assert_eq!(&io.finish(), to, "{mode:?}, {:?}", key.name);
    }
}

fn begin(s: &mut Source, key: &Key, iv: &[u8]) -> Ctx<Stream> {
    let (stream, iv) = (Ctx::new(), s.buffer(iv));
    c!(cv_stream_init(stream.ptr(), key.ptr(), iv.ptr()));
    stream
}

/// Cipher feedback with one-bit segments; the rest of the last byte is unchanged.
pub fn cfb1(s: &mut Source) {
    let key = Key::any(s);
    let iv = s.bytes(16);
    let bits = s.below(400);
    let text = s.bytes(bits.div_ceil(8));
    // Whole bytes; bits after the last one do not affect those before it.
    let sealed = oracle::encrypt(key.name, Mode::Cfb1, &key.bytes, &iv, &text);
    for (from, to, decrypt) in [(&text, &sealed, false), (&sealed, &text, true)] {
        let io = Io::new(s, from);
        let before = io.output(0);
        let rest = if bits.is_multiple_of(8) { 0 } else { 0xff >> (bits % 8) };
        // SAFETY: the last byte of the output, if there is one.
        let kept = if rest > 0 { unsafe { before.add(bits / 8).read() & rest } } else { 0 };
        let stream = begin(s, &key, &iv);
        let head = s.below(bits / 8 + 1) * 8;
        for (at, n) in [(0, head), (head / 8, bits - head)] {
            match decrypt {
                false => c!(cv_cfb1_encrypt(stream.ptr(), io.output(at), io.input(at), n)),
                true => c!(cv_cfb1_decrypt(stream.ptr(), io.output(at), io.input(at), n)),
            }
        }
        let mut expected = to.clone();
        if let Some(last) = expected.last_mut().filter(|_| rest > 0) {
            *last = *last & !rest | kept;
        }
        assert_eq!(io.finish(), expected, "CFB1 of {bits} bits, {:?}", key.name);
    }
}

/// ChaCha20, often with a carry from the counter into the nonce.
pub fn chacha20(s: &mut Source) {
    let (key, mut nonce) = (s.bytes(32), s.bytes(12));
    // The oracle's 64-bit counter must not wrap.
    nonce[3] &= 0x7f;
    let len = s.len(5000);
    let text = s.bytes(len);
    let counter = s.pick(&[0, 1, 7, 0x7fff_ffff, 0xffff_fff0, 0xffff_ffff]);
    let sealed = oracle::chacha20(&key, &nonce, counter, &text);
    let io = Io::new(s, &text);
    let mut cipher = Ctx::<Chacha20>::new();
    let (key, nonce) = (s.buffer(&key), s.buffer(&nonce));
    c!(cv_chacha20_init(cipher.ptr(), key.ptr(), nonce.ptr(), counter));
    let mut at = 0;
    for n in s.pieces(len, 1) {
        if s.below(8) == 0 {
            cipher = cipher.copy();
        }
        c!(cv_chacha20_update(cipher.ptr(), io.output(at), io.input(at), n));
        at += n;
    }
    assert_eq!(io.finish(), sealed, "ChaCha20 from block {counter}");
}
