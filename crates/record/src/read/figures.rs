//! Figures that cannot have been measured.

use crate::Row;
use crate::quotient::possible;
use anyhow::{Result, ensure};

/// Refuses a measured figure that is negative, not finite or impossibly large.
///
/// # Errors
/// Names the column.
pub fn check(row: &Row) -> Result<()> {
    let columns = [
        ("insns_per_op", row.insns_per_op),
        ("cycles_per_op", row.cycles_per_op),
        ("kBps", row.stated_kbps),
        ("ops_per_s", row.ops_per_s),
        ("ns_per_op", row.ns_per_op),
        ("mad_percent", row.mad_percent),
    ];
    let columns = columns.into_iter().filter_map(|(name, figure)| Some((name, figure?)));
    let samples = row.samples.iter().map(|s| ("samples", *s));
    let mix = row.mix.values().map(|n| ("mix", *n));
    let functions =
        row.functions.iter().flat_map(|f| [("functions", f.insns), ("functions", f.cycles)]);
    let layouts = row.cycles_by_layout.iter().map(|c| ("cycles_by_layout", *c));
    for (name, figure) in columns.chain(samples).chain(mix).chain(functions).chain(layouts) {
        ensure!(
            possible(figure),
            "{name}: {figure:?} cannot have been measured; figures are from 0 to 1e18"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::read::parse;

    #[test]
    fn impossible_figures_are_refused_with_row_and_column() {
        let error = |text: &str| format!("{:#}", parse(text.as_bytes()).unwrap_err());
        for (column, bad) in
            [("kBps", "-1"), ("kBps", "1e308"), ("ops_per_s", "-0.5"), ("mad_percent", "1e18")]
        {
            let csv = format!("case,capset,bytes,{column}\nx,scalar,16,1.5\nx,scalar,16,{bad}\n");
            let said = error(&csv);
            assert!(said.contains(&format!("line 2 of data: {column}: ")), "{said}");
            let json = format!("{{\"rows\":[{{\"{column}\":1.5}},{{\"{column}\":{bad}}}]}}");
            let said = error(&json);
            assert!(said.contains(&format!("row 2: {column}: ")), "{said}");
            let speed = format!("{{\"rows\":[{{}}],\"speed\":[{{\"{column}\":{bad}}}]}}");
            assert!(error(&speed).contains("row 1 of speed"), "{}", error(&speed));
        }
        for list in ["samples", "cycles_by_layout"] {
            let json = format!("{{\"rows\":[{{\"{list}\":[1,-1]}}]}}");
            assert!(error(&json).contains(&format!("row 1: {list}")));
        }
        assert!(parse(b"case,capset,bytes,kBps\nx,scalar,16,0\n").is_ok());
    }
}
