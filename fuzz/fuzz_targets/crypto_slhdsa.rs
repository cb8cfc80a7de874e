#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| capvec_cryptotest::fuzz("slhdsa", data));
