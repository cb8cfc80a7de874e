//! Runs the tests of the package, which are Python: in a virtual environment with what requirements-test.txt lists, on the
//! library and the command that were built with this program.

use capvec_util::testing::skipped;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the command prints, or why it failed.
fn run(command: &mut Command) -> Result<String, String> {
    let out = command.output().map_err(|e| format!("{}: {e}", command.get_program().display()))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match out.status.success() {
        true => Ok(text(&out.stdout)),
        false => Err(text(&out.stdout) + &text(&out.stderr)),
    }
}

/// A virtual environment with the packages of this file, which is kept.
fn environment(here: &Path, requirements: &str) -> Result<PathBuf, String> {
    let requirements = here.join(requirements);
    let text = std::fs::read(&requirements).map_err(|e| e.to_string())?;
    let version = run(Command::new("python3").arg("--version"))?;
    let digest = hex::encode(Sha256::digest([text, version.into_bytes()].concat()));
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("python-{}", &digest[..16]));
    let (python, done) = (place.join("bin/python"), place.join("installed"));
    if !done.exists() {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place))?;
        let pip =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
        run(Command::new(&python).args(pip).arg(&requirements))?;
        std::fs::write(&done, "").map_err(|e| e.to_string())?;
    }
    Ok(python)
}

/// A folder from which Python imports the package: its files, and the library that was built.
fn package(here: &Path, library: &Path) -> std::io::Result<PathBuf> {
    let stage = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-package");
    let package = stage.join("capvec");
    if package.exists() {
        std::fs::remove_dir_all(&package)?;
    }
    std::fs::create_dir_all(&package)?;
    for file in std::fs::read_dir(here.join("capvec"))? {
        let path = file?.path();
        std::os::unix::fs::symlink(&path, package.join(path.file_name().expect("a name")))?;
    }
    std::os::unix::fs::symlink(library, package.join("_native.abi3.so"))?;
    Ok(stage)
}

/// Runs the tests of this file or folder, with the packages that these requirements list.
fn test(requirements: &str, tests: &[&str]) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python");
    let here = &here.canonicalize().unwrap();
    let this = std::env::current_exe().unwrap();
    let built = this.parent().expect("target/debug/deps");
    let command = built.with_file_name("capvec");
    if !command.exists() {
        return skipped("capvec", "the command is not built; run the tests of the whole workspace");
    }
    let python = match environment(here, requirements) {
        Ok(python) => python,
        Err(why) => return skipped("python", why),
    };
    let package = package(here, &built.join("libcapvec_native.so")).unwrap();
    let mut pytest = Command::new(python);
    pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "--rootdir"]);
    pytest.arg(here);
    // In the package's own folder, Python would import the package without the library.
    let home = tempfile::tempdir().unwrap();
    pytest.current_dir(home.path());
    for word in tests {
        let path = here.join(word);
        pytest.arg(if path.exists() { path.as_os_str() } else { word.as_ref() });
    }
    pytest.env("IPYTHONDIR", home.path()).env("JUPYTER_DATA_DIR", home.path());
    pytest.env("PYTHONPATH", &package).env("PYTHONDONTWRITEBYTECODE", "1");
    pytest.env("CAPVEC_COMMAND", command);
    match run(&mut pytest) {
        Ok(text) => println!("{text}"),
        Err(text) => panic!("{text}"),
    }
}

#[test]
fn the_tests_of_the_package_pass() {
    test("requirements-test.txt", &["tests"]);
}

/// Ray takes 350 MB.
#[test]
#[ignore = "fetches Ray"]
fn sweeps_on_a_ray_cluster_survive_the_loss_of_workers() {
    test("requirements-ray.txt", &["tests/test_sweep.py"]);
}

/// Jupyter takes 100 MB.
#[test]
#[ignore = "fetches Jupyter"]
fn the_notebooks_run() {
    test("requirements-notebooks.txt", &["--nbmake", "--nbmake-timeout=600", "notebooks"]);
}
