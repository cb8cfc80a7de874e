//! Calls after the end of a message, by mistake: they must write nothing, and read nothing through the pointers of a
//! wiped context.

use crate::ffi::{self, c};
use crate::ffi::{
    CV_ERR_LENGTH, CV_ERR_TAG, CV_OK, Ccm, Chacha20Poly1305, Cmac, Context, Gcm, Hash, HashKind,
    Hmac, Ocb, Poly1305,
};
use crate::guarded::{Ctx, Guarded, Place};
use crate::key::Key;
use crate::source::Source;

/// Output that must stay unchanged.
const UNTOUCHED: [u8; 64] = [0xc3; 64];

/// Asserts that a call changes neither context nor output. Returns its result.
fn idle<T: Context, R>(what: &str, ctx: &Ctx<T>, call: impl FnOnce(*mut u8) -> R) -> R {
    let (before, out) = (ctx.bytes().to_vec(), Guarded::new(&UNTOUCHED, Place::End));
    let returned = call(out.ptr());
    assert_eq!(ctx.bytes(), before, "{what}: the context was written");
    assert_eq!(out.bytes(), UNTOUCHED, "{what}: the output was written");
    returned
}

/// Every fixed-size hash, and the functions of extendable ones.
pub fn hashes(s: &mut Source) {
    let text = s.bytes(300);
    let all = [
        &raw const ffi::cv_sha1,
        &raw const ffi::cv_sha224,
        &raw const ffi::cv_sha256,
        &raw const ffi::cv_sha384,
        &raw const ffi::cv_sha512,
        &raw const ffi::cv_sha512_224,
        &raw const ffi::cv_sha512_256,
        &raw const ffi::cv_sha3_224,
        &raw const ffi::cv_sha3_256,
        &raw const ffi::cv_sha3_384,
        &raw const ffi::cv_sha3_512,
        &raw const ffi::cv_shake128,
        &raw const ffi::cv_shake256,
        &raw const ffi::cv_sm3,
    ];
    for kind in all {
        let (ctx, mut out) = (Ctx::<Hash>::new(), [0; 64]);
        c!(cv_hash_init(ctx.ptr(), kind));
        c!(cv_hash_update(ctx.ptr(), text.as_ptr(), text.len()));
        c!(cv_hash_final(ctx.ptr(), out.as_mut_ptr()));
        ended_hash(&ctx, &text);
    }
    for (kind, rate) in [(&raw const ffi::cv_shake128, 168), (&raw const ffi::cv_shake256, 136)] {
        // Squeezes a whole block, so that none of it is left; then calls `cv_hash_final`, which extendable hashes do
        // not have.
        let (ctx, mut out) = (Ctx::<Hash>::new(), [0; 168]);
        c!(cv_hash_init(ctx.ptr(), kind));
        c!(cv_xof_squeeze(ctx.ptr(), out.as_mut_ptr(), rate));
        let untouched = Guarded::new(&UNTOUCHED, Place::End);
        c!(cv_hash_final(ctx.ptr(), untouched.ptr()));
        assert_eq!(untouched.bytes(), UNTOUCHED);
        ended_hash(&ctx, &text);
        squeezed(kind, &text);
        kmac(kind, s);
    }
}

/// After the first squeeze the message takes nothing more, and the output is unaffected by the attempt.
fn squeezed(kind: *const HashKind, text: &[u8]) {
    let (whole, mut all) = (Ctx::<Hash>::new(), [0; 600]);
    c!(cv_hash_init(whole.ptr(), kind));
    c!(cv_hash_update(whole.ptr(), text.as_ptr(), 7));
    c!(cv_xof_squeeze(whole.ptr(), all.as_mut_ptr(), all.len()));
    let (ctx, mut out) = (Ctx::<Hash>::new(), [0; 600]);
    c!(cv_hash_init(ctx.ptr(), kind));
    c!(cv_hash_update(ctx.ptr(), text.as_ptr(), 7));
    let mut at = 0;
    // First squeezes nothing, then up to the ends of blocks of both rates, and to places between.
    for n in [0, 1, 135, 32, 104, 328] {
        c!(cv_xof_squeeze(ctx.ptr(), out[at..].as_mut_ptr(), n));
        at += n;
        for len in [0, 1, text.len()] {
            idle("update", &ctx, |_| c!(cv_hash_update(ctx.ptr(), text.as_ptr(), len)));
        }
        idle("KMACXOF's final", &ctx, |_| c!(cv_kmac_final_xof(ctx.ptr())));
    }
    assert_eq!((at, out), (600, all));
    // `cv_kmac_final` would end the message, too: once output has begun, it writes no code.
    let untouched = Guarded::new(&UNTOUCHED, Place::End);
    c!(cv_kmac_final(ctx.ptr(), untouched.ptr(), 64));
    assert_eq!(untouched.bytes(), UNTOUCHED);
    ended_hash(&ctx, text);
}

