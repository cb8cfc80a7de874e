//! What `capvec check` found in code of the user's own.

use crate::grid::{Grid, Section};
use crate::shown::Tables;
use anyhow::Result;
use capvec_text::csv;
use serde::Serialize;

/// The version of the format.
pub const VERSION: u32 = 1;

/// What the columns mean.
const LEGEND: &str = "\
Each call was made with known values in the registers that it has to keep. known answers: how often they were computed, in several states
of the vector unit. buffers: those of capvec_buffer, which lie next to memory that cannot be accessed, at several alignments. Accesses to
other memory are not checked.
";

/// What the columns of faults mean.
const FAULTS: &str = "\
times: on how many harts, sizes, placements of buffers and states of the vector unit; first: one of them.
";

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Checked {
    /// Version of the format.
    pub checked: u32,
    /// The tool and its version.
    pub tool: String,
    /// The name of the code.
    pub subject: String,
    /// What was found on each hart.
    pub harts: Vec<Hart>,
}

/// What was found on one hart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Hart {
    /// The core.
    pub core: String,
    /// VLEN in bits.
    pub vlen: u32,
    /// Capability set.
    pub capset: String,
    /// What became of agnostic elements.
    pub agnostic: String,
    /// How often known answers were computed, each time in another state of the vector unit or with other buffers.
    pub answers: usize,
    /// Calls that were made; one that crashes is the last.
    pub calls: usize,
    /// Buffers of the code that have memory next to them that cannot be accessed.
    pub buffers: usize,
    /// Faults.
    pub faults: Vec<Fault>,
}

/// A fault.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fault {
    /// The measurement or known answer.
    pub title: String,
    /// Message size in bytes.
    pub bytes: usize,
    /// Where the buffers were.
    pub place: String,
    /// What vl and vtype were when the code was entered, unless it was the usual state.
    pub entered: String,
    /// What is wrong.
    pub what: String,
}

impl Tables for Checked {
    /// A line for each hart, and a line for each kind of fault of a call.
    fn sections(&self) -> Result<Vec<Section>> {
        let mut sections = Vec::new();
        // The same fault is usually found on every hart, for every size.
        let mut faults: Vec<(&Fault, String, usize)> = Vec::new();
        for (h, f) in self.harts.iter().flat_map(|h| h.faults.iter().map(move |f| (h, f))) {
            match faults.iter_mut().find(|(o, ..)| (&o.title, &o.what) == (&f.title, &f.what)) {
                Some((.., times)) => *times += 1,
                None => faults.push((f, h.name(), 1)),
            }
        }
        let faults: Vec<Vec<String>> = faults
            .into_iter()
            .map(|(f, hart, times)| {
                let first = match f.place.is_empty() && f.entered.is_empty() && f.bytes == 0 {
                    true => hart,
                    false => format!("{hart}; {}", f.call()),
                };
                vec![f.title.clone(), f.what.clone(), first, times.to_string()]
            })
            .collect();
        let line = |h: &Hart| {
            vec![
                h.core.clone(),
                h.vlen.to_string(),
                h.capset.clone(),
                h.agnostic.clone(),
                h.answers.to_string(),
                h.calls.to_string(),
                h.buffers.to_string(),
                h.faults.len().to_string(),
            ]
        };
        let head = [
            "core",
            "VLEN",
            "capability set",
            "agnostic elements",
            "known answers",
            "calls",
            "buffers",
            "faults",
        ];
        let grid = Grid::of(&head, self.harts.iter().map(line).collect());
        sections.push(Section { title: "Checks", grid, legend: LEGEND.into() });
        if !faults.is_empty() {
            let grid = Grid::of(&["case", "why", "first", "times"], faults);
            sections.push(Section { title: "Faults", grid, legend: FAULTS.into() });
        }
        Ok(sections)
    }
}

impl Checked {
    /// The first fault, as a sentence.
    pub fn first(&self) -> Option<String> {
        let hart = self.harts.iter().find(|h| !h.faults.is_empty())?;
        let fault = hart.faults.first()?;
        Some(format!("{}: {}: {}", hart.name(), fault.call(), fault.what))
    }

    /// A line per fault; only the head if there is none.
    pub fn csv(&self) -> String {
        let mut text = String::from("core,vlen,capset,agnostic,case,bytes,place,entered,fault\n");
        for h in &self.harts {
            for f in &h.faults {
                let fields = [
                    h.core.clone(),
                    h.vlen.to_string(),
                    h.capset.clone(),
                    h.agnostic.clone(),
                    f.title.clone(),
                    f.bytes.to_string(),
                    f.place.clone(),
                    f.entered.clone(),
                    f.what.clone(),
                ];
                text += &(fields.map(|f| csv::field(&f)).join(",") + "\n");
            }
        }
        text
    }
}

impl Hart {
    fn name(&self) -> String {
        format!("{}, VLEN {}, {}, {}", self.core, self.vlen, self.capset, self.agnostic)
    }
}

impl Fault {
    /// Where it was found.
    pub fn call(&self) -> String {
        let sized = if self.bytes > 0 { format!(", {} bytes", self.bytes) } else { String::new() };
        let placed =
            if self.place.is_empty() { String::new() } else { format!(", buffers {}", self.place) };
        let entered = match self.entered.as_str() {
            "" => String::new(),
            state => format!(", entered with {state}"),
        };
        format!("{}{sized}{placed}{entered}", self.title)
    }
}
