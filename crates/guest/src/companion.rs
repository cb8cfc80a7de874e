//! Libraries of languages with a runtime of their own: their driver loads a companion, a file in that language, compiled in the simulator
//! where that is needed.

use crate::part::Source;
use crate::tools::{self, Tools};
use anyhow::{Context, Result, bail};
use capvec_linux::Bind;
use capvec_util::build_cache::{is_whole, keep};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// How a companion is made.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Companion {
    /// The file, which lies next to the driver that loads it.
    pub(crate) file: &'static str,
    sources: &'static [Source],
    /// `None` if the file is one of the sources.
    compiled: Option<Compiled>,
}

/// How the language's compiler makes a file.
#[derive(Debug, PartialEq, Eq)]
struct Compiled {
    compiler: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [&'static str],
    /// A directory that the compiler leaves.
    leaves: Option<&'static str>,
    /// What is told when it is made.
    progress: &'static str,
}

/// Go's crypto packages as a shared library. The paths of the build and the version of a checkout are not put into it; no network,
/// and all that Go writes is in the directory of the build.
pub(crate) const GO: Companion = Companion {
    file: "gocrypto.so",
    sources: &[
        ("gocrypto.go", include_str!("../driver/gocrypto/gocrypto.go")),
        ("go.mod", "module capvec\n\ngo 1.24\n"),
    ],
    compiled: Some(Compiled {
        compiler: "/usr/lib/go/bin/go",
        arguments: &[
            "build",
            "-trimpath",
            "-buildvcs=false",
            "-buildmode=c-shared",
            "-ldflags=-s -w",
            "-o",
            "gocrypto.so",
        ],
        environment: &[
            "PATH=/usr/bin",
            "HOME=/work",
            "GOCACHE=/work/cache",
            "GOTMPDIR=/work",
            "GOPROXY=off",
            "GOTOOLCHAIN=local",
            "GOTELEMETRY=off",
            "CGO_ENABLED=1",
        ],
        leaves: Some("cache"),
        progress: "building Go's crypto packages once, with the distribution's Go in the simulator (takes minutes)",
    }),
};

/// A class that calls Java's JCA.
pub(crate) const JAVA: Companion = Companion {
    file: "CapvecJca.class",
    sources: &[("CapvecJca.java", include_str!("../driver/jca/CapvecJca.java"))],
    compiled: Some(Compiled {
        compiler: "/usr/lib/jvm/default-java/bin/javac",
        arguments: &["-J-XX:+UseSerialGC", "-d", ".", "CapvecJca.java"],
        environment: &[],
        leaves: None,
        progress: "compiling a class of Java, with the distribution's javac in the simulator",
    }),
};

/// A script that calls Node's module crypto.
pub(crate) const NODE: Companion = Companion {
    file: "nodecrypto.js",
    sources: &[("nodecrypto.js", include_str!("../driver/node/nodecrypto.js"))],
    compiled: None,
};

impl Companion {
    /// What it depends on.
    pub(crate) fn id(&self, tools: Option<&Tools>) -> String {
        let text = self.sources.iter().map(|(_, text)| *text).collect::<String>();
        let how = self.compiled.as_ref().map_or(String::new(), |c| {
            let compiler = tools.map_or("", |t| &t.id);
            format!("\n{}\n{compiler}", [c.arguments, c.environment].concat().join(" "))
        });
        hex::encode(Sha256::digest(text + &how))
    }

    /// The file in a folder of `kept`, made if necessary.
    pub(crate) fn ensure(
        &self,
        kept: &Path,
        tools: Option<&Tools>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<PathBuf> {
        let dir = kept.join(&self.id(tools)[..16]);
        if !is_whole(&dir, self.file) {
            self.compiled.iter().for_each(|c| progress(c.progress));
            keep(kept, &dir, self.file, |work| self.make(tools, work))?;
        }
        Ok(dir.join(self.file))
    }

    /// Makes it in the directory `work`.
    fn make(&self, tools: Option<&Tools>, work: &Path) -> Result<()> {
        for (file, text) in self.sources {
            std::fs::write(work.join(file), text)?;
        }
        let Some(compiled) = &self.compiled else { return Ok(()) };
        let root = &tools.context("the language was not fetched")?.sysroot.root;
        let binds = vec![Bind { host: work.into(), guest: "/work".into(), writable: true }];
        let arguments = compiled.arguments.iter().map(|a| a.to_string()).collect();
        let exit =
            tools::compile_with(root, compiled.compiler, arguments, binds, compiled.environment)?;
        if exit.status.code() != 0 {
            let said = String::from_utf8_lossy(&exit.stderr);
            let code = exit.status.code();
            bail!("making {} failed with status {code}:\n{}", self.file, said.trim());
        }
        Ok(compiled.leaves.map_or(Ok(()), |dir| std::fs::remove_dir_all(work.join(dir)))?)
    }
}
