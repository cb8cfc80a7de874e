//! The driver in the guest: which jobs it refuses, and that wrong answers of every kind are detected.

use capvec_bench::capset::CapSet;
use capvec_bench::case::{Case, Operation, select};
use capvec_bench::driver_protocol::{Job, Outcome, Question};
use capvec_bench::requests::Jobs;
use capvec_bench::run::{Configuration, Runner};
use capvec_guest::Program;
use capvec_targets::backend::Work;
use capvec_timing::Core;

fn runner() -> (Runner, Configuration) {
    let core = Core::load("ideal").unwrap();
    let capset = CapSet::parse("scalar", &core.isa).unwrap();
    let configuration = Configuration::new(core.vlen, capset);
    (Runner::new(core, "trixie-riscv64", &[Program::Measure], &mut |_| ()).unwrap(), configuration)
}

fn ask(lines: &[&str]) -> Vec<String> {
    let (runner, configuration) = runner();
    let answers = runner
        .run(&configuration, Work::driver(Program::Measure, lines.join("\n") + "\n"))
        .unwrap()
        .stdout;
    answers.lines().map(String::from).collect()
}

const KEY: &str = "000102030405060708090a0b0c0d0e0f";

#[test]
fn malformed_lines_are_errors_and_the_next_one_is_answered() {
    let ecb = format!("cipher AES-128-ECB - enc {KEY} -");
    let bad = [
        "hello".to_string(),
        "answer".into(),
        "answer cipher AES-128-ECB - enc".into(),
        format!("answer cypher AES-128-ECB - enc {KEY} - - -"),
        format!("answer cipher AES-128-ECB - sign {KEY} - - -"),
        format!("answer digest SHA256 - dec {KEY} - - -"),
        format!("answer {ecb} - 0"),
        format!("answer {ecb} - 0G"),
        format!("answer {ecb} - 0A"),
        format!("answer {ecb} - @"),
        format!("answer {ecb} - @65537"),
        format!("answer {ecb} - @16x"),
        format!("answer {ecb} - @-1"),
        format!("answer {ecb} -"),
        format!("answer {ecb} - @16 more"),
        format!("answer {ecb} - {}", "00".repeat(65537)),
        format!("measure {ecb} 16"),
        format!("measure {ecb} 16 0"),
        format!("measure {ecb} 65537 1"),
        format!("measure {ecb} 16 1000001"),
        format!("measure {ecb} 16 18446744073709551617"),
        format!("measure {ecb} 16 1 more"),
        "measure cipher AES-128-XYZ - enc 00 - 16 1".into(),
        "measure cipher AES-128-ECB - enc 00 - 16 1".into(),
        "measure digest SHAKE128 - enc - - 16 1".into(),
        "measure digest SHA256 32 enc - - 16 1".into(),
        "measure mac HMAC NOHASH enc 00 - 16 1".into(),
        "measure signature ED25519 - sign 00 - 0 1".into(),
        "measure kem X25519 - encaps 00 - 0 1".into(),
        "measure keygen RSA-0 - keygen - - 0 1".into(),
        "selfcheck".into(),
        "selfcheck 0".into(),
        "selfcheck 100000001".into(),
    ];
    let mut lines: Vec<&str> = bad.iter().map(String::as_str).collect();
    let last = format!("answer {ecb} - 00112233445566778899aabbccddeeff");
    lines.push(&last);
    let answers = ask(&lines);
    assert_eq!(answers.len(), lines.len());
    for (line, answer) in bad.iter().zip(&answers) {
        let head: String = line.chars().take(80).collect();
        assert!(answer.starts_with("error "), "\"{head}\" is answered with \"{answer}\"");
    }
    // FIPS 197, appendix C.1.
    assert_eq!(answers.last().unwrap(), "answer 69c4e0d86a7b0430d8cdb78070b4c55a back");
}

#[test]
fn a_line_that_is_too_long_ends_the_session() {
    let long = "0".repeat(300_000);
    assert_eq!(ask(&[&long, "version"]), ["error line too long"]);
}

