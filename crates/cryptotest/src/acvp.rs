//! Signatures of NIST's ACVP in all forms: hedged, of digests, with a given representative, of the internal interface
//! (`vectors/signatures`, in the format that `vectors/README.md` describes).

use crate::ffi::{self, CV_OK, c};
use crate::prehash::{self, Message};
use crate::source::Source;
use crate::{mldsa, slhdsa};
use capvec_util::fnv;
use shake::Shake256;
use shake::digest::{ExtendableOutput, Update, XofReader};
use std::collections::HashMap;

/// A vector by the names of its fields.
pub struct Vector<'a>(HashMap<&'a str, &'a str>);

/// The vectors of a file.
pub fn vectors(text: &str) -> Vec<Vector<'_>> {
    let records = text.split("\n\n").skip(1);
    let fields = |record| str::lines(record).filter_map(|line| line.split_once(" = ")).collect();
    records.map(|record| Vector(fields(record))).collect()
}

impl Vector<'_> {
    /// Its name in the file.
    pub fn id(&self) -> &str {
        self.get("id")
    }

    fn get(&self, name: &str) -> &str {
        self.0.get(name).copied().unwrap_or_default()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        hex::decode(self.get(name)).expect("hexadecimal digits")
    }

    fn signs(&self) -> bool {
        self.get("operation") == "sign"
    }

    /// Randomness; none for a deterministic signature.
    fn random(&self) -> Option<Vec<u8>> {
        Some(self.bytes("random")).filter(|bytes| !bytes.is_empty())
    }

    /// What is signed: the message itself if the form is `pure`, else its digest with the hash that the form names.
    fn message(&self) -> Message {
        let (bytes, context) = (self.bytes("in"), self.bytes("iv"));
        match self.get("form") {
            "pure" => Message::new(std::ptr::null(), &[], bytes, context),
            hash => {
                let (kind, digest, oid) = prehash::named(hash, &bytes);
                Message::new(kind, &oid, digest, context)
            }
        }
    }

    /// Whether the library gives the vector's answer.
    pub fn holds(&self) -> bool {
        let (s, name) = (&mut Source::random(0), self.get("algorithm"));
        match name.strip_prefix("ml-dsa-") {
            Some(bits) => {
                let at = ["44", "65", "87"].iter().position(|b| *b == bits).expect("a set");
                self.judged(mldsa_answer(s, &mldsa::sets()[at], self))
            }
            None => {
                let bare = |name: &str| name.to_ascii_lowercase().replace(['-', '_'], "");
                let short = bare(name.trim_start_matches("slh-dsa-"));
                let set = slhdsa::sets().into_iter().find(|set| bare(set.name) == short);
                let set = set.expect("a set");
                self.judged(slhdsa_answer(s, &set, self))
            }
        }
    }

    fn judged(&self, answer: Answer) -> bool {
        match answer {
            Answer::Made(signature) => {
                let digest = format!("{:016x}", fnv(&signature));
                self.signs() && digest == self.get("out-fnv1a64")
            }
            Answer::Accepted(accepted) => {
                !self.signs() && accepted == (self.get("result") != "invalid")
            }
        }
    }
}

enum Answer {
    Made(Vec<u8>),
    Accepted(bool),
}

fn shake256(parts: [&[u8]; 2]) -> Vec<u8> {
    let mut hash = Shake256::default();
    parts.iter().for_each(|part| hash.update(part));
    let mut out = vec![0; 64];
    hash.finalize_xof().read(&mut out);
    out
}

fn mldsa_answer(s: &mut Source, set: &mldsa::Set, v: &Vector<'_>) -> Answer {
    let key_bytes = v.bytes("key");
    let import = if v.signs() { ffi::cv_mldsa_import_private } else { ffi::cv_mldsa_import_public };
    let (key, status) = mldsa::import(s, set, import, &key_bytes);
    assert_eq!(status, CV_OK, "{}: the key is refused", v.id());
    let (random, signature) = (v.random(), v.bytes("out"));
    // FIPS 204, algorithms 7 and 8: the representative of what is signed, from the hash of the public key.
    let mu = match v.get("form") {
        "mu" => v.bytes("in"),
        "internal" if v.signs() => shake256([&key_bytes[64..128], &v.bytes("in")]),
        "internal" => shake256([&shake256([&key_bytes, &[]]), &v.bytes("in")]),
        _ => {
            let input = mldsa::Input { message: v.message(), mu: false };
            return match v.signs() {
                true => Answer::Made(mldsa::sign_c(s, set, &key, &input, random.as_deref())),
                false => Answer::Accepted(mldsa::verify_c(s, &key, &input, &signature) == CV_OK),
            };
        }
    };
    let mu = s.buffer(&mu);
    if !v.signs() {
        let signed = s.buffer(&signature);
        let (at, len) = (signed.ptr(), signature.len());
        return Answer::Accepted(c!(cv_mldsa_verify_mu(key.ptr(), at, len, mu.ptr())) == CV_OK);
    }
    let out = s.buffer(&vec![0; set.signature]);
    let random = random.map(|r| s.buffer(&r));
    let random = random.as_ref().map_or(std::ptr::null(), |r| r.ptr().cast_const());
    assert_eq!(c!(cv_mldsa_sign_mu(key.ptr(), out.ptr(), mu.ptr(), random)), CV_OK);
    Answer::Made(out.bytes().to_vec())
}

fn slhdsa_answer(s: &mut Source, set: &slhdsa::Set, v: &Vector<'_>) -> Answer {
    let (key, m) = (v.bytes("key"), v.message());
    match v.signs() {
        true => {
            let made = slhdsa::sign_c(s, set, &key, &m, v.random().as_deref());
            Answer::Made(made.expect("a signature"))
        }
        false => Answer::Accepted(slhdsa::verify_c(s, set, &key, &m, &v.bytes("out")) == CV_OK),
    }
}
