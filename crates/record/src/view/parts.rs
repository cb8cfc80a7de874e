//! The parts of operations, such as transform and hash, in percent of their cycles.

use crate::grid::{Grid, Section};
use crate::parts::{Part, order, parts};
use crate::view::core_columns::CoreColumns;
use crate::{Record, Row};
use capvec_text::digits::{PERCENT, WHOLE, count};

const LEGEND: &str = "\
Shares of an operation's cycles in percent, by what its functions do, with warm caches.
";

/// What the legend says about columns that the table has.
const NOTES: [(&str, &str); 4] = [
    ("NTT", "NTT: number-theoretic transform."),
    (
        "key exchange",
        "In TLS connections, a function of the library's interface includes all that it calls.",
    ),
    ("rest", "rest: set-up, copying, and everything that belongs in no other column."),
    ("without names", "without names: in a library without a symbol table."),
];

fn legend(names: &[&str], axes: &CoreColumns) -> String {
    let mut legend = LEGEND.to_string();
    for (_, note) in NOTES.iter().filter(|(name, _)| names.contains(name)) {
        legend += &format!("{note}\n");
    }
    legend + &axes.legend()
}

/// The table, if the cycles of any operation were divided into parts.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let rows: Vec<(&Row, Vec<Part>)> = record.rows.iter().map(|r| (r, parts(r))).collect();
    let has = |name: &str| rows.iter().any(|(_, parts)| parts.iter().any(|p| p.name == name));
    let mut names: Vec<&str> = Vec::new();
    // A part is listed once for each kind of case that has rules for it.
    order().filter(|n| has(n)).for_each(|n| {
        if !names.contains(&n) {
            names.push(n)
        }
    });
    if names.is_empty() {
        return Vec::new();
    }
    let axes = CoreColumns::of(record);
    // Records of connections have several sizes; other operations have none.
    let sized = rows.iter().any(|(row, parts)| !parts.is_empty() && row.bytes > 0);
    let mut head = ["subject", "case", "operation"].map(String::from).to_vec();
    head.extend(sized.then(|| "bytes".into()));
    head.extend(axes.head());
    head.extend(["capability set", "cycles/op"].map(String::from));
    head.extend(names.iter().map(|n| n.to_string()));
    let line = |(row, parts): &(&Row, Vec<Part>)| {
        let all: f64 = parts.iter().map(|p| p.cycles).sum();
        let mut cells = [&row.subject, &row.case, &row.direction].map(Clone::clone).to_vec();
        cells.extend(sized.then(|| WHOLE.show((row.bytes > 0).then_some(row.bytes as f64))));
        cells.extend(axes.cells(row));
        cells.extend([row.capset.clone(), count(row.cycles_per_op)]);
        cells.extend(names.iter().map(|n| {
            let own = parts.iter().find(|p| p.name == *n);
            PERCENT.show(own.map(|p| 100.0 * p.cycles / all))
        }));
        cells
    };
    let body = rows.iter().filter(|(_, parts)| !parts.is_empty()).map(line).collect();
    let legend = legend(&names, &axes).into();
    vec![Section { title: "What the cycles are spent on", grid: Grid { head, body }, legend }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FunctionShare;

    #[test]
    fn each_part_has_a_column() {
        let share = |name: &str, cycles| FunctionShare { name: name.into(), insns: 1.0, cycles };
        let functions =
            vec![share("KeccakF1600", 60.0), share("scalar_ntt", 30.0), share("f", 10.0)];
        let row = Row {
            functions,
            direction: "keygen".into(),
            bytes: 0,
            ..crate::testing::row("ml-kem-512", "zbb", 64, 100.0)
        };
        let plain = crate::testing::row("sha256", "zbb", 64, 100.0);
        let section = &sections(&Record { rows: vec![row, plain], ..Record::default() })[0];
        let grid = &section.grid;
        let expected = ["openssl", "ml-kem-512", "keygen", "zbb", "100", "60.0", "30.0", "10.0"];
        assert_eq!(grid.body, [expected]);
        assert_eq!(grid.head[5..], ["Keccak", "NTT", "rest"]);
        assert!(section.legend.contains("NTT: ") && !section.legend.contains("without names"));
        assert!(sections(&Record::default()).is_empty());
    }

    #[test]
    fn records_of_connections_are_told_apart_by_their_size() {
        let row = |direction: &str, bytes| Row {
            functions: vec![FunctionShare {
                name: "EVP_CipherUpdate".into(),
                insns: 1.0,
                cycles: 1.0,
            }],
            direction: direction.into(),
            bytes,
            ..crate::testing::row("tls13-x25519-p256-aes128gcm", "full", 64, 100.0)
        };
        let rows = vec![row("server", 0), row("enc", 1350), row("enc", 16384)];
        let section = &sections(&Record { rows, ..Record::default() })[0];
        let sizes: Vec<&str> = section.grid.body.iter().map(|line| &*line[3]).collect();
        assert_eq!(section.grid.head[3], "bytes");
        assert_eq!(sizes, ["–", "1350", "16384"]);
        assert!(!section.legend.contains("NTT"), "{}", section.legend);
    }
}
