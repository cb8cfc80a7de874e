//! Limits that modes enforce, before they write anything. Contexts are set up near the limits (`c/limits.c`).

use crate::ffi::c;
use crate::ffi::{CV_ERR_LENGTH, CV_OK, Ccm, Chacha20Poly1305, Context, Gcm, Ocb};
use crate::guarded::{Ctx, Guarded, Place};
use crate::key::Key;
use crate::source::Source;

/// Output that must stay unchanged.
const UNTOUCHED: [u8; 64] = [0xc3; 64];

/// Asserts that a call is refused and changes neither context nor output.
fn refused<T: Context>(what: &str, ctx: &Ctx<T>, call: impl FnOnce(*mut u8) -> i32) {
    let (before, out) = (ctx.bytes().to_vec(), Guarded::new(&UNTOUCHED, Place::End));
    assert_eq!(call(out.ptr()), CV_ERR_LENGTH, "{what}");
    assert_eq!(ctx.bytes(), before, "{what}: the context was written");
    assert_eq!(out.bytes(), UNTOUCHED, "{what}: the output was written");
}

/// OCB's text and associated data may have 2^32 - 1 whole blocks, even if a partial block is pending.
pub fn ocb(s: &mut Source) {
    const LAST: u64 = (1 << 32) - 1;
    let key = Key::any(s);
    let (nonce, text) = (s.bytes(12), s.bytes(64));
    let begin = |blocks| {
        let ctx = Ctx::<Ocb>::new();
        c!(cv_ocb_init(ctx.ptr(), key.ptr()));
        assert_eq!(c!(cv_ocb_start(ctx.ptr(), nonce.as_ptr(), 12, 16)), CV_OK);
        c!(cv_test_ocb_at(ctx.ptr(), blocks, blocks));
        ctx
    };
    let aad = |ctx: &Ctx<Ocb>, n| c!(cv_ocb_aad(ctx.ptr(), text.as_ptr(), n));
    let run = |ctx: &Ctx<Ocb>, decrypt, out: *mut u8, at: usize, n| {
        let (input, mut came) = (text[at..].as_ptr(), 0);
        let status = match decrypt {
            false => c!(cv_ocb_encrypt(ctx.ptr(), out, &raw mut came, input, n)),
            true => c!(cv_ocb_decrypt(ctx.ptr(), out, &raw mut came, input, n)),
        };
        (status, came)
    };
    for decrypt in [false, true] {
        // The last two blocks in pieces, starting one block before, and the last one alone.
        let mut whole = [0; 64];
        let one = begin(LAST - 2);
        assert_eq!(run(&one, decrypt, whole.as_mut_ptr(), 0, 47), (CV_OK, 32));
        let (pieces, mut out, mut done) = (begin(LAST - 2), [0; 64], 0);
        for (at, n) in [(0, 5), (5, 16), (21, 10), (31, 16)] {
            let (status, came) = run(&pieces, decrypt, out[done..].as_mut_ptr(), at, n);
            assert_eq!(status, CV_OK);
            done += came;
        }
        assert_eq!((done, out), (32, whole), "in pieces");
        let (last, mut out) = (begin(LAST - 1), [0; 16]);
        assert_eq!(run(&last, decrypt, out.as_mut_ptr(), 16, 16), (CV_OK, 16));
        assert_eq!(out, whole[16..32], "the last block");
        for (ctx, held) in [(&one, 15), (&pieces, 15), (&last, 0)] {
            for n in [16 - held, 17, 64, usize::MAX] {
                refused("a block more", ctx, |out| run(ctx, decrypt, out, 0, n).0);
            }
            assert_eq!(run(ctx, decrypt, out.as_mut_ptr(), 0, 15 - held), (CV_OK, 0));
        }
    }
    let ctx = begin(LAST - 1);
    assert_eq!([aad(&ctx, 7), aad(&ctx, 24)], [CV_OK; 2]);
    for n in [1, 16, 17, usize::MAX] {
        refused("associated data", &ctx, |_| aad(&ctx, n));
    }
}

