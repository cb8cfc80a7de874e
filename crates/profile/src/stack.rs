//! The shadow stack of a thread. It follows calls and returns by return address and stack pointer, so it survives tail
//! calls, longjmp, unwinding and signal handlers.

use crate::tree::Tree;

/// `Frame::ret` of a signal handler's frame. No return goes there, since it is odd.
const INTERRUPT: u64 = 1;
/// Maximum number of frames; when there are more, the newer half is forgotten, and the older calls still return to their callers.
/// At this depth all calls of a function have one node, so returns that find no frame change nothing.
const MAX_FRAMES: usize = 1 << 16;

/// A call that has not returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where it returns to.
    pub ret: u64,
    /// The stack pointer at the call.
    pub sp: u64,
    /// The caller's node.
    pub node: u32,
}

/// A thread's shadow stack.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The calls, the innermost last.
    pub frames: Vec<Frame>,
    /// The node of the function that runs.
    pub node: u32,
    /// The stack pointer when the thread last stopped, if it has run.
    pub stopped: Option<u64>,
}

impl Stack {
    /// A thread that has not run, below `node`.
    pub fn new(node: u32) -> Stack {
        Stack { frames: Vec::new(), node, stopped: None }
    }

    /// Records a call by `caller`.
    #[inline(always)]
    pub fn call(&mut self, ret: u64, sp: u64, caller: u32) {
        if self.frames.len() == MAX_FRAMES {
            self.frames.truncate(MAX_FRAMES / 2);
        }
        self.frames.push(Frame { ret, sp, node: caller });
    }

    /// Ends the innermost call if it returns to `to` with this stack pointer; returns the caller's node if it does.
    #[inline(always)]
    pub fn returns(&mut self, to: u64, sp: u64) -> Option<u32> {
        let ended = self.frames.pop_if(|f| f.ret == to && f.sp == sp)?;
        Some(ended.node)
    }

    /// Whether the stack pointer is above the innermost frame, which therefore has ended.
    #[inline(always)]
    pub fn has_ended(&self, sp: u64) -> bool {
        self.frames.last().is_some_and(|f| f.sp < sp && f.ret != INTERRUPT)
    }

    /// Ends the calls whose frames are below the stack pointer: by longjmp, for example. A signal handler may have a stack
    /// of its own at any address, so its frame stays.
    pub fn unwind(&mut self, sp: u64) {
        while self.has_ended(sp) {
            self.pop();
        }
    }

    /// A jump to `to`, in `function`, through a link register, that does not return from the innermost call: it returns
    /// from an outer one, or resumes a function after longjmp or when an exception is caught.
    pub fn return_outside(&mut self, tree: &Tree, to: u64, sp: u64, function: u32) {
        loop {
            self.unwind(sp);
            if let Some(caller) = self.returns(to, sp) {
                self.node = caller;
                return;
            }
            match self.frames.last() {
                // The function that resumes had called with this stack pointer.
                Some(f) if f.sp == sp && tree.node(f.node).function == function => self.pop(),
                // A signal handler is left for an outer function.
                Some(f) if f.ret == INTERRUPT && f.sp < sp => self.pop(),
                _ => return,
            }
        }
    }

    /// The thread continues at another address than where it stopped, with another stack pointer: at the start of a signal
    /// handler, or where one had interrupted it. In the latter case, ends the handler and returns true.
    pub fn resume_elsewhere(&mut self, sp: u64) -> bool {
        let interrupted = |f: &Frame| f.ret == INTERRUPT && f.sp == sp;
        let Some(at) = self.frames.iter().rposition(interrupted) else { return false };
        self.node = self.frames[at].node;
        self.frames.truncate(at);
        true
    }

    /// A signal handler begins to run, whose node is `node`; the thread had stopped with this stack pointer.
    pub fn interrupt(&mut self, sp: u64, node: u32) {
        self.call(INTERRUPT, sp, self.node);
        self.node = node;
    }

    fn pop(&mut self) {
        if let Some(f) = self.frames.pop() {
            self.node = f.node;
        }
    }
}
