//! Authenticated encryption: seal and open, in pieces and at once, with right and wrong tags.

use crate::ffi::c;
use crate::ffi::{CV_ERR_LENGTH, CV_ERR_TAG, CV_OK, Ccm, Chacha20Poly1305, Gcm, Ocb};
use crate::guarded::{Ctx, Guarded};
use crate::hash::update;
use crate::in_out::Io;
use crate::key::Key;
use crate::oracle::{self, Message};
use crate::source::Source;

/// A message and its sealed form.
struct Sample {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    text: Vec<u8>,
    sealed: Vec<u8>,
    tag: Vec<u8>,
}

impl Sample {
    fn new(
        s: &mut Source,
        key: &[u8],
        nonce_len: usize,
        tag_len: usize,
        seal: impl FnOnce(&Message) -> Vec<u8>,
    ) -> Sample {
        let (len, aad_len) = (s.len(5000), s.len(400));
        let (nonce, aad, text) = (s.bytes(nonce_len), s.bytes(aad_len), s.bytes(len));
        let mut sealed = seal(&Message { key, nonce: &nonce, aad: &aad, text: &text });
        let mut tag = sealed.split_off(len);
        tag.truncate(tag_len);
        Sample { nonce, aad, text, sealed, tag }
    }

    /// A buffer with the tag to compare with, right or with one wrong bit.
    fn tag(&self, s: &mut Source, right: bool) -> Guarded {
        let mut tag = self.tag.clone();
        if !right {
            tag[s.below(self.tag.len())] ^= 1 << s.below(8);
        }
        s.buffer(&tag)
    }

    /// The expected output of opening everything at once.
    fn opened(&self, right: bool) -> Vec<u8> {
        if right { self.text.clone() } else { vec![0; self.text.len()] }
    }
}

fn verdict(right: bool) -> i32 {
    if right { CV_OK } else { CV_ERR_TAG }
}

/// Galois/counter mode: several messages with one context.
pub fn gcm(s: &mut Source) {
    let key = Key::any(s);
    let mut gcm = Ctx::<Gcm>::new();
    c!(cv_gcm_init(gcm.ptr(), key.ptr()));
    assert_eq!(c!(cv_gcm_start(gcm.ptr(), std::ptr::null(), 0)), CV_ERR_LENGTH);
    for _ in 0..2 {
        let (nonce_len, _) = s.pick(oracle::GCM_SIZES);
        let tag_len = 1 + s.below(16);
        let m = Sample::new(s, &key.bytes, nonce_len, tag_len, |m| oracle::gcm(key.name, m, 16));
        gcm_in_pieces(s, &mut gcm, &m);
        let (nonce, aad) = (s.buffer(&m.nonce), s.buffer(&m.aad));
        let (n, a, len) = (nonce.ptr(), aad.ptr(), m.text.len());
        let (io, tag) = (Io::new(s, &m.text), s.buffer(&vec![0; tag_len]));
        let (out, input) = (io.output(0), io.input(0));
        let seal = c!(cv_gcm_seal(
            gcm.ptr(),
            out,
            input,
            len,
            a,
            m.aad.len(),
            n,
            nonce_len,
            tag.ptr(),
            tag_len
        ));
        assert_eq!(seal, CV_OK);
        assert_eq!((io.finish(), tag.bytes()), (m.sealed.clone(), &m.tag[..]), "GCM, sealed");
        for right in [true, false] {
            let (io, tag) = (Io::new(s, &m.sealed), m.tag(s, right));
            let (out, input) = (io.output(0), io.input(0));
            let open = c!(cv_gcm_open(
                gcm.ptr(),
                out,
                input,
                len,
                a,
                m.aad.len(),
                n,
                nonce_len,
                tag.ptr(),
                tag_len
            ));
            assert_eq!((open, io.finish()), (verdict(right), m.opened(right)), "GCM, opened");
        }
    }
}

