//! Reads what the programs in `instructions/` of camel-cdr/rvv-bench print: a line of an HTML table for each instruction,
//! with the cycles for each SEW and LMUL. The pages of rvv-bench-results consist of the same lines.

use super::timing::Timing;

/// Columns where a table has no heading, as `instructions/rvv/main.c` prints them: SEW outside, LMUL inside.
const SEWS: [u32; 4] = [8, 16, 32, 64];
const LMULS: [u32; 4] = [1, 2, 4, 8];
/// Maximum number of lines that are read of a table; a page has eight tables of some hundreds.
const MOST: usize = 10_000;

/// The first table, which is for all elements and agnostic policies. The others are for one element, or for other policies.
pub fn read(text: &str) -> Vec<Timing> {
    let mut columns: Vec<Option<(u32, u32)>> =
        SEWS.iter().flat_map(|sew| LMULS.map(|lmul| Some((*sew, lmul)))).collect();
    let mut timings = Vec::new();
    let mut lines = 0;
    for line in text.lines() {
        // In the programs' output, a table begins with a heading; on a page, it ends with a tag.
        let other = line.starts_with("vl=") || line.contains("</table>");
        if other && lines > 0 {
            break;
        }
        if let Some(head) = line.split("<th>instruction</th>").nth(1) {
            columns = cells(head, "th").map(column).collect();
        }
        let Some(rest) = line.trim_start().strip_prefix("<tr><td>") else { continue };
        let Some((name, rest)) = rest.split_once("</td>") else { continue };
        lines += 1;
        if lines > MOST {
            break;
        }
        timings.extend(instruction(name, rest, &columns));
    }
    timings
}

/// The VLEN that a page states, as in `Note: VLEN=512 DLEN=256`; `None` if it states none, or several.
pub fn vlen(text: &str) -> Option<u32> {
    let number = |rest: &str| {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        digits.parse::<u32>().ok()
    };
    let mut stated: Vec<u32> = text.split("VLEN=").skip(1).filter_map(number).collect();
    stated.sort_unstable();
    stated.dedup();
    stated.first().copied().filter(|_| stated.len() == 1)
}

/// The timings of an instruction. There are none for a masked one, since it also waits for the one before it.
fn instruction<'a>(
    name: &'a str,
    rest: &'a str,
    columns: &'a [Option<(u32, u32)>],
) -> impl Iterator<Item = Timing> + 'a {
    let mnemonic = name.split_whitespace().next().unwrap_or_default();
    let masked = name.contains("v0.t");
    let cells = cells(rest, "td").zip(columns).filter(move |_| !masked);
    cells.filter_map(move |(cell, column)| {
        let (sew, lmul) = (*column)?;
        let cycles: f64 = cell.trim().parse().ok().filter(|c| *c > 0.0 && *c < 1e6)?;
        Some(Timing { mnemonic: mnemonic.into(), sew, lmul, cycles, latency: None })
    })
}

/// The texts of the cells of a line.
fn cells<'a>(line: &'a str, tag: &str) -> impl Iterator<Item = &'a str> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let mut rest = line;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once(open.as_str())?;
        let (cell, after) = after.split_once(close.as_str())?;
        rest = after;
        Some(cell)
    })
}

