//! The connection of `--gdb`: each line is the contents of a packet, or raw bytes if it begins with `!`.

use capvec_bare::testing::{CODE, exit, program, word};
use capvec_bare::{Bare, Image, Options};
use capvec_gdb::{BareDebuggee, Connection, Debuggee, End, Event, SessionError, System};
use capvec_isa::{Isa, Op};
use capvec_linux::ResumeRequest;
use capvec_sim::Hart;
use capvec_sim::debug::Controls;
use capvec_timing::Core;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

/// Maximum number of instructions of a run.
const INSNS: u64 = 2_000;

/// A bare hart that claims to be a Linux system, so that requests for files are answered, too.
struct Fake<'a>(BareDebuggee<'a>);

impl Debuggee for Fake<'_> {
    fn set_controls(&mut self, controls: &Controls) {
        self.0.set_controls(controls);
    }

    fn resume(&mut self, request: ResumeRequest, poll: &mut dyn FnMut() -> bool) -> Event {
        self.0.resume(request, poll)
    }

    fn detach(&mut self) {
        self.0.detach();
    }

    fn end(&mut self, signal: i32) {
        self.0.end(signal);
    }

    fn must_stop(&self) -> bool {
        self.0.must_stop()
    }

    fn threads(&self) -> Vec<i32> {
        self.0.threads()
    }

    fn thread_name(&self, tid: i32) -> Vec<u8> {
        self.0.thread_name(tid)
    }

    fn with_hart(&mut self, tid: i32, f: &mut dyn FnMut(&mut Hart)) -> bool {
        self.0.with_hart(tid, f)
    }

    fn system(&self) -> Option<&dyn System> {
        Some(self)
    }
}

impl System for Fake<'_> {
    fn auxv(&self) -> Vec<u8> {
        vec![0; 320]
    }

    fn program(&self) -> Vec<u8> {
        b"/bin/true".to_vec()
    }

    fn file(&self, path: &[u8]) -> Option<Vec<u8>> {
        (!path.is_empty()).then(|| path.repeat(1000))
    }

    fn link(&self, path: &[u8]) -> Option<Vec<u8>> {
        path.starts_with(b"/l").then(|| path.to_vec())
    }
}

/// A loop that counts, stores and loads, then the program's end.
fn machine(core: &Core) -> Bare {
    let mut words = vec![
        word(Op::Addi, 6, 0, 0, 100),
        word(Op::Addi, 6, 6, 0, -1),
        word(Op::Auipc, 7, 0, 0, 0),
        word(Op::Sd, 0, 7, 6, 1024),
        word(Op::Ld, 8, 7, 0, 1024),
        word(Op::Bne, 0, 6, 0, -16),
    ];
    words.extend(exit(0));
    let image = Image::parse(&program(&words)).expect("a program of this crate's own");
    assert_eq!(image.entry, CODE);
    let isa: Isa = "rv64gcv_zicntr".parse().expect("a known ISA");
    let options = Options {
        config: Arc::new(core.hart(isa)),
        memory: 1 << 20,
        max_insns: Some(INSNS),
        timeout: Some(std::time::Duration::from_secs(5)),
        interrupt: None,
        console: Box::new(std::io::sink()),
        log: None,
    };
    Bare::new(&image, options).expect("it fits into memory")
}

/// What is sent for these lines.
fn framed(data: &[u8]) -> Vec<u8> {
    let mut sent = b"+".to_vec();
    for line in data.split(|b| *b == b'\n') {
        match line.strip_prefix(b"!") {
            Some(raw) => sent.extend(raw),
            None => {
                let sum = line.iter().fold(0u8, |sum, b| sum.wrapping_add(*b));
                sent.push(b'$');
                sent.extend(line);
                sent.extend(format!("#{sum:02x}+").bytes());
            }
        }
    }
    sent
}

/// Sends all of it to a session.
pub fn run(data: &[u8]) {
    // Any end is right.
    let _ = session(data);
}

/// How a session with this input ends, and its answers.
fn session(data: &[u8]) -> (Result<End, SessionError>, Vec<u8>) {
    let core = Core::load("karu64").expect("a core that is built in");
    let (mut gdb, stub) = UnixStream::pair().expect("a pair of sockets");
    let mut answers = gdb.try_clone().expect("a descriptor");
    let sent = framed(data);
    std::thread::scope(|s| {
        s.spawn(move || {
            // The session may end before everything was sent.
            let _ = gdb.write_all(&sent);
            let _ = gdb.shutdown(std::net::Shutdown::Write);
        });
        let answers = s.spawn(move || {
            let mut all = Vec::new();
            // The session may end while there is input that nobody has read.
            let _ = answers.read_to_end(&mut all);
            all
        });
        let mut machine = machine(&core);
        let mut engine = core.engine(false);
        let mut fake = Fake(BareDebuggee::new(&mut machine, engine.as_mut()));
        let end = capvec_gdb::run(&mut fake, Connection::new(stub.into()));
        fake.0.finish();
        (end, answers.join().expect("it does not panic"))
    })
}

#[cfg(test)]
mod tests {
    use super::session;
    use capvec_gdb::End;

    /// Every packet of the corpus is answered.
    #[test]
    fn the_corpus_reaches_the_debugger() {
        let debug = include_bytes!("../../../fuzz/corpus/gdb/debug");
        let (end, answers) = session(debug);
        let text = String::from_utf8_lossy(&answers);
        assert!(matches!(end, Ok(End::Guest)), "{end:?} {text}");
        for part in ["riscv_vector", "T05thread:p01.01;swbreak:;", ";rwatch:80*", "$W00"] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        let (end, answers) = session(include_bytes!("../../../fuzz/corpus/gdb/files"));
        let text = String::from_utf8_lossy(&answers);
        assert!(matches!(end, Ok(End::Detached | End::Killed)), "{end:?} {text}");
        assert!(text.contains(";ue/bin/true/bin/true"), "{text}");
        let (end, _) = session(include_bytes!("../../../fuzz/corpus/gdb/garbage"));
        assert!(end.is_err(), "{end:?}");
    }
}
