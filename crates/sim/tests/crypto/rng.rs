//! Random inputs that can be repeated: every test prints its seed, and `CAPVEC_TEST_SEED` sets it.

use std::array::from_fn;
use std::time::{SystemTime, UNIX_EPOCH};

/// xorshift64*, enough for inputs.
pub struct Rng(u64);

impl Rng {
    /// A generator with a fresh seed, or the one of `CAPVEC_TEST_SEED` (decimal).
    pub fn new() -> Self {
        let given = std::env::var("CAPVEC_TEST_SEED").ok().and_then(|text| text.parse().ok());
        let seed = given.unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            now.as_nanos() as u64 | 1
        });
        println!("CAPVEC_TEST_SEED={seed}");
        Self(seed.max(1))
    }

    pub fn u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn u32(&mut self) -> u32 {
        (self.u64() >> 32) as u32
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        from_fn(|_| (self.u64() >> 56) as u8)
    }
}
