//! Tables as HTML: readable without scripts.

use capvec_record::grid::{Grid, Section};
use capvec_record::{COLUMNS, Figure, PASS, UNCHECKED};
use capvec_text::escape::markup;

/// Further rows are in the CSV only: they would make the file large, and nobody reads them.
const MOST_ROWS: usize = 600;
/// Tables with more rows are folded, so that what follows is found.
const OPEN_ROWS: usize = 200;
/// Longer names of columns may be broken into two lines.
const LONG: usize = 20;
/// Columns that repeat what others say; the CSV has them.
const TWICE: [&str; 2] = ["algorithm", "capstring"];

fn cell(grid: &Grid, column: usize, text: &str) -> String {
    let answer = grid.head.get(column).is_some_and(|h| h == "answers");
    let class = match (answer, grid.is_number(column)) {
        (true, _) if text == PASS => " class=\"pass\"",
        (true, _) if text != UNCHECKED => " class=\"fail\"",
        (_, true) => " class=\"n\"",
        _ if text.len() > 2 * LONG => " class=\"long\"",
        _ => "",
    };
    let inner = markup(text);
    // Names the line for screen readers.
    if column == 0 {
        format!("<th scope=\"row\"{class}>{inner}</th>")
    } else {
        format!("<td{class}>{inner}</td>")
    }
}

/// A table that scripts can sort and copy; `id` is the name of the file for downloads.
pub fn table(grid: &Grid, title: &str, id: &str) -> String {
    let head = |(i, h): (usize, &String)| {
        let class = match (grid.is_number(i), h.len() > LONG) {
            (true, true) => " class=\"n long\"",
            (true, false) => " class=\"n\"",
            (false, true) => " class=\"long\"",
            (false, false) => "",
        };
        format!("<th scope=\"col\"{class}>{}</th>", markup(h))
    };
    let line = |cells: &Vec<String>| {
        let cells = cells.iter().enumerate().map(|(i, c)| cell(grid, i, c));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    format!(
        "<div class=\"table\" data-name=\"{id}\">\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\n\
         <table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n</div>\n",
        grid.head.iter().enumerate().map(head).collect::<String>(),
        grid.body.iter().map(line).collect::<String>(),
        title = markup(title),
    )
}

/// A section of a record with heading, table and legend. A long table is folded, and only its first lines are there.
pub fn section(s: &Section, id: &str) -> String {
    let legend = s.legend.trim().lines().map(markup).collect::<Vec<_>>().join("<br>\n");
    let legend =
        if legend.is_empty() { legend } else { format!("<p class=\"legend\">{legend}</p>\n") };
    let lines = s.grid.body.len();
    if lines <= OPEN_ROWS {
        return format!("<h3>{}</h3>\n{}{legend}", markup(s.title), table(&s.grid, s.title, id));
    }
    let said = match lines <= MOST_ROWS {
        true => format!("{lines} lines"),
        false => format!(
            "The first {MOST_ROWS} of {lines} lines; the CSV of all figures, at the end of the page, has every figure"
        ),
    };
    let body = s.grid.body.iter().take(MOST_ROWS).cloned().collect();
    let table = table(&Grid { head: s.grid.head.clone(), body }, s.title, id);
    format!(
        "<h3>{}</h3>\n<details>\n<summary>{said}</summary>\n{table}</details>\n{legend}",
        markup(s.title)
    )
}

/// The rows as in `results.csv`, but without empty columns and without those that are equal in all rows, which are
/// listed first.
pub fn figures(rows: &[Figure], id: &str) -> String {
    let Some(first) = rows.first().map(|r| r.fields()) else { return String::new() };
    let mut differs = [false; COLUMNS.len()];
    for row in rows {
        let fields = row.fields();
        differs.iter_mut().zip(fields.iter().zip(&first)).for_each(|(d, (a, b))| *d |= a != b);
    }
    let shown: Vec<_> = rows.iter().take(MOST_ROWS).map(|r| r.fields()).collect();
    let always = ["case", "capset"];
    let varies = |i: &usize| differs[*i] || always.contains(&COLUMNS[*i]);
    let wanted = (0..COLUMNS.len()).filter(|i| !TWICE.contains(&COLUMNS[*i]));
    let (mut columns, same): (Vec<usize>, Vec<usize>) = wanted.partition(varies);
    // The case comes first, as the heading of the line.
    columns.sort_by_key(|i| COLUMNS[*i] != "case");
    let same: Vec<String> = same
        .into_iter()
        // A VLEN of 0 means that none is known.
        .filter(|i| !matches!((COLUMNS[*i], first[*i].as_str()), (_, "") | ("vlen", "0")))
        .map(|i| format!("{} {}", COLUMNS[i], first[i]))
        .collect();
    let grid = Grid {
        head: columns.iter().map(|i| COLUMNS[*i].to_string()).collect(),
        body: shown.iter().map(|r| columns.iter().map(|i| r[*i].clone()).collect()).collect(),
    };
    let mut said = String::new();
    if !same.is_empty() {
        said += &format!("<p class=\"legend\">In every row: {}.</p>\n", markup(&same.join(" · ")));
    }
    if rows.len() > shown.len() {
        said += &format!(
            "<p class=\"legend\">The first {} of {} rows; the CSV of all figures, above, has all.</p>\n",
            shown.len(),
            rows.len()
        );
    }
    said + &table(&grid, "All figures", id)
}
