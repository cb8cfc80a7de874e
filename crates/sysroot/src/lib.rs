//! Package trees of other architectures, through apt.
