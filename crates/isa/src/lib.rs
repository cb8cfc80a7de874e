//! Instruction table, extension sets, capability strings, decoder.
