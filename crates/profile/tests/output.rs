//! Formats of other tools, read back.

use capvec_profile::output::{About, Format, flat, summary};
use capvec_profile::{Count, Function, Node, Profile};
use std::path::Path;

/// A process in which main calls f, which calls itself and g; names and files that have to be escaped.
fn profile() -> Profile {
    let function = |name: &str, object: &str| Function {
        name: name.into(),
        object: object.into(),
        address: 0,
    };
    let node = |parent, function, cycles| Node {
        parent,
        function,
        own: Count { insns: cycles / 2, cycles },
        calls: 1,
        ..Node::default()
    };
    Profile {
        functions: vec![
            function("program (100)", ""),
            function("main", "/bin/a & b"),
            function("f<int>;\"x\"", "/bin/a & b"),
            function("g", "/lib/libg.so\u{1}"),
        ],
        nodes: vec![
            node(0, 0, 0),
            node(0, 1, 1000),
            node(1, 2, 20_000),
            node(2, 2, 300_000),
            node(3, 3, 5_000_000_000),
        ],
        merged: false,
    }
}

const TOTAL: u64 = 5_000_321_000;

fn written(format: Format) -> Vec<u8> {
    let about = About { title: "run <x>".into(), frequency: 75_000_000 };
    format.write(&profile(), &about).expect("it fits")
}

fn text(format: Format) -> String {
    String::from_utf8(written(format)).expect("UTF-8")
}

#[test]
fn formats_follow_from_endings() {
    for (name, format) in [
        ("x.svg", Format::Svg),
        ("x.json", Format::Firefox),
        ("x.pb", Format::Pprof),
        ("x.pb.gz", Format::PprofGz),
        ("x.y.folded", Format::Folded),
        ("x.txt", Format::Text),
    ] {
        assert_eq!(Format::of(Path::new(name)), Ok(format));
    }
    for name in ["x", "svg", "x.gz", ".svg/x", "x.SVG"] {
        assert!(Format::of(Path::new(name)).unwrap_err().contains(".pb.gz"), "{name}");
    }
}

#[test]
fn a_recursive_function_counts_once() {
    let rows = flat(&profile());
    let totals: Vec<(u32, u64, u64)> =
        rows.iter().map(|r| (r.function, r.own.cycles, r.total.cycles)).collect();
    assert_eq!(
        totals,
        [(3, 5_000_000_000, 5_000_000_000), (2, 320_000, 5_000_320_000), (1, 1000, TOTAL)]
    );
    let text = summary(&profile(), 2);
    assert!(text.contains("5000321000 cycles, 2500160500 instructions"), "{text}");
    assert!(text.contains("g (libg.so") && !text.contains("main"), "{text}");
}

/// A function is shown with its file even if its name contains the file's; only made-up names already include the file.
#[test]
fn the_file_stands_once() {
    for (name, shown) in [
        ("mix", "mix (mix)"),
        ("mixer", "mixer (mix)"),
        ("mix+0x40", "mix+0x40"),
        ("[mix]", "[mix]"),
    ] {
        let mut profile = profile();
        profile.functions[3] =
            Function { name: name.into(), object: "/bin/mix".into(), address: 0 };
        let text = summary(&profile, 1);
        assert!(text.contains(&format!("  {shown}\n")), "{shown}: {text}");
    }
}

#[test]
fn collapsed_stacks() {
    let expected = "program (100);main 1000\n\
        program (100);main;f<int>_\"x\" 20000\n\
        program (100);main;f<int>_\"x\";f<int>_\"x\" 300000\n\
        program (100);main;f<int>_\"x\";f<int>_\"x\";g 5000000000\n";
    assert_eq!(text(Format::Folded), expected);
}

