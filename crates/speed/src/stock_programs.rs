//! The programs of the last table: stock software of the distribution, for which nobody has tuned the engine.

/// What kind of program it is; the table gives the geometric mean of each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// They translate a language to machine code while they run.
    MakesCode,
    /// Compilers: much code, of which little is hot.
    Compiler,
    /// Interpreters of languages.
    Interpreter,
    /// Compression.
    Compression,
    /// Text and data.
    Data,
}

impl Group {
    /// All of them, in the order of the table.
    pub const ALL: [Group; 5] =
        [Group::MakesCode, Group::Compiler, Group::Interpreter, Group::Compression, Group::Data];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Group::MakesCode => "programs that make code",
            Group::Compiler => "compilers",
            Group::Interpreter => "interpreters",
            Group::Compression => "compression",
            Group::Data => "text and data",
        }
    }
}

/// A program of the last table.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name in the table.
    pub name: &'static str,
    /// Its group.
    pub group: Group,
    /// The package that it is in.
    pub package: &'static str,
    /// Its path in the sysroot.
    pub path: &'static str,
    /// Its arguments. `/w` is the directory of inputs.
    pub args: &'static [&'static str],
}

const fn program(
    name: &'static str,
    group: Group,
    package: &'static str,
    path: &'static str,
    args: &'static [&'static str],
) -> Program {
    Program { name, group, package, path, args }
}

/// `java` in the sysroot.
pub const JAVA: &str = "/usr/lib/jvm/java-21-openjdk-riscv64/bin/java";
const JDK: &str = "openjdk-21-jdk-headless";
const CC1: &str = "/usr/libexec/gcc/riscv64-linux-gnu/14/cc1";
const CC1PLUS: &str = "/usr/libexec/gcc/riscv64-linux-gnu/14/cc1plus";
const GO: &str = "/usr/lib/go-1.24/pkg/tool/linux_riscv64/compile";

/// All of them.
#[rustfmt::skip]
pub const PROGRAMS: &[Program] = &[
    program("OpenJDK: ciphers", Group::MakesCode, JDK, JAVA, &["-Xmx256m", "-cp", "/w", "Ciphers"]),
    program("OpenJDK: loops", Group::MakesCode, JDK, JAVA, &["-Xmx256m", "-cp", "/w", "Loops"]),
    program("node", Group::MakesCode, "nodejs", "/usr/bin/node", &["/w/loops.js"]),
    program("g++ with iostream, regex", Group::Compiler, "g++", CC1PLUS, &["-quiet", "-imultiarch", "riscv64-linux-gnu", "-march=rv64gc", "-mabi=lp64d", "-O0", "/w/streams.cc", "-o", "/dev/null"]),
    program("gcc -O2", Group::Compiler, "gcc", CC1, &["-quiet", "-imultiarch", "riscv64-linux-gnu", "-march=rv64gc", "-mabi=lp64d", "-O2", "/w/many.c", "-o", "/dev/null"]),
    program("go", Group::Compiler, "golang-1.24-go", GO, &["-o", "/dev/null", "-p", "main", "-c", "1", "/w/many.go"]),
    program("ruby", Group::Interpreter, "ruby", "/usr/bin/ruby", &["/w/loops.rb"]),
    program("python", Group::Interpreter, "python3", "/usr/bin/python3", &["/w/loops.py"]),
    program("perl", Group::Interpreter, "perl", "/usr/bin/perl", &["/w/loops.pl"]),
    program("php", Group::Interpreter, "php-cli", "/usr/bin/php8.4", &["/w/loops.php"]),
    program("lua", Group::Interpreter, "lua5.4", "/usr/bin/lua5.4", &["/w/loops.lua"]),
    program("bash", Group::Interpreter, "bash", "/usr/bin/bash", &["/w/loops.sh"]),
    program("bc", Group::Interpreter, "bc", "/usr/bin/bc", &["-lq", "/w/loops.bc"]),
    program("xz", Group::Compression, "xz-utils", "/usr/bin/xz", &["-1", "-k", "-c", "/w/text"]),
    program("bzip2", Group::Compression, "bzip2", "/usr/bin/bzip2", &["-k", "-c", "/w/text"]),
    program("brotli", Group::Compression, "brotli", "/usr/bin/brotli", &["-q", "6", "-c", "/w/text"]),
    program("zstd", Group::Compression, "zstd", "/usr/bin/zstd", &["-9", "-q", "-c", "--single-thread", "/w/text"]),
    program("pigz", Group::Compression, "pigz", "/usr/bin/pigz", &["-p", "2", "-c", "/w/text"]),
    program("gawk", Group::Data, "gawk", "/usr/bin/gawk", &["-f", "/w/loops.awk", "/w/text"]),
    program("sort", Group::Data, "coreutils", "/usr/bin/sort", &["--parallel=1", "/w/text"]),
    program("sqlite", Group::Data, "sqlite3", "/usr/bin/sqlite3", &[":memory:", ".read /w/loops.sql"]),
    program("git pack-objects", Group::Data, "git", "/usr/bin/git", &["-c", "safe.directory=*", "-C", "/w/repo", "pack-objects", "--all", "--stdout", "--threads=1", "-q"]),
];

/// Inputs that are part of this crate: name and text.
pub const INPUTS: &[(&str, &str)] = &[
    ("loops.py", include_str!("../programs/stock/loops.py")),
    ("loops.rb", include_str!("../programs/stock/loops.rb")),
    ("loops.pl", include_str!("../programs/stock/loops.pl")),
    ("loops.php", include_str!("../programs/stock/loops.php")),
    ("loops.lua", include_str!("../programs/stock/loops.lua")),
    ("loops.awk", include_str!("../programs/stock/loops.awk")),
    ("loops.sh", include_str!("../programs/stock/loops.sh")),
    ("loops.bc", include_str!("../programs/stock/loops.bc")),
    ("loops.sql", include_str!("../programs/stock/loops.sql")),
    ("loops.js", include_str!("../programs/stock/loops.js")),
    ("Loops.java", include_str!("../programs/stock/Loops.java")),
    ("Ciphers.java", include_str!("../programs/stock/Ciphers.java")),
    ("streams.cc", include_str!("../programs/stock/streams.cc")),
];

/// Functions that are repeated with other names, a number in place of each N at the end of a name, to give the C compiler
/// enough to do.
pub const C_FUNCTIONS: &str = include_str!("../programs/stock/functions.c");
/// The same for the Go compiler.
pub const GO_FUNCTIONS: &str = include_str!("../programs/stock/functions.go");
