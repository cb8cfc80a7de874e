//! The ssh connection to a board, and the session that keeps a temporary directory there.

use super::{Arch, Ended, process};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The client's exit status if the connection fails (ssh(1), EXIT STATUS).
const LOST: i32 = 255;
/// The environment variable with a command, and its arguments, to use instead of `ssh`.
const CLIENT: &str = "CAPVEC_SSH";

/// The connection to a board failed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Lost(String);

/// The session that keeps the directory.
pub struct Keeper {
    child: Child,
    /// The directory.
    pub dir: String,
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The shell there removes the directory when its input ends.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// How to reach a board.
#[derive(Clone)]
pub struct Link {
    client: String,
    /// The host, as `ssh` takes it.
    pub host: String,
}

/// The ssh client: the command in the user's environment, or the system's `ssh`.
pub fn client() -> String {
    let set = std::env::var(CLIENT).ok().filter(|c| !c.trim().is_empty());
    set.unwrap_or_else(|| "ssh".into())
}

impl Link {
    /// The host, reached with this client: a command with its arguments.
    ///
    /// # Errors
    /// It is not a host name.
    pub fn to(client: &str, host: &str) -> Result<Link> {
        if host.is_empty() || host.starts_with('-') {
            bail!("--target ssh:{host}: that is not the name of a host");
        }
        Ok(Link { client: client.into(), host: host.into() })
    }

    /// The board's architecture.
    ///
    /// # Errors
    /// The connection fails, or the architecture is unknown.
    pub fn arch(&self) -> Result<Arch> {
        let ended = self.shell("uname -m", b"")?;
        let machine = ended.stdout.trim();
        if ended.status != 0 || machine.is_empty() {
            return Err(self.mute(&ended));
        }
        Arch::parse(machine).with_context(|| format!("--target ssh:{}", self.host))
    }

    /// The error for a host or client that does not answer a question that every board can answer.
    fn mute(&self, ended: &Ended) -> anyhow::Error {
        let (client, host) = (&self.client, &self.host);
        let why = if ended.stderr.is_empty() { "nothing" } else { &ended.stderr };
        anyhow::anyhow!(
            "--target ssh:{host}: `{client} {host} uname -m` does not print an architecture; it ended with status {} and printed: \
             {why}. Check the host, and {CLIENT} if it is set",
            ended.status
        )
    }

    /// A client for the host. It never prompts, since nobody may be there to answer.
    pub fn client(&self) -> Command {
        let host = &self.host;
        let mut words = self.client.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("ssh"));
        command.args(words).args([
            "-o",
            "BatchMode=yes",
            "-o",
            "ServerAliveInterval=15",
            "-T",
            "--",
            host,
        ]);
        command
    }

    /// The error for a client that does not start.
    pub fn absent(&self) -> String {
        let (client, host) = (&self.client, &self.host);
        format!(
            "--target ssh:{host}: the client `{client}` does not start; install openssh-client, or name another one with {CLIENT}"
        )
    }

    /// The error for a failed connection.
    fn lost(&self, why: &str) -> anyhow::Error {
        let (client, host) = (&self.client, &self.host);
        let why = if why.is_empty() { "ssh gives no reason" } else { why };
        Lost(format!(
            "--target ssh:{host}: the connection failed ({why}); check that `{client} {host} true` works without a prompt"
        ))
        .into()
    }

    /// Runs a script on the board.
    ///
    /// # Errors
    /// The connection fails.
    pub fn shell(&self, script: &str, input: &[u8]) -> Result<Ended> {
        let mut command = self.client();
        let ended = process::run_bytes(command.arg(script), input.to_vec())
            .with_context(|| self.absent())?;
        if ended.status == LOST {
            return Err(self.lost(&ended.stderr));
        }
        Ok(ended)
    }
}

/// Text quoted as one word of a shell.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

impl Keeper {
    /// Makes the directory.
    ///
    /// # Errors
    /// The connection fails, or the directory cannot be created.
    pub fn new(link: &Link) -> Result<Keeper> {
        let script = "d=$(mktemp -d \"${TMPDIR:-/tmp}/capvec.XXXXXX\") || exit 1; trap 'rm -rf \"$d\"' EXIT; \
                      trap 'exit 1' HUP INT TERM; echo \"$d\"; cat >/dev/null";
        let (host, mut command) = (&link.host, link.client());
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| link.absent())?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.as_mut() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let dir = line.trim().to_string();
        if dir.starts_with('/') {
            return Ok(Keeper { child, dir });
        }
        drop(child.stdin.take());
        let output = child.wait_with_output()?;
        let why = String::from_utf8_lossy(&output.stderr).trim().to_string();
        match output.status.code() {
            Some(LOST) => Err(link.lost(&why)),
            _ => bail!("--target ssh:{host}: no temporary directory can be made there: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_client() {
        let why =
            |client: &str| format!("{:#}", Link::to(client, "board").unwrap().arch().unwrap_err());
        let silent = why("false");
        assert!(
            silent.contains("`false board uname -m`") && silent.contains("CAPVEC_SSH"),
            "{silent}"
        );
        assert!(why("true").contains("status 0"));
        assert!(why("echo").contains("no architecture"), "{}", why("echo"));
        assert!(why("/nowhere/ssh").contains("does not start"));
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("~0x1:~0x2"), "'~0x1:~0x2'");
        assert_eq!(quoted("a'b"), r"'a'\''b'");
    }
}
