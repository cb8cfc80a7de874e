//! User-mode Linux for the simulator.
