//! The check itself: circles that it has to find, and imports that form none.

use capvec_layers::{File, Module, between, circles, differences, imports, parse};

#[test]
fn the_check_finds_circles_of_folders() {
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let file = |(path, text): (&str, &str)| (module(path), parse(text));
    let files = [
        ("a", ""),
        ("a::low", ""),
        ("a::high", "use crate::b::B;"),
        ("b", "use crate::a::low::Low;\nstruct B;"),
    ];
    let files = files.map(file).into_iter().chain([(Module::new(), File::default())]).collect();
    let imports = imports(&files);
    assert!(circles(imports.clone()).is_empty());
    let circle: Vec<Module> = circles(between(&imports, &[])).into_keys().collect();
    assert_eq!(circle, [module("a"), module("b")]);
}

/// A path may begin with the name that a `use` declaration gave to a module.
#[test]
fn the_check_sees_paths_that_begin_with_an_imported_name() {
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let file = |(path, text): (&str, &str)| (module(path), parse(text));
    let imported = |text: &'static str| -> Vec<String> {
        let files = [
            ("a", text),
            ("b", "pub use crate::d::deep as shallow;"),
            ("b::c", ""),
            ("d", ""),
            ("d::deep", ""),
        ];
        let files = files.map(file).into_iter().chain([(Module::new(), File::default())]);
        imports(&files.collect())[&module("a")].iter().map(|m| m.join("::")).collect()
    };
    assert_eq!(imported("use crate::b;\nfn f() { b::c::g() }"), ["b", "b::c"]);
    assert_eq!(imported("use crate::b as e;\nfn f() { e::c::g() }"), ["b", "b::c"]);
    assert_eq!(imported("use crate::{b::{self as e}};\nfn f() { e::c::g() }"), ["b", "b::c"]);
    assert_eq!(imported("use crate::b::shallow as e;\nfn f() { e::g() }"), ["d::deep"]);
    assert_eq!(imported("use crate::b;\nfn f() { b::shallow::g() }"), ["b", "d::deep"]);
    assert_eq!(imported("use std::fmt as e;\nfn f() { e::c::g() }"), [""; 0]);
}

#[test]
fn differences_from_a_list_are_named() {
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let file = |(path, text): (&str, &str)| (module(path), parse(text));
    let files = [("a", ""), ("a::b", "use super::c::C;"), ("a::c", "struct C;"), ("a::d", "")];
    let files = files.map(file).into_iter().chain([(Module::new(), File::default())]).collect();
    let imports = imports(&files);
    let found = |list: &[(&str, &[&str])]| differences(&imports, &["a"], list).join("; ");
    assert_eq!(found(&[("c", &[]), ("b", &["c"]), ("d", &[])]), "");
    assert_eq!(
        found(&[("b", &["c"]), ("c", &[]), ("d", &[])]),
        "b may not import c: it comes later"
    );
    assert_eq!(
        found(&[("c", &[]), ("b", &[]), ("d", &["c"])]),
        "b imports c, which is not listed; d does not import c, which is listed"
    );
    assert_eq!(
        found(&[("c", &[]), ("b", &["c"]), ("e", &[])]),
        "d is not listed; e is listed, but does not exist"
    );
}

#[test]
fn the_check_finds_circles() {
    let file = |text: &str| parse(text);
    let module = |name: &str| vec![name.to_owned()];
    let names = |files: &[(&str, &str)]| -> Vec<String> {
        let files = files.iter().map(|(name, text)| (module(name), file(text)));
        let files = files.chain([(Module::new(), File::default())]).collect();
        circles(imports(&files)).into_keys().map(|file| file.join("::")).collect()
    };
    let (a, b) = (
        ("a", "use crate::b::{self, B as _};"),
        ("b", "use std::fmt;\nuse crate::{\n    c::C,\n};"),
    );
    assert!(names(&[a, b, ("c", "use crate::d::D;"), ("d", "struct D;")]).is_empty());
    assert_eq!(names(&[a, b, ("c", "fn f(a: super::a::A) {}"), ("d", "")]), ["a", "b", "c"]);
    // Through a re-export, which is itself no import unless the file uses the name.
    let c = ("c", "use crate::d::A;\nstruct C;");
    assert_eq!(names(&[a, b, c, ("d", "pub(crate) use crate::a::A;")]), ["a", "b", "c"]);
    let d = ("d", "pub use crate::c::C;\npub use crate::a::A;\nstruct D(A);");
    assert_eq!(names(&[a, b, c, d]), ["a", "b", "c"]);
    assert!(
        names(&[("a", "use crate::d::E;"), ("d", "pub use crate::a::A;\nstruct E;")]).is_empty()
    );
    assert_eq!(
        names(&[("a", "use crate::d::E;"), ("d", "pub use crate::a::A;\nstruct E(A);")]),
        ["a", "d"]
    );
}