fn gcm_in_pieces(s: &mut Source, gcm: &mut Ctx<Gcm>, m: &Sample) {
    let nonce = s.buffer(&m.nonce);
    for (from, to, decrypt) in [(&m.text, &m.sealed, false), (&m.sealed, &m.text, true)] {
        assert_eq!(c!(cv_gcm_start(gcm.ptr(), nonce.ptr(), nonce.len())), CV_OK);
        update(s, &m.aad, |at, n| assert_eq!(c!(cv_gcm_aad(gcm.ptr(), at, n)), CV_OK));
        let io = Io::new(s, from);
        let mut at = 0;
        for n in s.pieces(from.len(), 1) {
            *gcm = gcm.copy();
            let (out, input) = (io.output(at), io.input(at));
            let status = match decrypt {
                false => c!(cv_gcm_encrypt(gcm.ptr(), out, input, n)),
                true => c!(cv_gcm_decrypt(gcm.ptr(), out, input, n)),
            };
            assert_eq!(status, CV_OK);
            at += n;
        }
        assert_eq!(&io.finish(), to, "GCM in pieces, decrypting: {decrypt}");
        if !from.is_empty() {
            assert_eq!(c!(cv_gcm_aad(gcm.ptr(), nonce.ptr(), 1)), CV_ERR_LENGTH, "too late");
        }
        // A context ends with one tag or one comparison.
        let right = s.flag();
        if decrypt {
            let tag = m.tag(s, right);
            let status = c!(cv_gcm_verify(gcm.ptr(), tag.ptr(), tag.len()));
            assert_eq!(status, verdict(right));
        } else {
            let tag = s.buffer(&vec![0; m.tag.len()]);
            for wrong in [0, 17] {
                assert_eq!(c!(cv_gcm_tag(gcm.ptr(), tag.ptr(), wrong)), CV_ERR_LENGTH);
            }
            assert_eq!(c!(cv_gcm_tag(gcm.ptr(), tag.ptr(), tag.len())), CV_OK);
            assert_eq!(tag.bytes(), m.tag, "GCM in pieces");
        }
    }
}

/// Counter mode with CBC-MAC.
pub fn ccm(s: &mut Source) {
    let key = Key::any(s);
    let (nonce_len, tag_len) = s.pick(oracle::CCM_SIZES);
    let m = Sample::new(s, &key.bytes, nonce_len, tag_len, |m| oracle::ccm(key.name, m, tag_len));
    ccm_in_steps(s, &key, &m);
    let (nonce, aad) = (s.buffer(&m.nonce), s.buffer(&m.aad));
    let (k, n, a, len) = (key.ptr(), nonce.ptr(), aad.ptr(), m.text.len());
    let (io, tag) = (Io::new(s, &m.text), s.buffer(&vec![0; tag_len]));
    let (out, input) = (io.output(0), io.input(0));
    for (nonce_len, tag_len) in [(6, 16), (14, 16), (12, 3), (12, 5), (12, 18), (12, 2)] {
        let status =
            c!(cv_ccm_seal(k, out, input, len, a, m.aad.len(), n, nonce_len, tag.ptr(), tag_len));
        assert_eq!(status, CV_ERR_LENGTH, "CCM, nonce {nonce_len}, tag {tag_len}");
    }
    let status =
        c!(cv_ccm_seal(k, out, input, len, a, m.aad.len(), n, nonce_len, tag.ptr(), tag_len));
    assert_eq!(status, CV_OK);
    assert_eq!((io.finish(), tag.bytes()), (m.sealed.clone(), &m.tag[..]), "CCM, sealed");
    for right in [true, false] {
        let (io, tag) = (Io::new(s, &m.sealed), m.tag(s, right));
        let (out, input) = (io.output(0), io.input(0));
        let open =
            c!(cv_ccm_open(k, out, input, len, a, m.aad.len(), n, nonce_len, tag.ptr(), tag_len));
        assert_eq!((open, io.finish()), (verdict(right), m.opened(right)), "CCM, opened");
    }
}

