//! Whether a vector has what its algorithm needs: if not, that is the file's fault, not the library's.

use super::Algorithm;
use super::format::{Expected, Outcome, Vector, length};
use capvec_bench::case::{Kind, Operation};

/// Block size of PKCS #7 padding, in bytes.
const PADDED: usize = 16;

impl Vector {
    /// Checks that the algorithm can be run on it.
    ///
    /// # Errors
    /// Says what is wrong with the record.
    pub fn suits(&self, algorithm: &Algorithm) -> Result<(), String> {
        let named = |o: &Operation| o.name() == self.operation;
        if !self.operation.is_empty() && !algorithm.operations.iter().any(named) {
            return Err(format!("{} has no operation {}", self.algorithm, self.operation));
        }
        let Expected::Bytes(out) = &self.out else { return Ok(()) };
        let valid = self.outcome == Outcome::Valid;
        let lacks = |field: &str| Err(format!("the record lacks {field}"));
        match algorithm.kind {
            Kind::Digest | Kind::Mac | Kind::Pkey if valid && out.is_empty() => lacks("out"),
            Kind::Aead if valid && self.tag.is_empty() => lacks("tag"),
            Kind::Cipher | Kind::Aead if valid => self.sized(algorithm, length(out)),
            _ => Ok(()),
        }
    }

    /// Checks that a ciphertext has the length that its message requires.
    fn sized(&self, algorithm: &Algorithm, out: usize) -> Result<(), String> {
        let message = length(&self.input);
        let pads = algorithm.kind == Kind::Cipher && !algorithm.parameter.is_empty();
        let due = if pads { (message / PADDED + 1) * PADDED } else { message };
        if out == due {
            return Ok(());
        }
        Err(format!("in has {message} bytes, so out must have {due}, not {out}"))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Algorithm, algorithms, parse};

    fn judged(record: &str) -> Result<(), String> {
        let head = "format = capvec-vectors 1\norigin = here\nlicence = none\n\nid = 1\n";
        let vectors = parse("f", &format!("{head}{record}")).expect("a file in the format");
        let is = |a: &&Algorithm| a.id == vectors[0].algorithm;
        vectors[0].suits(algorithms().unwrap().iter().find(is).expect("an algorithm"))
    }

    #[test]
    fn missing_fields_are_reported_before_the_library_runs() {
        let wrong = [
            ("algorithm = sha256\nin = 00\n", "lacks out"),
            ("algorithm = hmac-sha256\n", "lacks out"),
            ("algorithm = aes-128-gcm\nin = 00\nout = 01\n", "lacks tag"),
            (
                "algorithm = aes-128-ctr\nin = 0000\nout = 01\n",
                "2 bytes, so out must have 2, not 1",
            ),
            ("algorithm = aes-128-cbc-pkcs7\nin = @16\nout = @16\n", "so out must have 32, not 16"),
            ("algorithm = ecdsa-p256\noperation = verify\n", "lacks out"),
            ("algorithm = ecdsa-p256\noperation = derive\n", "no operation derive"),
        ];
        for (record, needle) in wrong {
            let e = judged(record).unwrap_err();
            assert!(e.contains(needle), "{record}: {e}");
        }
        let right = [
            "algorithm = aes-128-gcm\ntag = 00\n",
            "algorithm = aes-128-cbc-pkcs7\nin = @15\nout = @16\n",
            "algorithm = ecdh-p256\nresult = invalid\n",
            "algorithm = aes-128-gcm\nin = 00\nresult = invalid\n",
        ];
        for record in right {
            assert_eq!(judged(record), Ok(()), "{record}");
        }
    }
}
