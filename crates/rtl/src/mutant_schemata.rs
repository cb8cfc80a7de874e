//! Mutant schemata: many mutants in one model. An expression is replaced while its mutant is active. An environment variable
//! holds the number of the active mutant. So hundreds of mutants take one build.

use crate::Source;
use crate::code::{expression, without_comments};
use crate::mutate::Mutant;
use std::ops::Range;

/// The number of the active mutant, from 1.
pub const ACTIVE: &str = "CAPVEC_RTL_MUTANT";

/// Where the expression begins and ends that a mutant changes, and the changed expression.
struct Change {
    mutant: usize,
    span: Range<usize>,
    text: String,
}

/// The change that a mutant makes to an expression of its file.
fn change(mutant: usize, m: &Mutant, code: &str) -> Option<Change> {
    let (at, length) = m.at;
    // A condition is negated as a whole.
    let negates = m.from == "if (";
    let (at, length) = if negates { (at + length, 0) } else { (at, length) };
    let span = expression(code, at).filter(|s| s.start <= at && at + length <= s.end)?;
    let text = match negates {
        true => format!("!({})", &code[span.clone()]),
        false => format!("{}{}{}", &code[span.start..at], m.to, &code[at + length..span.end]),
    };
    let text = text.replace('\n', " ");
    Some(Change { mutant, span, text })
}

/// Sources with many mutants.
pub struct Schemata {
    /// The sources.
    pub source: Source,
    /// The mutants in them; the number of the first is 1.
    pub mutants: Vec<Mutant>,
}

impl Schemata {
    /// The first `most` of these mutants that change the value of an expression, in one source.
    pub fn of(source: &Source, mutants: &[Mutant], most: usize) -> Schemata {
        let mut schemata = Schemata { source: source.clone(), mutants: Vec::new() };
        let mut changes: Vec<(usize, Change)> = Vec::new();
        let code: Vec<String> = source.files.iter().map(|(_, t)| without_comments(t)).collect();
        for m in mutants {
            let Some(file) = source.files.iter().position(|(name, _)| *name == m.file) else {
                continue;
            };
            let Some(change) = change(schemata.mutants.len() + 1, m, &code[file]) else { continue };
            // A change within another changed expression would have to be made in all variants of that expression.
            let crosses = |(f, c): &(usize, Change)| {
                let apart = c.span.end <= change.span.start || change.span.end <= c.span.start;
                *f == file && !apart && c.span != change.span
            };
            if schemata.mutants.len() < most && !changes.iter().any(crosses) {
                schemata.mutants.push(m.clone());
                changes.push((file, change));
            }
        }
        for (n, (_, text)) in schemata.source.files.iter_mut().enumerate() {
            let own = changes.iter().filter(|(f, _)| *f == n).map(|(_, c)| c);
            *text = with_changes(text, own.collect());
        }
        let package = format!(
            "package mutant_pkg;\n  int unsigned active = $c32(\"(std::getenv(\\\"{ACTIVE}\\\") ? \
             std::atoi(std::getenv(\\\"{ACTIVE}\\\")) : 0)\");\nendpackage\n"
        );
        schemata.source.files.insert(0, ("a_mutant_pkg.sv".into(), package));
        schemata
    }

    /// Without the mutants in the lines that errors of Verilator name; `None` if they name none.
    pub fn without(&self, original: &Source, errors: &str) -> Option<Schemata> {
        let places: Vec<(&str, usize)> = (errors.lines())
            .filter_map(|l| match l.strip_prefix("%Error") {
                Some(error) => Some(error.split_once(": ")?.1),
                // Of a constant that a function computes: the place in the function.
                None => l.contains("Location of non-constant").then(|| l.trim_start()),
            })
            .filter_map(|l| {
                let mut parts = l.split(':');
                Some((parts.next()?, parts.next()?.parse().ok()?))
            })
            .collect();
        let line = |m: &Mutant| {
            let text = &original.files.iter().find(|(name, _)| *name == m.file)?.1;
            let span =
                expression(&without_comments(text), m.at.0 + if m.from == "if (" { 4 } else { 0 })?;
            let at = |end: usize| 1 + text[..end].matches('\n').count();
            Some(at(span.start)..=at(span.end))
        };
        let hit = |m: &Mutant| {
            places.iter().any(|(file, n)| *file == m.file && line(m).is_some_and(|l| l.contains(n)))
        };
        let kept: Vec<Mutant> = self.mutants.iter().filter(|m| !hit(m)).cloned().collect();
        (kept.len() < self.mutants.len()).then(|| Schemata::of(original, &kept, kept.len()))
    }
}

