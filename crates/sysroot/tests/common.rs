//! A miniature Debian archive, made with dpkg-deb and signed with gpg.

use capvec_util::testing::skipped;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use capvec_sysroot::{Request, Store};
use tempfile::TempDir;

pub const SUITE: &str = "mini";

/// Whether all of these programs are installed; reports the skipped test if not.
pub fn have(tools: &[&str]) -> bool {
    tools.iter().all(|tool| {
        let found = Command::new(tool).arg("--version").stdout(Stdio::null()).status().is_ok();
        if !found {
            skipped(tool, "it is not installed");
        }
        found
    })
}

/// Programs that tests with a signed archive need.
pub const TOOLS: &[&str] = &["apt-get", "dpkg-deb", "gpg", "gpgv"];

pub fn run(command: &mut Command) -> String {
    let output = command.env("LC_ALL", "C").output().expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn sha256(path: &Path) -> String {
    run(Command::new("sha256sum").arg(path))[..64].to_owned()
}

/// A package to be put into the archive.
pub struct Deb {
    pub name: &'static str,
    pub version: &'static str,
    pub arch: &'static str,
    pub fields: &'static str,
    pub files: &'static [&'static str],
    pub postinst: &'static str,
}

pub const PACKAGES: &[Deb] = &[
    Deb {
        name: "tool",
        version: "1.0-1",
        arch: "riscv64",
        fields: "Depends: library (>= 1:2.0~)\nRecommends: extra\n",
        files: &["usr/bin/tool", "usr/bin/bash"],
        postinst: "update-alternatives --install /usr/bin/t t /usr/bin/tool 5 || true\n\
                   adduser --system tool\n",
    },
    Deb {
        // An epoch, a tilde and a plus sign: only some of them are quoted in apt's file names.
        name: "library",
        version: "1:2.0~rc1+b1",
        arch: "riscv64",
        fields: "",
        files: &["lib/riscv64-linux-gnu/lib.so.1", "lib64/x", "usr/lib/riscv64-linux-gnu/y"],
        postinst: "",
    },
    Deb {
        name: "extra",
        version: "1",
        arch: "all",
        fields: "Provides: anything\n",
        files: &["usr/share/extra/f"],
        postinst: "",
    },
    Deb {
        name: "unmet",
        version: "1",
        arch: "riscv64",
        fields: "Depends: not-there\n",
        files: &["usr/share/unmet"],
        postinst: "",
    },
    Deb {
        // Its file is a directory of `extra`.
        name: "collides",
        version: "1",
        arch: "riscv64",
        fields: "Depends: extra\n",
        files: &["usr/share/extra"],
        postinst: "",
    },
];

/// A key pair in its own directory; dropping it stops gpg's agent.
pub struct Key {
    home: TempDir,
}

impl Key {
    pub fn new() -> Key {
        let key = Key { home: tempfile::tempdir().unwrap() };
        run(key
            .gpg()
            .args(["--quick-gen-key", "Test Archive <archive@mirror.example>"])
            .args(["rsa2048", "sign", "never"]));
        run(key.gpg().arg("--output").arg(key.keyring()).arg("--export"));
        key
    }

    fn gpg(&self) -> Command {
        let mut gpg = Command::new("gpg");
        gpg.arg("--homedir").arg(self.home.path()).args(["--batch", "--quiet", "--passphrase", ""]);
        gpg
    }

    pub fn keyring(&self) -> PathBuf {
        self.home.path().join("archive.gpg")
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        let mut end = Command::new("gpgconf");
        end.arg("--homedir").arg(self.home.path()).args(["--kill", "all"]);
        let _ = end.output();
    }
}

/// The archive, with a store to use it from.
pub struct Archive {
    dir: TempDir,
    home: TempDir,
}

impl Archive {
    /// An unsigned archive of [`PACKAGES`].
    pub fn unsigned() -> Archive {
        let archive =
            Archive { dir: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() };
        fs::create_dir(archive.path("pool")).unwrap();
        let index: String = PACKAGES.iter().map(|deb| archive.build(deb)).collect();
        archive.publish(&index, &archive.source());
        archive
    }

