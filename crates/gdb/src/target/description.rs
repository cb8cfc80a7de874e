//! The target description: which registers the hart has, for gdb (manual of gdb, "Target Descriptions", "RISC-V Features").

use crate::registers::{COUNTERS, CSR0, F0, FLOATING, MACHINE, PC, V0, VECTOR, flen, has, xlen};
use capvec_isa::Ext;
use capvec_sim::Hart;
use std::fmt::Write;

/// Types of elements of vector registers: bits, gdb's type, and the field of the union.
const ELEMENTS: [(usize, &str, &str); 4] =
    [(8, "uint8", "b"), (16, "uint16", "s"), (32, "uint32", "w"), (64, "uint64", "l")];

/// The description of this hart; `linux` if it runs a program of Linux.
pub fn xml(h: &Hart, linux: bool) -> String {
    let bits = xlen(h) * 8;
    let mut text =
        String::from("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">");
    text += &format!("<target version=\"1.0\"><architecture>riscv:rv{bits}</architecture>");
    if linux {
        text += "<osabi>GNU/Linux</osabi>";
    }
    general(&mut text, bits);
    if has(h, Ext::F) {
        floating(&mut text, flen(h) * 8);
    }
    csrs(&mut text, h, bits);
    if has(h, Ext::Zve32x) {
        vectors(&mut text, h.v.vlenb());
    }
    text + "</target>"
}

fn register(text: &mut String, name: &str, bits: usize, number: usize, kind: &str) {
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "<reg name=\"{name}\" bitsize=\"{bits}\" regnum=\"{number}\" type=\"{kind}\"/>"
    );
}

fn feature(text: &mut String, name: &str, registers: impl FnOnce(&mut String)) {
    *text += &format!("<feature name=\"org.gnu.gdb.riscv.{name}\">");
    registers(text);
    *text += "</feature>";
}

fn general(text: &mut String, bits: usize) {
    feature(text, "cpu", |text| {
        for r in 0..32 {
            let kind = match r {
                1 => "code_ptr",
                2..=4 | 8 => "data_ptr",
                _ => "int",
            };
            register(text, &format!("x{r}"), bits, r, kind);
        }
        register(text, "pc", bits, PC, "code_ptr");
    });
}

fn floating(text: &mut String, bits: usize) {
    feature(text, "fpu", |text| {
        let kind = if bits == 64 { "ieee_double" } else { "ieee_single" };
        (0..32).for_each(|r| register(text, &format!("f{r}"), bits, F0 + r, kind));
    });
}

fn csrs(text: &mut String, h: &Hart, bits: usize) {
    let groups = [(Ext::F, &FLOATING[..]), (Ext::Zve32x, &VECTOR), (Ext::Zicntr, &COUNTERS)];
    let there = groups.iter().filter(|(ext, _)| has(h, *ext));
    feature(text, "csr", |text| {
        let machine = MACHINE.iter().filter(|_| h.machine.is_some());
        for (name, number) in there.flat_map(|(_, list)| list.iter()).chain(machine) {
            register(text, name, bits, CSR0 + usize::from(*number), "int");
        }
    });
}

fn vectors(text: &mut String, vlenb: usize) {
    feature(text, "vector", |text| {
        let fitting = || ELEMENTS.iter().filter(|(bits, ..)| bits / 8 <= vlenb);
        for (bits, kind, _) in fitting() {
            let count = vlenb * 8 / bits;
            *text += &format!("<vector id=\"{kind}s\" type=\"{kind}\" count=\"{count}\"/>");
        }
        *text += "<union id=\"riscv_vector\">";
        for (_, kind, name) in fitting() {
            *text += &format!("<field name=\"{name}\" type=\"{kind}s\"/>");
        }
        *text += "</union>";
        for r in 0..32 {
            register(text, &format!("v{r}"), vlenb * 8, V0 + r, "riscv_vector");
        }
    });
}
