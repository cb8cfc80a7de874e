//! The parts of the kernel's state that have no folder of their own.

use crate::fs::Vfs;
use crate::interface::{Concealed, Net};
use crate::netlink::Ports;
use crate::space::{Account, Layout, SharedFiles, Space};
use capvec_isa::ExtSet;
use capvec_isa::capability::Misaligned;
use capvec_sim::Config;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The core, and what programs may know of it.
pub struct Core {
    /// Its configuration with all its extensions: a process may have turned some off.
    pub config: Arc<Config>,
    /// Features that are not reported to programs.
    pub concealed: Concealed,
    /// Its name for `/proc/cpuinfo`.
    pub name: String,
    /// Speed of misaligned scalar and vector accesses.
    pub misaligned: [Misaligned; 2],
}

impl Core {
    /// The extensions that programs may know of: without the concealed ones, and without those that imply one of them.
    pub fn visible_exts(&self, config: &Config) -> ExtSet {
        let hidden = self.concealed.exts;
        let reveals = |e: &capvec_isa::Ext| ExtSet::of(&[*e]).closed().intersects(hidden);
        config.exts.iter().filter(|e| !reveals(e)).collect()
    }
}

/// Guest memory.
pub struct MemoryState {
    /// The memory account, and the host's request to stop.
    pub account: Rc<Account>,
    /// Where the parts of a new program's address space lie.
    pub layout: Layout,
    /// The address space of processes that have ended.
    pub no_space: Rc<RefCell<Space>>,
}

/// Files.
pub struct Files {
    /// The file system.
    pub vfs: Vfs,
    /// Shared mappings of files.
    pub mapped: SharedFiles,
    /// `Vfs::activity` when the waiting threads were last checked.
    pub seen_activity: u64,
}

/// Sockets beyond `AF_UNIX`.
pub struct Network {
    /// Sockets that the guest can make.
    pub allowed: Net,
    /// Ports of sockets of `AF_NETLINK`.
    pub netlink_ports: Ports,
}
