//! A board over ssh: this machine, through a real sshd on loopback, if sshd is installed.

use capvec_bench::capset::CapSet;
use capvec_bench::case::select;
use capvec_bench::driver_protocol::{Job, Outcome};
use capvec_bench::requests::Jobs;
use capvec_bench::resume::Checkpoint;
use capvec_bench::run::{Configuration, Runner};
use capvec_bench::sweep::{self, Plan};
use capvec_guest::Program;
use capvec_record::Kind;
use capvec_targets::backend::Ssh;
use capvec_util::testing::skipped;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server with keys of its own, on a free port.
struct Server {
    child: Child,
    dir: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn sshd() -> Option<PathBuf> {
    ["/usr/sbin/sshd", "/usr/local/sbin/sshd", "/usr/bin/sshd"]
        .map(PathBuf::from)
        .into_iter()
        .find(|p| p.exists())
}

fn key(path: &Path) {
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(path);
    assert!(keygen.stdin(Stdio::null()).status().unwrap().success());
}

impl Server {
    /// Starts the server; returns it with the command of a client that reaches it.
    fn start(sshd: &Path) -> Option<(Server, String)> {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        key(&at("host"));
        key(&at("user"));
        fs::copy(at("user.pub"), at("authorized")).unwrap();
        fs::create_dir(at("tmp")).unwrap();
        for (name, mode) in [("authorized", 0o600), ("tmp", 0o777)] {
            fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let show = |name: &str| at(name).display().to_string();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\n\
             PasswordAuthentication no\nPidFile none\nSetEnv TMPDIR={}\n",
            show("host"),
            show("authorized"),
            show("tmp")
        );
        fs::write(at("sshd_config"), config).unwrap();
        // sshd requires this directory when it runs as root.
        let _ = fs::create_dir_all("/run/sshd");
        let client = format!(
            "Host *\nPort {port}\nHostName 127.0.0.1\nIdentityFile {}\nIdentitiesOnly yes\nStrictHostKeyChecking no\n\
             UserKnownHostsFile /dev/null\nLogLevel ERROR\n",
            show("user")
        );
        fs::write(at("ssh_config"), client).unwrap();
        let log = fs::File::create(at("log")).unwrap();
        let mut command = Command::new(sshd);
        command.args(["-D", "-e", "-f"]).arg(at("sshd_config")).stdin(Stdio::null()).stderr(log);
        let child = command.spawn().unwrap();
        let client = format!("ssh -F {}", show("ssh_config"));
        let server = Server { child, dir };
        for _ in 0..100 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Some((server, client));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let log = fs::read_to_string(server.dir.path().join("log")).unwrap();
        skipped("sshd", format_args!("it does not listen: {log}"));
        None
    }

    /// The number of files that are left on the board.
    fn left(&self) -> usize {
        fs::read_dir(self.dir.path().join("tmp")).unwrap().count()
    }

    /// Waits until nothing is left.
    fn clean(&self) -> bool {
        (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            self.left() == 0
        })
    }
}

/// Whether this machine, which is the board, has an OpenSSL 3.
fn has_libcrypto() -> bool {
    let triplet = format!("{}-linux-gnu", std::env::consts::ARCH);
    ["/usr/lib", "/lib", "/usr/lib64"]
        .iter()
        .flat_map(|dir| {
            [format!("{dir}/libcrypto.so.3"), format!("{dir}/{triplet}/libcrypto.so.3")]
        })
        .any(|file| Path::new(&file).is_file())
}

#[test]
fn a_board_is_measured_and_cleaned_up_and_may_disconnect() {
    let Some(sshd) = sshd() else {
        skipped("sshd", "on Debian and Ubuntu: apt install openssh-server");
        return;
    };
    let Some((mut server, client)) = Server::start(&sshd) else { return };
    let cases = select(&["sha256".into()]).unwrap();
    let isa: capvec_isa::Isa = "rv64gc".parse().unwrap();
    let wanted = capvec_bench::capset::expand(&["auto".into()], &cases, &isa).unwrap();
    let plan = Plan { cases, wanted, vlens: vec![0], bytes: vec![1024], ..Plan::default() };

    let board = || Ssh::by(&client, "board", &[Program::Measure], None, &mut |_| ());
    let runner = Runner::at(board().unwrap());
    assert_eq!(server.left(), 1);
    // The board's own library is loaded, even one that lacks the newest functions.
    let capset = CapSet::parse("auto", &isa).unwrap();
    let outcomes = runner.run(&Configuration::new(0, capset), Jobs(&[vec![Job::Probe]])).unwrap();
    let Ok([Outcome::Probe(probe)]) = outcomes[0].as_deref() else { panic!("{outcomes:?}") };
    assert_eq!(probe.file.is_empty(), !has_libcrypto(), "{probe:?}");
    let swept = sweep::run(&runner, &plan, None, &|| ()).unwrap();
    assert!(swept.rows[0].passed() && swept.rows[0].kbps().is_some(), "{:?}", swept.rows[0]);
    assert_eq!((swept.target.kind, swept.target.name.as_str()), (Kind::Real, "ssh:board"));

    // The board disconnects: finished results are kept, and the error says what to do.
    let out = tempfile::tempdir().unwrap();
    let identity =
        || runner.identity("t", vec!["sha256".into()], vec![1024], "none".into()).unwrap();
    let same = identity();
    let (checkpoint, _) = Checkpoint::open(out.path(), &same).unwrap();
    sweep::run(&runner, &plan, Some(&checkpoint), &|| ()).unwrap();
    drop(checkpoint);
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let e = format!("{:#}", sweep::run(&runner, &plan, None, &|| ()).map(|_| ()).unwrap_err());
    assert!(e.contains("ssh:board") && e.contains("connection failed"), "{e}");
    let (checkpoint, opened) = Checkpoint::open(out.path(), &same).unwrap();
    assert_eq!(opened.finished, 1);
    drop(checkpoint);

    drop(runner);
    assert!(server.clean(), "{} left", server.left());
}
