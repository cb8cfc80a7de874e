//! Vector instructions of the host.

/// Which of the host's instructions generated code uses for vectors. Without them, handlers are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host {
    /// AVX-512 F, BW, DQ and VL.
    pub vectors: bool,
    /// AVX2, AES-NI and PCLMULQDQ, which are used without AVX-512: without either, all handlers are called.
    pub avx2: bool,
    /// VAES.
    pub aes: bool,
    /// VPCLMULQDQ.
    pub clmul: bool,
    /// GFNI.
    pub gfni: bool,
    /// SHA.
    pub sha: bool,
}

impl Host {
    /// Everything that generated code knows to use.
    pub const ALL: Host =
        Host { vectors: true, avx2: true, aes: true, clmul: true, gfni: true, sha: true };
    /// Nothing.
    pub const NONE: Host =
        Host { vectors: false, avx2: false, aes: false, clmul: false, gfni: false, sha: false };

    /// The names that `without` knows.
    pub const NAMES: [&str; 6] = ["avx512", "avx2", "vaes", "vpclmulqdq", "gfni", "sha"];

    /// All of them but one of `NAMES`, as in another host; `None` if it has no such name.
    pub fn without(mut self, name: &str) -> Option<Host> {
        let which = Host::NAMES.iter().position(|n| *n == name)?;
        let all = [
            &mut self.vectors,
            &mut self.avx2,
            &mut self.aes,
            &mut self.clmul,
            &mut self.gfni,
            &mut self.sha,
        ];
        *all[which] = false;
        Some(self)
    }

    /// Those of them that this host has.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn present(self) -> Host {
        Host {
            vectors: self.vectors
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl"),
            avx2: self.avx2
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("aes")
                && is_x86_feature_detected!("pclmulqdq"),
            aes: self.aes && is_x86_feature_detected!("vaes"),
            clmul: self.clmul && is_x86_feature_detected!("vpclmulqdq"),
            gfni: self.gfni && is_x86_feature_detected!("gfni") && is_x86_feature_detected!("avx"),
            sha: self.sha && is_x86_feature_detected!("sha"),
        }
    }
}
