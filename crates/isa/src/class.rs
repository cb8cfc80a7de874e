//! Latency classes, to which core models assign costs.

macro_rules! classes {
    ($($variant:ident $name:literal,)*) => {
        /// The latency class of an instruction, column `class` of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Class { $($variant,)* }

        impl Class {
            /// Every class, in declaration order.
            pub const ALL: &'static [Class] = &[$(Class::$variant,)*];

            /// The name used in `isa/` and `cores/`.
            pub const fn name(self) -> &'static str {
                match self { $(Class::$variant => $name,)* }
            }
        }
    };
}

classes! {
    Alu "alu", Mul "mul", Div "div", Branch "branch", Jump "jump", Load "load", Store "store",
    Amo "amo", Csr "csr", System "system", Fence "fence", Cache "cache",
    Fp "fp", Fma "fma", Fdiv "fdiv", Fmove "fmove",
    Clmul "clmul", Aes "aes", Sha2 "sha2", Sm3 "sm3", Sm4 "sm4",
    Vset "vset", Vload "vload", VloadStrided "vload-strided", VloadIndexed "vload-indexed",
    Vstore "vstore", VstoreStrided "vstore-strided", VstoreIndexed "vstore-indexed",
    Valu "valu", Vmul "vmul", Vdiv "vdiv", Vred "vred", Vgather "vgather", Vslide "vslide",
    Vmask "vmask", Vmove "vmove", VmoveScalar "vmove-scalar",
    Vfp "vfp", Vfcmp "vfcmp", Vfdiv "vfdiv", Vfred "vfred",
    Vaes "vaes", Vsha2 "vsha2", Vsm3 "vsm3", Vsm4 "vsm4", Vghash "vghash", Vclmul "vclmul",
    Vkeccak "vkeccak", VaesAll "vaes-all", Vmulq "vmulq",
}

impl Class {
    /// The class of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Class> {
        Class::ALL.iter().copied().find(|c| c.name() == name)
    }

    /// Whether it is a class of vector instructions, `Vset` included.
    pub const fn is_vector(self) -> bool {
        self as u8 >= Class::Vset as u8
    }

    /// Whether its instructions use vector registers: all vector instructions but those of `Vset`, which only set vl and
    /// vtype. A core executes them in its vector unit.
    pub const fn uses_vector_registers(self) -> bool {
        self.is_vector() && !matches!(self, Class::Vset)
    }

    /// Whether its instructions work on element groups.
    pub const fn has_groups(self) -> bool {
        use Class::*;
        matches!(self, Vaes | VaesAll | Vsha2 | Vsm3 | Vsm4 | Vghash | Vkeccak)
    }

    /// Whether control may go anywhere but to the next instruction.
    pub const fn transfers_control(self) -> bool {
        matches!(self, Class::Branch | Class::Jump | Class::System)
    }
}
