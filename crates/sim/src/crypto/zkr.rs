//! The entropy source behind the CSR `seed` (Zkr): noise, health tests, conditioning, states.
//!
//! The source is simulated: a seeded generator stands for the physical noise, so that every run
//! is reproducible, and nothing here is secret. What is real is everything that software can
//! observe: the states BIST, WAIT, ES16 and DEAD, the start-up and continuous tests of NIST
//! SP 800-90B section 4, and that a word of entropy is handed out once.

use super::aes::{self, Block};
use super::health::{Assessment, AssessmentError, HealthTests};
use std::collections::VecDeque;

/// Number of samples of the start-up test, the minimum of SP 800-90B section 4.3.
const STARTUP_SAMPLES: u32 = 1024;
/// Assessed min-entropy in bits that goes into one conditioned 128-bit block: 64 more than come
/// out, so that the block has full entropy (SP 800-90B section 3.1.5.1.2, SP 800-90C).
const ENTROPY_PER_BLOCK: f64 = 192.0;
/// Key of the conditioning function; SP 800-90B lets it be any fixed value.
const CONDITIONING_KEY: Block = *b"capvec seed cond";

/// One reading of the CSR `seed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The built-in self-test runs: after reset, or after a non-fatal alarm.
    Bist,
    /// Not enough entropy yet; not an error.
    Wait,
    /// Sixteen bits of entropy.
    Es16(u16),
    /// Unrecoverable failure of the self-test.
    Dead,
}

impl Status {
    /// The 32-bit CSR value: OPST in bits 31..=30, entropy in bits 15..=0, zero unless ES16.
    pub fn to_csr(self) -> u32 {
        match self {
            Status::Bist => 0,
            Status::Wait => 1 << 30,
            Status::Es16(entropy) => 2 << 30 | u32::from(entropy),
            Status::Dead => 3 << 30,
        }
    }
}

/// How an injected fault spoils the noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Every sample is this value.
    Stuck(u8),
    /// A sample is `value` with probability `of_256`/256, else what the noise gives.
    Biased {
        /// The favoured value.
        value: u8,
        /// Its extra probability in 1/256.
        of_256: u8,
    },
}

/// A failure of the noise source, injected for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What goes wrong.
    pub kind: FaultKind,
    /// Index of the first spoilt raw sample since power-on.
    pub first_sample: u64,
    /// Number of spoilt samples.
    pub samples: u64,
}

impl Fault {
    fn spoils(&self, index: u64) -> bool {
        index.checked_sub(self.first_sample).is_some_and(|since| since < self.samples)
    }
}

/// How an entropy source is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Seed of the simulated noise; equal seeds give equal readings.
    pub seed: u64,
    /// What is assumed of the noise.
    pub assessment: Assessment,
    /// Raw samples that pass between two readings of `seed`.
    pub samples_per_read: u32,
    /// An injected failure.
    pub fault: Option<Fault>,
}

impl Default for Config {
    /// A binary source at 0.75 bits per sample, α = 2^−30, and one block of eight words for about
    /// four readings.
    fn default() -> Self {
        Self {
            seed: 0,
            assessment: Assessment { sample_bits: 1, min_entropy: 0.75, alpha_log2: 30 },
            samples_per_read: 64,
            fault: None,
        }
    }
}

/// The simulated noise: SplitMix64 (Steele, Lea, Flood 2014), one output per sample.
#[derive(Clone, Debug)]
struct Noise {
    state: u64,
    mask: u8,
    index: u64,
    fault: Option<Fault>,
}

