//! What is computed from the facts of a record (`compute`). Files have it too, for other programs that read them; capvec computes
//! it anew, whatever a file says.

pub mod explanation;
pub mod fit;
pub mod row;
