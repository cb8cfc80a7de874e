//! Netlink messages (`include/uapi/linux/netlink.h`): a header, a fixed part that depends on the type, and attributes,
//! each aligned to four bytes.

use crate::base::errno::Errno;

/// Bytes of `struct nlmsghdr` and of `struct nlattr`.
pub const HEADER: usize = 16;
const ATTRIBUTE: usize = 4;

/// Message types of all protocols.
pub const ERROR: u16 = 2;
const DONE: u16 = 3;
/// The first type that protocols define themselves.
pub const FIRST_TYPE: u16 = 0x10;

/// Flags of a message.
pub mod flag {
    pub const REQUEST: u16 = 1;
    pub const MULTI: u16 = 2;
    pub const ACK: u16 = 4;
    /// `NLM_F_ROOT | NLM_F_MATCH`.
    pub const DUMP: u16 = 0x300;
    /// In an answer of type `ERROR`: without the payload of the request.
    pub const CAPPED: u16 = 0x100;
}

/// A request within the data that was sent.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// `nlmsg_type`.
    pub kind: u16,
    /// `nlmsg_flags`.
    pub flags: u16,
    /// `nlmsg_seq`.
    pub seq: u32,
    /// The bytes after the header.
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

/// Splits `data` into its first message and the rest; `None` when no complete message is left.
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
    /// Whether it asks for a dump.
    pub fn is_dump(&self) -> bool {
        self.flags & flag::DUMP == flag::DUMP
    }

    /// The byte at `at` of the fixed part; 0 beyond its end.
    pub fn byte(&self, at: usize) -> u8 {
        self.payload.get(at).copied().unwrap_or(0)
    }

    /// The word at `at` of the fixed part; 0 beyond its end.
    pub fn word(&self, at: usize) -> u32 {
        self.payload.get(at..at + 4).map_or(0, |bytes| u32_at(bytes, 0))
    }

    /// The attribute of this type, after a fixed part of `fixed` bytes.
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

    /// The attribute's text, up to NUL.
    pub fn text(&self, fixed: usize, kind: u16) -> Option<&'a [u8]> {
        self.attribute(fixed, kind)?.split(|b| *b == 0).next()
    }
}

/// A message under construction.
pub struct Message(Vec<u8>);

impl Message {
    /// A message of type `kind` to the port `port`, in answer to `request`, with the fixed part.
    pub fn new(kind: u16, flags: u16, request: &Request<'_>, port: u32, fixed: &[u8]) -> Message {
        let mut bytes = vec![0; 4];
        bytes.extend(kind.to_le_bytes());
        bytes.extend(flags.to_le_bytes());
        bytes.extend(request.seq.to_le_bytes());
        bytes.extend(port.to_le_bytes());
        bytes.extend(fixed);
        Message(bytes)
    }

    /// Adds an attribute.
    pub fn with(mut self, kind: u16, value: &[u8]) -> Message {
        self.align();
        let len = (ATTRIBUTE + value.len()) as u16;
        self.0.extend(len.to_le_bytes());
        self.0.extend(kind.to_le_bytes());
        self.0.extend(value);
        self
    }

    /// Adds an attribute with a 32-bit value.
    pub fn with_word(self, kind: u16, value: u32) -> Message {
        self.with(kind, &value.to_le_bytes())
    }

    fn align(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(4), 0);
    }

    /// Completes the message, and returns its bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.align();
        let len = self.0.len() as u32;
        self.0[..4].copy_from_slice(&len.to_le_bytes());
        self.0
    }
}

/// The message that ends a dump.
pub fn done(request: &Request<'_>, port: u32) -> Vec<u8> {
    Message::new(DONE, flag::MULTI, request, port, &[0; 4]).finish()
}

/// An error message, or without an error an acknowledgement; with `capped` it omits the payload of the request.
pub fn status(request: &Request<'_>, port: u32, error: Option<Errno>, capped: bool) -> Vec<u8> {
    let code = -error.map_or(0, |e| e.0);
    let whole = error.is_some() && !capped;
    let flags = if whole { 0 } else { flag::CAPPED };
    let cited = if whole { request.whole } else { &request.whole[..HEADER] };
    let fixed = [&code.to_le_bytes()[..], cited].concat();
    Message::new(ERROR, flags, request, port, &fixed).finish()
}
