//! Where gdb connects: a port of the loopback interface, or a Unix socket.

use crate::connection::Connection;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::str::FromStr;

/// How often `accept` checks whether to stop, in nanoseconds.
const STEP: i64 = 100_000_000;

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A port of 127.0.0.1; 0 chooses a free one.
    Port(u16),
    /// A Unix socket at this path.
    Socket(PathBuf),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        if text.contains('/') {
            return Ok(Address::Socket(text.into()));
        }
        text.parse().map(Address::Port).map_err(|_| {
            "give a port, such as 1234, or the path of a socket with a slash, such as ./gdb.sock".into()
        })
    }
}

/// Why gdb cannot connect.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The address cannot be used.
    #[error("{0}: {1}")]
    Bind(String, io::Error),
    /// The wait was interrupted.
    #[error("interrupted before gdb connected")]
    Interrupted,
}

#[derive(Debug)]
enum Socket {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

/// Waits for gdb.
#[derive(Debug)]
pub struct Listener(Socket);

impl fmt::Display for Listener {
    /// As gdb's `target remote` takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Socket::Tcp(listener) => match listener.local_addr() {
                Ok(address) => write!(f, ":{}", address.port()),
                Err(e) => write!(f, "({e})"),
            },
            Socket::Unix(_, path) => write!(f, "{}", path.display()),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Socket::Unix(_, path) = &self.0 {
            // It may be gone already.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Listener {
    /// Starts to listen.
    ///
    /// # Errors
    /// The address is in use, or may not be used.
    pub fn bind(address: &Address) -> Result<Listener, ListenError> {
        match address {
            Address::Port(port) => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, *port));
                let named = |e| ListenError::Bind(format!("port {port}"), e);
                Ok(Listener(Socket::Tcp(listener.map_err(named)?)))
            }
            Address::Socket(path) => {
                let named = |e| ListenError::Bind(path.display().to_string(), e);
                // What a killed run has left.
                let left = std::fs::symlink_metadata(path).is_ok_and(|m| m.file_type().is_socket());
                if left && std::os::unix::net::UnixStream::connect(path).is_err() {
                    std::fs::remove_file(path).map_err(named)?;
                }
                let listener = UnixListener::bind(path).map_err(named)?;
                Ok(Listener(Socket::Unix(listener, path.clone())))
            }
        }
    }

    /// Waits for gdb until `stop` returns true. Nobody else can connect afterwards.
    ///
    /// # Errors
    /// The wait was interrupted, or the host refuses the connection.
    pub fn accept(self, stop: &dyn Fn() -> bool) -> Result<Connection, ListenError> {
        let fd = match &self.0 {
            Socket::Tcp(listener) => listener.as_fd(),
            Socket::Unix(listener, _) => listener.as_fd(),
        };
        let limit = Timespec { tv_sec: 0, tv_nsec: STEP };
        while !poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&limit)).is_ok_and(|n| n > 0) {
            if stop() {
                return Err(ListenError::Interrupted);
            }
        }
        let named = |e| ListenError::Bind(self.to_string(), e);
        let socket = match &self.0 {
            Socket::Tcp(listener) => {
                let (stream, _) = listener.accept().map_err(named)?;
                // Each packet waits for an answer.
                stream.set_nodelay(true).map_err(named)?;
                stream.into()
            }
            Socket::Unix(listener, _) => listener.accept().map_err(named)?.0.into(),
        };
        Ok(Connection::new(socket))
    }
}
