#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| capvec_fuzz::target("import").expect("a known target")(data));
