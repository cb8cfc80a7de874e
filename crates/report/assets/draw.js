// Drawings: bars, lines and dots of rows that were chosen.

const FONT = { fontSize: "12px", background: "none", color: "currentColor" };
const NARROW = 520;
const byNumber = (a, b) => a - b;
/** 100K. A common prefix would make "0k" of zero. */
const COMPACT = new Intl.NumberFormat("en", { notation: "compact" });
const cells = (rows, columns) => [columns, ...rows.map((r) => columns.map((c) => r[c]))];

/** Width of a text as plots write it, in CSS pixels. */
const textWidth = (() => {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  return (text) => context.measureText(text).width;
})();
const longest = (texts) => Math.max(0, ...texts.map(textWidth));
/** Room for the longest of these names; at most so much of the width. */
const room = (names, width) => Math.ceil(Math.min(longest(names) + 16, width * 0.45));
/** Room for the longest of these figures, which follow their bars. */
const roomAfter = (figures) => Math.ceil(longest(figures) + 10);
/** The name, or as much of it as there is room for. */
const clipped = (name, pixels) => {
  let most = name.length;
  while (most > 6 && textWidth(most < name.length ? `${name.slice(0, most)}…` : name) > pixels) most--;
  return most < name.length ? `${name.slice(0, most)}…` : name;
};

/** Horizontal bars, one for each row, with the figure at the end. */
function bars(points, label, width) {
  const left = room(points.map((p) => p.name), width);
  const most = d3.max(points, (p) => p.value);
  const text = (p) => times(p.value);
  return Plot.plot({
    width, marginLeft: left, marginRight: roomAfter(points.map(text)), marginTop: 26, marginBottom: 4,
    height: 30 + points.length * 24, style: FONT,
    x: { domain: [0, Math.max(1, most)], axis: "top", label: null, grid: true, ticks: Math.max(2, width / 120), tickFormat: (v) => `${v}×` },
    y: { label: null, domain: points.map((p) => p.name), padding: 0.25, tickSize: 0, tickFormat: (n) => clipped(n, left - 12) },
    marks: [
      Plot.barX(points, { x: "value", y: "name", fill: (p) => p.colour, ariaLabel: label }),
      Plot.ruleX([1], { stroke: "currentColor", strokeDasharray: "3 3" }),
      Plot.text(points, { x: "value", y: "name", text, textAnchor: "start", dx: 5, fill: "currentColor" }),
      Plot.tip(points, Plot.pointerY({ x: "value", y: "name", title: (p) => p.title, fill: "var(--bg)", stroke: "var(--line)" })),
    ],
  });
}
/** Bars of several series next to each other, a group for each name. */
function grouped(points, names, style, width) {
  const groups = values(points, (p) => p.name);
  const left = room(groups, width);
  const title = (p) => `${p.row.algorithm} ${p.row.direction}\n${p.series}\n${p.row.capset}\n${p.label}: ${figure(p.value)}`;
  return Plot.plot({
    width, marginLeft: left, marginRight: roomAfter(points.map((p) => figure(p.value))), marginTop: 26, marginBottom: 4,
    height: 30 + groups.length * (names.length * 18 + 10), style: FONT,
    x: { domain: [0, d3.max(points, (p) => p.value)], axis: "top", label: null, grid: true, ticks: Math.max(2, width / 120), tickFormat: (v) => COMPACT.format(v) },
    y: { axis: null, domain: names, padding: 0.1 },
    fy: { axis: "left", label: null, domain: groups, padding: 0.15, tickSize: 0, tickFormat: (n) => clipped(n, left - 12) },
    marks: [
      Plot.barX(points, { x: "value", y: "series", fy: "name", fill: (p) => style.get(p.series).colour, ariaLabel: "figure" }),
      Plot.text(points, { x: "value", y: "series", fy: "name", text: (p) => figure(p.value), textAnchor: "start", dx: 5, fill: "currentColor" }),
      Plot.tip(points, Plot.pointerY({ x: "value", y: "series", fy: "name", title, fill: "var(--bg)", stroke: "var(--line)" })),
    ],
  });
}

