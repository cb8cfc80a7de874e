//! Vector elements.

/// An unsigned element of 8, 16, 32 or 64 bits, for generic semantics.
pub trait Elem: Copy + Eq + Ord + Default + 'static {
    /// Width in bits.
    const BITS: u32;
    /// Its little-endian bytes.
    type Bytes: Copy;
    /// The whole elements in `b`, as bytes.
    fn chunks(b: &[u8]) -> &[Self::Bytes];
    /// `chunks` for writing.
    fn chunks_mut(b: &mut [u8]) -> &mut [Self::Bytes];
    /// From little-endian bytes.
    fn from_bytes(b: Self::Bytes) -> Self;
    /// To little-endian bytes.
    fn to_bytes(self) -> Self::Bytes;
    /// From the low bits.
    fn from_u64(v: u64) -> Self;
    /// Zero-extended.
    fn to_u64(self) -> u64;
    /// Sign-extended.
    fn to_i64(self) -> i64;
    /// From little-endian bytes, exactly as many as it has.
    fn read(b: &[u8]) -> Self;
    /// To little-endian bytes.
    fn write(self, b: &mut [u8]);
}

macro_rules! elem {
    ($($u:ty, $i:ty;)*) => { $(impl Elem for $u {
        const BITS: u32 = <$u>::BITS;
        type Bytes = [u8; size_of::<$u>()];
        #[inline(always)]
        fn chunks(b: &[u8]) -> &[Self::Bytes] { b.as_chunks().0 }
        #[inline(always)]
        fn chunks_mut(b: &mut [u8]) -> &mut [Self::Bytes] { b.as_chunks_mut().0 }
        #[inline(always)]
        fn from_bytes(b: Self::Bytes) -> Self { <$u>::from_le_bytes(b) }
        #[inline(always)]
        fn to_bytes(self) -> Self::Bytes { self.to_le_bytes() }
        #[inline(always)]
        fn from_u64(v: u64) -> Self { v as $u }
        #[inline(always)]
        fn to_u64(self) -> u64 { self as u64 }
        #[inline(always)]
        fn to_i64(self) -> i64 { self as $i as i64 }
        #[inline(always)]
        fn read(b: &[u8]) -> Self {
            let mut a = [0; size_of::<$u>()];
            a.copy_from_slice(b);
            <$u>::from_le_bytes(a)
        }
        #[inline(always)]
        fn write(self, b: &mut [u8]) { b.copy_from_slice(&self.to_le_bytes()) }
    })* };
}
elem!(u8, i8; u16, i16; u32, i32; u64, i64;);

/// Runs a generic function or block with `$t` bound to the unsigned type of `$sew` bits.
#[macro_export]
macro_rules! with_sew {
    ($sew:expr, $t:ident => $body:expr) => {
        match $sew {
            8 => {
                type $t = u8;
                $body
            }
            16 => {
                type $t = u16;
                $body
            }
            32 => {
                type $t = u32;
                $body
            }
            _ => {
                type $t = u64;
                $body
            }
        }
    };
}

/// `with_sew` with `$w` bound to the type of twice the width. `$sew` is at most 32, which the operands' EEW checks
/// ensure.
#[macro_export]
macro_rules! with_wide {
    ($sew:expr, $t:ident, $w:ident => $body:expr) => {
        match $sew {
            8 => {
                type $t = u8;
                type $w = u16;
                $body
            }
            16 => {
                type $t = u16;
                type $w = u32;
                $body
            }
            _ => {
                type $t = u32;
                type $w = u64;
                $body
            }
        }
    };
}