/// GCM's lengths of text, associated data, nonce and tag, in pieces and at once.
pub fn gcm(s: &mut Source) {
    const TEXT: u64 = (1 << 36) - 32;
    const AAD: u64 = (1 << 61) - 1;
    let key = Key::any(s);
    let text = s.bytes(64);
    let ctx = Ctx::<Gcm>::new();
    c!(cv_gcm_init(ctx.ptr(), key.ptr()));
    let (g, t) = (ctx.ptr(), text.as_ptr());
    for n in [0, 1 << 61, usize::MAX] {
        refused("nonce", &ctx, |_| c!(cv_gcm_start(g, t, n)));
    }
    let start = || assert_eq!(c!(cv_gcm_start(g, t, 12)), CV_OK);
    for at in [TEXT - 20, TEXT] {
        start();
        c!(cv_test_gcm_at(g, 0, at));
        let left = (TEXT - at) as usize;
        for n in [left + 1, left + 17, usize::MAX] {
            refused("text", &ctx, |out| c!(cv_gcm_encrypt(g, out, t, n)));
            refused("text", &ctx, |out| c!(cv_gcm_decrypt(g, out, t, n)));
        }
        let mut out = [0; 64];
        assert_eq!(c!(cv_gcm_encrypt(g, out.as_mut_ptr(), t, left)), CV_OK);
        refused("associated data after text", &ctx, |_| c!(cv_gcm_aad(g, t, 1)));
    }
    start();
    c!(cv_test_gcm_at(g, AAD - 5, 0));
    refused("associated data", &ctx, |_| c!(cv_gcm_aad(g, t, 6)));
    assert_eq!(c!(cv_gcm_aad(g, t, 5)), CV_OK);
    start();
    for (len, aad, nonce, tag) in [
        (16, 3, 12, 0),
        (16, 3, 12, 17),
        (16, 3, 12, usize::MAX),
        (16, 3, 0, 16),
        (16, 3, usize::MAX, 16),
        (16, usize::MAX, 12, 16),
        (TEXT as usize + 1, 3, 12, 16),
    ] {
        let what = format!("lengths {len}, {aad}, {nonce}, {tag}");
        let right = Guarded::new(&UNTOUCHED, Place::End);
        refused(&what, &ctx, |out| {
            c!(cv_gcm_seal(g, out, t, len, t, aad, t, nonce, right.ptr(), tag))
        });
        assert_eq!(right.bytes(), UNTOUCHED, "{what}: the tag was written");
        refused(&what, &ctx, |out| c!(cv_gcm_open(g, out, t, len, t, aad, t, nonce, t, tag)));
    }
}

/// CCM's message must have the announced length, which must fit in the bytes that the nonce leaves.
pub fn ccm(s: &mut Source) {
    let key = Key::any(s);
    let text = s.bytes(64);
    let (ctx, t) = (Ctx::<Ccm>::new(), text.as_ptr());
    let (x, k) = (ctx.ptr(), key.ptr());
    let start = |len, nonce, tag| c!(cv_ccm_start(x, k, len, t, 3, t, nonce, tag));
    for nonce in 7..14 {
        let most = if nonce > 7 { (1_usize << (8 * (15 - nonce))) - 1 } else { usize::MAX };
        if let Some(more) = most.checked_add(1) {
            refused("text", &ctx, |_| start(more, nonce, 16));
            let cannot = Guarded::new(&UNTOUCHED, Place::End);
            refused("text", &ctx, |out| {
                c!(cv_ccm_seal(k, out, t, more, t, 3, t, nonce, cannot.ptr(), 16))
            });
            refused("text", &ctx, |out| c!(cv_ccm_open(k, out, t, more, t, 3, t, nonce, t, 16)));
            assert_eq!(cannot.bytes(), UNTOUCHED);
        }
        assert_eq!(start(most, nonce, 16), CV_OK);
    }
    for len in [0, 20] {
        assert_eq!(start(len, 12, 8), CV_OK);
        for n in [len + 1, 15] {
            refused("another text", &ctx, |out| c!(cv_ccm_encrypt(x, out, t, n)));
            refused("another text", &ctx, |out| c!(cv_ccm_decrypt(x, out, t, n)));
        }
        for n in [0, 4, 16, usize::MAX] {
            refused("another tag", &ctx, |out| c!(cv_ccm_tag(x, out, n)));
        }
        if len > 0 {
            refused("a tag before the text", &ctx, |out| c!(cv_ccm_tag(x, out, 8)));
            let mut out = [0; 64];
            assert_eq!(c!(cv_ccm_encrypt(x, out.as_mut_ptr(), t, len)), CV_OK);
            refused("the text again", &ctx, |out| c!(cv_ccm_encrypt(x, out, t, len)));
        }
        let mut tag = [0; 8];
        assert_eq!(c!(cv_ccm_tag(x, tag.as_mut_ptr(), 8)), CV_OK);
    }
}