/// A sample's weight has 31 bits, so 5,000,000,000 cycles are three samples.
#[test]
fn firefox() {
    let json: serde_json::Value = serde_json::from_slice(&written(Format::Firefox)).expect("JSON");
    let thread = &json["threads"][0];
    let weights = thread["samples"]["weight"].as_array().expect("weights");
    assert_eq!(weights.len(), 6);
    assert_eq!(weights.iter().map(|w| w.as_u64().expect("positive")).sum::<u64>(), TOTAL);
    assert_eq!(json["meta"]["symbolicated"], true);
    let strings = json.to_string();
    assert!(
        strings.contains("f<int>;\\\"x\\\"") && thread["stackTable"]["length"] == 4,
        "{strings}"
    );
}

/// The message's fields, read by hand: (number, integer or bytes).
fn fields(mut b: &[u8]) -> Vec<(u64, u64, Vec<u8>)> {
    fn varint(b: &mut &[u8]) -> u64 {
        let mut v = 0;
        for k in 0.. {
            v |= u64::from(b[0] & 0x7f) << (7 * k);
            let last = b[0] < 0x80;
            *b = &b[1..];
            if last {
                return v;
            }
        }
        v
    }
    let mut all = Vec::new();
    while !b.is_empty() {
        let key = varint(&mut b);
        let n = varint(&mut b);
        match key & 7 {
            0 => all.push((key >> 3, n, Vec::new())),
            2 => {
                all.push((key >> 3, n, b[..n as usize].to_vec()));
                b = &b[n as usize..];
            }
            other => panic!("wire type {other}"),
        }
    }
    all
}

#[test]
fn pprof() {
    let bytes = written(Format::Pprof);
    let mut unpacked = Vec::new();
    let gz = written(Format::PprofGz);
    std::io::copy(&mut flate2::read::GzDecoder::new(&gz[..]), &mut unpacked).expect("gzip");
    assert_eq!(unpacked, bytes);
    let all = fields(&bytes);
    let of = |number| all.iter().filter(move |f| f.0 == number);
    let strings: Vec<String> =
        of(6).map(|f| String::from_utf8(f.2.clone()).expect("UTF-8")).collect();
    assert_eq!(strings[0], "");
    // The last sample: g, f, f, main and the process, by location; instructions and cycles.
    let sample = fields(&of(2).next_back().expect("a sample").2);
    assert_eq!(sample[0].2, [4, 3, 3, 2, 1]);
    let mut values = fields(&[&[0x08][..], &sample[1].2[..5], &[0x08], &sample[1].2[5..]].concat());
    let cycles = values.pop().expect("cycles").1;
    assert_eq!((values[0].1, cycles), (2_500_000_000, 5_000_000_000));
    assert_eq!((of(4).count(), of(5).count()), (4, 4));
    let name = |f: &Vec<u8>| strings[fields(f)[1].1 as usize].clone();
    assert!(of(5).any(|f| name(&f.2) == "f<int>;\"x\""));
}

/// Every box lies inside its caller's, and no part of a name ends the element that contains it.
#[test]
fn flame_graph() {
    let svg = text(Format::Svg);
    assert!(svg.contains("f&lt;int&gt;;&quot;x&quot;: 5000320000 cycles, 100.00 %"), "{svg}");
    assert!(svg.contains("run &lt;x&gt;") && !svg.contains('\u{1}') && !svg.contains("<int>"));
    let number = |line: &str, name: &str| -> f64 {
        let rest = line.split_once(&format!("{name}=\"")).expect("it is there").1;
        rest.split('"').next().expect("quoted").parse().expect("a number")
    };
    let boxes: Vec<(f64, f64)> = svg
        .lines()
        .filter(|l| l.starts_with("<g data-x"))
        .map(|l| (number(l, "data-x"), number(l, "data-w")))
        .collect();
    assert_eq!(boxes.len(), 5);
    assert!(
        boxes.windows(2).all(|w| w[1].0 >= w[0].0 && w[1].0 + w[1].1 <= w[0].0 + w[0].1 + 1e-3)
    );
    assert!((boxes[0].1 - 1200.0).abs() < 1e-3);
}