fn kmac(kind: *const HashKind, s: &mut Source) {
    let (key, text) = (s.bytes(32), s.bytes(300));
    let (ctx, mut out) = (Ctx::<Hash>::new(), [0; 64]);
    c!(cv_kmac_init(ctx.ptr(), kind, key.as_ptr(), key.len(), text.as_ptr(), 3));
    c!(cv_hash_update(ctx.ptr(), text.as_ptr(), text.len()));
    c!(cv_kmac_final(ctx.ptr(), out.as_mut_ptr(), 64));
    ended_hash(&ctx, &text);
    c!(cv_kmac_init(ctx.ptr(), kind, key.as_ptr(), key.len(), text.as_ptr(), 3));
    c!(cv_kmac_final_xof(ctx.ptr()));
    idle("update", &ctx, |_| c!(cv_hash_update(ctx.ptr(), text.as_ptr(), 300)));
}

fn ended_hash(ctx: &Ctx<Hash>, text: &[u8]) {
    for n in [0, 1, text.len()] {
        idle("update", ctx, |_| c!(cv_hash_update(ctx.ptr(), text.as_ptr(), n)));
    }
    idle("final", ctx, |out| c!(cv_hash_final(ctx.ptr(), out)));
    idle("squeeze", ctx, |out| c!(cv_xof_squeeze(ctx.ptr(), out, 64)));
    idle("KMAC's final", ctx, |out| c!(cv_kmac_final(ctx.ptr(), out, 64)));
    idle("KMACXOF's final", ctx, |_| c!(cv_kmac_final_xof(ctx.ptr())));
}

/// HMAC continues after a restart, and not before.
pub fn hmac(s: &mut Source) {
    let (key, text) = (s.bytes(20), s.bytes(300));
    let (ctx, mut codes) = (Ctx::<Hmac>::new(), [[0; 64]; 2]);
    for kind in [&raw const ffi::cv_sha256, &raw const ffi::cv_sha3_256, &raw const ffi::cv_sm3] {
        assert_eq!(c!(cv_hmac_init(ctx.ptr(), kind, key.as_ptr(), key.len())), CV_OK);
        for code in &mut codes {
            c!(cv_hmac_update(ctx.ptr(), text.as_ptr(), text.len()));
            c!(cv_hmac_final(ctx.ptr(), code.as_mut_ptr()));
            idle("update", &ctx, |_| c!(cv_hmac_update(ctx.ptr(), text.as_ptr(), 300)));
            idle("final", &ctx, |out| c!(cv_hmac_final(ctx.ptr(), out)));
            c!(cv_hmac_restart(ctx.ptr()));
        }
        assert_eq!(codes[0], codes[1]);
    }
}

/// Poly1305, alone and in the AEAD: calls after the tag neither encrypt nor verify.
pub fn poly1305(s: &mut Source) {
    let (key, nonce, text) = (s.bytes(32), s.bytes(12), s.bytes(300));
    let (ctx, mut tag) = (Ctx::<Poly1305>::new(), [0; 16]);
    for whole in [32, 33] {
        c!(cv_poly1305_init(ctx.ptr(), key.as_ptr()));
        c!(cv_poly1305_update(ctx.ptr(), text.as_ptr(), whole));
        c!(cv_poly1305_final(ctx.ptr(), tag.as_mut_ptr()));
        for n in [0, 1, 16, 300] {
            idle("update", &ctx, |_| c!(cv_poly1305_update(ctx.ptr(), text.as_ptr(), n)));
        }
        idle("final", &ctx, |out| c!(cv_poly1305_final(ctx.ptr(), out)));
    }
    let ctx = Ctx::<Chacha20Poly1305>::new();
    for verified in [false, true] {
        c!(cv_chacha20_poly1305_init(ctx.ptr(), key.as_ptr(), nonce.as_ptr()));
        if verified {
            c!(cv_chacha20_poly1305_verify(ctx.ptr(), tag.as_ptr()));
        } else {
            assert_eq!(c!(cv_chacha20_poly1305_tag(ctx.ptr(), tag.as_mut_ptr())), CV_OK);
        }
        let (p, input) = (ctx.ptr(), text.as_ptr());
        let status = [
            idle("aad", &ctx, |_| c!(cv_chacha20_poly1305_aad(p, input, 20))),
            idle("encrypt", &ctx, |out| c!(cv_chacha20_poly1305_encrypt(p, out, input, 64))),
            idle("decrypt", &ctx, |out| c!(cv_chacha20_poly1305_decrypt(p, out, input, 64))),
        ];
        assert_eq!(status, [CV_ERR_LENGTH; 3]);
        let status = idle("tag", &ctx, |out| c!(cv_chacha20_poly1305_tag(p, out)));
        assert_eq!(status, CV_ERR_LENGTH);
        // A wiped context would make this tag.
        let zeros = [0; 16];
        let status = idle("verify", &ctx, |_| c!(cv_chacha20_poly1305_verify(p, zeros.as_ptr())));
        assert_eq!(status, CV_ERR_TAG);
    }
}