/// SEW and LMUL of a heading such as `e32m4`; `None` for a fractional LMUL.
fn column(head: &str) -> Option<(u32, u32)> {
    let (sew, lmul) = head.trim().strip_prefix('e')?.split_once('m')?;
    Some((sew.parse().ok()?, lmul.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(timings: &[Timing], mnemonic: &str, sew: u32) -> Vec<(u32, f64)> {
        let own = timings.iter().filter(|t| t.mnemonic == mnemonic && t.sew == sew);
        own.map(|t| (t.lmul, t.cycles)).collect()
    }

    /// Lines as the program prints them.
    #[test]
    fn the_programs_own_output_is_read() {
        let text = "\nvl=VLMAX ta ma\n\n\
            <tr><td>vadd.vv v8,v16,v24</td><td>1.0</td><td>2.0</td><td>4.0</td><td>8.1</td><td>1.0</td><td>2.0</td><td>4.0</td><td>8.1</td>\
            <td>1.0</td><td>2.0</td><td>4.0</td><td>8.1</td><td>1.0</td><td>2.0</td><td>4.0</td><td>8.2</td></tr>\n\
            <tr><td>vadd.vv v8,v16,v24,v0.t</td><td>2.0</td></tr>\n\
            <tr><td>vwaddu.vv v8,v16,v24</td><td>1.5</td><td></td><td>4.5</td></tr>\n\
            \nvl=1 ta ma\n\n<tr><td>vadd.vv v8,v16,v24</td><td>9.0</td></tr>\n";
        let timings = read(text);
        assert_eq!(of(&timings, "vadd.vv", 64), [(1, 1.0), (2, 2.0), (4, 4.0), (8, 8.2)]);
        assert_eq!(of(&timings, "vadd.vv", 8).len(), 4);
        assert_eq!(of(&timings, "vwaddu.vv", 8), [(1, 1.5), (4, 4.5)]);
    }

    /// A whole page has prose, a table of examples, and eight tables of 900 lines for the policies and for vl = 1;
    /// columns for fractional LMUL and empty cells are among the others. Only the first of the eight counts.
    #[test]
    fn a_whole_page_is_read() {
        let columns = ["e8mf8", "e8mf2", "e8m1", "e8m2", "e16mf8", "e16m1", "e64m1", "e64m8"];
        let head: String = columns.iter().map(|c| format!("<th>{c}</th>")).collect();
        let table = |n: usize| {
            let line = |k: usize| {
                let cells = ["1.00", "1.00", "", "2.00", "", "3.00", "1.5", "12.0"];
                let cells: String = cells
                    .iter()
                    .map(|c| {
                        c.parse::<f64>().map_or(String::new(), |v| format!("{}", v * n as f64))
                    })
                    .map(|c| format!("<td>{c}</td>"))
                    .collect();
                format!(
                    "<tr><td>vop{k}.vv v8,v16,v24</td>{cells}</tr>\n<tr><td>vop{k}.vv v8,v16,v24,v0.t</td>{cells}</tr>\n"
                )
            };
            let lines: String = (0..450).map(line).collect();
            format!(
                "<table id=\"tbl{n}\" class=\"tabPage\">\n<thead><tr><th>instruction</th>{head}</tr></thead>\n<tbody>\n\n{lines}</tbody>\n</table>\n"
            )
        };
        let button = "<button class=\"tabSel\" onclick=\"switchTbl(event, 'tbl1')\">vl=VLMAX ta ma</button>\n";
        let tables: String = (1..=8).map(table).collect();
        let page = format!(
            "<h1>RVV benchmark</h1>\n<p>vl=1 takes as long.</p>\n<table><tr><td>LMUL=1</td><td>LMUL=4</td></tr><tr><td>\n\
            <code>\tvadd.vx v8,v16,t0</code>\n</td></tr></table>\n{button}{tables}"
        );
        let timings = read(&page);
        assert_eq!(timings.len(), 450 * 4);
        assert_eq!(of(&timings, "vop449.vv", 8), [(2, 2.0)]);
        assert_eq!(of(&timings, "vop0.vv", 64), [(1, 1.5), (8, 12.0)]);
    }

    #[test]
    fn the_vlen_is_that_of_the_page() {
        assert_eq!(vlen("V with VLEN=512 and DLEN=256.<b>Note: VLEN=512 DLEN=256</b>"), Some(512));
        assert_eq!(vlen("VLEN=128 here, VLEN=256 there"), None);
        assert_eq!(vlen("the VLEN=? of vl=VLMAX"), None);
    }

    /// Lines as on a page of the results, whose columns have names.
    #[test]
    fn a_page_of_results_is_read() {
        let text = "<table id=\"tblMaa\">\n\
            <thead><tr><th>instruction</th><th>e8mf2</th><th>e8m1</th><th>e8m2</th></tr></thead>\n<tbody>\n\
            <tr><td>vsll.vi v8,v16,13</td><td>1.0</td><td>2.0</td><td>4.0</td></tr>\n</tbody></table>\n\
            <table id=\"tblMau\">\n<tr><td>vsll.vi v8,v16,13</td><td>7.0</td></tr>\n";
        let timings = read(text);
        assert_eq!(of(&timings, "vsll.vi", 8), [(1, 2.0), (2, 4.0)]);
        assert_eq!(timings.len(), 2);
        assert!(read("nothing of the kind\n<tr><td>").is_empty());
    }
}