fn ccm_in_steps(s: &mut Source, key: &Key, m: &Sample) {
    for (from, to, decrypt) in [(&m.text, &m.sealed, false), (&m.sealed, &m.text, true)] {
        let (ccm, nonce, aad) = (Ctx::<Ccm>::new(), s.buffer(&m.nonce), s.buffer(&m.aad));
        let (n, a, len) = (nonce.ptr(), aad.ptr(), from.len());
        let status =
            c!(cv_ccm_start(ccm.ptr(), key.ptr(), len, a, aad.len(), n, nonce.len(), m.tag.len()));
        assert_eq!(status, CV_OK);
        let io = Io::new(s, from);
        match decrypt {
            _ if len == 0 => (),
            false => {
                assert_eq!(c!(cv_ccm_encrypt(ccm.ptr(), io.output(0), io.input(0), len)), CV_OK)
            }
            true => {
                assert_eq!(c!(cv_ccm_decrypt(ccm.ptr(), io.output(0), io.input(0), len)), CV_OK)
            }
        }
        assert_eq!(&io.finish(), to, "CCM in steps, decrypting: {decrypt}");
        let tag = s.buffer(&vec![0; m.tag.len()]);
        assert_eq!(c!(cv_ccm_tag(ccm.ptr(), tag.ptr(), tag.len())), CV_OK);
        assert_eq!(tag.bytes(), m.tag, "CCM in steps");
        assert!(ccm.bytes().iter().all(|b| *b == 0), "the context is not wiped");
    }
}

/// Offset codebook mode: several messages with one context.
pub fn ocb(s: &mut Source) {
    let key = Key::any(s);
    let mut ocb = Ctx::<Ocb>::new();
    c!(cv_ocb_init(ocb.ptr(), key.ptr()));
    for _ in 0..2 {
        let (nonce_len, tag_len) = s.pick(oracle::OCB_SIZES);
        let of = |m: &Message| oracle::ocb(key.name, m, tag_len);
        let m = Sample::new(s, &key.bytes, nonce_len, tag_len, of);
        let nonce = s.buffer(&m.nonce);
        for (nonce_len, tag_len) in [(0, 16), (16, 16), (12, 0), (12, 17)] {
            let status = c!(cv_ocb_start(ocb.ptr(), nonce.ptr(), nonce_len, tag_len));
            assert_eq!(status, CV_ERR_LENGTH, "OCB, nonce {nonce_len}, tag {tag_len}");
        }
        for decrypt in [false, true] {
            assert_eq!(c!(cv_ocb_start(ocb.ptr(), nonce.ptr(), nonce_len, tag_len)), CV_OK);
            ocb_message(s, &mut ocb, &m, decrypt);
        }
    }
}

fn ocb_message(s: &mut Source, ocb: &mut Ctx<Ocb>, m: &Sample, decrypt: bool) {
    let (from, to) = if decrypt { (&m.sealed, &m.text) } else { (&m.text, &m.sealed) };
    // Associated data may come at any time before the end.
    let late = s.flag();
    if !late {
        update(s, &m.aad, |at, n| assert_eq!(c!(cv_ocb_aad(ocb.ptr(), at, n)), CV_OK));
    }
    let io = Io::new(s, from);
    let (mut at, mut done, mut more) = (0, 0, 0);
    for n in s.pieces(from.len(), 1) {
        *ocb = ocb.copy();
        let (out, input) = (io.output(done), io.input(at));
        let status = match decrypt {
            false => c!(cv_ocb_encrypt(ocb.ptr(), out, &raw mut more, input, n)),
            true => c!(cv_ocb_decrypt(ocb.ptr(), out, &raw mut more, input, n)),
        };
        at += n;
        done += more;
        assert_eq!((status, done), (CV_OK, at / 16 * 16), "only whole blocks come out");
    }
    if late {
        update(s, &m.aad, |at, n| assert_eq!(c!(cv_ocb_aad(ocb.ptr(), at, n)), CV_OK));
    }
    let right = s.flag();
    if decrypt {
        let tag = m.tag(s, right);
        let status = c!(cv_ocb_verify(ocb.ptr(), io.output(done), &raw mut more, tag.ptr()));
        assert_eq!(status, verdict(right));
    } else {
        let tag = s.buffer(&vec![0; m.tag.len()]);
        let status = c!(cv_ocb_tag(ocb.ptr(), io.output(done), &raw mut more, tag.ptr()));
        assert_eq!(status, CV_OK);
        assert_eq!(tag.bytes(), m.tag, "OCB's tag");
    }
    if !right && decrypt {
        let out = io.finish();
        assert!(more == 0 && out[done..].iter().all(|b| *b == 0), "OCB, not authentic");
        return;
    }
    assert_eq!(done + more, from.len());
    assert_eq!(&io.finish(), to, "OCB, decrypting: {decrypt}");
}

