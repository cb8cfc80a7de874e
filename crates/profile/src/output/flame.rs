//! A flame graph as one SVG file, which a browser shows without a connection: each call path is a box as wide as its cycles,
//! above its caller. A click enlarges a box, the search marks functions.

use crate::tree::{Count, Profile};
use capvec_text::digits::{COORDINATE, share};
use capvec_text::escape::markup;
use std::fmt::Write;

/// Estimated width of a character, in the same units as `WIDTH`: it decides how much of a name fits in a box.
const CHARACTER: f64 = 6.2;
/// Height of a box and width of the graph.
const HEIGHT: usize = 17;
const WIDTH: f64 = 1200.0;
/// Narrower boxes are left out.
const NARROWEST: f64 = 0.1;
const TOP: usize = 56;
const STYLE: &str = include_str!("flame.css");
const SCRIPT: &str = include_str!("flame.js");

/// A box.
struct Box {
    node: u32,
    depth: usize,
    x: f64,
    width: f64,
}

/// The file. `title` says what ran.
pub fn flame(profile: &Profile, title: &str) -> String {
    let (all, totals) = (profile.total(), profile.totals());
    let boxes = layout(profile, &totals, all);
    let depth = boxes.iter().map(|b| b.depth + 1).max().unwrap_or(0);
    let height = TOP + (depth + 1) * HEIGHT + 8;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"100%\">\n\
         <style>{STYLE}</style>\n<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"title\" x=\"{}\" y=\"20\">{}</text>\n\
         <text class=\"link\" id=\"reset\" x=\"8\" y=\"20\">Whole graph</text>\n\
         <text class=\"link\" id=\"search\" x=\"{}\" y=\"20\">Search</text>\n\
         <text id=\"detail\" x=\"8\" y=\"42\"></text>\n<g id=\"boxes\">\n",
        WIDTH / 2.0,
        markup(title),
        WIDTH - 8.0,
    );
    for b in &boxes {
        draw(&mut out, profile, b, totals[b.node as usize], all, height);
    }
    let _ = write!(out, "</g>\n<script><![CDATA[\n{SCRIPT}]]></script>\n</svg>\n");
    out
}

fn draw(out: &mut String, profile: &Profile, b: &Box, total: Count, all: Count, height: usize) {
    let n = &profile.nodes[b.node as usize];
    let f = &profile.functions[n.function as usize];
    let y = height - 8 - (b.depth + 2) * HEIGHT;
    let [x, width, text] = [b.x, b.width, b.x + 3.0].map(|v| COORDINATE.text(v));
    let percent = share(total.cycles, all.cycles);
    let name = markup(&f.name);
    let shown = shortened(&f.name, b.width);
    let _ = writeln!(
        out,
        "<g data-x=\"{x}\" data-w=\"{width}\" data-d=\"{}\"><title>{name}: {} cycles, {percent} %, {} instructions; \
         {} cycles of its own; {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{}\"/>\
         <text x=\"{text}\" y=\"{}\">{}</text></g>",
        b.depth,
        total.cycles,
        total.insns,
        n.own.cycles,
        markup(&f.object),
        HEIGHT - 1,
        colour(&f.object),
        y + HEIGHT - 5,
        markup(&shown),
    );
}

/// The boxes, callers before callees; siblings in order of their names.
fn layout(profile: &Profile, totals: &[Count], all: Count) -> Vec<Box> {
    let mut children = vec![Vec::new(); profile.nodes.len()];
    let mut roots = Vec::new();
    for (k, n) in profile.nodes.iter().enumerate() {
        match profile.is_root(k as u32) {
            true => roots.push(k as u32),
            false => children[n.parent as usize].push(k as u32),
        }
    }
    let scale = WIDTH / all.cycles.max(1) as f64;
    let name = |k: &u32| &profile.functions[profile.nodes[*k as usize].function as usize].name;
    let mut boxes = Vec::new();
    let mut open = vec![(roots, 0, 0.0)];
    while let Some((mut nodes, depth, mut x)) = open.pop() {
        nodes.sort_by(|a, b| name(a).cmp(name(b)));
        for node in nodes {
            let width = totals[node as usize].cycles as f64 * scale;
            if width >= NARROWEST {
                boxes.push(Box { node, depth, x, width });
                open.push((std::mem::take(&mut children[node as usize]), depth + 1, x));
            }
            x += width;
        }
    }
    boxes
}

/// As much of the name as fits.
fn shortened(name: &str, width: f64) -> String {
    let room = ((width - 6.0) / CHARACTER).max(0.0) as usize;
    match name.chars().count() {
        n if n <= room => name.to_owned(),
        _ if room < 4 => String::new(),
        _ => name.chars().take(room - 1).chain(['…']).collect(),
    }
}

/// One colour for each file.
fn colour(object: &str) -> String {
    let hash = object.bytes().fold(5381u32, |h, b| h.wrapping_mul(33) ^ u32::from(b));
    format!("hsl({} {}% {}%)", hash % 60, 70 + hash / 60 % 20, 62 + hash / 1200 % 12)
}
