//! Virtual objects as the calling thread sees them: what their directories contain, where their links lead, and their
//! attributes.

mod directory;
pub(super) mod link;
pub(super) mod stat;
