//! The format of pprof (github.com/google/pprof, proto/profile.proto): a protocol buffer, which may be compressed with gzip.

use crate::tree::Profile as Tree;
use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;
use std::collections::HashMap;
use std::io::Write;

/// The messages and fields of profile.proto that are used here.
#[derive(Clone, PartialEq, Message)]
pub struct Profile {
    #[prost(message, repeated, tag = "1")]
    pub sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "2")]
    pub sample: Vec<Sample>,
    #[prost(message, repeated, tag = "4")]
    pub location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    pub function: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    pub string_table: Vec<String>,
    #[prost(int64, tag = "10")]
    pub duration_nanos: i64,
    #[prost(message, optional, tag = "11")]
    pub period_type: Option<ValueType>,
    #[prost(int64, tag = "12")]
    pub period: i64,
    #[prost(int64, tag = "14")]
    pub default_sample_type: i64,
}

#[derive(Clone, PartialEq, Message)]
pub struct ValueType {
    #[prost(int64, tag = "1")]
    pub r#type: i64,
    #[prost(int64, tag = "2")]
    pub unit: i64,
}

#[derive(Clone, PartialEq, Message)]
pub struct Sample {
    /// The innermost location first.
    #[prost(uint64, repeated, tag = "1")]
    pub location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    pub value: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Location {
    #[prost(uint64, tag = "1")]
    pub id: u64,
    #[prost(message, repeated, tag = "4")]
    pub line: Vec<Line>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Line {
    #[prost(uint64, tag = "1")]
    pub function_id: u64,
}

#[derive(Clone, PartialEq, Message)]
pub struct Function {
    #[prost(uint64, tag = "1")]
    pub id: u64,
    #[prost(int64, tag = "2")]
    pub name: i64,
    #[prost(int64, tag = "3")]
    pub system_name: i64,
    #[prost(int64, tag = "4")]
    pub filename: i64,
}

/// The strings of a profile. The first is empty.
struct Strings(Vec<String>, HashMap<String, i64>);

impl Strings {
    fn index(&mut self, text: &str) -> i64 {
        if let Some(index) = self.1.get(text) {
            return *index;
        }
        let index = self.0.len() as i64;
        self.0.push(text.to_owned());
        self.1.insert(text.to_owned(), index);
        index
    }
}

/// The message for a core of this frequency.
pub fn message(tree: &Tree, frequency: u64) -> Profile {
    let mut strings = Strings(vec![String::new()], HashMap::from([(String::new(), 0)]));
    let mut kind = |name: &str| {
        let index = strings.index(name);
        ValueType { r#type: index, unit: strings.index("count") }
    };
    let sample_type = vec![kind("instructions"), kind("cycles")];
    let default_sample_type = sample_type[1].r#type;
    let mut sample = Vec::new();
    let mut used = vec![false; tree.functions.len()];
    for (k, n) in tree.nodes.iter().enumerate().filter(|(_, n)| n.own.insns > 0 || n.own.cycles > 0)
    {
        let mut path: Vec<usize> =
            tree.path(k as u32).iter().map(|n| tree.nodes[*n as usize].function as usize).collect();
        path.reverse();
        path.iter().for_each(|f| used[*f] = true);
        let location_id = path.iter().map(|f| *f as u64 + 1).collect();
        let value = vec![n.own.insns as i64, n.own.cycles as i64];
        sample.push(Sample { location_id, value });
    }
    let functions = || tree.functions.iter().enumerate().filter(|(k, _)| used[*k]);
    let function = functions().map(|(k, f)| {
        let name = strings.index(&f.name);
        let filename = strings.index(&f.object);
        Function { id: k as u64 + 1, name, system_name: name, filename }
    });
    let function = function.collect();
    let id = |k: usize| k as u64 + 1;
    let location =
        functions().map(|(k, _)| Location { id: id(k), line: vec![Line { function_id: id(k) }] });
    let nanos = tree.total().cycles as u128 * 1_000_000_000 / u128::from(frequency.max(1));
    Profile {
        location: location.collect(),
        period_type: Some(sample_type[1].clone()),
        sample_type,
        sample,
        function,
        string_table: strings.0,
        duration_nanos: nanos as i64,
        period: 1,
        default_sample_type,
    }
}

/// The file, compressed if `compressed`.
pub fn pprof(tree: &Tree, frequency: u64, compressed: bool) -> Vec<u8> {
    let bytes = message(tree, frequency).encode_to_vec();
    if !compressed {
        return bytes;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    encoder.write_all(&bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}
