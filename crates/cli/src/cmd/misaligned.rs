//! The flag `--misaligned`, which sets parameters of the core.

use crate::cmd::core_choice::SetFlag;
use capvec_text::suggest::hint;
use std::str::FromStr;

/// The kinds of instructions, which are parameters of cores.
const WHICH: [&str; 2] = ["scalar", "vector"];
/// What a core does with their misaligned accesses: the parameters' values.
const HOW: [&str; 3] = ["ok", "slow", "trap"];

/// The beginning of the parameters' keys.
const TABLE: &str = "misaligned.";

/// The flag.
#[derive(clap::Args, Default)]
pub struct MisalignedFlag {
    /// What the core does with misaligned accesses by scalar and vector instructions: ok, slow (emulated), or trap (the program gets
    /// SIGBUS), such as scalar=slow,vector=trap [default: the core's]
    #[arg(long, value_name = "KIND=WHAT", value_delimiter = ',')]
    misaligned: Vec<Misaligned>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
struct Misaligned(SetFlag);

impl FromStr for Misaligned {
    type Err = String;

    fn from_str(text: &str) -> Result<Misaligned, String> {
        let write = "write scalar=ok, scalar=slow or scalar=trap, and the same for vector";
        let (which, how) = text.split_once('=').ok_or(write)?;
        for (word, known) in [(which, &WHICH[..]), (how, &HOW[..])] {
            if !known.contains(&word) {
                return Err(format!("{word}: {write}{}", hint(word, known.iter().copied())));
            }
        }
        Ok(Misaligned(format!("{TABLE}{which}={how}").parse()?))
    }
}

impl MisalignedFlag {
    /// Whether it was given.
    pub fn is_some(&self) -> bool {
        !self.misaligned.is_empty()
    }

    /// The flag as it was given, after a space, or nothing.
    pub fn text(&self) -> String {
        let all: Vec<_> = self.misaligned.iter().map(|m| m.0.to_string()).collect();
        let short: Vec<_> = all.iter().filter_map(|set| set.strip_prefix(TABLE)).collect();
        if short.is_empty() { String::new() } else { format!(" --misaligned {}", short.join(",")) }
    }

    /// The settings of `--set`, with those of this flag.
    pub fn and(&self, sets: &[SetFlag]) -> Vec<SetFlag> {
        self.misaligned.iter().map(|m| m.0.clone()).chain(sets.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cmd::core_choice;
    use capvec_isa::capability::Misaligned as Reported;
    use capvec_sim::hart::MustAlign;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        flag: MisalignedFlag,
        #[arg(long)]
        set: Vec<SetFlag>,
    }

    fn core(name: &str, args: &[&str]) -> Result<capvec_timing::Core, String> {
        let command =
            Command::try_parse_from([&["x"], args].concat()).map_err(|e| e.to_string())?;
        core_choice::one(name, &command.flag.and(&command.set)).map_err(|e| e.to_string())
    }

    #[test]
    fn the_flag_changes_the_core_and_what_linux_reports() {
        let all = core("karu64", &["--misaligned", "scalar=trap,vector=trap"]).unwrap();
        assert_eq!(all.must_align, MustAlign { scalar: true, vector: true });
        assert_eq!(all.misaligned, [Reported::Unsupported; 2]);
        assert!(all.identity.label.contains("misaligned.vector none → trap"), "{:?}", all.identity);
        let one = core("ideal", &["--misaligned", "vector=trap"]).unwrap();
        assert_eq!(one.must_align, MustAlign { scalar: false, vector: true });
        assert_eq!(one.misaligned, [Reported::Fast, Reported::Unsupported]);
        // Cycles of emulation have to be given; a core without a model of cycles has none.
        let slow = core("ideal", &["--misaligned", "scalar=slow,vector=slow"]).unwrap();
        assert_eq!(slow.must_align, MustAlign::default());
        assert_eq!(slow.misaligned, [Reported::Emulated, Reported::Slow]);
        let error = core("karu64", &["--misaligned", "scalar=slow"]).unwrap_err();
        let add = "add --set misaligned.scalar_cycles=VALUE (sifive-u74 has misaligned.scalar_cycles=700)";
        assert!(error.contains(add), "{error}");
        let error = core("karu64", &["--misaligned", "vector=slow"]).unwrap_err();
        let add = "add --set misaligned.vector_cycles=VALUE --set misaligned.element_cycles=VALUE";
        assert!(error.contains(add), "{error}");
        let cycles = ["--misaligned", "scalar=slow", "--set", "misaligned.scalar_cycles=300"];
        assert_eq!(core("karu64", &cycles).unwrap().misaligned[0], Reported::Emulated);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (value, text) in [
            ("trap", "write scalar=ok"),
            ("scalr=trap", "did you mean scalar?"),
            ("vector=trp", "did you mean trap?"),
        ] {
            let error = core("ideal", &["--misaligned", value]).unwrap_err();
            assert!(error.contains("--misaligned") && error.contains(text), "{error}");
        }
        let twice = core("ideal", &["--misaligned", "scalar=ok,scalar=trap"]).unwrap_err();
        assert!(twice.contains("misaligned.scalar: it is set twice"), "{twice}");
        // Without a vector unit, the flag has no effect.
        let none = core("sifive-u74", &["--misaligned", "vector=trap"]).unwrap_err();
        assert!(none.contains("misaligned.vector"), "{none}");
    }
}
