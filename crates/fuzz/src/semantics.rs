//! Programs that say what an instruction computes.

use capvec_language::{Direction, LANES, Memory, Port, Program, Source, Type, compile};

/// Memory of which a quarter cannot be read.
struct Quarter;

impl Memory for Quarter {
    type Fault = u64;

    fn load(&mut self, address: u64, bytes: u8) -> Result<u64, u64> {
        assert!(matches!(bytes, 1 | 2 | 4 | 8));
        let value = address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - 8 * u32::from(bytes));
        if address & 3 == 3 { Err(address) } else { Ok(value) }
    }
}

/// Refuses or runs a program. Its errors have positions in the text.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let port = |name: &str, ty, direction| Port { name: name.into(), ty, direction };
    let ports = [
        port("rs1", Type::bits(64), Direction::In),
        port("rs2", Type::bits(64), Direction::In),
        port("rd", Type::bits(64), Direction::Out),
        port("state", Type::array(64, 25), Direction::InOut),
    ];
    let source = Source { file: "fuzz.toml", line: 1, text };
    match compile(&source, &ports, &[("SEW", 32)]) {
        Ok(program) => {
            let mut machine = program.machine();
            machine.input(0)[0] = u64::MAX;
            machine.input(1)[0] = 0x0123_4567_89ab_cdef;
            let first = machine.run_with(&mut Quarter);
            let outputs = (machine.output(2).to_vec(), machine.output(3).to_vec());
            let stores = machine.stores().to_vec();
            assert!(stores.is_empty() || first.is_ok() && program.accesses_memory());
            // A run leaves nothing that the next one depends on.
            assert_eq!(machine.run_with(&mut Quarter), first);
            assert_eq!((machine.output(2), machine.output(3)), (&*outputs.0, &*outputs.1));
            assert_eq!(machine.stores(), stores);
            lanes(&program);
        }
        Err(errors) => {
            let lines = text.lines().count().max(1);
            assert!(errors.0.iter().all(|e| (1..=lines).contains(&e.line)), "{errors}");
        }
    }
}

/// Every lane computes what the program computes alone, up to the first that is illegal.
fn lanes(program: &Program) {
    let (mut machine, mut lanes) = (program.machine(), program.lanes());
    let input = |lane: usize, n: usize| (lane as u64 ^ 1 << n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for lane in 0..LANES {
        (0..2).for_each(|n| lanes.input(n)[0][lane] = input(lane, n));
    }
    let ended = lanes.run(LANES);
    if program.accesses_memory() {
        return;
    }
    for lane in 0..LANES {
        (0..2).for_each(|n| machine.input(n)[0] = input(lane, n));
        match (machine.run(), &ended) {
            (Err(illegal), Err((at, why))) if *at == lane => return assert_eq!(illegal, *why),
            (run, _) => assert_eq!(run, Ok(())),
        }
        for port in [2, 3] {
            let words = lanes.output(port).iter().map(|words| words[lane]);
            assert!(words.eq(machine.output(port).iter().copied()));
        }
    }
    assert_eq!(ended, Ok(()));
}
