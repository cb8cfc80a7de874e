//! Right and wrong answers of drivers.

use super::*;
use crate::case::select;

fn case(id: &str) -> Case {
    select(&[id.into()]).unwrap().remove(0)
}

#[test]
fn a_right_answer_passes_and_a_wrong_one_does_not() {
    let c = case("aes-128-ecb");
    let a = &c.answer[0];
    let job = Job::Answer(&c, Question::Published(a));
    let read = |line: &str| job.read(line).unwrap();
    assert_eq!(read(&format!("answer {} back", a.out)), Outcome::Answer(Ok(())));
    let wrong = a.out.replace('6', "7");
    for bad in [format!("{wrong} back"), format!("{} lost", a.out), a.out.clone(), "refused".into()]
    {
        assert!(matches!(read(&format!("answer {bad}")), Outcome::Answer(Err(_))), "{bad}");
    }
}

/// ECDSA signatures of OpenSSL before 3.2 are randomised.
#[test]
fn a_random_signature_is_right_if_it_is_accepted() {
    let c = case("ecdsa-p256");
    let job = Job::Answer(&c, Question::Published(&c.answer[0]));
    let read = |line: &str| job.read(line).unwrap();
    assert_eq!(read("answer 3045 random"), Outcome::Answer(Ok(())));
    for bad in [
        "answer 3045 back",
        "answer 3045 forged",
        "answer 3045 lost",
        "answer 3045",
        "answer refused",
    ] {
        assert!(matches!(read(bad), Outcome::Answer(Err(_))), "{bad}");
    }
    // Other kinds may not give this answer.
    let c = case("aes-128-ecb");
    let job = Job::Answer(&c, Question::Published(&c.answer[0]));
    assert!(matches!(job.read("answer 00 random").unwrap(), Outcome::Answer(Err(_))));
}

#[test]
fn a_hash_cannot_be_inverted() {
    let c = case("sha256");
    let a = &c.answer[0];
    let job = Job::Answer(&c, Question::Published(a));
    assert_eq!(job.read(&format!("answer {}", a.out)).unwrap(), Outcome::Answer(Ok(())));
}

#[test]
fn a_counter_that_counts_wrongly_is_detected() {
    let read = |n: u64| Job::SelfCheck.read(&format!("selfcheck {n}")).unwrap();
    assert_eq!(read(2 * SELF_CHECK + 1), Outcome::SelfCheck(Ok(())));
    assert!(matches!(read(2 * SELF_CHECK), Outcome::SelfCheck(Err(_))));
}

#[test]
fn another_verb_or_an_error_stops() {
    assert!(Job::Version.read("measure 1 2 3 4").is_err());
    assert!(Job::Version.read("error bad").is_err());
    assert!(Job::SelfCheck.read("").is_err());
}
