//! Features that only some targets and subjects have, and the one error that says so.

use super::{SubjectName, TargetName};
use capvec_record::Arch;

/// What a command may ask of a target, in addition to running stock OpenSSL there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Running the subject.
    Run,
    /// `--core`.
    Core,
    /// `--set`.
    Set,
    /// `--misaligned`.
    Misaligned,
    /// `--isa`.
    Isa,
    /// `--isa-file`.
    IsaFile,
    /// `--vlen`.
    Vlen,
    /// `--caps` of `capvec caps`.
    Caps,
    /// What hart, kernel and library each report.
    Reports,
    /// `--hide`.
    Hide,
    /// `--no-hwprobe`.
    NoHwprobe,
    /// `--sysroot`.
    Sysroot,
    /// `--qemu-cpu`.
    QemuCpu,
    /// `--agnostic`.
    Agnostic,
    /// `--layouts`.
    Layouts,
    /// `--mix`.
    Mix,
    /// `--profile`.
    Profile,
    /// `--speed`.
    Speed,
    /// `--cases tls`.
    Connections,
    /// `--explain`.
    Explain,
    /// `--cost`.
    Cost,
    /// `--program` and `--package`.
    Scan,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 22] = [
        Feature::Run,
        Feature::Core,
        Feature::Set,
        Feature::Misaligned,
        Feature::Isa,
        Feature::IsaFile,
        Feature::Vlen,
        Feature::Caps,
        Feature::Reports,
        Feature::Hide,
        Feature::NoHwprobe,
        Feature::Sysroot,
        Feature::QemuCpu,
        Feature::Agnostic,
        Feature::Layouts,
        Feature::Mix,
        Feature::Profile,
        Feature::Speed,
        Feature::Connections,
        Feature::Explain,
        Feature::Cost,
        Feature::Scan,
    ];

    /// The names of the targets that support it with stock OpenSSL.
    pub fn targets(self) -> Vec<String> {
        able(&SubjectName::OpenSsl, self)
    }

    /// The same as flags, such as "--target sim and --target qemu:riscv64".
    pub fn target_flags(self) -> String {
        list(self.targets())
    }

    /// The flags of the targets that support it with this subject.
    pub fn flags_for(self, subject: &SubjectName) -> String {
        list(able(subject, self))
    }

    /// The flag that asks for it, and what the target would have to do.
    fn text(self) -> (&'static str, &'static str) {
        match self {
            Feature::Run => ("--subject", "run this library"),
            Feature::Core => ("--core", "run a core model"),
            Feature::Set => ("--set", "change a core model's parameters"),
            Feature::Misaligned => ("--misaligned", "choose what misaligned accesses do"),
            Feature::Isa => ("--isa", "choose what the hart executes"),
            Feature::IsaFile => ("--isa-file", "execute instructions of your own"),
            Feature::Vlen => ("--vlen", "choose the vector length"),
            Feature::Caps => ("--caps", "choose what the hart has"),
            Feature::Reports => ("caps", "show what processor, kernel and library each report"),
            Feature::Hide => ("--hide", "hide extensions from programs"),
            Feature::NoHwprobe => ("--no-hwprobe", "hide riscv_hwprobe"),
            Feature::Sysroot => ("--sysroot", "use a library from a sysroot"),
            Feature::QemuCpu => ("--qemu-cpu", "choose the processor to emulate"),
            Feature::Agnostic => ("--agnostic", "choose the value of agnostic elements"),
            Feature::Layouts => ("--layouts", "choose the memory layout"),
            Feature::Mix => ("--mix", "count instructions by class"),
            Feature::Profile => ("--profile", "break down cycles by function"),
            Feature::Speed => ("--speed", "run `openssl speed` in modelled time"),
            Feature::Connections => ("--cases tls", "measure each end of a handshake"),
            Feature::Explain => ("--explain", "measure what each extension adds"),
            Feature::Cost => ("--cost", "measure extensions that the processor lacks"),
            Feature::Scan => ("--program, --package, --runtimes", "scan files"),
        }
    }
}

