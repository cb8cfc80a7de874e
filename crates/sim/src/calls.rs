//! Control flow between functions, as engines report it to a profile: calls, jumps through registers, and every other
//! way in which control crosses from one function into another.
//!
//! An event is logged when the last instruction of a block has retired, with the counters at that moment: before the
//! cost of the redirection, which therefore belongs to where control goes. Engines log the same events with the same
//! counters.

use crate::block::Block;
use crate::hart::Hart;
use crate::insn::{Insn, SINK};
use capvec_isa::Op;
use std::ops::Range;
use std::rc::Rc;

/// Ticks per cycle in `Event::ticks`.
pub const TICKS: u64 = 16;

/// `Event::link` of a jump.
pub const JUMP: u64 = 0;
/// `Event::link` of a jump through a link register, which is a return in most cases.
pub const RETURN: u64 = 1;

/// Control leaves a block in a way that may lead to another function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Event {
    /// Where control goes.
    pub to: u64,
    /// The return address of a call, `JUMP`, or `RETURN`.
    pub link: u64,
    /// The stack pointer.
    pub sp: u64,
    /// `Hart::instret`.
    pub instret: u64,
    /// `Hart::cycles`, in ticks. Not used without a core model, where a cycle is an instruction.
    pub ticks: u64,
}

/// Takes the events.
pub trait Observer {
    /// Whether the addresses are in different functions of the running program.
    fn crosses(&mut self, from: u64, to: u64) -> bool;

    /// Takes events, in order.
    fn take(&mut self, events: &[Event]);
}

/// An executable area of an address space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// Its addresses.
    pub addresses: Range<u64>,
    /// Offset of the area in its file.
    pub offset: u64,
    /// Path of its file or a name in brackets, with the file's inode number; `None` for anonymous memory.
    pub file: Option<(Rc<[u8]>, u64)>,
}

/// Reads a file of the guest by its path, if it can be read.
pub type Read<'a> = &'a dyn Fn(&[u8]) -> Option<Vec<u8>>;

/// Where the bytes come from that a system call has written to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received<'a> {
    /// A file of the guest, by its path.
    File(&'a [u8]),
    /// The kernel's random number generator.
    Random,
    /// Something that holds bytes between two calls.
    Stored(StoredByte),
}

/// A byte in something that holds bytes between two calls: a file, a pipe, the queue of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoredByte {
    /// Which one.
    pub object: (u64, u64),
    /// How many bytes precede it: in a file, or among those ever written to a queue.
    pub position: u64,
}

/// What a system call acts on, apart from its number. The bytes that it only passes on, such as what `write` writes, are not
/// part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// The bits of its six arguments.
    pub arguments: [u64; 6],
    /// Memory: addresses and numbers of bytes.
    pub memory: Vec<(u64, u64)>,
}

impl Used {
    /// Whether it acts on nothing.
    pub fn is_empty(&self) -> bool {
        self.arguments == [0; 6] && self.memory.is_empty()
    }
}

/// Where the registers are in the frame of a signal handler, as offsets from the stack pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// pc, in the place of x0, followed by the other x registers.
    pub x: u64,
    /// The f registers.
    pub f: u64,
    /// `fcsr`.
    pub fcsr: u64,
    /// `vcsr`, if the hart has vector registers.
    pub vcsr: Option<u64>,
    /// The pointer to the vector registers.
    pub v: Option<u64>,
}

/// Follows the threads of a system, while no engine runs.
pub trait Follower {
    /// Process `pid` runs a new program; `tid` is its only thread.
    fn program(&mut self, tid: i32, pid: i32, name: &str);

    /// Thread `parent` has made thread `tid`, of process `pid`. A new process continues where its parent is.
    fn cloned(&mut self, parent: i32, tid: i32, pid: i32);

    /// The thread has ended.
    fn ended(&mut self, tid: i32);