    /// The archive signed with `key`.
    pub fn signed(key: &Key) -> Archive {
        let archive = Archive::unsigned();
        archive.sign(key);
        archive
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn deb(&self, name: &str) -> PathBuf {
        self.path(&format!("pool/{name}.deb"))
    }

    /// Builds a package and returns its index entry.
    fn build(&self, deb: &Deb) -> String {
        let tree = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = tree.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        deb.files.iter().for_each(|file| write(file, deb.name));
        let Deb { name, version, arch, fields, .. } = deb;
        let control = format!(
            "Package: {name}\nVersion: {version}\nArchitecture: {arch}\n{fields}\
             Maintainer: Nobody <nobody@mirror.example>\nDescription: test\n"
        );
        write("DEBIAN/control", &control);
        if !deb.postinst.is_empty() {
            write("DEBIAN/postinst", &format!("#!/bin/sh\nset -e\n{}", deb.postinst));
            run(Command::new("chmod").arg("755").arg(tree.path().join("DEBIAN/postinst")));
        }
        run(Command::new("chmod").arg("755").arg(tree.path()));
        let file = self.deb(name);
        let mut build = Command::new("dpkg-deb");
        run(build.args(["--root-owner-group", "--build"]).arg(tree.path()).arg(&file));
        let size = fs::metadata(&file).unwrap().len();
        let sum = sha256(&file);
        format!("{control}Filename: pool/{name}.deb\nSize: {size}\nSHA256: {sum}\n\n")
    }

    /// The upstream archive of the source package `program`.
    pub fn orig(&self) -> PathBuf {
        self.path("pool/program_1.0.orig.tar.gz")
    }

    /// The description of the source package.
    pub fn dsc(&self) -> PathBuf {
        self.path("pool/program_1.0-1.dsc")
    }

    /// Makes the source package and returns its index entry.
    fn source(&self) -> String {
        let tree = tempfile::tempdir().unwrap();
        fs::write(tree.path().join("Configure"), "source\n").unwrap();
        let mut tar = Command::new("tar");
        run(tar.arg("-czf").arg(self.orig()).arg("-C").arg(tree.path()).arg("Configure"));
        let file = |path: &Path| {
            let size = fs::metadata(path).unwrap().len();
            format!(" {} {size} {}\n", sha256(path), path.file_name().unwrap().to_str().unwrap())
        };
        let head = "Format: 3.0 (quilt)\n";
        let fields = "Binary: program\nArchitecture: any\nVersion: 1.0-1\nMaintainer: Nobody <nobody@mirror.example>\n";
        let sums = format!("Checksums-Sha256:\n{}", file(&self.orig()));
        fs::write(self.dsc(), format!("{head}Source: program\n{fields}{sums}")).unwrap();
        format!("Package: program\n{head}{fields}Directory: pool\n{sums}{}\n", file(&self.dsc()))
    }

    fn publish(&self, index: &str, sources: &str) {
        let suite = self.path(&format!("dists/{SUITE}"));
        let packages = suite.join("main/binary-riscv64/Packages");
        fs::create_dir_all(packages.parent().unwrap()).unwrap();
        fs::write(&packages, index).unwrap();
        let source = suite.join("main/source/Sources");
        fs::create_dir_all(source.parent().unwrap()).unwrap();
        fs::write(&source, sources).unwrap();
        let date = run(Command::new("date").args(["-u", "-R"]));
        let release = format!(
            "Origin: Mini\nLabel: Mini\nSuite: {SUITE}\nCodename: {SUITE}\nDate: {date}\
             Architectures: riscv64\nComponents: main\nSHA256:\n {} {} main/binary-riscv64/Packages\n {} {} main/source/Sources\n",
            sha256(&packages),
            index.len(),
            sha256(&source),
            sources.len()
        );
        fs::write(suite.join("Release"), release).unwrap();
    }

    pub fn sign(&self, key: &Key) {
        let suite = self.path(&format!("dists/{SUITE}"));
        let mut sign = key.gpg();
        sign.args(["--yes", "--clearsign", "--output"]).arg(suite.join("InRelease"));
        run(sign.arg(suite.join("Release")));
    }

    pub fn store(&self) -> Store {
        Store::at(self.home.path()).unwrap()
    }

    pub fn home(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    /// A request for packages of this archive, verified with `keyring`.
    pub fn request(&self, keyring: &Path, packages: &[&str]) -> Request {
        Request {
            suite: Some(SUITE.to_owned()),
            mirror: Some(format!("file:{}", self.dir.path().display())),
            keyring: Some(keyring.to_owned()),
            packages: packages.iter().map(|name| (*name).to_owned()).collect(),
            ..Request::default()
        }
    }
}
