//! Core models: cycles from retired instructions.
