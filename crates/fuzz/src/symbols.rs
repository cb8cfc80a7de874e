//! Programs whose symbols a profile reads.

use capvec_profile::{Recorder, Shared};
use capvec_sim::calls::{Area, Event, Follower, JUMP, Observer};
use std::cell::RefCell;
use std::rc::Rc;

/// Any file can be mapped and executed; every address is in some function, and every instruction is attributed.
pub fn run(data: &[u8]) {
    let recorder = Rc::new(RefCell::new(Recorder::new(true)));
    let mut shared = Shared(Rc::clone(&recorder));
    let path: Rc<[u8]> = b"/lib/file".as_slice().into();
    let addresses = 0x1_0000..0x10_0000;
    let file = Some((path, 1));
    let areas = vec![Area { addresses: addresses.clone(), offset: 0x1000, file }];
    recorder.borrow_mut().program(1, 1, "program");
    // The file is its own detached file, too.
    recorder.borrow_mut().image(0, areas, &|_| Some(data.to_vec()));
    let mut instret = 0;
    for to in addresses.step_by(0x3e) {
        instret += 1;
        let link = if to & 2 == 0 { JUMP } else { to };
        if shared.crosses(to, to ^ 0x40) {
            shared.take(&[Event { to, link, sp: to, instret, ticks: instret * 16 }]);
        }
    }
}
