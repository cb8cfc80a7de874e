//! Digests over the outputs of many runs whose inputs come from SHAKE128 of the empty string: they reach paths that are
//! rarely taken, such as further rejections, without keeping thousands of answers.

use crate::ffi::{self, CV_OK, MlKemKey, c};
use crate::guarded::Ctx;
use crate::prehash::Message;
use crate::source::Source;
use crate::{mldsa, mlkem, slhdsa};
use shake::digest::{ExtendableOutput, Update, XofReader};
use shake::{Shake128, Shake128Reader};

/// Draws the inputs of the next run, and returns its outputs.
pub(crate) type Run = Box<dyn Fn(&mut Stream) -> Vec<Vec<u8>> + Send + Sync>;

/// The inputs of all runs: SHAKE128 of the empty string.
pub(crate) struct Stream(Shake128Reader);

impl Stream {
    /// The next bytes.
    pub fn draw(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.0.read(&mut bytes);
        bytes
    }
}

/// What both implementations of a parameter set do in a run.
pub struct Scheme {
    /// The parameter set.
    pub name: &'static str,
    pub(crate) library: Run,
    pub(crate) oracle: Run,
}

impl Scheme {
    /// The first 32 bytes of SHAKE128 over libcapvec's outputs in this many runs.
    pub fn library(&self, runs: usize) -> String {
        digest(&self.library, runs)
    }

    /// The same over RustCrypto's outputs.
    pub fn oracle(&self, runs: usize) -> String {
        digest(&self.oracle, runs)
    }
}

fn digest(run: &Run, runs: usize) -> String {
    let mut stream = Stream(Shake128::default().finalize_xof());
    let mut outputs = Shake128::default();
    for _ in 0..runs {
        run(&mut stream).iter().for_each(|bytes| outputs.update(bytes));
    }
    let mut sum = [0; 32];
    outputs.finalize_xof().read(&mut sum);
    sum.iter().map(|b| format!("{b:02x}")).collect()
}

/// Seed, randomness and a random ciphertext. The outputs are the encapsulation key, ciphertext and secret, and the secret
/// for the random ciphertext (the order of `TestAccumulated` in Go's crypto/mlkem).
fn mlkem_library(set: &mlkem::Set, stream: &mut Stream) -> Vec<Vec<u8>> {
    let s = &mut Source::random(0);
    let (key, seed) = (Ctx::<MlKemKey>::new(), s.buffer(&stream.draw(64)));
    c!(cv_mlkem_generate(key.ptr(), set.kind, seed.ptr()));
    let size = set.k * 384 + 32;
    let public = mlkem::export(s, &key, ffi::cv_mlkem_export_public, size).expect("a key");
    let [ciphertext, secret] = mlkem::encaps(s, set, &key, &stream.draw(32));
    assert_eq!(mlkem::decaps(s, &key, &ciphertext), secret);
    let rejected = mlkem::decaps(s, &key, &stream.draw(set.ciphertext));
    vec![public, ciphertext, secret, rejected]
}

fn mlkem_oracle(set: &mlkem::Set, stream: &mut Stream) -> Vec<Vec<u8>> {
    let [public, private] = (set.keys)(&stream.draw(64));
    let [ciphertext, secret] = (set.encaps)(&public, &stream.draw(32)).expect("a right key");
    let rejected = (set.decaps)(&private, &stream.draw(set.ciphertext)).expect("a right key");
    vec![public, ciphertext, secret, rejected]
}

/// A seed. The outputs are the public key and the deterministic signature of the empty message (CCTV, ML-DSA/accumulated).
fn mldsa_library(set: &mldsa::Set, stream: &mut Stream) -> Vec<Vec<u8>> {
    let s = &mut Source::random(0);
    let (key, seed) = (mldsa::Key::new(set), s.buffer(&stream.draw(32)));
    c!(cv_mldsa_generate(key.ptr(), set.kind, seed.ptr()));
    let size = c!(cv_mldsa_public_size(set.kind));
    let public = mldsa::export(s, &key, ffi::cv_mldsa_export_public, size).expect("a key");
    let m = mldsa::Input { message: Message::empty(), mu: false };
    let signature = mldsa::sign_c(s, set, &key, &m, None);
    assert_eq!(mldsa::verify_c(s, &key, &m, &signature), CV_OK);
    vec![public, signature]
}

fn mldsa_oracle(set: &mldsa::Set, stream: &mut Stream) -> Vec<Vec<u8>> {
    let seed = stream.draw(32);
    let [public, _] = (set.keys)(&seed);
    vec![public, (set.sign)(&seed, &Message::empty().whole, &[0; 32])]
}

/// The same with SLH-DSA.
fn slhdsa_library(set: &slhdsa::Set, stream: &mut Stream) -> Vec<Vec<u8>> {
    let (s, m) = (&mut Source::random(0), Message::empty());
    let private = slhdsa::generate(s, set, &stream.draw(3 * set.n));
    let signature = slhdsa::sign_c(s, set, &private, &m, None).expect("a signature");
    let public = private[2 * set.n..].to_vec();
    assert_eq!(slhdsa::verify_c(s, set, &public, &m, &signature), CV_OK);
    vec![public, signature]
}

fn slhdsa_oracle(set: &slhdsa::Set, stream: &mut Stream) -> Vec<Vec<u8>> {
    let private = (set.key)(&stream.draw(3 * set.n));
    vec![private[2 * set.n..].to_vec(), (set.sign)(&private, &Message::empty().whole, None)]
}

/// Each closure looks its set up again: a set has a pointer into C, so it cannot be shared between threads.
macro_rules! schemes {
    ($sets:path, $names:expr, $library:ident, $oracle:ident) => {
        $names.into_iter().enumerate().map(|(i, name)| Scheme {
            name,
            library: Box::new(move |stream| $library(&$sets()[i], stream)),
            oracle: Box::new(move |stream| $oracle(&$sets()[i], stream)),
        })
    };
}

/// Every parameter set.
pub fn schemes() -> Vec<Scheme> {
    let kem = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"];
    let dsa = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
    let hashes = slhdsa::sets().map(|set| set.name);
    schemes!(mlkem::sets, kem, mlkem_library, mlkem_oracle)
        .chain(schemes!(mldsa::sets, dsa, mldsa_library, mldsa_oracle))
        .chain(schemes!(slhdsa::sets, hashes, slhdsa_library, slhdsa_oracle))
        .collect()
}
