//! `capvec bench --target rtl` is another way to write `capvec rtl`.

use std::ffi::OsString;

/// The command line with `bench --target rtl` replaced by `rtl`, so that its other flags are those of `capvec rtl`; every other
/// line unchanged.
pub fn of_bench(line: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut line: Vec<OsString> = line.into_iter().collect();
    if line.get(1).is_some_and(|command| command == "bench")
        && let Some(at) = line.iter().position(|word| word == "--target" || word == "--target=rtl")
    {
        let words = if line[at] == "--target" { 2 } else { 1 };
        if words == 1 || line.get(at + 1).is_some_and(|target| target == "rtl") {
            line.drain(at..at + words);
            line[1] = "rtl".into();
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, want: &str) {
        let words = of_bench(line.split(' ').map(OsString::from));
        assert_eq!(words, want.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn bench_with_this_target_is_another_command() {
        check("capvec bench --target rtl", "capvec rtl");
        check("capvec bench --dlen 256 --target=rtl -q", "capvec rtl --dlen 256 -q");
        for other in ["bench --target sim", "bench --target", "kat --target rtl", "rtl", "bench"] {
            check(&format!("capvec {other}"), &format!("capvec {other}"));
        }
    }
}
