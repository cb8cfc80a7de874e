//! Time: the guest's clocks, and CPU time. The timers of processes are in `process/timers.rs`.

pub mod clock;
mod cpu_time;
pub mod devices;
mod tick;

pub use cpu_time::CpuTime;