impl Noise {
    fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn sample(&mut self) -> u8 {
        let random = self.next_u64();
        let good = random as u8;
        let chance = (random >> 8) as u8;
        let spoilt = match self.fault {
            Some(fault) if fault.spoils(self.index) => match fault.kind {
                FaultKind::Stuck(value) => value,
                FaultKind::Biased { value, of_256 } if chance < of_256 => value,
                FaultKind::Biased { .. } => good,
            },
            _ => good,
        };
        self.index += 1;
        spoilt & self.mask
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Start-up test; this many samples remain.
    SelfTest {
        remaining: u32,
    },
    Operational,
    Dead,
}

/// An entropy source; see the module's description.
#[derive(Clone, Debug)]
pub struct EntropySource {
    noise: Noise,
    health: HealthTests,
    assessment: Assessment,
    samples_per_read: u32,
    phase: Phase,
    /// A non-fatal alarm that software has not seen yet.
    alarm_latched: bool,
    /// Chaining value of the conditioning function and the samples it has taken.
    chain: Block,
    taken: u32,
    /// Conditioned words that have not been read yet.
    words: VecDeque<u16>,
}

impl EntropySource {
    /// A source after power-on, about to run its start-up test.
    ///
    /// # Errors
    /// If a value of `config.assessment` is outside its range.
    pub fn new(config: Config) -> Result<Self, AssessmentError> {
        let health = HealthTests::new(&config.assessment)?;
        let mask = u8::MAX >> (8 - config.assessment.sample_bits);
        Ok(Self {
            noise: Noise { state: config.seed, mask, index: 0, fault: config.fault },
            health,
            assessment: config.assessment,
            samples_per_read: config.samples_per_read,
            phase: Phase::SelfTest { remaining: STARTUP_SAMPLES },
            alarm_latched: false,
            chain: [0; 16],
            taken: 0,
            words: VecDeque::new(),
        })
    }

    /// A source with the default configuration and this seed.
    pub fn with_seed(seed: u64) -> Self {
        Self::new(Config { seed, ..Config::default() }).expect("the default assessment is valid")
    }

    /// Resets the source: all entropy is lost and the start-up test runs again, also after DEAD.
    pub fn reset(&mut self) {
        self.alarm_latched = false;
        self.start_self_test();
    }

    /// One access to the CSR `seed`: lets the noise run on, reports, and wipes what it reports.
    pub fn read(&mut self) -> Status {
        self.advance(self.samples_per_read);
        if self.phase == Phase::Dead {
            return Status::Dead;
        }
        // An alarm is reported once even if the new self-test has passed meanwhile.
        if std::mem::take(&mut self.alarm_latched) || self.phase != Phase::Operational {
            return Status::Bist;
        }
        self.words.pop_front().map_or(Status::Wait, Status::Es16)
    }

    /// Lets `samples` raw samples pass.
    pub fn advance(&mut self, samples: u32) {
        for _ in 0..samples {
            if self.phase == Phase::Dead {
                return;
            }
            let sample = self.noise.sample();
            let alarm = self.health.check(sample).is_some();
            match self.phase {
                Phase::SelfTest { .. } if alarm => {
                    self.wipe();
                    self.phase = Phase::Dead;
                }
                Phase::SelfTest { remaining: 1 } => self.phase = Phase::Operational,
                Phase::SelfTest { remaining } => {
                    self.phase = Phase::SelfTest { remaining: remaining - 1 };
                }
                Phase::Operational if alarm => {
                    self.alarm_latched = true;
                    self.start_self_test();
                }
                Phase::Operational => self.collect(sample),
                Phase::Dead => {}
            }
        }
    }

    fn start_self_test(&mut self) {
        self.wipe();
        self.health.restart();
        self.phase = Phase::SelfTest { remaining: STARTUP_SAMPLES };
    }

    fn wipe(&mut self) {
        self.chain = [0; 16];
        self.taken = 0;
        self.words.clear();
    }

    /// Takes a healthy sample into the conditioning function, AES-128 CBC-MAC (a vetted function
    /// of SP 800-90B section 3.1.5.1.1), until there is enough for a block of eight words.
    fn collect(&mut self, sample: u8) {
        if !self.words.is_empty() {
            return;
        }
        let bits = self.assessment.sample_bits;
        let per_block = 128 / bits;
        let position = self.taken % per_block * bits;
        let chain = u128::from_le_bytes(self.chain) ^ u128::from(sample) << position;
        self.chain = chain.to_le_bytes();
        self.taken += 1;
        let enough = f64::from(self.taken) * self.assessment.min_entropy >= ENTROPY_PER_BLOCK;
        if enough || self.taken.is_multiple_of(per_block) {
            self.chain = encrypt(self.chain);
        }
        if enough {
            let block = std::mem::take(&mut self.chain);
            self.taken = 0;
            self.words =
                block.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        }
    }
}

/// AES-128 of one block under the conditioning key.
fn encrypt(block: Block) -> Block {
    let mut key = CONDITIONING_KEY;
    let mut state = aes::add_round_key(block, key);
    for round in 1..=10 {
        key = aes::key_forward_128(key, round);
        let step = if round < 10 { aes::encrypt_middle } else { aes::encrypt_final };
        state = step(state, key);
    }
    state
}
