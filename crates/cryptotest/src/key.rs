//! Block cipher keys for C and for the oracle.

use crate::ffi::c;
use crate::ffi::{BlockKey, CV_ERR_LENGTH, CV_OK};
use crate::guarded::Ctx;
use crate::oracle::Name;
use crate::source::Source;

/// A key in both forms.
pub struct Key {
    /// Which cipher.
    pub name: Name,
    /// Its bytes.
    pub bytes: Vec<u8>,
    context: Ctx<BlockKey>,
}

impl Key {
    /// A key of any cipher.
    pub fn any(s: &mut Source) -> Key {
        let name = s.pick(&Name::ALL);
        Key::of(s, name)
    }

    /// A key of this cipher.
    pub fn of(s: &mut Source, name: Name) -> Key {
        let bytes = s.bytes(name.key_len());
        let context = Ctx::new();
        let buffer = s.buffer(&bytes);
        if name == Name::Sm4 {
            c!(cv_sm4_init(context.ptr(), buffer.ptr()));
        } else {
            for wrong in [0, 15, 17, 33] {
                assert_eq!(c!(cv_aes_init(context.ptr(), buffer.ptr(), wrong)), CV_ERR_LENGTH);
            }
            assert_eq!(c!(cv_aes_init(context.ptr(), buffer.ptr(), bytes.len())), CV_OK);
        }
        Key { name, bytes, context }
    }

    /// The key for C.
    pub fn ptr(&self) -> *const BlockKey {
        self.context.ptr()
    }
}
