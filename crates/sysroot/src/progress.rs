//! Progress reports of a long operation.

use std::fmt;

/// The current step. `Display` gives a line for a spinner.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// Another capvec holds the store's lock.
    Waiting,
    /// The suite's index is being fetched and verified.
    Updating {
        /// The suite.
        suite: String,
        /// The architecture.
        arch: String,
        /// The URL of the archive.
        mirror: String,
    },
    /// Dependencies are being resolved.
    Resolving {
        /// The number of packages that the user named.
        requested: usize,
    },
    /// Packages are being downloaded; `percent` is apt's own figure, 0 to 100.
    Downloading {
        /// The number of packages.
        packages: usize,
        /// The part that is done.
        percent: f32,
    },
    /// Checksums of the downloaded packages are being compared with the signed index.
    Verifying {
        /// The number of packages.
        packages: usize,
    },
    /// Package `done` (from 1) of `packages` is being unpacked.
    Unpacking {
        /// The package's name.
        package: String,
        /// The package's position, from 1.
        done: usize,
        /// The number of packages.
        packages: usize,
    },
}

fn packages_text(number: usize) -> String {
    match number {
        1 => "1 package".into(),
        _ => format!("{number} packages"),
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Progress::Waiting => write!(f, "waiting for another capvec"),
            Progress::Updating { suite, arch, mirror } => {
                write!(f, "reading the index of {suite} for {arch} from {mirror}")
            }
            Progress::Resolving { requested } => {
                write!(f, "resolving the dependencies of {}", packages_text(*requested))
            }
            Progress::Downloading { packages, percent } => {
                write!(f, "downloading {}: {} %", packages_text(*packages), percent.round())
            }
            Progress::Verifying { packages } => write!(f, "verifying {}", packages_text(*packages)),
            Progress::Unpacking { package, done, packages } => {
                write!(f, "unpacking {done}/{packages} {package}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn one_package_is_singular() {
        let texts = [1, 2].map(|packages| {
            let downloading = Progress::Downloading { packages, percent: 0.4 };
            [
                Progress::Resolving { requested: packages },
                downloading,
                Progress::Verifying { packages },
            ]
            .map(|step| step.to_string())
        });
        let of_one = [
            "resolving the dependencies of 1 package",
            "downloading 1 package: 0 %",
            "verifying 1 package",
        ];
        assert_eq!(texts[0], of_one);
        assert_eq!(texts[1], of_one.map(|text| text.replace("1 package", "2 packages")));
    }
}