    /// The executable areas of an address space, which have changed. `space` is its `Memory::id`.
    fn image(&mut self, space: u64, areas: Vec<Area>, read: Read<'_>);

    /// The address space no longer exists.
    fn forget(&mut self, space: u64);

    /// The thread is about to run on this hart.
    fn resume(&mut self, tid: i32, h: &Hart);

    /// The thread that was resumed last has stopped.
    fn pause(&mut self, h: &Hart);

    /// A system call has written `bytes` bytes to memory.
    fn received(&mut self, _from: Received<'_>, _space: u64, _addr: u64, _bytes: u64) {}

    /// Whether it wants to know where bytes go and what calls act on: every event below, and `Received::Stored`.
    fn follows_bytes(&self) -> bool {
        false
    }

    /// A system call has taken `bytes` bytes from memory.
    fn sent(&mut self, _to: StoredByte, _space: u64, _addr: u64, _bytes: u64) {}

    /// A system call has copied `bytes` bytes of the file with this path.
    fn copied(&mut self, _path: &[u8], _from: StoredByte, _to: StoredByte, _bytes: u64) {}

    /// A file has been cut there: the bytes from this one on are gone.
    fn cut(&mut self, _from: StoredByte) {}

    /// The bytes of a file are also those of the memory that `Memory::shared_pages` lists under this number.
    fn shares(&mut self, _file: (u64, u64), _memory: u64) {}

    /// The memory under this number no longer exists, and another one may get its number.
    fn unshared(&mut self, _memory: u64) {}

    /// The last system call of this hart acts on these arguments and this memory.
    fn acted(&mut self, _h: &Hart, _on: &Used) {}

    /// The thread is about to run a signal handler; the stack pointer is the address of the frame with its registers.
    fn signal(&mut self, _tid: i32, _h: &Hart, _frame: &Frame) {}
}

/// How an instruction transfers control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// It calls: it writes the address after it to a link register.
    Call,
    /// It jumps through a link register.
    Return,
    /// It jumps through another register.
    Indirect,
    /// Its targets are known, or it transfers no control. Only logged where control crosses into another function.
    Direct,
}

/// The link registers of the calling convention, ra and t0 (Unprivileged ISA manual, table of return-address stack hints).
const LINKS: [u8; 2] = [1, 5];

impl Transfer {
    /// How `i` transfers control.
    pub fn of(i: &Insn) -> Transfer {
        match i.op().row().base {
            Op::Jal | Op::Jalr if LINKS.contains(&i.rd) => Transfer::Call,
            Op::Jalr if i.rd == SINK && LINKS.contains(&i.rs1) => Transfer::Return,
            Op::Jalr => Transfer::Indirect,
            _ => Transfer::Direct,
        }
    }

    /// `Event::link` for a block that ends at `end`.
    pub fn link(self, end: u64) -> u64 {
        match self {
            Transfer::Call => end,
            Transfer::Return => RETURN,
            Transfer::Indirect | Transfer::Direct => JUMP,
        }
    }
}

/// Where generated code writes its next event.
#[derive(Debug)]
#[repr(C)]
pub struct Cursor {
    /// Host address of the next event.
    pub next: u64,
    /// Host address of the end of the log's memory.
    pub end: u64,
    /// `Hart::instret` when the budget is used up.
    pub until: u64,
}

/// Events that the observer has not taken yet.
pub struct Log {
    cursor: Cursor,
    events: Box<[Event]>,
    observer: Box<dyn Observer>,
}

/// Maximum number of events in the log: few enough to stay in a host's first-level cache.
const ROOM: usize = 512;

impl Log {
    /// An empty log.
    pub fn new(observer: Box<dyn Observer>) -> Log {
        let mut events = vec![Event::default(); ROOM].into_boxed_slice();
        let range = events.as_mut_ptr_range();
        let cursor = Cursor { next: range.start as u64, end: range.end as u64, until: 0 };
        Log { cursor, events, observer }
    }

    /// Host address of the cursor. It changes if the log is moved.
    pub fn cursor(&mut self) -> u64 {
        std::ptr::from_mut(&mut self.cursor) as u64
    }

    /// Sets `Cursor::until`.
    pub fn set_end(&mut self, until: u64) {
        self.cursor.until = until;
    }

    /// See `Observer::crosses`.
    pub fn crosses(&mut self, from: u64, to: u64) -> bool {
        self.observer.crosses(from, to)
    }

    /// The block's last instruction has retired, and the hart's counters are up to date, except for a fraction of a cycle.
    pub fn after(&mut self, b: &Block, h: &Hart) {
        let Some(last) = b.insns.last() else { return };
        let transfer = Transfer::of(last);
        if transfer == Transfer::Direct && !self.crosses(b.start, h.pc) {
            return;
        }
        let (link, ticks) = (transfer.link(b.end), h.cycles.wrapping_mul(TICKS));
        self.push(Event { to: h.pc, link, sp: h.x(2), instret: h.instret, ticks });
    }

    /// Logs an event.
    pub fn push(&mut self, event: Event) {
        let at = (self.cursor.next - self.events.as_ptr() as u64) as usize / size_of::<Event>();
        self.events[at] = event;
        self.cursor.next += size_of::<Event>() as u64;
        if self.cursor.next == self.cursor.end {
            self.flush();
        }
    }

    /// Passes all events to the observer.
    pub fn flush(&mut self) {
        let start = self.events.as_ptr() as u64;
        let n = (self.cursor.next - start) as usize / size_of::<Event>();
        self.cursor.next = start;
        self.observer.take(&self.events[..n]);
    }
}
