//! Integers that instructions load and store, in little-endian memory.

/// Integers that instructions can load and store.
pub trait Scalar: Copy + 'static {
    /// Converts from memory order.
    fn decode_le(self) -> Self;
    /// Converts to memory order.
    fn encode_le(self) -> Self;
}

macro_rules! scalar {
    ($($t:ty)*) => { $(impl Scalar for $t {
        #[inline(always)]
        fn decode_le(self) -> Self { <$t>::from_le(self) }
        #[inline(always)]
        fn encode_le(self) -> Self { <$t>::to_le(self) }
    })* };
}
scalar!(u8 u16 u32 u64 i8 i16 i32 i64);
