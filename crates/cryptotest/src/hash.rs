//! Hashes.

use crate::ffi::Hash;
use crate::ffi::c;
use crate::guarded::{Ctx, Guarded, Place};
use crate::hashes::{self, Extendable};
use crate::source::Source;

/// Passes `text` in pieces, each in a buffer of its own.
pub fn update(s: &mut Source, text: &[u8], mut give: impl FnMut(*const u8, usize)) {
    let mut rest = text;
    for n in s.pieces(text.len(), 1) {
        let (piece, tail) = rest.split_at(n);
        rest = tail;
        let buffer = s.buffer(piece);
        give(buffer.ptr(), n);
        assert_eq!(buffer.bytes(), piece, "the input was written");
    }
}

/// Fixed-size hashes, in pieces and at once.
pub fn hash(s: &mut Source) {
    let all = hashes::fixed();
    let hash = &all[s.below(all.len())];
    let len = s.len(5000);
    let text = s.bytes(len);
    let expected = (hash.digest)(&text);
    assert_eq!(c!(cv_hash_size(hash.kind)), expected.len());
    let mut context = Ctx::<Hash>::new();
    c!(cv_hash_init(context.ptr(), hash.kind));
    update(s, &text, |at, n| {
        context = context.copy();
        c!(cv_hash_update(context.ptr(), at, n));
    });
    let digest = s.buffer(&vec![0; expected.len()]);
    c!(cv_hash_final(context.ptr(), digest.ptr()));
    assert_eq!(digest.bytes(), expected, "{len} bytes in pieces");
    assert!(context.bytes().iter().all(|b| *b == 0), "the context is not wiped");
    let (digest, text) = (s.buffer(&vec![0; expected.len()]), s.buffer(&text));
    c!(cv_hash_message(hash.kind, digest.ptr(), text.ptr(), len));
    assert_eq!(digest.bytes(), expected, "{len} bytes at once");
}

/// Squeezes `size` bytes in pieces, each a buffer of its own.
fn squeeze(s: &mut Source, context: &Ctx<Hash>, size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for n in s.pieces(size, 1) {
        let piece = s.buffer(&vec![0; n]);
        c!(cv_xof_squeeze(context.ptr(), piece.ptr(), n));
        out.extend(piece.bytes());
    }
    out
}

/// Extendable-output functions.
pub fn xof(s: &mut Source) {
    let hash = &hashes::extendable()[s.below(2)];
    let (len, size) = (s.len(3000), s.len(1000));
    let text = s.bytes(len);
    let context = Ctx::<Hash>::new();
    assert_eq!(c!(cv_hash_size(hash.kind)), 0);
    c!(cv_hash_init(context.ptr(), hash.kind));
    update(s, &text, |at, n| c!(cv_hash_update(context.ptr(), at, n)));
    assert_eq!(squeeze(s, &context, size), (hash.digest)(&text, size), "{len} bytes");
}

/// libcapvec's cSHAKE of one message.
pub fn cshake_of(
    hash: &Extendable,
    name: &[u8],
    custom: &[u8],
    text: &[u8],
    size: usize,
) -> Vec<u8> {
    let context = Ctx::<Hash>::new();
    let [n, c, t] = [name, custom, text].map(|b| Guarded::new(b, Place::End));
    let (out, kind) = (Guarded::new(&vec![0; size], Place::End), hash.kind);
    c!(cv_cshake_init(context.ptr(), kind, n.ptr(), name.len(), c.ptr(), custom.len()));
    c!(cv_hash_update(context.ptr(), t.ptr(), text.len()));
    c!(cv_xof_squeeze(context.ptr(), out.ptr(), size));
    out.bytes().to_vec()
}

/// cSHAKE.
pub fn cshake(s: &mut Source) {
    let hash = &hashes::extendable()[s.below(2)];
    let (name_len, custom_len, len, size) = (s.len(40), s.len(400), s.len(3000), s.len(500));
    let (name, custom, text) = (s.bytes(name_len), s.bytes(custom_len), s.bytes(len));
    let context = Ctx::<Hash>::new();
    let (n, c) = (s.buffer(&name), s.buffer(&custom));
    c!(cv_cshake_init(context.ptr(), hash.kind, n.ptr(), name_len, c.ptr(), custom_len));
    update(s, &text, |at, n| c!(cv_hash_update(context.ptr(), at, n)));
    let expected = (hash.cshake)(&name, &custom, &text, size);
    assert_eq!(squeeze(s, &context, size), expected, "name {name_len}, custom {custom_len}");
}

/// Hashes several messages at once with every hash: each digest must be that of its message alone.
pub fn hash_many(s: &mut Source) {
    let (fixed, extendable) = (hashes::fixed(), hashes::extendable());
    let which = s.below(fixed.len() + extendable.len());
    // Fixed-size hashes ignore the requested size.
    let (len, count, asked) = (s.len(1500), s.below(40), s.len(400));
    let (kind, size) = match fixed.get(which) {
        Some(hash) => (hash.kind, (hash.digest)(&[]).len()),
        None => (extendable[which - fixed.len()].kind, asked),
    };
    let texts: Vec<Vec<u8>> = (0..count).map(|_| s.bytes(len)).collect();
    let messages: Vec<Guarded> = texts.iter().map(|t| s.buffer(t)).collect();
    let digests: Vec<Guarded> = (0..count).map(|_| s.buffer(&vec![0; size])).collect();
    let from: Vec<*const u8> = messages.iter().map(|m| m.ptr().cast_const()).collect();
    let to: Vec<*mut u8> = digests.iter().map(Guarded::ptr).collect();
    c!(cv_hash_many(kind, to.as_ptr(), asked, from.as_ptr(), len, count));
    for (text, digest) in texts.iter().zip(&digests) {
        let expected = match fixed.get(which) {
            Some(hash) => (hash.digest)(text),
            None => (extendable[which - fixed.len()].digest)(text, size),
        };
        assert_eq!(digest.bytes(), expected, "{count} messages of {len} bytes");
    }
}
