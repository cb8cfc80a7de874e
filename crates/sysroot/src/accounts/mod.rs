//! `/etc/passwd`, `/etc/group` and their shadows: Debian's well-known accounts, and those that packages ask for.
//!
//! Maintainer scripts create accounts, and no script is ever run here. So the accounts are computed: from base-passwd's
//! master files, `sysusers.d` (which systemd-sysusers applies), and literal `adduser` commands of scripts.

mod adduser;
mod debian_accounts;
mod sysusers;

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};
use crate::new_file::{inside, write_new};

/// The range of system accounts (Debian Policy 9.2.2).
const SYSTEM: std::ops::RangeInclusive<u32> = 100..=999;
const NOLOGIN: &str = "/usr/sbin/nologin";
const NOGROUP: u32 = 65534;

/// A line of `/etc/passwd`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct User {
    name: String,
    uid: u32,
    gid: u32,
    gecos: String,
    home: String,
    shell: String,
}

/// A line of `/etc/group`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    name: String,
    gid: u32,
    members: Vec<String>,
}

/// The end of the range from which a free number is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RangeEnd {
    /// As adduser(8) does.
    Low,
    /// As systemd-sysusers(8) does.
    High,
}

/// A user that a package asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NewUser {
    name: String,
    uid: Option<u32>,
    /// Its group by name or number; without one it gets a group of its own name and number.
    group: Option<String>,
    gecos: String,
    home: String,
    shell: String,
    from: RangeEnd,
}

/// A request of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wish {
    User(NewUser),
    Group {
        name: String,
        gid: Option<u32>,
        from: RangeEnd,
    },
    Member {
        user: String,
        group: String,
    },
    /// A directory that adduser(8) creates.
    Home(String),
}

/// All accounts of a sysroot.
#[derive(Debug, Default)]
struct Accounts {
    users: Vec<User>,
    groups: Vec<Group>,
}

impl Accounts {
    /// Reads files in the format of `/etc/passwd` and `/etc/group`; other lines are left out.
    fn parse(passwd: &str, group: &str) -> Accounts {
        let user = |line: &str| {
            let [name, _, uid, gid, gecos, home, shell] = fields(line)?;
            let (uid, gid) = (uid.parse().ok()?, gid.parse().ok()?);
            let [name, gecos, home, shell] = [name, gecos, home, shell].map(str::to_owned);
            Some(User { name, uid, gid, gecos, home, shell })
        };
        let group_of = |line: &str| {
            let [name, _, gid, members] = fields(line)?;
            let members = members.split(',').filter(|m| !m.is_empty()).map(str::to_owned).collect();
            Some(Group { name: name.to_owned(), gid: gid.parse().ok()?, members })
        };
        Accounts {
            users: passwd.lines().filter_map(user).collect(),
            groups: group.lines().filter_map(group_of).collect(),
        }
    }

    fn gid(&self, name: &str) -> Option<u32> {
        self.groups.iter().find(|group| group.name == name).map(|group| group.gid)
    }

    /// A number that no user has, or no group, or neither.
    fn free(&self, from: RangeEnd, user: bool, group: bool) -> Option<u32> {
        let free = |id: &u32| {
            !(user && self.users.iter().any(|user| user.uid == *id)
                || group && self.groups.iter().any(|group| group.gid == *id))
        };
        match from {
            RangeEnd::Low => SYSTEM.clone().find(free),
            RangeEnd::High => SYSTEM.rev().find(free),
        }
    }

    /// Carries out a request, unless its result exists.
    fn grant(&mut self, wish: &Wish) -> Option<()> {
        match wish {
            Wish::User(user) => self.add_user(user),
            Wish::Group { name, gid, from } => self.add_group(name, *gid, *from).map(drop),
            Wish::Member { user, group } => {
                let group = self.groups.iter_mut().find(|g| g.name == *group)?;
                if !group.members.contains(user) {
                    group.members.push(user.clone());
                }
                Some(())
            }
            Wish::Home(_) => Some(()),
        }
    }

