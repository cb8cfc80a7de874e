//! Loads and stores: their order, what a fault leaves, and what may be dropped.

use crate::support::{Bytes, machine, ports, set, try_compile};
use capvec_language::{Ended, Memory, Store};

/// Memory that cannot be read from address 0x1000 on; records all loads.
#[derive(Default)]
struct Half(Vec<(u64, u8)>);

impl Memory for Half {
    type Fault = u64;

    fn load(&mut self, address: u64, bytes: u8) -> Result<u64, u64> {
        self.0.push((address, bytes));
        if address < 0x1000 {
            Bytes.load(address, bytes).map_err(|e| match e {})
        } else {
            Err(address)
        }
    }
}

const WIDTHS: [u32; 4] = [64; 4];

#[test]
fn every_width_is_loaded_in_order() {
    let text =
        "let w = load(a, 16); r = load(a, 8) ++ w ++ load(b, 32) ++ 0u8; let d = load(n, 64);";
    let mut m = machine(text, &ports(WIDTHS));
    for (port, value) in [0x10, 0x20, 0x30].into_iter().enumerate() {
        set(&mut m, port, value);
    }
    let mut memory = Half::default();
    m.run_with(&mut memory).unwrap();
    assert_eq!(m.output(3), [0x1011_1023_2221_2000]);
    // A load happens even if nobody reads its value.
    assert_eq!(memory.0, [(0x10, 2), (0x10, 1), (0x20, 4), (0x30, 8)]);
    assert!(m.stores().is_empty());
}

#[test]
fn a_load_sees_memory_as_it_was_before_the_instruction() {
    let mut m = machine("store(a, 0xffu8); r = load(a, 64); store(a, r);", &ports(WIDTHS));
    set(&mut m, 0, 8);
    m.run_with(&mut Bytes).unwrap();
    let value = 0x0f0e_0d0c_0b0a_0908;
    let stores =
        [Store { address: 8, bytes: 1, value: 0xff }, Store { address: 8, bytes: 8, value }];
    assert_eq!((m.output(3), m.stores()), (&[value][..], &stores[..]));
}

#[test]
fn only_what_is_reached_is_accessed() {
    let text = "r = if a[0] { load(b, 8) ++ 0u56 } else { 5 }; if n != 0 { store(n, a[15..0]); }";
    let mut m = machine(text, &ports(WIDTHS));
    set(&mut m, 1, 0x2000);
    let mut memory = Half::default();
    assert_eq!(m.run_with(&mut memory), Ok(()));
    assert!(memory.0.is_empty() && m.stores().is_empty());
    set(&mut m, 2, 0x40);
    assert_eq!(m.run_with(&mut memory), Ok(()));
    assert_eq!(m.stores(), [Store { address: 0x40, bytes: 2, value: 0 }]);
    // The load fails: no output changes, and nothing is to be stored.
    set(&mut m, 0, 1);
    assert_eq!(m.run_with(&mut memory), Err(Ended::Fault(0x2000)));
    assert_eq!((m.output(3), m.stores()), (&[5][..], &[][..]));
}

#[test]
fn illegal_stores_nothing() {
    let text = "r = 0; store(a, b); if n == 0 { illegal(\"no\"); }";
    let mut m = machine(text, &ports(WIDTHS));
    assert!(matches!(m.run_with(&mut Bytes), Err(Ended::Illegal(_))));
    assert!(m.stores().is_empty());
}

#[test]
fn programs_know_whether_they_access_memory() {
    let accesses = |text: &str| try_compile(text, &ports(WIDTHS)).unwrap().accesses_memory();
    assert!(accesses("r = 0; let x = load(a, 8);") && accesses("r = 0; store(a, b);"));
    assert!(!accesses("r = a;") && !accesses("r = a; if SEW == 8 { store(a, b); }"));
    assert!(accesses("fn f(x: bits(64)) -> bits(64) { return load(x, 64); } r = f(a);"));
}