/// Whether a target supports this with a subject: all rules are here.
fn offers(target: &TargetName, subject: &SubjectName, feature: Feature) -> bool {
    let sim = *target == TargetName::Sim;
    let qemu = matches!(target, TargetName::Qemu(_));
    match feature {
        // libcapvec has kernels for RISC-V, and its drivers are built for the simulator only, as are those of packaged libraries.
        Feature::Run => sim || !subject.is_simulated(),
        Feature::Core
        | Feature::Set
        | Feature::Misaligned
        | Feature::Isa
        | Feature::IsaFile
        | Feature::Caps
        | Feature::Hide
        | Feature::NoHwprobe
        | Feature::Agnostic
        | Feature::Layouts
        | Feature::Mix
        | Feature::Profile
        | Feature::Explain
        | Feature::Cost => sim,
        // The sysroot's program fits the sysroot's libcrypto; with another, it may lack symbols.
        Feature::Speed => sim && matches!(subject, SubjectName::OpenSsl | SubjectName::Provider),
        // The drivers of libcapvec and of packaged libraries have no TLS.
        Feature::Connections => {
            sim && !matches!(subject, SubjectName::Capvec | SubjectName::Packaged(_))
        }
        Feature::Vlen => sim || *target == TargetName::Qemu(Arch::Riscv64),
        Feature::Sysroot => sim || qemu,
        Feature::QemuCpu => qemu,
        Feature::Reports => sim || *target == TargetName::Native,
        Feature::Scan => !matches!(target, TargetName::Ssh(_)),
    }
}

/// Flags ask for something that the target does not support: the command line is at fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(pub(super) String);

impl TargetName {
    /// Refuses the first of these features that is asked for (`true`) and that this target does not support with the
    /// subject.
    ///
    /// # Errors
    /// Names the flag, the target, the subject, and what supports it.
    pub fn require(&self, subject: &SubjectName, asked: &[(bool, Feature)]) -> Result<(), Refused> {
        let lacks =
            |(asked, feature): &&(bool, Feature)| *asked && !offers(self, subject, *feature);
        match asked.iter().find(lacks) {
            Some((_, feature)) => Err(self.refused(subject, *feature)),
            None => Ok(()),
        }
    }

    /// The error for a feature that this target does not support with the subject.
    pub fn refused(&self, subject: &SubjectName, feature: Feature) -> Refused {
        let (flag, what) = feature.text();
        let able = match able(subject, feature) {
            none if none.is_empty() => {
                format!("{} with --subject {}", feature.target_flags(), SubjectName::OpenSsl)
            }
            some => list(some),
        };
        // Files are scanned, and reports compared, independently of what is measured.
        if matches!(feature, Feature::Scan | Feature::Reports) {
            return Refused(format!("{flag}: --target {self} cannot {what}; {able} can"));
        }
        if feature == Feature::Run {
            return Refused(format!(
                "{flag} {subject}: --target {self} cannot {what}; {able} can, and --target {self} runs {}",
                SubjectName::ANYWHERE
            ));
        }
        if offers(self, &SubjectName::OpenSsl, feature) {
            return Refused(format!(
                "{flag}: --target {self} cannot {what} (subject: {subject}); with --subject {} it can",
                SubjectName::OpenSsl
            ));
        }
        Refused(format!("{flag}: --target {self} cannot {what} (subject: {subject}); {able} can"))
    }
}

/// The targets that support a feature, as `--target` takes them.
fn able(subject: &SubjectName, feature: Feature) -> Vec<String> {
    let offers = |t: &TargetName| offers(t, subject, feature);
    let emulated = || Arch::ALL.into_iter().map(TargetName::Qemu);
    let mut names = Vec::new();
    names.extend(offers(&TargetName::Sim).then(|| "sim".to_string()));
    names.extend(offers(&TargetName::Native).then(|| "native".to_string()));
    match emulated().all(|t| offers(&t)) {
        true => names.push("qemu:ARCH".into()),
        false => names.extend(emulated().filter(offers).map(|t| t.to_string())),
    }
    names.extend(offers(&TargetName::Ssh("HOST".into())).then(|| "ssh:HOST".to_string()));
    names
}