#[test]
fn a_refusal_by_the_library_is_not_an_error() {
    let refused = [
        format!("answer cipher AES-128-ECB - enc {KEY} - - 00"),
        format!("answer cipher AES-128-CBC - enc {KEY} - - @16"),
        format!("answer aead AES-128-GCM 17 enc {KEY} {KEY} - -"),
        format!("answer aead AES-128-CCM 5 enc {KEY} 000102030405060708090a0b - -"),
        "answer mac CMAC AES-128-CBC enc 00 - - -".into(),
        "answer keygen ML-KEM-512 - keygen - - - @63".into(),
        "answer signature ED25519 - sign 00 - - -".into(),
    ];
    let lines: Vec<&str> = refused.iter().map(String::as_str).collect();
    for (line, answer) in lines.iter().zip(ask(&lines)) {
        assert_eq!(answer, "answer refused", "{line}");
    }
}

/// The case with only its answers and patterns for `operation`, all made wrong.
fn broken(id: &str, operation: Operation) -> Case {
    let mut case = select(&[id.into()]).unwrap().remove(0);
    case.answer.retain(|a| a.operation == operation);
    case.pattern.retain(|p| p.operation == operation);
    let change = |hex: &mut String| {
        if let Some(last) = hex.pop() {
            hex.push(if last == '0' { '1' } else { '0' });
        }
    };
    for a in &mut case.answer {
        change(&mut a.out);
        change(&mut a.out_sha256);
    }
    case.pattern.iter_mut().for_each(|p| change(&mut p.sha256));
    case
}

#[test]
fn wrong_answers_of_every_kind_are_detected() {
    use Operation::*;
    let cases = [
        ("aes-128-cbc", Encrypt),
        ("aes-128-ccm", Encrypt),
        ("sm4-key", Encrypt),
        ("shake128", Encrypt),
        ("poly1305", Encrypt),
        ("ml-kem-512", Keygen),
        ("ml-kem-512", Encaps),
        ("ml-kem-512", Decaps),
        ("ed25519", Sign),
        ("sm2", Verify),
        ("x25519", Derive),
    ]
    .map(|(id, operation)| broken(id, operation));
    let jobs: Vec<Job> = cases
        .iter()
        .flat_map(|c| {
            let published = c.answer.iter().map(Question::Published);
            let questions = published.chain(c.pattern.iter().map(Question::Pattern));
            questions.map(move |q| Job::Answer(c, q))
        })
        .collect();
    assert!(jobs.len() > 20);
    let (runner, configuration) = runner();
    let outcomes = runner.run(&configuration, Jobs(std::slice::from_ref(&jobs))).unwrap().remove(0);
    for (job, outcome) in jobs.iter().zip(outcomes.unwrap()) {
        let Outcome::Answer(Err(what)) = outcome else { panic!("{}: {outcome:?}", job.line()) };
        assert!(what.starts_with("wrong "), "{}: {what}", job.line());
    }
}

/// For each kind that inverts its operation, the driver tampers with the answer, and acceptance is a failure.
#[test]
fn acceptance_of_a_tampered_answer_is_detected() {
    let find = |id: &str, operation: Operation| {
        let mut case = select(&[id.into()]).unwrap().remove(0);
        case.answer.retain(|a| a.operation == operation);
        case.pattern.retain(|p| p.operation == operation);
        case
    };
    use Operation::*;
    let cases = [
        find("aes-128-gcm", Encrypt),
        find("chacha20-poly1305", Encrypt),
        find("aes-128-gcm-key", Encrypt),
        find("ecdsa-p256", Sign),
        find("sm2", Sign),
        find("rsa-2048", Verify),
        find("ml-kem-768", Encaps),
        find("ml-kem-768", Decaps),
        find("ecdh-p256", Derive),
        find("ecdh-p384", Derive),
        find("x25519", Derive),
    ];
    let (runner, configuration) = runner();
    for case in &cases {
        let question = match (case.answer.first(), case.pattern.first()) {
            (Some(a), _) => Question::Published(a),
            (None, Some(p)) => Question::Pattern(p),
            (None, None) => panic!("{} has no answer", case.id),
        };
        let job = Job::Answer(case, question);
        let answer = runner
            .run(&configuration, Work::driver(Program::Measure, job.line() + "\n"))
            .unwrap()
            .stdout;
        assert!(answer.ends_with(" back\n"), "{}: {answer}", case.id);
        let forged = job.read(answer.trim_end().replace(" back", " forged").as_str()).unwrap();
        let Outcome::Answer(Err(what)) = forged else { panic!("{}: {forged:?}", case.id) };
        assert!(what.ends_with("accepted after tampering"), "{what}");
    }
}
