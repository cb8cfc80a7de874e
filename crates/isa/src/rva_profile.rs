//! Names for sets of extensions: profiles, and G.

use crate::ext::{Ext, ExtSet};
use crate::generated::names::PROFILES;

/// The extensions that profile `name` mandates, including all that they imply.
pub fn profile(name: &str) -> Option<ExtSet> {
    PROFILES.iter().find(|p| p.0 == name).map(|p| p.1.closed())
}

/// The general-purpose abbreviation `g`.
pub(crate) const G: ExtSet =
    ExtSet::of(&[Ext::I, Ext::M, Ext::A, Ext::F, Ext::D, Ext::Zicsr, Ext::Zifencei]);
