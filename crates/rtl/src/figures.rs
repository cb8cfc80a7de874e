//! Figures of the core: cycles and instructions of libcapvec's kernels, in lockstep with the simulator, and what a core model
//! predicts for the same program.
//!
//! The program is `crypto/examples/cycles`. It checks known answers and counts its own cycles.

use crate::hart::{Cosim, Ended, Model, simulated};
use anyhow::{Context, Result, bail, ensure};
use capvec_bare::{Bare, Image, Options, Outcome};
use capvec_timing::{Core, Setting};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// The first line of the program's output.
const HEADER: &str = "case,blocks,cold_cycles,cold_instructions,warm_cycles,warm_instructions";
/// A program that has not ended after this many instructions is stopped.
const MOST: u64 = 1 << 30;

/// Counts of one run of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Cycles.
    pub cycles: u64,
    /// Retired instructions.
    pub instructions: u64,
}

/// The figures of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its name in the program.
    pub case: String,
    /// Blocks that it processes.
    pub blocks: u64,
    /// The first run.
    pub cold: Counts,
    /// The second run.
    pub warm: Counts,
}

/// The core model of the RTL with this width of the datapath.
///
/// # Errors
/// The core model lacks a parameter.
pub fn core_model(dlen: u32) -> Result<Core> {
    const MODEL: &str = "zvku";
    /// The width that the file of the model has.
    const OWN: u32 = 128;
    let core = Core::load(MODEL)?;
    let set = |key: &str, value: u32| Setting { key: key.into(), value: value.to_string() };
    let gather = |key: &str| Setting { key: key.into(), value: (64.0 / dlen as f64).to_string() };
    // Beats of a group before its last one. From DLEN 256 on, a group of 256 bits is one beat.
    // At DLEN 64, beats without groups are taken in pairs, too.
    let (group, half) = if dlen < 256 { (256 / dlen - 1, 128 / dlen - 1) } else { (0, 0) };
    // At DLEN 64 a group of 256 bits takes five cycles, not four: its second half waits until the
    // first one has left in two beats.
    let pace = |key: &str| Setting {
        key: key.into(),
        value: if dlen == 64 { "1.25" } else { "1" }.into(),
    };
    let settings = [
        set("dcache.width", dlen / 8),
        set("vector.datapath", dlen),
        set("vector.granule", dlen),
        set("vector.memory_bits", dlen),
        set("vector.class.vaes.first", 1 + half),
        set("vector.class.vghash.first", 1 + half),
        set("vector.class.vclmul.first", 1 + half),
        set("vector.class.vsm4.first", 4 + half),
        set("vector.class.vsha2.first", 2 + half),
        set("vector.class.vsha2-64.first", 2 + group),
        pace("vector.class.vsha2-64.next"),
        set("vector.class.vsm3.first", 1 + group),
        pace("vector.class.vsm3.next"),
        gather("vector.class.vgather.first"),
        gather("vector.class.vgather.next"),
    ];
    if dlen == OWN { Ok(core) } else { Ok(core.with(&settings)?) }
}

/// The figures in the program's output.
///
/// # Errors
/// Another output than the program's.
pub fn parse(console: &str) -> Result<Vec<Figure>> {
    let mut lines = console.lines();
    ensure!(lines.next() == Some(HEADER), "not the output of crypto/examples/cycles: {console:?}");
    lines.map(|line| figure(line).with_context(|| format!("in the output: {line:?}"))).collect()
}

fn figure(line: &str) -> Option<Figure> {
    // A case's name may contain commas.
    let mut fields = line.rsplitn(6, ',');
    let mut number = || fields.next()?.parse().ok();
    let mut counts = || {
        let instructions = number()?;
        Some(Counts { cycles: number()?, instructions })
    };
    let (warm, cold) = (counts()?, counts()?);
    let blocks = number().filter(|n| *n > 0)?;
    Some(Figure { case: fields.next()?.to_string(), blocks, cold, warm })
}

/// Runs the program on the core, in lockstep.
///
/// # Errors
/// The first difference from the simulator, or a wrong answer.
pub fn measure(model: Model, image: &Image) -> Result<(Vec<Figure>, Ended)> {
    let ended = Cosim::new(model, image, None)?.run(MOST)?;
    if let Some(lacking) = ended.lacking.first() {
        bail!("the core lacks {lacking}");
    }
    ensure!(ended.code == Some(0), "the program ends with {:?}: an answer is wrong", ended.code);
    Ok((parse(&ended.console)?, ended))
}

/// The program's output.
#[derive(Clone, Default)]
struct Console(Arc<Mutex<Vec<u8>>>);

impl Write for Console {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(text)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Runs the program in the simulator, on a core model.
///
/// # Errors
/// The program does not fit, or an answer is wrong.
pub fn predict(core: &Core, vlen: u32, image: &Image) -> Result<Vec<Figure>> {
    let console = Console::default();
    let options = Options {
        config: Arc::new(simulated(vlen, &[])?),
        memory: 1 << 20,
        max_insns: Some(MOST),
        timeout: None,
        interrupt: None,
        console: Box::new(console.clone()),
        log: None,
    };
    let core = Core { vlen, ..core.clone() };
    let outcome = Bare::new(image, options)?.run(core.engine(false).as_mut());
    ensure!(outcome == Outcome::Exit(0), "the program ends with {outcome:?}");
    let text = console.0.lock().unwrap_or_else(PoisonError::into_inner);
    parse(&String::from_utf8_lossy(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hart::DLENS;

    #[test]
    fn the_core_model_exists_at_every_width() {
        for dlen in DLENS {
            core_model(dlen).unwrap();
        }
    }

    #[test]
    fn lines_are_read_from_the_end() {
        let text = format!("{HEADER}\nvghsh, vl 16,256,5,6,7,8\n");
        let cold = Counts { cycles: 5, instructions: 6 };
        let warm = Counts { cycles: 7, instructions: 8 };
        let figure = Figure { case: "vghsh, vl 16".into(), blocks: 256, cold, warm };
        assert_eq!(parse(&text).unwrap(), [figure]);
        for bad in ["", "case\n", &format!("{HEADER}\nx,0,1,1,1,1"), &format!("{HEADER}\nx,1,2")] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
