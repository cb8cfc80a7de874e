//! The accounts that every Debian system has, for sysroots without base-passwd.

/// Users: name, uid, gid, gecos, home. Numbers and homes as in base-passwd 3.6.7, `passwd.master`.
const USERS: &[(&str, u32, u32, &str, &str)] = &[
    ("root", 0, 0, "root", "/root"),
    ("daemon", 1, 1, "daemon", "/usr/sbin"),
    ("bin", 2, 2, "bin", "/bin"),
    ("sys", 3, 3, "sys", "/dev"),
    ("sync", 4, 65534, "sync", "/bin"),
    ("games", 5, 60, "games", "/usr/games"),
    ("man", 6, 12, "man", "/var/cache/man"),
    ("lp", 7, 7, "lp", "/var/spool/lpd"),
    ("mail", 8, 8, "mail", "/var/mail"),
    ("news", 9, 9, "news", "/var/spool/news"),
    ("uucp", 10, 10, "uucp", "/var/spool/uucp"),
    ("proxy", 13, 13, "proxy", "/bin"),
    ("www-data", 33, 33, "www-data", "/var/www"),
    ("backup", 34, 34, "backup", "/var/backups"),
    ("list", 38, 38, "Mailing List Manager", "/var/list"),
    ("irc", 39, 39, "ircd", "/run/ircd"),
    ("_apt", 42, 65534, "", "/nonexistent"),
    ("nobody", 65534, 65534, "nobody", "/nonexistent"),
];

/// Groups: name and gid, as in base-passwd 3.6.7, `group.master`.
const GROUPS: &[(&str, u32)] = &[
    ("root", 0),
    ("daemon", 1),
    ("bin", 2),
    ("sys", 3),
    ("adm", 4),
    ("tty", 5),
    ("disk", 6),
    ("lp", 7),
    ("mail", 8),
    ("news", 9),
    ("uucp", 10),
    ("man", 12),
    ("proxy", 13),
    ("kmem", 15),
    ("dialout", 20),
    ("fax", 21),
    ("voice", 22),
    ("cdrom", 24),
    ("floppy", 25),
    ("tape", 26),
    ("sudo", 27),
    ("audio", 29),
    ("dip", 30),
    ("www-data", 33),
    ("backup", 34),
    ("operator", 37),
    ("list", 38),
    ("irc", 39),
    ("src", 40),
    ("shadow", 42),
    ("utmp", 43),
    ("video", 44),
    ("sasl", 45),
    ("plugdev", 46),
    ("staff", 50),
    ("games", 60),
    ("users", 100),
    ("nogroup", 65534),
];

/// Files in the format of base-passwd's masters.
pub(super) fn masters() -> (String, String) {
    let user = |(name, uid, gid, gecos, home): &(&str, u32, u32, &str, &str)| {
        let shell = match *name {
            "root" => "/bin/bash",
            "sync" => "/bin/sync",
            _ => super::NOLOGIN,
        };
        format!("{name}:*:{uid}:{gid}:{gecos}:{home}:{shell}\n")
    };
    let group = |(name, gid): &(&str, u32)| format!("{name}:*:{gid}:\n");
    (USERS.iter().map(user).collect(), GROUPS.iter().map(group).collect())
}