/// ChaCha20-Poly1305.
pub fn chacha20_poly1305(s: &mut Source) {
    let key = s.bytes(32);
    let m = Sample::new(s, &key, 12, 16, oracle::chacha20_poly1305);
    let (key, nonce, aad) = (s.buffer(&key), s.buffer(&m.nonce), s.buffer(&m.aad));
    let (k, n, a, len) = (key.ptr(), nonce.ptr(), aad.ptr(), m.text.len());
    for (from, to, decrypt) in [(&m.text, &m.sealed, false), (&m.sealed, &m.text, true)] {
        chacha20_in_pieces(s, (k, n), &m, (from, to, decrypt));
    }
    let (io, tag) = (Io::new(s, &m.text), s.buffer(&[0; 16]));
    let (out, input) = (io.output(0), io.input(0));
    let seal = c!(cv_chacha20_poly1305_seal(k, n, a, aad.len(), out, input, len, tag.ptr()));
    assert_eq!(seal, CV_OK);
    assert_eq!((io.finish(), tag.bytes()), (m.sealed.clone(), &m.tag[..]), "sealed");
    for right in [true, false] {
        let (io, tag) = (Io::new(s, &m.sealed), m.tag(s, right));
        let (out, input) = (io.output(0), io.input(0));
        let open = c!(cv_chacha20_poly1305_open(k, n, a, aad.len(), out, input, len, tag.ptr()));
        assert_eq!((open, io.finish()), (verdict(right), m.opened(right)), "opened");
    }
}

fn chacha20_in_pieces(
    s: &mut Source,
    (key, nonce): (*const u8, *const u8),
    m: &Sample,
    (from, to, decrypt): (&[u8], &[u8], bool),
) {
    let mut context = Ctx::<Chacha20Poly1305>::new();
    c!(cv_chacha20_poly1305_init(context.ptr(), key, nonce));
    update(s, &m.aad, |at, n| {
        assert_eq!(c!(cv_chacha20_poly1305_aad(context.ptr(), at, n)), CV_OK);
    });
    let io = Io::new(s, from);
    let mut at = 0;
    for n in s.pieces(from.len(), 1) {
        context = context.copy();
        let (out, input) = (io.output(at), io.input(at));
        let status = match decrypt {
            false => c!(cv_chacha20_poly1305_encrypt(context.ptr(), out, input, n)),
            true => c!(cv_chacha20_poly1305_decrypt(context.ptr(), out, input, n)),
        };
        assert_eq!(status, CV_OK);
        at += n;
    }
    assert_eq!(io.finish(), to, "ChaCha20-Poly1305 in pieces, decrypting: {decrypt}");
    if decrypt {
        let right = s.flag();
        let tag = m.tag(s, right);
        let status = c!(cv_chacha20_poly1305_verify(context.ptr(), tag.ptr()));
        assert_eq!(status, verdict(right));
    } else {
        let tag = s.buffer(&[0; 16]);
        assert_eq!(c!(cv_chacha20_poly1305_tag(context.ptr(), tag.ptr())), CV_OK);
        assert_eq!(tag.bytes(), m.tag, "ChaCha20-Poly1305 in pieces");
    }
    assert!(context.bytes().iter().all(|b| *b == 0), "the context is not wiped");
}
