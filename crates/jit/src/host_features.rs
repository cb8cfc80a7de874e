//! The features of the host that generated code uses.

/// Which of the host's features generated code may use: vector instructions, whose work is otherwise left to handlers, low addresses,
/// and faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host {
    /// AVX-512 F, BW, DQ and VL.
    pub avx512: bool,
    /// AVX2, FMA, AES-NI and PCLMULQDQ, used in place of AVX-512. Without AVX-512 and without these, handlers execute all
    /// vector instructions.
    pub avx2: bool,
    /// VAES; on AArch64, AES.
    pub vaes: bool,
    /// VPCLMULQDQ; on AArch64, PMULL.
    pub vpclmulqdq: bool,
    /// GFNI.
    pub gfni: bool,
    /// SHA.
    pub sha: bool,
    /// Memory for the core model's state at addresses that an instruction can hold (`capvec_sim::mem::Low`).
    pub low: bool,
    /// Faults of loads and stores, which the host reports: on x86-64.
    pub faults: bool,
}

impl Host {
    /// Everything that the translator can use.
    pub const ALL: Host = Host {
        avx512: true,
        avx2: true,
        vaes: true,
        vpclmulqdq: true,
        gfni: true,
        sha: true,
        low: true,
        faults: true,
    };
    /// Nothing.
    pub const NONE: Host = Host {
        avx512: false,
        avx2: false,
        vaes: false,
        vpclmulqdq: false,
        gfni: false,
        sha: false,
        low: false,
        faults: false,
    };

    /// The names that `without` accepts.
    pub const NAMES: [&str; 8] =
        ["avx512", "avx2", "vaes", "vpclmulqdq", "gfni", "sha", "low", "faults"];

    /// All except the feature `name` of `NAMES`, to act like a host without it; `None` if the name is unknown.
    pub fn without(mut self, name: &str) -> Option<Host> {
        let which = Host::NAMES.iter().position(|n| *n == name)?;
        let all = [
            &mut self.avx512,
            &mut self.avx2,
            &mut self.vaes,
            &mut self.vpclmulqdq,
            &mut self.gfni,
            &mut self.sha,
            &mut self.low,
            &mut self.faults,
        ];
        *all[which] = false;
        Some(self)
    }

    /// The subset that this host has.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn present(self) -> Host {
        Host {
            avx512: self.avx512
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl"),
            avx2: self.avx2
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("aes")
                && is_x86_feature_detected!("pclmulqdq"),
            vaes: self.vaes && is_x86_feature_detected!("vaes"),
            vpclmulqdq: self.vpclmulqdq && is_x86_feature_detected!("vpclmulqdq"),
            gfni: self.gfni && is_x86_feature_detected!("gfni") && is_x86_feature_detected!("avx"),
            sha: self.sha && is_x86_feature_detected!("sha"),
            low: self.low,
            faults: self.faults,
        }
    }

    /// The subset that this host has.
    #[cfg(target_arch = "aarch64")]
    pub(crate) fn present(self) -> Host {
        Host {
            vaes: self.vaes && std::arch::is_aarch64_feature_detected!("aes"),
            vpclmulqdq: self.vpclmulqdq && std::arch::is_aarch64_feature_detected!("pmull"),
            ..Host::NONE
        }
    }
}
