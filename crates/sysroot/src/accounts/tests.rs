use super::*;

fn strings(scripts: &[&str]) -> Vec<String> {
    scripts.iter().map(|script| (*script).to_owned()).collect()
}

fn tree() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("etc")).unwrap();
    fs::create_dir_all(dir.path().join("var/lib")).unwrap();
    dir
}

/// Lines of the account files that the well-known accounts do not have.
fn added(root: &Path, scripts: &[&str]) -> (Vec<String>, Vec<String>) {
    complete(root, &strings(scripts), &mut Vec::new()).unwrap();
    let (passwd, group) = debian_accounts::masters();
    let known = Accounts::parse(&passwd, &group);
    let lines = |file: &str, known: &str| -> Vec<String> {
        let text = fs::read_to_string(root.join("etc").join(file)).unwrap();
        text.lines().filter(|l| !known.contains(*l)).map(str::to_owned).collect()
    };
    let known_passwd = known.passwd().replace("/bin/bash", "/bin/sh");
    (lines("passwd", &known_passwd), lines("group", &known.group()))
}

#[test]
fn every_system_has_the_well_known_accounts() {
    let dir = tree();
    assert_eq!(added(dir.path(), &[]), (vec![], vec![]));
    let read = |name: &str| fs::read_to_string(dir.path().join("etc").join(name)).unwrap();
    assert!(read("passwd").starts_with("root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:"));
    assert!(read("passwd").contains("\nwww-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\n"));
    assert!(read("group").contains("\nwww-data:x:33:\n"));
    assert!(read("shadow").contains("\nwww-data:*::0:99999:7:::\n"));
    assert!(read("gshadow").contains("\nshadow:*::\n"));
    // A second time changes nothing.
    let before = read("passwd");
    let mut written = Vec::new();
    complete(dir.path(), &strings(&["adduser --system x"]), &mut written).unwrap();
    assert_eq!((read("passwd"), written.len()), (before, 0));
}

#[test]
fn the_master_files_of_base_passwd_take_precedence() {
    let dir = tree();
    let masters = dir.path().join("usr/share/base-passwd");
    fs::create_dir_all(&masters).unwrap();
    fs::create_dir_all(dir.path().join("usr/bin")).unwrap();
    fs::write(dir.path().join("usr/bin/bash"), "").unwrap();
    fs::write(masters.join("passwd.master"), "root:*:0:0:r:/root:/bin/bash\nbroken\n").unwrap();
    fs::write(masters.join("group.master"), "root:*:0:\nother:*:7:a,b\n").unwrap();
    complete(dir.path(), &[], &mut Vec::new()).unwrap();
    let read = |name: &str| fs::read_to_string(dir.path().join("etc").join(name)).unwrap();
    assert_eq!(read("passwd"), "root:x:0:0:r:/root:/bin/bash\n");
    assert_eq!(read("group"), "root:x:0:\nother:x:7:a,b\n");
    assert_eq!(read("gshadow"), "root:*::\nother:*::a,b\n");
}

#[test]
fn accounts_that_scripts_add_with_adduser_are_found() {
    // Modelled on the scripts of a database, a key-value store and a certificate package.
    let database = "if ! getent passwd db > /dev/null; then\n  adduser --system $quiet --home /var/lib/db \
        --no-create-home \\\n    --shell /bin/bash --group --gecos \"The administrator\" db\nfi\n\
        adduser $quiet db certs\n# adduser --system commented\nadduser --system $UNKNOWN || true\n";
    let store = "USER=\"store\"\nadduser \\\n\t--system \\\n\t--home /var/lib/store \\\n\t--quiet \\\n\t--group \\\n\t${USER} || true\n";
    let plain = "adduser --system --uid=250 --comment 'A plain one' plain\naddgroup --system certs --gid 300\n\
        adduser person\nadduser --system 'evil:x'\n";
    let dir = tree();
    let (passwd, group) = added(dir.path(), &[plain, database, store]);
    let expected = [
        "plain:x:250:65534:A plain one:/nonexistent:/usr/sbin/nologin",
        "db:x:101:101:The administrator:/var/lib/db:/bin/sh",
        "store:x:102:102::/var/lib/store:/usr/sbin/nologin",
    ];
    assert_eq!(passwd, expected);
    assert_eq!(group, ["certs:x:300:db", "db:x:101:", "store:x:102:"]);
    assert!(dir.path().join("var/lib/store").is_dir());
    assert!(!dir.path().join("var/lib/db").exists());
}

#[test]
fn packages_declare_accounts_in_sysusers() {
    let dir = tree();
    let conf = dir.path().join("usr/lib/sysusers.d");
    fs::create_dir_all(&conf).unwrap();
    let text = "# comment\ng adm 4 -\ng input - \nu! net - \"Network Management\"\nu bus 4:65534 - /bin /bin/sync\n\
        u own 240 - /run/own\nm own input\nr - 500-900\nu bad:name -\nu short\n";
    fs::write(conf.join("a.conf"), text).unwrap();
    fs::write(conf.join("b.txt"), "u not - -\n").unwrap();
    let (passwd, group) = added(dir.path(), &[]);
    let expected = [
        "net:x:998:998:Network Management:/:/usr/sbin/nologin",
        "bus:x:4:65534::/bin:/bin/sync",
        "own:x:240:240::/run/own:/usr/sbin/nologin",
        "short:x:997:997::/:/usr/sbin/nologin",
    ];
    assert_eq!(passwd, expected);
    assert_eq!(group, ["input:x:999:own", "net:x:998:", "own:x:240:", "short:x:997:"]);
}
