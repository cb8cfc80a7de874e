//! A host that is not Linux: no machine can be made. What each method is for is said where Linux has it.

#![expect(missing_docs, reason = "none of these methods can be called")]

use crate::interface::{ConfineError, Event, Exit, LoadError, Net, Options, ResumeRequest};
use capvec_sim::debug::Controls;
use capvec_sim::{Engine, Hart};
use std::convert::Infallible;

/// A machine, of which there is none here.
pub struct Machine(Infallible);

impl Machine {
    /// Refuses.
    ///
    /// # Errors
    /// Always [`LoadError::NotLinux`].
    pub fn new(_: Options, _: Box<dyn Engine>) -> Result<Machine, LoadError> {
        Err(LoadError::NotLinux)
    }

    pub fn confine(&self) -> Result<(), ConfineError> {
        match self.0 {}
    }

    pub fn run(&mut self) -> Exit {
        match self.0 {}
    }

    pub fn engine(&self) -> &dyn Engine {
        match self.0 {}
    }

    pub fn set_controls(&mut self, _: Controls) -> bool {
        match self.0 {}
    }

    pub fn resume(&mut self, _: ResumeRequest, _: &mut dyn FnMut() -> bool) -> Event {
        match self.0 {}
    }

    pub fn detach(&mut self) {
        match self.0 {}
    }

    pub fn end(&mut self, _: i32) {
        match self.0 {}
    }

    pub fn must_stop(&self) -> bool {
        match self.0 {}
    }

    pub fn threads(&self) -> Vec<i32> {
        match self.0 {}
    }

    pub fn thread_name(&self, _: i32) -> Vec<u8> {
        match self.0 {}
    }

    pub fn with_hart(&mut self, _: i32, _: &mut dyn FnMut(&mut Hart)) -> bool {
        match self.0 {}
    }

    pub fn auxv(&self) -> Vec<u8> {
        match self.0 {}
    }

    pub fn program(&self) -> Vec<u8> {
        match self.0 {}
    }

    pub fn file(&self, _: &[u8]) -> Option<Vec<u8>> {
        match self.0 {}
    }

    pub fn link(&self, _: &[u8]) -> Option<Vec<u8>> {
        match self.0 {}
    }
}

/// The name of a system call, which nobody makes here.
pub fn call_name(_: u64) -> &'static str {
    "a system call"
}

/// Refuses: other hosts have no such filter.
///
/// # Errors
/// Always.
pub fn confine(_: Net) -> Result<(), ConfineError> {
    Err(ConfineError::Architecture(std::env::consts::OS))
}
