//! The inputs of the last table's programs.

use super::runner::{JAVA_HOME, guest};
use crate::stock_programs::{C_FUNCTIONS, GO_FUNCTIONS, INPUTS, Program};
use anyhow::{Context, bail};
use std::fmt::Write as _;
use std::fs::write;
use std::path::Path;

/// How often the functions are repeated for the compilers of C and Go.
const C_COPIES: usize = 40;
const GO_COPIES: usize = 30;

/// Lines of the text to be compressed, sorted and searched.
const LINES: usize = 30_000;

/// Writes the inputs of these programs into the directory, which is `/w` in the guest.
///
/// # Errors
/// A file cannot be written, or a program that makes an input fails.
pub fn prepare(
    capvec: &Path,
    (sysroot, root): (&str, &Path),
    dir: &Path,
    programs: &[&Program],
) -> anyhow::Result<()> {
    for (name, text) in INPUTS {
        write(dir.join(name), text).with_context(|| format!("writing {name}"))?;
    }
    write(dir.join("text"), text()).context("writing a text")?;
    let headers = ["stdint.h", "stdio.h", "stdlib.h", "string.h"];
    let c = headers.map(|h| format!("#include <{h}>\n")).concat() + &repeat(C_FUNCTIONS, C_COPIES);
    write(dir.join("many.c"), c).context("writing a C file")?;
    let (head, functions) = GO_FUNCTIONS.split_once('\n').context("a Go file has lines")?;
    let go = format!("{head}\n{}\nfunc main() {{}}\n", repeat(functions, GO_COPIES));
    write(dir.join("many.go"), go).context("writing a Go file")?;
    let wanted = |package: &str| programs.iter().find(|p| p.package.starts_with(package));
    if let Some(java) = wanted("openjdk") {
        java_home(root, dir)?;
        let javac = java.path.replace("/bin/java", "/bin/javac");
        for class in ["Loops", "Ciphers"] {
            make(capvec, sysroot, dir, &[&javac, "-d", "/w", &format!("/w/{class}.java")])?;
        }
    }
    if wanted("git").is_some() {
        make(capvec, sysroot, dir, &["/usr/bin/bash", "-c", REPOSITORY])?;
    }
    Ok(())
}

/// Copies the configuration of Java, and links to its libraries.
fn java_home(root: &Path, dir: &Path) -> anyhow::Result<()> {
    let home = dir.join(JAVA_HOME);
    std::fs::create_dir_all(&home).context("a directory for Java")?;
    let lib = root.join("usr/lib/jvm/java-21-openjdk-riscv64/lib");
    std::os::unix::fs::symlink(lib, home.join("lib")).context("linking Java's libraries")?;
    copy(&root.join("etc/java-21-openjdk"), &home.join("conf"))
}

/// Copies a directory.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    std::fs::create_dir(to).with_context(|| format!("making {}", to.display()))?;
    for entry in std::fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let (from, to) = (entry.context("reading a directory")?.path(), to.to_path_buf());
        let to = to.join(from.file_name().unwrap_or_default());
        if from.is_dir() {
            copy(&from, &to)?;
        } else if from.is_file() {
            std::fs::copy(&from, &to).with_context(|| format!("copying {}", from.display()))?;
        }
    }
    Ok(())
}

/// Makes a repository in which the text grows from commit to commit.
const REPOSITORY: &str = "set -e; export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x \
    GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1=x; git init -q /w/repo; cd /w/repo; \
    for n in $(seq 1 30); do head -c $((n * 20000)) /w/text > text; for k in 1 2 3; do \
    tail -n +$((n * k)) /w/many.c | head -400 > $k.c; done; git add .; git -c gc.auto=0 commit -qm $n; done";

/// Runs a program that makes an input.
fn make(capvec: &Path, sysroot: &str, dir: &Path, command: &[&str]) -> anyhow::Result<()> {
    let output = guest(capvec, None, sysroot, dir, true)
        .args(command)
        .output()
        .with_context(|| format!("running {}", capvec.display()))?;
    if !output.status.success() {
        bail!("{}: {}", command.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Copies of functions, each with a number in place of the N at the end of names.
fn repeat(functions: &str, copies: usize) -> String {
    let ends = |c: char| !c.is_alphanumeric();
    let copy = |number: usize| {
        let mut copy = String::new();
        for piece in functions.split_inclusive(ends) {
            let word = piece.trim_end_matches(ends);
            match word.strip_suffix('N') {
                Some(name) if !name.is_empty() => {
                    let _ = write!(copy, "{name}{number}{}", &piece[word.len()..]);
                }
                _ => copy.push_str(piece),
            }
        }
        copy
    };
    (0..copies).map(copy).collect()
}

/// A text of words of which some are much more frequent than others.
fn text() -> String {
    const SYLLABLES: [&str; 16] = [
        "ka", "ron", "te", "lis", "mo", "ing", "ver", "sa", "ne", "th", "po", "er", "ul", "di",
        "ent", "o",
    ];
    let (mut state, mut text) = (1_u64, String::new());
    // Knuth's MMIX generator; the low bits are the weakest.
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for _ in 0..LINES {
        for _ in 0..next() % 9 + 3 {
            // The product of two small numbers is seldom large.
            let mut word = next() % 40 * (next() % 40) + 1;
            while word > 0 {
                text.push_str(SYLLABLES[word as usize % 16]);
                word /= 16;
            }
            text.push(' ');
        }
        let _ = writeln!(text, "{}", next() % 1000);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{repeat, text};

    #[test]
    fn copies_differ_in_the_numbers_of_their_names() {
        let copies = repeat("struct nodeN *mixN(int N, nodeN *NULL);\n", 2);
        assert_eq!(
            copies,
            "struct node0 *mix0(int N, node0 *NULL);\nstruct node1 *mix1(int N, node1 *NULL);\n"
        );
    }

    #[test]
    fn the_text_is_the_same_every_time_and_has_frequent_words() {
        let text = text();
        assert!(text.len() > 1 << 20 && text.len() < 4 << 20, "{}", text.len());
        let first = text.split(' ').next().expect("a word");
        assert!(text.matches(first).count() > 1);
    }
}
