//! Units of C and assembly from which programs are built.

include!(concat!(env!("OUT_DIR"), "/parts.rs"));

/// A source file: its name and its text.
pub type Source = (&'static str, &'static str);

/// Units that are always linked together.
pub struct Part {
    /// In the order in which they are linked.
    pub units: &'static [Unit],
}

/// A file to compile.
pub struct Unit {
    /// The file itself.
    pub source: Source,
    /// The headers that it includes, directly or not.
    pub headers: &'static [Source],
}

impl Part {
    /// Headers and units of all these parts, without duplicates.
    pub fn files<'a>(parts: impl IntoIterator<Item = &'a &'static Part>) -> Vec<Source> {
        let units = parts.into_iter().flat_map(|p| p.units);
        let files = units.flat_map(|u| u.headers.iter().chain([&u.source]));
        files.fold(Vec::new(), |mut all, file| {
            if !all.contains(file) {
                all.push(*file);
            }
            all
        })
    }
}

/// libcapvec: portable C, and the kernels for riscv64.
pub fn library() -> [&'static Part; 2] {
    [&PORTABLE, &NATIVE]
}
