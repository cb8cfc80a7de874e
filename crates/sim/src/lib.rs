//! RISC-V hart, memory, semantics, reference interpreter.
