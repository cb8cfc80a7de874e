//! What the tests share.

use capvec_language::{Direction, Errors, Machine, Memory, Port, Program, Source, Type, compile};
use std::convert::Infallible;

/// SplitMix64, from `CAPVEC_SEED` or a fixed seed. The seed is printed, so the output of a failing test shows it.
pub struct Rng(u64);

impl Rng {
    pub fn new() -> Rng {
        let seed = std::env::var("CAPVEC_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
        println!("CAPVEC_SEED={seed}");
        Rng(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: u32) -> u32 {
        (self.next() % u64::from(n)) as u32
    }

    /// A number of `width` bits: often random, often an edge.
    pub fn bits(&mut self, width: u32) -> u128 {
        let random = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(8) {
            0 => 0,
            1 => u128::MAX,
            2 => 1 << (width - 1),
            3 => random >> (self.below(width) + 128 - width),
            4 => 1 << self.below(width),
            _ => random,
        };
        value & u128::MAX >> (128 - width)
    }
}

/// Memory in which every byte is the low byte of its address.
pub struct Bytes;

impl Memory for Bytes {
    type Fault = Infallible;

    fn load(&mut self, address: u64, bytes: u8) -> Result<u64, Infallible> {
        let byte = |n: u8| address.wrapping_add(u64::from(n)) & 0xff;
        Ok((0..bytes).rev().fold(0, |all, n| all << 8 | byte(n)))
    }
}

pub fn port(name: &str, ty: Type, direction: Direction) -> Port {
    Port { name: name.into(), ty, direction }
}

pub fn try_compile(text: &str, ports: &[Port]) -> Result<Program, Errors> {
    compile(&Source { file: "my.toml", line: 1, text }, ports, &[("SEW", 32)])
}

pub fn machine(text: &str, ports: &[Port]) -> Machine {
    try_compile(text, ports).unwrap_or_else(|e| panic!("{text}\n{e}")).machine()
}

/// Inputs a, b and n, and the output r.
pub fn ports(widths: [u32; 4]) -> Vec<Port> {
    let [a, b, n, r] = widths.map(Type::bits);
    vec![
        port("a", a, Direction::In),
        port("b", b, Direction::In),
        port("n", n, Direction::In),
        port("r", r, Direction::Out),
    ]
}

pub fn set(machine: &mut Machine, port: usize, value: u128) {
    for (n, word) in machine.input(port).iter_mut().enumerate() {
        *word = (value >> (64 * n)) as u64;
    }
}

pub fn get(machine: &Machine, port: usize) -> u128 {
    machine.output(port).iter().rev().fold(0, |all, word| all << 64 | u128::from(*word))
}

/// The output of a program with the ports of [`ports`].
pub fn run(text: &str, widths: [u32; 4], values: [u128; 3]) -> u128 {
    let mut machine = machine(text, &ports(widths));
    for (n, value) in values.into_iter().enumerate() {
        set(&mut machine, n, value);
    }
    machine.run().unwrap();
    get(&machine, 3)
}