/** Series that are the same everywhere, within half a percent, are one: their lines would hide each other. */
function merged(rows, series, x, measure) {
  const groups = [];
  for (const [name, own] of d3.group(rows, series)) {
    const points = new Map(own.map((r) => [`${r.label} ${r.run} ${x.of(r)}`, measure.of(r)]));
    const same = groups.find((g) => g.points.size === points.size &&
      [...points].every(([k, v]) => Math.abs(g.points.get(k) / v - 1) <= 0.005));
    if (same) same.names.push(name);
    else groups.push({ points, names: [name] });
  }
  const shown = new Map();
  for (const { names } of groups) {
    const more = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} more`] : names;
    shown.set(names[0], more.join(" = "));
  }
  return { first: (r) => shown.has(series(r)), name: (r) => shown.get(series(r)) };
}

/** Of a logarithmic axis 1, 2 and 5 of each power of ten, or the powers alone where that is too many; more if it is short. */
function logTicks([low, high]) {
  if (high / low < 8) return d3.ticks(low, high, 6);
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = d3.range(from, to + 1).map((e) => 10 ** e);
  const all = powers.flatMap((p) => [p, 2 * p, 5 * p]);
  const within = (list) => list.filter((t) => t >= low * 0.999 && t <= high * 1.001);
  return within(all).length > 9 ? within(powers) : within(all);
}
const logName = (v) => d3.format(v >= 1000 ? "~s" : "~r")(v);

/** Lines of a figure over sizes or VLENs, both axes logarithmic. */
function curves(all, series, x, measure) {
  const { first, name } = merged(all, series, x, measure);
  const rows = all.filter(first);
  const names = values(rows, name);
  const [low, high] = d3.extent(rows, measure.of);
  const range = [low / 1.15, high * 1.15];
  const ticks = values(rows, x.of).sort(byNumber);
  return {
    names, count: all.length,
    lines: cells(all, ["case", "direction", "capset", "core", "subject", "vlen", "bytes", ...(x.id ? [x.id] : []), measure.id]),
    draw(width, style, shown) {
      const points = rows.filter((r) => shown(name(r))).sort((a, b) => x.of(a) - x.of(b));
      const of = (f) => (r) => f(style.get(name(r)));
      const label = longest(ticks.map(x.name));
      const every = Math.max(1, Math.ceil(ticks.length * (label + 14) / width));
      return Plot.plot({
        width, height: Math.max(280, Math.min(420, width * 0.55)), marginLeft: 56, marginRight: Math.ceil(label / 2) + 4, marginBottom: 46, style: FONT,
        x: { type: "log", base: 2, label: x.label, labelAnchor: "center", labelArrow: "none", labelOffset: 36, ticks: ticks.filter((_, i) => (ticks.length - 1 - i) % every === 0), tickFormat: x.name },
        y: { type: "log", label: measure.label, labelArrow: "none", domain: range },
        marks: [
          // Axes of their own: an axis of a logarithmic scale leaves out labels as it sees fit.
          Plot.gridY(logTicks(range)),
          Plot.axisY(logTicks(range), { text: logName, label: measure.label, labelArrow: "none" }),
          Plot.line(points, { x: x.of, y: measure.of, z: name, stroke: of((s) => s.colour), strokeWidth: 1.75 }),
          Plot.dot(points, { x: x.of, y: measure.of, fill: of((s) => s.colour), symbol: of((s) => s.symbol), r: 4, ariaLabel: "figure" }),
          Plot.tip(points, Plot.pointer({
            x: x.of, y: measure.of, fill: "var(--bg)", stroke: "var(--line)",
            title: (r) => `${r.algorithm} ${r.direction}\n${name(r)}\n${x.label}: ${x.name(x.of(r))}\n${measure.label}: ${figure(measure.of(r))}`,
          })),
        ],
      });
    },
  };
}

/** Instructions by class: the classes with most come first. */
const MIX = { of: (r) => r.mix, name: (r) => r.capset, unit: "instructions", whole: "insns_per_op", sorted: true };
/** Cycles by what functions do, in the order of the tables. */
const PARTS = { of: (r) => r.parts, name: (r) => [r.capset, r.where].filter(Boolean).join(" · "), unit: "cycles", whole: "cycles_per_op", sorted: false };

/** Stacked bars, one for each row: how it is divided. If there are more than eight divisions, the first seven have names. */
function stacked(rows, { of, name, unit, whole, sorted }, shares) {
  const sums = d3.rollup(rows.flatMap((r) => Object.entries(of(r))), (v) => d3.sum(v, (e) => e[1]), (e) => e[0]);
  const order = sorted ? [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a)) : DATA.parts.filter((p) => sums.has(p));
  const named = order.length > 8 ? order.slice(0, 7) : order;
  const names = order.length > 8 ? [...named, "other"] : named;
  const total = (r) => d3.sum(Object.values(of(r)));
  const points = rows.flatMap((r) => {
    const own = d3.rollup(Object.entries(of(r)), (v) => d3.sum(v, (e) => e[1]), (e) => named.includes(e[0]) ? e[0] : "other");
    return names.filter((n) => own.get(n) > 0).map((n) => ({ row: r, bar: name(r), name: n, amount: own.get(n), value: shares ? own.get(n) / total(r) : own.get(n) }));
  });
  const columns = ["case", "direction", "bytes", "vlen", "capset", ...(sorted ? [] : ["subject"]), whole];
  return {
    names, count: rows.length,
    lines: [[...columns, ...order], ...rows.map((r) => [...columns.map((c) => r[c]), ...order.map((c) => of(r)[c] ?? 0)])],
    draw(width, style, shown) {
      const here = points.filter((p) => shown(p.name));
      const left = room(rows.map(name), width);
      const title = (p) => `${p.row.algorithm} ${p.row.direction}\n${p.bar}\n${p.name}: ${figure(p.amount)} of ${figure(total(p.row))} ${unit} (${share(p.amount, total(p.row))})`;
      return Plot.plot({
        width, marginLeft: left, marginRight: 16, marginTop: 26, marginBottom: 4, height: 30 + rows.length * 24, style: FONT,
        x: { axis: "top", label: null, grid: true, ticks: Math.max(2, width / 120), tickFormat: shares ? "%" : (v) => COMPACT.format(v) },
        y: { label: null, domain: rows.map(name), padding: 0.25, tickSize: 0, tickFormat: (n) => clipped(n, left - 12) },
        marks: [
          Plot.barX(here, Plot.stackX({ x: "value", y: "bar", z: "name", order: names, fill: (p) => style.get(p.name).colour, ariaLabel: unit })),
          Plot.tip(here, Plot.pointer(Plot.stackX({ x: "value", y: "bar", z: "name", order: names, title, fill: "var(--bg)", stroke: "var(--line)" }))),
        ],
      });
    },
  };
}

/** Predicted over published, one line a case. */
function ratios(points, name, style, width) {
  const left = room(points.map((r) => r.case), width);
  const cases = values(points, (r) => r.case);
  const far = Math.max(1.15, ...points.map((r) => Math.max(r.ratio, 1 / r.ratio))) * 1.03;
  const of = (f) => (r) => f(style.get(name(r)));
  const title = (r) => `${r.algorithm}, ${r.capset}\n${r.subject}\npublished ${figure(SPEED.of(r.published_kBps))} ${SPEED.name}\npredicted ${figure(SPEED.of(r.kBps))} ${SPEED.name}\nratio ${predicted(r.ratio)}`;
  const fine = far < 1.35 && width > NARROW ? [0.95, 1.05] : [];
  const steps = [0.1, 0.2, 0.5, 0.8, 0.9, 1, 1.1, 1.25, 2, 5, 10, ...fine].filter((t) => t > 1 / far && t < far);
  return Plot.plot({
    width, marginLeft: left, marginRight: 16, marginTop: 28, marginBottom: 6, height: 36 + cases.length * 26, style: FONT,
    x: { type: "log", domain: [1 / far, far], label: null },
    y: { type: "point", domain: cases, label: null, tickSize: 0, padding: 0.6, tickFormat: (n) => clipped(n, left - 12) },
    marks: [
      Plot.gridX(steps),
      Plot.axisX(steps, { anchor: "top", text: String, label: null }),
      Plot.ruleX([1], { stroke: "currentColor" }),
      Plot.ruleY(points, Plot.groupY({ x1: (d) => Math.min(1, ...d), x2: (d) => Math.max(1, ...d) }, { x: "ratio", y: "case", stroke: "var(--line)", strokeWidth: 2 })),
      Plot.dot(points, { x: "ratio", y: "case", r: 4.5, fill: of((s) => s.colour), symbol: of((s) => s.symbol), ariaLabel: "figure" }),
      Plot.tip(points, Plot.pointer({ x: "ratio", y: "case", title, fill: "var(--bg)", stroke: "var(--line)" })),
    ],
  });
}