    fn add_group(&mut self, name: &str, gid: Option<u32>, from: RangeEnd) -> Option<u32> {
        if let Some(gid) = self.gid(name) {
            return Some(gid);
        }
        let gid = gid.or_else(|| self.free(from, false, true))?;
        self.groups.push(Group { name: name.to_owned(), gid, members: Vec::new() });
        Some(gid)
    }

    fn add_user(&mut self, new: &NewUser) -> Option<()> {
        if self.users.iter().any(|user| user.name == new.name) {
            return Some(());
        }
        let uid = new.uid.or_else(|| self.free(new.from, true, new.group.is_none()))?;
        let gid = match &new.group {
            Some(group) => self.gid(group).or_else(|| group.parse().ok())?,
            None => self.add_group(&new.name, Some(uid), new.from)?,
        };
        self.users.push(User {
            name: new.name.clone(),
            uid,
            gid,
            gecos: new.gecos.clone(),
            home: new.home.clone(),
            shell: new.shell.clone(),
        });
        Some(())
    }

    fn passwd(&self) -> String {
        let line = |User { name, uid, gid, gecos, home, shell }: &User| {
            format!("{name}:x:{uid}:{gid}:{gecos}:{home}:{shell}\n")
        };
        self.users.iter().map(line).collect()
    }

    fn group(&self) -> String {
        let line = |Group { name, gid, members }: &Group| {
            format!("{name}:x:{gid}:{}\n", members.join(","))
        };
        self.groups.iter().map(line).collect()
    }

    /// No account has a password, and none ever expires (shadow(5)).
    fn shadow(&self) -> String {
        self.users.iter().map(|user| format!("{}:*::0:99999:7:::\n", user.name)).collect()
    }

    fn gshadow(&self) -> String {
        self.groups.iter().map(|g| format!("{}:*::{}\n", g.name, g.members.join(","))).collect()
    }
}

/// The fields of a line, if there are `N`.
fn fields<const N: usize>(line: &str) -> Option<[&str; N]> {
    line.split(':').collect::<Vec<_>>().try_into().ok()
}

/// Whether a name is allowed in `/etc/passwd`: those that useradd(8) accepts, and some more for old accounts.
fn is_name(name: &str) -> bool {
    let rest = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(rest)
}

/// Writes the account files below `root` that do not exist yet; `scripts` are the packages' `postinst`. Their paths are
/// added to `written`.
pub(crate) fn complete(root: &Path, scripts: &[String], written: &mut Vec<String>) -> Result<()> {
    let master =
        |name: &str| fs::read_to_string(root.join("usr/share/base-passwd").join(name)).ok();
    let masters = master("passwd.master").zip(master("group.master"));
    let (passwd, group) = masters.unwrap_or_else(debian_accounts::masters);
    let mut accounts = Accounts::parse(&passwd, &group);
    let mut wishes = sysusers::read(root)?;
    wishes.extend(scripts.iter().flat_map(|script| adduser::parse(script)));
    for wish in &wishes {
        // A request that cannot be granted, such as membership of an unknown group, changes nothing.
        let _ = accounts.grant(wish);
    }
    let has = |shell: &str| root.join(shell.trim_start_matches('/')).exists();
    for user in accounts.users.iter_mut().filter(|user| user.shell == "/bin/bash") {
        if !has("/usr/bin/bash") {
            user.shell = "/bin/sh".to_owned();
        }
    }
    write_new(root, "etc/passwd", &accounts.passwd(), 0o644, written)?;
    write_new(root, "etc/group", &accounts.group(), 0o644, written)?;
    write_new(root, "etc/shadow", &accounts.shadow(), 0o640, written)?;
    write_new(root, "etc/gshadow", &accounts.gshadow(), 0o640, written)?;
    for wish in &wishes {
        if let Wish::Home(home) = wish {
            make_home(root, home)?;
        }
    }
    Ok(())
}

/// Creates a home directory if the directory above it is there.
fn make_home(root: &Path, home: &str) -> Result<()> {
    let real_root = fs::canonicalize(root).map_err(Error::io("read", root))?;
    match inside(&real_root, home) {
        Some(path) if fs::symlink_metadata(&path).is_err() => {
            fs::create_dir(&path).map_err(Error::io("create", &path))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
