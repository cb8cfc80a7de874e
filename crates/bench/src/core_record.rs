//! Core models in the form that records have.

use capvec_record::{ChangeRecord, CoreRecord, ParameterRecord};
use capvec_timing::Core;
use std::sync::Arc;

/// A core's entry in a record: everything that its figures depend on.
///
/// # Errors
/// A value cannot be written.
pub fn record(core: &Core) -> serde_json::Result<CoreRecord> {
    let identity = &core.identity;
    let changes = identity.changes.iter().map(|c| ChangeRecord {
        key: c.key.clone(),
        from: c.from.clone(),
        to: c.to.clone(),
    });
    let parameters = core.parameters.iter().map(|p| {
        let value = serde_json::to_value(&p.value)?;
        Ok(Arc::new(ParameterRecord { key: p.key.clone(), value, source: p.source.clone() }))
    });
    Ok(CoreRecord {
        name: core.name.clone(),
        label: identity.label.clone(),
        base: identity.base.clone(),
        title: core.title.clone(),
        digest: identity.digest.clone(),
        settings: identity.settings.clone(),
        changes: changes.collect(),
        parameters: parameters.collect::<serde_json::Result<_>>()?,
    })
}
