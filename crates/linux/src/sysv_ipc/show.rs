//! `/proc/sysvipc` (`sysvipc_*_proc_show` of `ipc/{msg,sem,shm}.c` of Linux 6.12).

use super::Ipc;
use super::objects::Perm;
use crate::fs::SysvKind;
use capvec_sim::mem::PAGE;
use std::fmt::Write;

const MESSAGES: &str = "       key      msqid perms      cbytes       qnum lspid lrpid   uid   gid  cuid  cgid      stime      rtime      ctime\n";
const SEMAPHORES: &str =
    "       key      semid perms      nsems   uid   gid  cuid  cgid      otime      ctime\n";
const SEGMENTS: &str = "       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid      atime      dtime      ctime                   rss                  swap\n";

/// Key, identifier and mode.
fn head(p: &Perm) -> String {
    format!("{:>10} {:>10}  {:>4o}", p.key, p.id, p.mode)
}

/// Owner and creator.
fn owners(p: &Perm) -> String {
    format!("{:>5} {:>5} {:>5} {:>5}", p.uid, p.gid, p.cuid, p.cgid)
}

impl Ipc {
    /// The list of a kind.
    pub fn show(&self, kind: SysvKind) -> Vec<u8> {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = match kind {
            SysvKind::Messages => self.show_messages(&mut out),
            SysvKind::Semaphores => self.show_semaphores(&mut out),
            SysvKind::Segments => self.show_segments(&mut out),
        };
        out.into_bytes()
    }

    fn show_messages(&self, out: &mut String) -> std::fmt::Result {
        out.push_str(MESSAGES);
        for entry in self.queues.iter() {
            let (q, p) = (&entry.object, &entry.perm);
            let ([sender, receiver], [sent, received]) = (q.last, q.times);
            write!(out, "{}  {:>10} {:>10} ", head(p), q.bytes, q.len())?;
            write!(out, "{sender:>5} {receiver:>5} {} ", owners(p))?;
            writeln!(out, "{sent:>10} {received:>10} {:>10}", q.changed)?;
        }
        Ok(())
    }

    fn show_semaphores(&self, out: &mut String) -> std::fmt::Result {
        out.push_str(SEMAPHORES);
        for entry in self.sets.iter() {
            let (s, p) = (&entry.object, &entry.perm);
            write!(out, "{} {:>10} {} ", head(p), s.all.len(), owners(p))?;
            writeln!(out, "{:>10} {:>10}", s.used, s.changed)?;
        }
        Ok(())
    }

    fn show_segments(&self, out: &mut String) -> std::fmt::Result {
        out.push_str(SEGMENTS);
        for entry in self.segments.iter().filter(|e| !e.object.is_gone()) {
            let (s, p) = (&entry.object, &entry.perm);
            let ([maker, last], [on, off]) = (s.pids, s.times);
            write!(out, "{} {:>21} {maker:>5} {last:>5}  ", head(p), s.size)?;
            write!(out, "{:>5} {} {on:>10} {off:>10} ", s.attached(), owners(p))?;
            // All of a segment is in memory, and nothing is ever swapped.
            writeln!(out, "{:>10} {:>21} {:>21}", s.changed, s.size.next_multiple_of(PAGE), 0)?;
        }
        Ok(())
    }
}
