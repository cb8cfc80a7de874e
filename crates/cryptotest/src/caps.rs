//! Capability strings. On a host without kernels, they change only what `cv_caps` returns.

use crate::ffi::c;
use crate::ffi::{CV_ERR_CAPS, CV_OK};
use crate::source::Source;
use std::ffi::CString;

/// Words that name extensions that kernels use, or extensions that imply these.
const WORDS: &[&str] =
    &["v", "zbb", "zbkb", "zbkc", "zkn", "zknd", "zks", "zvkn", "zvkng", "zvksg", "zvl256b"];

fn in_use() -> String {
    let mut text = vec![0x55_u8; 1024];
    let len = c!(cv_caps(text.as_mut_ptr().cast(), text.len()));
    assert_eq!(text[len], 0);
    text.truncate(len);
    String::from_utf8(text).expect("letters and digits")
}

fn init(text: &CString) -> i32 {
    c!(cv_init(text.as_ptr()))
}

/// An accepted string is closed under implication and can be written back. Anything else is an error, after which
/// nothing is in use.
pub fn caps(s: &mut Source) {
    let text = if s.flag() {
        let n = s.below(6);
        let words: Vec<&str> = (0..n).map(|_| s.pick(WORDS)).collect();
        words.join("_").into_bytes()
    } else {
        let len = s.below(40);
        s.bytes(len)
    };
    let text = CString::new(text.split(|b| *b == 0).next().unwrap_or_default().to_vec());
    let text = text.expect("no NUL");
    // The string ends at a guard page.
    let buffer = s.buffer(text.as_bytes_with_nul());
    let status = c!(cv_init(buffer.ptr().cast_const().cast()));
    let used = in_use();
    assert!([CV_OK, CV_ERR_CAPS].contains(&status));
    if status == CV_ERR_CAPS {
        assert_eq!(used, "", "{text:?}");
    }
    let room = s.below(60);
    let short = s.buffer(&vec![0x55; room]);
    assert_eq!(c!(cv_caps(short.ptr().cast(), room)), used.len());
    if let Some((last, head)) = short.bytes().split_last() {
        let shown = head.len().min(used.len());
        assert_eq!(&head[..shown], &used.as_bytes()[..shown]);
        assert!(short.bytes()[shown] == 0 && (shown < head.len() || *last == 0));
    }
    let again = CString::new(used.clone()).expect("no NUL");
    assert_eq!((init(&again), in_use()), (CV_OK, used), "{text:?}");
    assert_eq!(init(&CString::default()), CV_OK);
}