/// CCM is wiped when its tag is computed.
pub fn ccm(s: &mut Source) {
    let (key, nonce, text) = (Key::any(s), s.bytes(12), s.bytes(64));
    let (ctx, mut tag) = (Ctx::<Ccm>::new(), [0; 16]);
    let start = c!(cv_ccm_start(ctx.ptr(), key.ptr(), 0, text.as_ptr(), 9, nonce.as_ptr(), 12, 16));
    assert_eq!((start, c!(cv_ccm_tag(ctx.ptr(), tag.as_mut_ptr(), 16))), (CV_OK, CV_OK));
    for n in [0, 16, 64] {
        let (p, input) = (ctx.ptr(), text.as_ptr());
        let status = [
            idle("encrypt", &ctx, |out| c!(cv_ccm_encrypt(p, out, input, n))),
            idle("decrypt", &ctx, |out| c!(cv_ccm_decrypt(p, out, input, n))),
            idle("tag", &ctx, |out| c!(cv_ccm_tag(p, out, n))),
        ];
        assert_eq!(status, [CV_ERR_LENGTH; 3], "{n}");
    }
}

/// GCM without a message: before the first, after its tag, and after another key.
pub fn gcm(s: &mut Source) {
    let (key, nonce, text) = (Key::any(s), s.bytes(12), s.bytes(64));
    let (ctx, mut tags) = (Ctx::<Gcm>::new(), [[0; 16]; 3]);
    let p = ctx.ptr();
    let start = || {
        assert_eq!(c!(cv_gcm_start(p, nonce.as_ptr(), 12)), CV_OK);
        assert_eq!(c!(cv_gcm_aad(p, text.as_ptr(), 20)), CV_OK);
    };
    c!(cv_gcm_init(p, key.ptr()));
    no_gcm_message(&ctx, &text);
    for tag in &mut tags {
        start();
        let mut out = [0; 40];
        assert_eq!(c!(cv_gcm_encrypt(p, out.as_mut_ptr(), text.as_ptr(), 40)), CV_OK);
        // A refused tag does not end the message.
        for wrong in [0, 17] {
            idle("no tag", &ctx, |out| assert_eq!(c!(cv_gcm_tag(p, out, wrong)), CV_ERR_LENGTH));
        }
        assert_eq!(c!(cv_gcm_tag(p, tag.as_mut_ptr(), 16)), CV_OK);
        no_gcm_message(&ctx, &text);
        // An invalid nonce does not begin one.
        assert_eq!(c!(cv_gcm_start(p, nonce.as_ptr(), 0)), CV_ERR_LENGTH);
        no_gcm_message(&ctx, &text);
    }
    assert!(tags[0] == tags[1] && tags[1] == tags[2]);
    for right in [true, false] {
        start();
        let (mut out, mut tag) = ([0; 40], tags[0]);
        c!(cv_gcm_encrypt(p, out.as_mut_ptr(), text.as_ptr(), 40));
        tag[3] ^= u8::from(!right);
        let status = c!(cv_gcm_verify(p, tag.as_ptr(), 16));
        assert_eq!(status, if right { CV_OK } else { CV_ERR_TAG });
        no_gcm_message(&ctx, &text);
    }
    let mut tag = [0; 16];
    let nothing = std::ptr::null_mut();
    let seal = c!(cv_gcm_seal(
        p,
        nothing,
        nothing,
        0,
        nothing,
        0,
        nonce.as_ptr(),
        12,
        tag.as_mut_ptr(),
        16
    ));
    assert_eq!(seal, CV_OK);
    no_gcm_message(&ctx, &text);
    start();
    c!(cv_gcm_init(p, key.ptr()));
    no_gcm_message(&ctx, &text);
}

