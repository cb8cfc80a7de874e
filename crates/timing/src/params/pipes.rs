//! How many instructions of each kind start in a cycle.

use capvec_isa::Class;

/// The kinds of pipes that a core may have fewer of than its issue width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipe {
    /// Everything that no other pipe executes.
    Alu,
    /// Loads and atomics.
    Load,
    /// Stores.
    Store,
    /// Branches and jumps.
    Branch,
    /// Multiplication, division and carry-less multiplication.
    Multiply,
    /// Floating point.
    Float,
    /// Vector instructions, which are only dispatched there.
    Vector,
}

impl Pipe {
    /// All kinds, in order of declaration.
    pub const ALL: [Pipe; 7] = [
        Pipe::Alu,
        Pipe::Load,
        Pipe::Store,
        Pipe::Branch,
        Pipe::Multiply,
        Pipe::Float,
        Pipe::Vector,
    ];

    /// The pipe that executes a class.
    pub fn of(class: Class) -> Pipe {
        match class {
            Class::Load | Class::Amo => Pipe::Load,
            Class::Store | Class::Cache => Pipe::Store,
            Class::Branch | Class::Jump => Pipe::Branch,
            Class::Mul | Class::Div | Class::Clmul => Pipe::Multiply,
            Class::Fp | Class::Fma | Class::Fdiv | Class::Fmove => Pipe::Float,
            c if c.is_vector() => Pipe::Vector,
            _ => Pipe::Alu,
        }
    }

    /// The parameter that says how many there are.
    pub const fn key(self) -> &'static str {
        match self {
            Pipe::Alu => "issue.alu",
            Pipe::Load => "issue.load",
            Pipe::Store => "issue.store",
            Pipe::Branch => "issue.branch",
            Pipe::Multiply => "issue.multiply",
            Pipe::Float => "issue.float",
            Pipe::Vector => "issue.vector",
        }
    }
}

/// Instructions that started in a cycle, by pipe.
pub type Started = [u32; Pipe::ALL.len()];

/// Instructions that pipes take in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipes {
    /// By kind; `None` if only the issue width limits them.
    pub each: [Option<u32>; Pipe::ALL.len()],
    /// Loads and stores together.
    pub memory: Option<u32>,
}

impl Pipes {
    /// Whether a pipe takes another instruction in a cycle in which these have started.
    pub fn has_room(&self, pipe: Pipe, started: &Started) -> bool {
        let below = |limit: Option<u32>, n: u32| limit.is_none_or(|limit| n < limit);
        let memory = started[Pipe::Load as usize] + started[Pipe::Store as usize];
        below(self.each[pipe as usize], started[pipe as usize])
            && (!matches!(pipe, Pipe::Load | Pipe::Store) || below(self.memory, memory))
    }

    /// Whether an instruction that occupies this pipe for several cycles keeps only its own kind from starting.
    pub fn is_separate(&self, pipe: Pipe) -> bool {
        self.each[pipe as usize].is_some()
    }
}
