//! TLS handshakes: what a connection costs each end, and how much data costs as much as a handshake.

use crate::best::groups;
use crate::grid::{Grid, Section};
use crate::view::core_columns::CoreColumns;
use crate::{Record, Row};
use capvec_text::digits::{PER_BYTE, RATIO, TIMES, WHOLE, count, rate};
use std::collections::HashMap;

const LEGEND: &str = "\
What a connection costs the server or the client, from its creation to its end, without the network: kcycles (thousands of modelled
cycles), kinsns (thousands of retired instructions), µs at the core's frequency. full/s: full handshakes a second, by the server
alone. sent: bytes that this end sends. cycles/byte: of the server's records of that many bytes. break-even: bytes of response, in
records of 16384 bytes, that cost the server as many cycles as the full handshake (k, M: thousands, millions).
";

/// Bytes of the long record.
const RECORD: usize = 16384;
/// Bytes of the short one.
const PACKET: usize = 1350;

/// What a line shows of an operation: its row, if it passed.
struct Line<'a> {
    rows: Vec<&'a Row>,
}

impl Line<'_> {
    fn find(&self, direction: &str, bytes: usize) -> Option<&Row> {
        let found = self.rows.iter().find(|r| r.direction == direction && r.bytes == bytes);
        found.copied().filter(|r| r.passed())
    }

    fn cells(&self, scalar: &HashMap<Place, &Row>, axes: &CoreColumns) -> Option<Vec<String>> {
        let any = self.rows.first()?;
        let thousands = |v: Option<f64>| TIMES.show(v.map(|v| v / 1e3));
        let cycles = |d: &str| self.find(d, 0).and_then(|r| r.cycles_per_op);
        let insns = |d: &str| self.find(d, 0).and_then(|r| r.insns_per_op);
        let sent = |d: &str| WHOLE.show(self.find(d, 0).and_then(|r| r.wire_bytes));
        let per_byte = |bytes| self.find("enc", bytes).and_then(|r| r.cycles_per_byte());
        let server = self.find("server", 0);
        let micros = server.and_then(|r| r.ops_per_s).map(|ops| 1e6 / ops);
        let even = cycles("server").zip(per_byte(RECORD)).map(|(all, byte)| all / byte);
        let mut cells = vec![any.subject.clone(), any.case.clone()];
        cells.extend(axes.cells(any));
        cells.extend([
            any.capset.clone(),
            thousands(cycles("server")),
            thousands(insns("server")),
            TIMES.show(micros),
            rate(server.and_then(|r| r.ops_per_s)),
            megahertz(server.unwrap_or(any)),
            thousands(cycles("server-resumed")),
            thousands(cycles("client")),
            thousands(insns("client")),
            thousands(cycles("client-resumed")),
            sent("client"),
            sent("server"),
            PER_BYTE.show(per_byte(RECORD)),
            PER_BYTE.show(per_byte(PACKET)),
            count(even),
            self.speed_up(scalar),
        ]);
        let wrong = self.rows.iter().find(|r| !r.passed()).unwrap_or(any);
        cells.push(wrong.answers.clone());
        Some(cells)
    }

    /// Cycles of the server's full handshake with scalar over those with this set.
    fn speed_up(&self, scalar: &HashMap<Place, &Row>) -> String {
        let own = self.find("server", 0);
        let cycles = |r: Option<&Row>| r.filter(|r| r.passed()).and_then(|r| r.cycles_per_op);
        let base = own.and_then(|own| scalar.get(&place(own)).copied());
        RATIO.show(cycles(base).zip(cycles(own)).map(|(base, own)| base / own))
    }
}

/// What lines that differ only in the capability set have in common.
type Place<'a> = (&'a str, &'a str, u32, &'a str);

fn place(r: &Row) -> Place<'_> {
    (&r.subject, &r.core, r.vlen, &r.case)
}

/// The frequency of a row's core, in MHz.
fn megahertz(row: &Row) -> String {
    let hz = row.ops_per_s.zip(row.cycles_per_op).map(|(ops, cycles)| ops * cycles);
    WHOLE.show(hz.map(|hz| hz / 1e6))
}

/// The table, if the record has handshakes.
pub(super) fn sections(record: &Record) -> Vec<Section> {
    let handshake = |r: &&Row| r.case.starts_with("tls13-");
    let rows: Vec<&Row> = record.rows.iter().filter(handshake).collect();
    let lines = groups(rows.iter().copied(), |r| {
        let place = (r.subject.clone(), r.core.clone(), r.vlen, r.case.clone());
        (place, r.capset.clone())
    });
    if lines.is_empty() {
        return Vec::new();
    }
    let axes = CoreColumns::of(record);
    let mut head = ["subject", "case"].map(String::from).to_vec();
    head.extend(axes.head());
    let rest = [
        "capability set",
        "server kcycles",
        "server kinsns",
        "server µs",
        "full/s",
        "MHz",
        "resumed kcycles",
        "client kcycles",
        "client kinsns",
        "client resumed kcycles",
        "client sent",
        "server sent",
        "cycles/byte of 16384",
        "of 1350",
        "break-even",
        "speed-up",
        "answers",
    ];
    head.extend(rest.map(String::from));
    let scalar = rows.iter().filter(|r| r.capset == "scalar" && r.direction == "server");
    let scalar = scalar.map(|r| (place(r), *r)).collect();
    let body = lines.into_iter().filter_map(|rows| Line { rows }.cells(&scalar, &axes)).collect();
    let legend = format!("{LEGEND}{}", axes.legend()).into();
    vec![Section { title: "Handshakes of TLS 1.3", grid: Grid { head, body }, legend }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(set: &str, direction: &str, bytes: usize, cycles: f64) -> Row {
        let case = "tls13-x25519-p256-aes128gcm";
        let row = crate::testing::row(case, set, bytes.max(1), cycles);
        Row { direction: direction.into(), bytes, wire_bytes: Some(1234.0), ..row }
    }

    #[test]
    fn a_line_has_both_ends_and_what_costs_as_much() {
        let mut rows = vec![
            row("scalar", "server", 0, 4_000_000.0),
            row("zbb", "server", 0, 2_000_000.0),
            row("zbb", "server-resumed", 0, 1_000_000.0),
            row("zbb", "client", 0, 3_000_000.0),
            row("zbb", "enc", 16384, 163_840.0),
            row("zbb", "enc", 1350, 27_000.0),
        ];
        rows.push(Row { answers: "wrong".into(), ..row("zbb", "client-resumed", 0, 1.0) });
        let record = Record { rows, ..Record::default() };
        let grid = &sections(&record)[0].grid;
        // By hand, at 1 MHz: two million cycles are two seconds, and at ten cycles a byte 200 kB.
        let expected = [
            "openssl",
            "tls13-x25519-p256-aes128gcm",
            "zbb",
            "2000.0",
            "2000.0",
            "2000000.0",
            "0.500",
            "1",
            "1000.0",
            "3000.0",
            "3000.0",
            "–",
            "1234",
            "1234",
            "10.00",
            "20.00",
            "200.0k",
            "2.00",
            "wrong",
        ];
        assert_eq!(grid.body[1], expected);
        assert_eq!(grid.head.len(), expected.len());
        assert!(sections(&Record::default()).is_empty());
    }
}
