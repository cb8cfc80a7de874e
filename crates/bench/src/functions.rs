//! Where the time of one operation goes, by function or by class of instructions.
//!
//! The driver runs twice, the second time with more operations. The difference between the two runs is these operations, with warm
//! caches: start-up, warming up and the driver itself cancel out.

use crate::driver_protocol::{Job, lines};
use crate::requests::program_for;
use crate::run::{Configuration, Runner};
use anyhow::Result;
use capvec_guest::Program;
use capvec_record::FunctionShare;
use capvec_targets::{Calls, Count, Share, Work};

/// The functions that the operation of a job executes, those with the most cycles first. Empty if the target cannot
/// tell functions apart, or the job measures nothing.
///
/// # Errors
/// As [`Runner::run`].
pub fn of(runner: &Runner, c: &Configuration, job: &Job<'_>) -> Result<Vec<FunctionShare>> {
    let count = if is_connection(job) { Count::Calls(&HANDSHAKE) } else { Count::Functions };
    divided(runner, c, job, count)
}

fn is_connection(job: &Job<'_>) -> bool {
    matches!(program_for(std::slice::from_ref(job)), Program::MeasureTls)
}

/// Where a handshake is measured, and the functions of the library's interface that divide it: each includes what it calls.
const HANDSHAKE: Calls = Calls {
    below: "counted_step",
    whole: &[
        "EVP_PKEY_derive",
        "EVP_PKEY_encapsulate",
        "EVP_PKEY_decapsulate",
        "EVP_PKEY_generate",
        "EVP_PKEY_keygen",
        "EVP_PKEY_set1_encoded_public_key",
        "EVP_DigestSignInit_ex",
        "EVP_DigestSign",
        "EVP_DigestSignUpdate",
        "EVP_DigestSignFinal",
        "EVP_DigestVerifyInit_ex",
        "EVP_DigestVerify",
        "X509_verify_cert",
        "EVP_KDF_derive",
        "EVP_MAC_init",
        "EVP_MAC_update",
        "EVP_MAC_final",
        "EVP_Q_mac",
        "EVP_DigestUpdate",
        "EVP_DigestFinal_ex",
        "EVP_DigestInit_ex",
        "EVP_MD_CTX_copy_ex",
        "EVP_CipherUpdate",
        "EVP_CipherInit_ex",
        "EVP_CipherFinal_ex",
        "EVP_Cipher",
        "EVP_EncryptInit_ex",
        "EVP_EncryptUpdate",
        "EVP_EncryptFinal",
        "EVP_DecryptInit_ex",
        "EVP_DecryptUpdate",
        "EVP_DecryptFinal",
        "HMAC_Init_ex",
        "HMAC_Update",
        "HMAC_Final",
        "d2i_X509",
        "i2d_X509",
    ],
};

/// The latency classes of the instructions that the operation of a job executes, as [`of`] does for functions.
///
/// # Errors
/// As [`Runner::run`].
pub fn classes(runner: &Runner, c: &Configuration, job: &Job<'_>) -> Result<Vec<FunctionShare>> {
    // The other end of a connection is not counted.
    divided(runner, c, job, Count::Classes(is_connection(job).then_some(HANDSHAKE.below)))
}

/// Operations of the first run. The driver warms up twice if it measures more than one operation.
const FEW: u64 = 2;

/// The jobs of two runs, and how many operations they differ by.
fn runs<'a>(job: &Job<'a>) -> Option<([Vec<Job<'a>>; 2], u64)> {
    let Job::Measure(case, operation, bytes, repeats) = *job else { return None };
    let of = |repeats| vec![Job::Measure(case, operation, bytes, repeats)];
    if repeats > 1 {
        return Some(([of(FEW), of(FEW + repeats)], repeats));
    }
    // Such operations are long. Verifying needs a signature: if nothing has been signed before, the driver signs.
    let before = case.operations.iter().take_while(|o| **o != operation).last();
    Some(match before {
        Some(before) => {
            let before = Job::Measure(case, *before, bytes, 1);
            ([vec![before.clone()], vec![before, job.clone()]], 1)
        }
        None => ([of(1), of(2)], 3),
    })
}

fn divided(
    runner: &Runner,
    c: &Configuration,
    job: &Job<'_>,
    count: Count,
) -> Result<Vec<FunctionShare>> {
    let Some(([few, more], repeats)) = runs(job) else { return Ok(Vec::new()) };
    let run = |jobs: Vec<Job<'_>>| {
        let program = program_for(&jobs);
        let work = Work::driver(program, lines(&[jobs], runner.target().method()));
        Ok::<_, anyhow::Error>(runner.run(c, Work { count: count.clone(), ..work })?.shares)
    };
    let (few, more) = (run(few)?, run(more)?);
    let before = |f: &Share| few.iter().find(|o| o.name == f.name);
    let share = |f: &Share| {
        let (insns, cycles) = before(f).map_or((0, 0), |o| (o.insns, o.cycles));
        let each = |now: u64, before: u64| (now as f64 - before as f64) / repeats as f64;
        let (insns, cycles) = (each(f.insns, insns), each(f.cycles, cycles));
        FunctionShare { name: f.name.clone(), insns, cycles }
    };
    // What runs once may differ by a few cycles, because it finds other lines in the caches.
    let mut shares: Vec<FunctionShare> =
        more.iter().map(share).filter(|s| s.insns >= 1.0).collect();
    shares.sort_by(|a, b| b.cycles.total_cmp(&a.cycles));
    Ok(shares)
}
