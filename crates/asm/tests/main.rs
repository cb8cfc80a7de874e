//! The assembler against the decoder, the disassembler and the simulator.

mod pseudo;
mod rows;
mod text;