/// The counter of ChaCha20-Poly1305 must not wrap around to the block that made Poly1305's key.
pub fn chacha20_poly1305(s: &mut Source) {
    const TEXT: u64 = (1 << 38) - 64;
    let (key, text) = (s.bytes(32), s.bytes(200));
    let (ctx, k, t) = (Ctx::<Chacha20Poly1305>::new(), key.as_ptr(), text.as_ptr());
    let x = ctx.ptr();
    c!(cv_chacha20_poly1305_init(x, k, t));
    c!(cv_test_chacha20_poly1305_at(x, TEXT - 128));
    for n in [129, 193, usize::MAX] {
        refused("text", &ctx, |out| c!(cv_chacha20_poly1305_encrypt(x, out, t, n)));
        refused("text", &ctx, |out| c!(cv_chacha20_poly1305_decrypt(x, out, t, n)));
    }
    let mut out = [0; 128];
    assert_eq!(c!(cv_chacha20_poly1305_encrypt(x, out.as_mut_ptr(), t, 128)), CV_OK);
    // The last counters are 2^32 - 2 and 2^32 - 1 (RFC 8439, 2.4); the oracle does not support the last.
    let stream = crate::oracle::chacha20(&key, &text[..12], u32::MAX - 1, &text[..64]);
    assert_eq!(out[..64], stream);
    refused("text", &ctx, |out| c!(cv_chacha20_poly1305_encrypt(x, out, t, 1)));
    refused("associated data after text", &ctx, |_| c!(cv_chacha20_poly1305_aad(x, t, 1)));
    let n = TEXT as usize + 1;
    let tag = Guarded::new(&UNTOUCHED, Place::End);
    refused("text", &ctx, |out| c!(cv_chacha20_poly1305_seal(k, t, t, 3, out, t, n, tag.ptr())));
    refused("text", &ctx, |out| c!(cv_chacha20_poly1305_open(k, t, t, 3, out, t, n, t)));
    assert_eq!(tag.bytes(), UNTOUCHED);
}

/// A data unit of XTS has 16 to 2^24 bytes.
pub fn xts(s: &mut Source) {
    let (key, tweak) = (Key::any(s), s.bytes(16));
    let (k, t) = (key.ptr(), tweak.as_ptr());
    let ctx = Ctx::<Ccm>::new();
    for function in [
        crate::ffi::cv_xts_encrypt,
        crate::ffi::cv_xts_decrypt,
        crate::ffi::cv_xts_gb_encrypt,
        crate::ffi::cv_xts_gb_decrypt,
    ] {
        for n in [0, 15, (1 << 24) + 1, usize::MAX] {
            // SAFETY: keys and tweak are valid; a refused length is not accessed.
            refused("data unit", &ctx, |out| unsafe { function(k, k, out, t, n, t) });
        }
    }
    let mut unit = vec![0; 1 << 24];
    let status = c!(cv_xts_encrypt(k, k, unit.as_mut_ptr(), unit.as_ptr(), unit.len(), t));
    assert_eq!(status, CV_OK);
}
