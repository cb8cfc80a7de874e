use aes::cipher::{BlockCipherEncrypt, KeyInit};
use capvec_sim::crypto::health::Assessment;
use capvec_sim::crypto::zkr::{Config, EntropySource, Fault, FaultKind, Status};

fn source(config: Config) -> EntropySource {
    EntropySource::new(config).expect("a valid configuration")
}

fn readings(source: &mut EntropySource, count: usize) -> Vec<Status> {
    (0..count).map(|_| source.read()).collect()
}

fn fault(kind: FaultKind, first_sample: u64, samples: u64) -> Config {
    Config { fault: Some(Fault { kind, first_sample, samples }), ..Config::default() }
}

#[test]
fn csr_values_carry_entropy_only_in_es16() {
    assert_eq!(Status::Bist.to_csr(), 0);
    assert_eq!(Status::Wait.to_csr(), 0x4000_0000);
    assert_eq!(Status::Es16(0xabcd).to_csr(), 0x8000_abcd);
    assert_eq!(Status::Dead.to_csr(), 0xc000_0000);
}

#[test]
fn start_up_takes_1024_samples_and_then_wait_and_es16_alternate() {
    let mut source = source(Config::default());
    // 1024 samples at 64 a reading: the sixteenth reading completes the test.
    assert_eq!(readings(&mut source, 15), [Status::Bist; 15]);
    // 192 bits at 0.75 a sample: 256 samples, four readings, then eight words.
    assert_eq!(readings(&mut source, 4), [Status::Wait; 4]);
    for _ in 0..10 {
        let words = readings(&mut source, 8);
        assert!(words.iter().all(|status| matches!(status, Status::Es16(_))), "{words:?}");
        assert_eq!(readings(&mut source, 3), [Status::Wait; 3]);
    }
}

#[test]
fn equal_seeds_give_equal_readings_and_others_do_not() {
    let run = |seed| readings(&mut source(Config { seed, ..Config::default() }), 200);
    assert_eq!(run(7), run(7));
    assert_ne!(run(7), run(8));
}

/// The eight words are the AES-128 CBC-MAC, under the documented key, of the 256 samples after the start-up test, with
/// 128 samples in each cipher block.
#[test]
fn words_are_the_conditioned_noise() {
    let seed = 12345;
    let mut state: u64 = seed;
    let mut sample = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9), (27, 0x94d0_49bb_1331_11eb)] {
            z = (z ^ z >> shift).wrapping_mul(factor);
        }
        (z ^ z >> 31) as u128 & 1
    };
    for _ in 0..1024 {
        sample();
    }
    let cipher = aes::Aes128::new(b"capvec seed cond".into());
    let mut chain = 0;
    for _ in 0..2 {
        let block = (0..128).fold(0, |block, i| block | sample() << i);
        let mut bytes = u128::to_le_bytes(chain ^ block).into();
        cipher.encrypt_block(&mut bytes);
        chain = u128::from_le_bytes(bytes.into());
    }
    let mut source = source(Config { seed, ..Config::default() });
    let seen = readings(&mut source, 27);
    let wanted: Vec<Status> = (0..8).map(|i| Status::Es16((chain >> (16 * i)) as u16)).collect();
    assert_eq!(seen[19..], wanted);
}