/// Each changed expression chooses by the active mutant.
fn with_changes(text: &str, mut changes: Vec<&Change>) -> String {
    changes.sort_by_key(|c| c.span.start);
    let mut out = String::new();
    let mut done = 0;
    for same in changes.chunk_by(|a, b| a.span == b.span) {
        let span = &same[0].span;
        out += &text[done..span.start];
        out += "(";
        for c in same {
            out += &format!("mutant_pkg::active == 32'd{} ? ({}) : ", c.mutant, c.text);
        }
        out += &format!("({}))", without_comments(&text[span.clone()]));
        done = span.end;
    }
    // Some changed constants have another width, for example.
    const WARNINGS: [&str; 4] = ["WIDTH", "UNOPTFLAT", "CMPCONST", "UNSIGNED"];
    let off = WARNINGS.map(|w| format!("/* verilator lint_off {w} */ ")).concat();
    if done == 0 { text.into() } else { off + &out + &text[done..] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::mutants;
    use capvec_sim::testing::Rng;

    fn schemata(text: &str) -> (String, Vec<String>) {
        let source = Source { files: vec![("a.sv".into(), text.into())] };
        let mut all = mutants(&source, |_| true, &mut Rng::seeded(1));
        all.retain(|m| !m.to.is_empty());
        let made = Schemata::of(&source, &all, 100);
        let from = made.mutants.iter().map(|m| m.from.trim().to_string());
        (made.source.files[1].1.clone(), from.collect())
    }

    #[test]
    fn an_assignment_chooses_by_the_active_mutant() {
        let (text, mutants) = schemata("  assign a = b && c == d;  // (b\n");
        assert_eq!(mutants.len(), 2);
        let n = |of: &str| 1 + mutants.iter().position(|m| m == of).unwrap();
        let (and, equal) = (n("&&"), n("=="));
        let change = |n| if n == and { "b || c == d" } else { "b && c != d" };
        assert_eq!(
            text[text.find("  assign").unwrap()..]
                .replace(&format!("32'd{and}"), "AND")
                .replace(&format!("32'd{equal}"), "EQUAL"),
            format!(
                "  assign a = (mutant_pkg::active == {} ? ({}) : mutant_pkg::active == {} ? ({}) : (b && c == d));  // (b\n",
                if and == 1 { "AND" } else { "EQUAL" },
                change(1),
                if and == 1 { "EQUAL" } else { "AND" },
                change(2),
            )
        );
    }

    #[test]
    fn a_dropped_term_is_left_out() {
        let source =
            Source { files: vec![("a.sv".into(), "  assign a = b\n      && c;\n".into())] };
        let all: Vec<Mutant> = (mutants(&source, |_| true, &mut Rng::seeded(1)).into_iter())
            .filter(|m| m.to.is_empty() && m.from == "&& c")
            .collect();
        assert_eq!((all.len(), all[0].line), (1, 1));
        let text = &Schemata::of(&source, &all, 100).source.files[1].1;
        assert!(text.contains("active == 32'd1 ? (b) : (b\n      && c));"), "{text}");
    }

    #[test]
    fn conditions_and_ports_are_changed_but_not_constants() {
        let (text, mutants) =
            schemata("  always_comb begin\n    if (a[1] == 2'd3) x <= b;\n  end\n");
        assert_eq!(mutants.len(), 3, "{text}");
        assert!(text.contains("? (!(a[1] == 2'd3))") && text.contains("(a[1] == 2'd3))) x <= b;"));
        let (text, _) = schemata("  one #(.W(A + 1)) u_one (\n    .a_i(b && c), .y_o(d)\n  );\n");
        assert!(text.contains(".W(A + 1)") && text.contains("(b || c)"), "{text}");
        for constant in
            ["  if (W < 256) begin : g_x\n", "  assign a = b[W - 1];\n", "  x[A + 1] = b;\n"]
        {
            assert_eq!(schemata(constant).0, constant);
        }
    }

    #[test]
    fn mutants_that_verilator_refuses_are_dropped() {
        let source = Source {
            files: vec![("a.sv".into(), "  assign a = b + c;\n  assign d = b + c;\n".into())],
        };
        let mut all = mutants(&source, |_| true, &mut Rng::seeded(1));
        all.retain(|m| !m.to.is_empty());
        let made = Schemata::of(&source, &all, 100);
        assert_eq!(made.mutants.len(), 2);
        let less =
            made.without(&source, "%Error: a.sv:2:5: no\n%Error: Exiting due to 1 error").unwrap();
        assert_eq!(less.mutants.iter().map(|m| m.line).collect::<Vec<_>>(), [1]);
        assert!(made.without(&source, "%Error: Exiting due to 1 error").is_none());
        let called = "%Error: a.sv:9:1: Expecting expression to be constant\n   a.sv:1:3: ... Location of non-constant VARREF";
        let less = made.without(&source, called).unwrap();
        assert_eq!(less.mutants.iter().map(|m| m.line).collect::<Vec<_>>(), [2]);
    }
}
