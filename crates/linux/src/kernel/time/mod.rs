//! Time: the guest's clocks, and CPU time. The timers of processes are in `process/timers.rs`.

pub mod clock;
mod cpu_time;
mod tick;

pub use cpu_time::CpuTime;
