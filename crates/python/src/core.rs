//! Core models.

use crate::error::error;
use capvec_timing::{Core, Setting};
use pyo3::prelude::*;

/// The names of the shipped cores.
#[pyfunction]
pub fn core_names() -> Vec<&'static str> {
    Core::names().collect()
}

/// A core with its parameters. `capvec.Core` describes it.
#[pyclass(name = "Core", module = "capvec._native", subclass, frozen)]
pub struct NativeCore {
    pub core: Core,
    /// What was loaded: a name or a path.
    from: String,
    settings: Vec<(String, String)>,
}

#[pymethods]
impl NativeCore {
    /// The core of this name or file, with these parameters set.
    #[new]
    #[pyo3(signature = (name, settings = Vec::new()))]
    fn new(name: &str, settings: Vec<(String, String)>) -> PyResult<NativeCore> {
        let core = Core::load(name).map_err(error)?;
        let set =
            |(key, value): &(String, String)| Setting { key: key.clone(), value: value.clone() };
        let set: Vec<Setting> = settings.iter().map(set).collect();
        let core = if set.is_empty() { core } else { core.with(&set).map_err(error)? };
        Ok(NativeCore { core, from: name.into(), settings })
    }

    /// The name of the core.
    #[getter]
    fn name(&self) -> &str {
        &self.core.name
    }

    /// Its name in tables and records: the name, and the settings if there are any.
    #[getter]
    fn label(&self) -> &str {
        &self.core.identity.label
    }

    /// What the core is, in a few words.
    #[getter]
    fn title(&self) -> &str {
        &self.core.title
    }

    /// Its ISA string.
    #[getter]
    fn isa(&self) -> String {
        self.core.isa.to_string()
    }

    /// Bits of a vector register.
    #[getter]
    fn vlen(&self) -> u32 {
        self.core.vlen
    }

    /// Clock frequency in hertz.
    #[getter]
    fn frequency(&self) -> u64 {
        self.core.frequency
    }

    /// How it counts cycles: `in-order`, `out-of-order`, or `ideal` for one cycle per instruction.
    #[getter]
    fn model(&self) -> &'static str {
        self.core.model.name()
    }

    /// SHA-256 of its parameters, in hexadecimal.
    #[getter]
    fn digest(&self) -> &str {
        &self.core.identity.digest
    }

    /// What the core was loaded from, and the settings since.
    #[getter]
    fn origin(&self) -> (String, Vec<(String, String)>) {
        (self.from.clone(), self.settings.clone())
    }

    /// Each parameter: its key, its value as JSON, and its source.
    fn parameter_list(&self) -> PyResult<Vec<(String, String, String)>> {
        let each = self.core.parameters.iter().map(|p| {
            let value = serde_json::to_string(&p.value).map_err(error)?;
            Ok((p.key.clone(), value, p.source.clone()))
        });
        each.collect()
    }
}
