#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| capvec_fuzz::target("store").expect("a known target")(data));
