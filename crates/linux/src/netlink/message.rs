//! Messages of netlink (`include/uapi/linux/netlink.h`): a header, a fixed part that depends on the type, and
//! attributes, each of them aligned to four bytes.

use crate::base::errno::Errno;

/// Bytes of `struct nlmsghdr` and of `struct nlattr`.
pub const HEADER: usize = 16;
const ATTRIBUTE: usize = 4;

/// Types that every protocol has.
pub const ERROR: u16 = 2;
const DONE: u16 = 3;
/// Lower types are the protocol's own business.
pub const FIRST_TYPE: u16 = 0x10;

/// Flags of a message.
pub mod flag {
    pub const REQUEST: u16 = 1;
    pub const MULTI: u16 = 2;
    pub const ACK: u16 = 4;
    /// `NLM_F_ROOT | NLM_F_MATCH`.
    pub const DUMP: u16 = 0x300;
    /// In an answer of type `ERROR`: without the payload of what it answers.
    pub const CAPPED: u16 = 0x100;
}

/// A request, as a part of what was sent.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// `nlmsg_type`.
    pub kind: u16,
    /// `nlmsg_flags`.
    pub flags: u16,
    /// `nlmsg_seq`.
    pub seq: u32,
    /// What follows the header.
    pub payload: &'a [u8],
    /// Header and payload.
    pub whole: &'a [u8],
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// The first message of `data`, and what comes after it; `None` when no whole one is left.
pub fn split(data: &[u8]) -> Option<(Request<'_>, &[u8])> {
    let len = u32_at(data.get(..HEADER)?, 0) as usize;
    let whole = data.get(..len).filter(|_| len >= HEADER)?;
    let rest = &data[len.next_multiple_of(4).min(data.len())..];
    let request = Request {
        kind: u16_at(data, 4),
        flags: u16_at(data, 6),
        seq: u32_at(data, 8),
        payload: &whole[HEADER..],
        whole,
    };
    Some((request, rest))
}

impl<'a> Request<'a> {
    /// Whether it asks for all there is.
    pub fn is_dump(&self) -> bool {
        self.flags & flag::DUMP == flag::DUMP
    }

    /// The byte at `at` of the fixed part, 0 when it is shorter.
    pub fn byte(&self, at: usize) -> u8 {
        self.payload.get(at).copied().unwrap_or(0)
    }

    /// The word at `at` of the fixed part, 0 when it is shorter.
    pub fn word(&self, at: usize) -> u32 {
        self.payload.get(at..at + 4).map_or(0, |bytes| u32_at(bytes, 0))
    }

    /// The attribute of this type behind `fixed` bytes.
    pub fn attribute(&self, fixed: usize, kind: u16) -> Option<&'a [u8]> {
        /// Bits of the type that say how the value is encoded.
        const ENCODING: u16 = 0xc000;
        let mut rest = self.payload.get(fixed.next_multiple_of(4)..)?;
        while rest.len() >= ATTRIBUTE {
            let len = usize::from(u16_at(rest, 0));
            let value = rest.get(ATTRIBUTE..len)?;
            if u16_at(rest, 2) & !ENCODING == kind {
                return Some(value);
            }
            rest = &rest[len.next_multiple_of(4).min(rest.len())..];
        }
        None
    }

    /// The same as text, up to NUL.
    pub fn text(&self, fixed: usize, kind: u16) -> Option<&'a [u8]> {
        self.attribute(fixed, kind)?.split(|b| *b == 0).next()
    }
}

/// A message under construction.
pub struct Message(Vec<u8>);

impl Message {
    /// Of this type, to the port `port`, in answer to `request`, with the fixed part.
    pub fn new(kind: u16, flags: u16, request: &Request<'_>, port: u32, fixed: &[u8]) -> Message {
        let mut bytes = vec![0; 4];
        bytes.extend(kind.to_le_bytes());
        bytes.extend(flags.to_le_bytes());
        bytes.extend(request.seq.to_le_bytes());
        bytes.extend(port.to_le_bytes());
        bytes.extend(fixed);
        Message(bytes)
    }

    /// With an attribute.
    pub fn with(mut self, kind: u16, value: &[u8]) -> Message {
        self.align();
        let len = (ATTRIBUTE + value.len()) as u16;
        self.0.extend(len.to_le_bytes());
        self.0.extend(kind.to_le_bytes());
        self.0.extend(value);
        self
    }

    /// With an attribute of a word.
    pub fn with_word(self, kind: u16, value: u32) -> Message {
        self.with(kind, &value.to_le_bytes())
    }

    fn align(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(4), 0);
    }

    /// Its bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.align();
        let len = self.0.len() as u32;
        self.0[..4].copy_from_slice(&len.to_le_bytes());
        self.0
    }
}

/// The end of a list.
pub fn done(request: &Request<'_>, port: u32) -> Vec<u8> {
    Message::new(DONE, flag::MULTI, request, port, &[0; 4]).finish()
}

/// An error, or without one an acknowledgement; `brief` leaves the payload of the request out.
pub fn status(request: &Request<'_>, port: u32, error: Option<Errno>, brief: bool) -> Vec<u8> {
    let code = -error.map_or(0, |e| e.0);
    let whole = error.is_some() && !brief;
    let flags = if whole { 0 } else { flag::CAPPED };
    let cited = if whole { request.whole } else { &request.whole[..HEADER] };
    let fixed = [&code.to_le_bytes()[..], cited].concat();
    Message::new(ERROR, flags, request, port, &fixed).finish()
}