/// `--target a, --target b and --target c`.
fn list(names: Vec<String>) -> String {
    let names: Vec<String> = names.iter().map(|n| format!("--target {n}")).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "no target".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(target: &str, subject: &str, feature: Feature) -> String {
        let target: TargetName = target.parse().expect("a target");
        let subject: SubjectName = subject.parse().expect("a subject");
        target
            .require(&subject, &[(true, feature)])
            .expect_err("the target lacks the feature")
            .to_string()
    }

    #[test]
    fn an_error_names_target_and_subject_and_what_can() {
        let cases = [
            (
                message("qemu:aarch64", "openssl:asm", Feature::Mix),
                "--mix: --target qemu:aarch64 cannot count instructions by class (subject: openssl:asm); --target sim can",
            ),
            (
                message("native", "openssl", Feature::Vlen),
                "--vlen: --target native cannot choose the vector length (subject: openssl); --target sim and --target \
                 qemu:riscv64 can",
            ),
            (
                message("ssh:board", "openssl", Feature::Sysroot),
                "--sysroot: --target ssh:board cannot use a library from a sysroot (subject: openssl); --target sim and \
                 --target qemu:ARCH can",
            ),
            (
                message("sim", "capvec", Feature::Speed),
                "--speed: --target sim cannot run `openssl speed` in modelled time (subject: capvec); with --subject \
                 openssl it can",
            ),
            (
                message("sim", "openssl:no-asm", Feature::Speed),
                "--speed: --target sim cannot run `openssl speed` in modelled time (subject: openssl:no-asm); with \
                 --subject openssl it can",
            ),
            (
                message("native", "openssl:no-asm", Feature::Speed),
                "--speed: --target native cannot run `openssl speed` in modelled time (subject: openssl:no-asm); \
                 --target sim with --subject openssl can",
            ),
            (
                message("ssh:board", "openssl", Feature::Scan),
                "--program, --package, --runtimes: --target ssh:board cannot scan files; --target sim, --target native and --target \
                 qemu:ARCH can",
            ),
            (
                message("native", "openssl+capvec", Feature::Run),
                "--subject openssl+capvec: --target native cannot run this library; --target sim can, and --target native \
                 runs openssl, openssl:NAME (made by `capvec build openssl`), and the path of a libcrypto.so.3",
            ),
        ];
        for (message, expected) in cases {
            assert_eq!(message, expected);
        }
    }

    /// The alternatives that an error proposes work.
    #[test]
    fn every_feature_is_offered_by_some_target() {
        for (i, feature) in Feature::ALL.into_iter().enumerate() {
            assert_eq!(feature as usize, i);
            for name in feature.targets() {
                let name = name.replace("ARCH", "riscv64");
                let target: TargetName = name.parse().expect("a target");
                assert_eq!(target.require(&SubjectName::OpenSsl, &[(true, feature)]), Ok(()));
            }
            assert!(!feature.targets().is_empty(), "{feature:?}");
        }
    }

    /// The table of flags in docs/targets.md. Its other table says which subjects a target runs; `capvec caps` has no subjects.
    #[test]
    fn the_documentation_says_which_targets_support_a_flag() {
        let without_flags = [Feature::Run, Feature::Caps, Feature::Reports];
        let line = |feature: Feature| {
            let (flags, what) = feature.text();
            let quoted = |names: &mut dyn Iterator<Item = &str>| {
                names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            };
            let flags = quoted(&mut flags.split(", "));
            let targets = quoted(&mut feature.targets().iter().map(String::as_str));
            format!("| {flags} | {what} | {targets} |\n")
        };
        let wanted = Feature::ALL.into_iter().filter(|f| !without_flags.contains(f));
        let head = "| flag | what the target must be able to do | targets |\n|---|---|---|\n";
        let table = head.to_string() + &wanted.map(line).collect::<String>();
        let page = include_str!("../../../../docs/targets.md");
        assert!(page.contains(&(table.clone() + "\n")), "docs/targets.md must have:\n{table}");
    }
}
