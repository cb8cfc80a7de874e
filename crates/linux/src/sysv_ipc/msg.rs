//! Message queues (`ipc/msg.c` of Linux).

use super::abi::{MSG, flag};
use super::objects::{Object, Perm};
use crate::base::charge::Charge;
use crate::base::errno::{Errno, Result};
use std::collections::VecDeque;

/// A message.
#[derive(Debug)]
pub struct Message {
    /// Its type.
    pub kind: i64,
    /// Its text.
    pub text: Vec<u8>,
    /// A number that no other message has.
    pub number: u64,
    /// For type and text.
    pub _charge: Charge,
}

/// The message to receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// The first.
    First,
    /// The first of this type.
    Kind(i64),
    /// The first of another type.
    Except(i64),
    /// The first of the lowest type up to this one.
    AtMost(i64),
    /// A copy of the one at this position (`MSG_COPY`).
    Place(u64),
}

impl Select {
    /// The selection by the type and flags of `msgrcv`.
    ///
    /// # Errors
    /// `EINVAL` for flags that contradict each other.
    pub fn new(kind: i64, flags: u32) -> Result<Select> {
        if flags & flag::MSG_COPY != 0 {
            let fits = flags & flag::NOWAIT != 0 && flags & flag::MSG_EXCEPT == 0;
            // As on Linux, a negative number selects no message.
            return if fits { Ok(Select::Place(kind as u64)) } else { Err(Errno::EINVAL) };
        }
        Ok(match kind {
            0 => Select::First,
            ..0 => Select::AtMost(kind.checked_neg().unwrap_or(i64::MAX)),
            _ if flags & flag::MSG_EXCEPT != 0 => Select::Except(kind),
            _ => Select::Kind(kind),
        })
    }
}

/// A queue.
#[derive(Debug)]
pub struct Queue {
    messages: VecDeque<Message>,
    /// Bytes of the texts.
    pub bytes: u64,
    /// Maximum number of bytes, and of messages (`msg_qbytes`).
    pub limit: u64,
    /// The processes that last sent and received.
    pub last: [i32; 2],
    /// When they did, in seconds; 0 for never.
    pub times: [i64; 2],
    /// When it was made or changed.
    pub changed: i64,
}

impl Queue {
    /// An empty queue, made at `now`.
    pub fn new(now: i64) -> Queue {
        let (messages, limit) = (VecDeque::new(), MSG.bytes);
        Queue { messages, bytes: 0, limit, last: [0; 2], times: [0; 2], changed: now }
    }

    /// Messages in it.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there is room for a message of `size` bytes.
    pub fn has_room(&self, size: u64) -> bool {
        self.bytes + size <= self.limit && (self.len() as u64) < self.limit
    }

    /// Puts a message at the end.
    pub fn send(&mut self, message: Message, pid: i32, now: i64) {
        self.bytes += message.text.len() as u64;
        self.messages.push_back(message);
        (self.last[0], self.times[0]) = (pid, now);
    }

    /// The position of the selected message.
    pub fn position(&self, select: Select) -> Option<usize> {
        let mut kinds = self.messages.iter().map(|m| m.kind);
        match select {
            Select::First => (!self.messages.is_empty()).then_some(0),
            Select::Kind(kind) => kinds.position(|k| k == kind),
            Select::Except(kind) => kinds.position(|k| k != kind),
            Select::AtMost(most) => {
                let lowest = kinds.filter(|k| *k <= most).min()?;
                self.position(Select::Kind(lowest))
            }
            Select::Place(at) => usize::try_from(at).ok().filter(|at| *at < self.len()),
        }
    }

    /// The message at a position.
    pub fn at(&self, position: usize) -> Option<&Message> {
        self.messages.get(position)
    }

    /// Removes the message at a position.
    pub fn take(&mut self, position: usize, pid: i32, now: i64) -> Option<Message> {
        let message = self.messages.remove(position)?;
        self.bytes -= message.text.len() as u64;
        (self.last[1], self.times[1]) = (pid, now);
        Some(message)
    }
}

impl Object for Queue {
    fn stat(&self, perm: &Perm) -> Vec<u8> {
        let mut bytes = perm.encode();
        let words =
            [self.times[0], self.times[1], self.changed, self.bytes as i64, self.len() as i64];
        words.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
        bytes.extend(self.limit.to_le_bytes());
        self.last.iter().for_each(|pid| bytes.extend(pid.to_le_bytes()));
        bytes.resize(120, 0);
        bytes
    }

    fn set_changed(&mut self, now: i64) {
        self.changed = now;
    }
}
