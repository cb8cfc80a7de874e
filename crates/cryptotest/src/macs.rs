//! Message authentication codes.

use crate::ffi::c;
use crate::ffi::{CV_ERR_LENGTH, CV_OK, Cmac, Hash, Hmac, Poly1305};
use crate::guarded::{Ctx, Guarded, Place};
use crate::hash::update;
use crate::hashes::{self, Extendable};
use crate::key::Key;
use crate::oracle;
use crate::source::Source;

/// CMAC: two messages with one context.
pub fn cmac(s: &mut Source) {
    let key = Key::any(s);
    let mac = Ctx::<Cmac>::new();
    c!(cv_cmac_init(mac.ptr(), key.ptr()));
    for _ in 0..2 {
        let len = s.len(3000);
        let text = s.bytes(len);
        update(s, &text, |at, n| c!(cv_cmac_update(mac.ptr(), at, n)));
        let expected = oracle::cmac(key.name, &key.bytes, &text);
        let tag = s.buffer(&[0; 16]);
        for wrong in [0, 17] {
            assert_eq!(c!(cv_cmac_final(mac.ptr(), tag.ptr(), wrong)), CV_ERR_LENGTH);
        }
        let short = 1 + s.below(16);
        let tag = s.buffer(&vec![0; short]);
        assert_eq!(c!(cv_cmac_final(mac.ptr(), tag.ptr(), short)), CV_OK);
        assert_eq!(tag.bytes(), &expected[..short], "CMAC, {:?}, {len} bytes", key.name);
    }
}

/// HMAC: two messages under one key.
pub fn hmac(s: &mut Source) {
    let hashes = hashes::fixed();
    let hash = &hashes[s.below(hashes.len())];
    let len = s.len(300);
    let key = s.bytes(len);
    let mac = Ctx::<Hmac>::new();
    let buffer = s.buffer(&key);
    for shake in hashes::extendable() {
        let status = c!(cv_hmac_init(mac.ptr(), shake.kind, buffer.ptr(), len));
        assert_eq!(status, CV_ERR_LENGTH, "HMAC has no extendable hash");
    }
    assert_eq!(c!(cv_hmac_init(mac.ptr(), hash.kind, buffer.ptr(), len)), CV_OK);
    for round in 0..2 {
        if round > 0 {
            c!(cv_hmac_restart(mac.ptr()));
        }
        let len = s.len(3000);
        let text = s.bytes(len);
        update(s, &text, |at, n| c!(cv_hmac_update(mac.ptr(), at, n)));
        let expected = (hash.hmac)(&key, &text);
        let code = s.buffer(&vec![0; expected.len()]);
        c!(cv_hmac_final(mac.ptr(), code.ptr()));
        assert_eq!(code.bytes(), expected, "HMAC, key of {} bytes", key.len());
    }
}

/// libcapvec's KMAC of one message.
pub fn kmac_of(hash: &Extendable, key: &[u8], custom: &[u8], text: &[u8], size: usize) -> Vec<u8> {
    let context = Ctx::<Hash>::new();
    let [k, c, t] = [key, custom, text].map(|b| Guarded::new(b, Place::End));
    let code = Guarded::new(&vec![0; size], Place::End);
    c!(cv_kmac_init(context.ptr(), hash.kind, k.ptr(), key.len(), c.ptr(), custom.len()));
    c!(cv_hash_update(context.ptr(), t.ptr(), text.len()));
    c!(cv_kmac_final(context.ptr(), code.ptr(), size));
    code.bytes().to_vec()
}

/// KMAC and KMACXOF.
pub fn kmac(s: &mut Source) {
    let hash = &hashes::extendable()[s.below(2)];
    let (key_len, custom_len, len, size) = (s.len(300), s.len(100), s.len(3000), s.len(500));
    let (key, custom, text) = (s.bytes(key_len), s.bytes(custom_len), s.bytes(len));
    let xof = s.flag();
    let context = Ctx::<Hash>::new();
    let (k, c) = (s.buffer(&key), s.buffer(&custom));
    c!(cv_kmac_init(context.ptr(), hash.kind, k.ptr(), key_len, c.ptr(), custom_len));
    update(s, &text, |at, n| c!(cv_hash_update(context.ptr(), at, n)));
    let code = s.buffer(&vec![0; size]);
    if xof {
        c!(cv_kmac_final_xof(context.ptr()));
        c!(cv_xof_squeeze(context.ptr(), code.ptr(), size));
    } else {
        c!(cv_kmac_final(context.ptr(), code.ptr(), size));
        assert!(context.bytes().iter().all(|b| *b == 0), "the context is not wiped");
    }
    let expected = hashes::kmac(hash, &key, &custom, &text, size, xof);
    assert_eq!(code.bytes(), expected, "KMAC, key of {key_len} bytes, xof: {xof}");
}

/// Poly1305.
pub fn poly1305(s: &mut Source) {
    let key = s.bytes(32);
    let len = s.len(5000);
    let text = s.bytes(len);
    let expected = oracle::poly1305(&key, &text);
    let (context, key) = (Ctx::<Poly1305>::new(), s.buffer(&key));
    c!(cv_poly1305_init(context.ptr(), key.ptr()));
    update(s, &text, |at, n| c!(cv_poly1305_update(context.ptr(), at, n)));
    let tag = s.buffer(&[0; 16]);
    c!(cv_poly1305_final(context.ptr(), tag.ptr()));
    assert_eq!(tag.bytes(), expected, "Poly1305 of {len} bytes");
    // The marker of the end stays: `held`, after h, r, s and a block.
    let secret = &context.bytes()[..8 * 7 + 16];
    assert!(secret.iter().all(|b| *b == 0), "the context is not wiped");
    let (tag, text) = (s.buffer(&[0; 16]), s.buffer(&text));
    c!(cv_poly1305_message(key.ptr(), tag.ptr(), text.ptr(), len));
    assert_eq!(tag.bytes(), expected, "Poly1305 of {len} bytes at once");
}