#[test]
fn no_word_is_handed_out_twice() {
    let mut source = source(Config::default());
    let blocks: Vec<u16> = readings(&mut source, 2000)
        .iter()
        .filter_map(|status| if let Status::Es16(word) = status { Some(*word) } else { None })
        .collect();
    // Some words repeat by chance; a pair of neighbours does so with probability 2^-32.
    let mut pairs: Vec<_> = blocks.windows(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.sort_unstable();
    let count = pairs.len();
    pairs.dedup();
    assert!(count > 1000 && count - pairs.len() < 3, "{count} pairs, {} distinct", pairs.len());
}

#[test]
fn words_look_uniform() {
    let mut source = source(Config::default());
    let (mut ones, mut bits) = (0i64, 0i64);
    while bits < 160_000 {
        if let Status::Es16(word) = source.read() {
            (ones, bits) = (ones + i64::from(word.count_ones()), bits + 16);
        }
    }
    // Five standard deviations of a fair coin; the seed is fixed.
    assert!((ones - bits / 2).abs() < 1000, "{ones} ones of {bits} bits");
}

#[test]
fn a_source_stuck_from_the_start_is_dead() {
    for value in [0, 1] {
        let mut source = source(fault(FaultKind::Stuck(value), 0, u64::MAX));
        // The repetition count test fails within the first reading: C = 41 for H = 0.75.
        assert_eq!(readings(&mut source, 50), [Status::Dead; 50]);
    }
}

#[test]
fn a_biased_source_fails_the_proportion_test_at_start_up() {
    // P(1) = 0.79: a run of 41 in 1024 samples has a probability of 2 %, while some 810 ones are
    // far above the cutoff, which is near 609 + 6 standard deviations.
    let mut source = source(fault(FaultKind::Biased { value: 1, of_256: 150 }, 0, u64::MAX));
    assert_eq!(readings(&mut source, 40).last(), Some(&Status::Dead));
}

#[test]
fn a_passing_fault_is_reported_as_bist_and_the_source_recovers() {
    let mut source = source(fault(FaultKind::Stuck(1), 1024 + 600, 60));
    let seen = readings(&mut source, 200);
    let at = seen.iter().position(|status| matches!(status, Status::Es16(_))).unwrap();
    let alarm = at + seen[at..].iter().position(|status| *status == Status::Bist).unwrap();
    // A full start-up test of 1024 samples follows the alarm: 16 readings of 64 samples, give or take one.
    let after = seen[alarm..].iter().take_while(|status| **status == Status::Bist).count();
    assert!((15..=17).contains(&after), "{after}");
    // The alarm wiped what was collected: four readings for a new block.
    assert!(seen[alarm + after..alarm + after + 3].iter().all(|s| *s == Status::Wait));
    assert!(!seen.contains(&Status::Dead));
    assert!(seen[alarm + after..].iter().any(|status| matches!(status, Status::Es16(_))));
}

#[test]
fn a_lasting_fault_goes_through_bist_to_dead_for_good() {
    // Readings of 16 samples are shorter than the 41 that the new self-test takes to fail.
    let config = Config { samples_per_read: 16, ..fault(FaultKind::Stuck(0), 4000, u64::MAX) };
    let mut source = source(config);
    let mut seen = readings(&mut source, 800);
    seen.dedup_by_key(|status| status.to_csr() >> 30);
    let [.., last_but_one, last] = seen[..] else { panic!("{seen:?}") };
    assert_eq!((last_but_one, last), (Status::Bist, Status::Dead));
    assert_eq!(source.read(), Status::Dead);
}

#[test]
fn an_alarm_is_latched_until_it_is_read() {
    // So many samples pass between two readings that both the alarm and the new self-test happen between them.
    let config = Config { samples_per_read: 10_000, ..fault(FaultKind::Stuck(1), 15_000, 60) };
    let mut source = source(config);
    let seen: Vec<u32> = readings(&mut source, 4).iter().map(|s| s.to_csr() >> 30).collect();
    assert_eq!(seen, [2, 0, 2, 2]);
}

#[test]
fn reset_runs_the_start_up_test_even_after_dead() {
    let mut source = source(fault(FaultKind::Stuck(0), 0, 100));
    assert_eq!(source.read(), Status::Dead);
    source.reset();
    let seen = readings(&mut source, 40);
    assert_eq!(seen[0], Status::Dead, "the fault lasts until sample 100");
    source.reset();
    let seen = readings(&mut source, 40);
    assert_eq!(seen[0], Status::Bist);
    assert!(seen.iter().any(|status| matches!(status, Status::Es16(_))));
}

#[test]
fn wide_samples_work_and_a_bad_assessment_is_refused() {
    let assessment = Assessment { sample_bits: 8, min_entropy: 6.0, alpha_log2: 40 };
    let mut wide = source(Config { assessment, samples_per_read: 32, ..Config::default() });
    assert_eq!(readings(&mut wide, 31), [Status::Bist; 31]);
    assert!(readings(&mut wide, 40).iter().any(|status| matches!(status, Status::Es16(_))));
    let assessment = Assessment { sample_bits: 1, min_entropy: 2.0, alpha_log2: 30 };
    let error = EntropySource::new(Config { assessment, ..Config::default() }).unwrap_err();
    assert!(error.to_string().contains("min-entropy 2"), "{error}");
}