fn no_gcm_message(ctx: &Ctx<Gcm>, text: &[u8]) {
    let (p, input) = (ctx.ptr(), text.as_ptr());
    for n in [0, 1, 16, 64] {
        let status = [
            idle("aad", ctx, |_| c!(cv_gcm_aad(p, input, n))),
            idle("encrypt", ctx, |out| c!(cv_gcm_encrypt(p, out, input, n))),
            idle("decrypt", ctx, |out| c!(cv_gcm_decrypt(p, out, input, n))),
            idle("tag", ctx, |out| c!(cv_gcm_tag(p, out, n.min(16)))),
        ];
        assert_eq!(status, [CV_ERR_LENGTH; 4], "{n}");
    }
    assert_eq!(idle("verify", ctx, |_| c!(cv_gcm_verify(p, input, 16))), CV_ERR_TAG);
}

/// OCB without a message: before the first, after its tag, and after another key.
pub fn ocb(s: &mut Source) {
    let (key, nonce, text) = (Key::any(s), s.bytes(12), s.bytes(64));
    let (ctx, mut tags) = (Ctx::<Ocb>::new(), [[0; 16]; 3]);
    let p = ctx.ptr();
    // With bytes that wait for the rest of their block, which must not be output later.
    let message = || {
        let (mut out, mut came) = ([0; 64], 0);
        assert_eq!(c!(cv_ocb_start(p, nonce.as_ptr(), 12, 16)), CV_OK);
        assert_eq!(c!(cv_ocb_aad(p, text.as_ptr(), 20)), CV_OK);
        let status = c!(cv_ocb_encrypt(p, out.as_mut_ptr(), &raw mut came, text.as_ptr(), 40));
        assert_eq!((status, came), (CV_OK, 32));
    };
    c!(cv_ocb_init(p, key.ptr()));
    no_ocb_message(&ctx, &text);
    for tag in &mut tags {
        message();
        let (mut out, mut came) = ([0; 16], 0);
        let status = c!(cv_ocb_tag(p, out.as_mut_ptr(), &raw mut came, tag.as_mut_ptr()));
        assert_eq!((status, came), (CV_OK, 8));
        no_ocb_message(&ctx, &text);
        assert_eq!(c!(cv_ocb_start(p, nonce.as_ptr(), 0, 16)), CV_ERR_LENGTH);
        no_ocb_message(&ctx, &text);
    }
    assert!(tags[0] == tags[1] && tags[1] == tags[2]);
    message();
    let (mut out, mut came) = ([0; 16], 0);
    // The tag of an encrypted message is not that of the same bytes decrypted.
    let status = c!(cv_ocb_verify(p, out.as_mut_ptr(), &raw mut came, tags[0].as_ptr()));
    assert_eq!((status, came), (CV_ERR_TAG, 0));
    no_ocb_message(&ctx, &text);
    message();
    c!(cv_ocb_init(p, key.ptr()));
    no_ocb_message(&ctx, &text);
}

fn no_ocb_message(ctx: &Ctx<Ocb>, text: &[u8]) {
    let (p, input) = (ctx.ptr(), text.as_ptr());
    for n in [0, 1, 16, 64] {
        let mut came = 7;
        let status = [
            idle("aad", ctx, |_| c!(cv_ocb_aad(p, input, n))),
            idle("encrypt", ctx, |out| c!(cv_ocb_encrypt(p, out, &raw mut came, input, n))),
            idle("decrypt", ctx, |out| c!(cv_ocb_decrypt(p, out, &raw mut came, input, n))),
        ];
        assert_eq!((status, came), ([CV_ERR_LENGTH; 3], 7), "{n}");
    }
    let (mut came, untouched) = (7, Guarded::new(&UNTOUCHED[..16], Place::End));
    let status = idle("tag", ctx, |out| c!(cv_ocb_tag(p, out, &raw mut came, untouched.ptr())));
    assert_eq!((status, came, untouched.bytes()), (CV_ERR_LENGTH, 0, &UNTOUCHED[..16]));
    came = 7;
    let status = idle("verify", ctx, |out| c!(cv_ocb_verify(p, out, &raw mut came, input)));
    assert_eq!((status, came), (CV_ERR_TAG, 0));
}

/// CMAC needs no nonce: after its code, it begins anew.
pub fn cmac(s: &mut Source) {
    let (key, text) = (Key::any(s), s.bytes(64));
    let (ctx, mut codes) = (Ctx::<Cmac>::new(), [[0; 16]; 2]);
    c!(cv_cmac_init(ctx.ptr(), key.ptr()));
    for code in &mut codes {
        c!(cv_cmac_update(ctx.ptr(), text.as_ptr(), 40));
        assert_eq!(c!(cv_cmac_final(ctx.ptr(), code.as_mut_ptr(), 16)), CV_OK);
    }
    assert_eq!(codes[0], codes[1]);
}
