// The plots of a design space: how cycles depend on the core, its VLEN and the parameters that were set.

const SPACE = ROWS.filter((r) => r.set && r.cycles_per_op > 0 && r.shown);
const AXES = [
  { name: "core", of: (r) => r.base },
  { name: "VLEN", of: (r) => r.vlen },
  ...[...new Set(SPACE.flatMap((r) => Object.keys(r.set)))].map((key) => ({ name: key, of: (r) => r.set[key] ?? "as shipped" })),
].filter((a) => values(SPACE, a.of).length > 1);
/** Figures that the user gave, such as areas. They follow from the axes and, with `ofSets`, the capability sets that the user's file names. */
const GIVEN = (DATA.given?.names ?? []).map((name, i) => ({
  name, of: (r) => r.given?.[i] ?? null, from: DATA.given.by, ofSets: DATA.given.by.includes("caps"),
}));
const ALL_AXES = [...AXES, ...GIVEN];
/** The rows that have a value on an axis: not all have the figures that the user gave. */
const having = (axis, rows) => axis.from ? rows.filter((r) => axis.of(r) !== null) : rows;
const described = (r) => ALL_AXES.filter((a) => a.of(r) !== null).map((a) => `${a.name}: ${a.of(r)}`).join("\n");
const CYCLES = "Cycles of an operation";
const SPACE_COLUMNS = ["case", "direction", "bytes", "capset"];

/** The values of an axis: numbers by size, texts in the order of the record. */
function levels(axis, rows) {
  const all = values(rows, axis.of);
  return all.every((v) => typeof v === "number") ? all.sort(byNumber) : all;
}

/**
 * For each value of an axis: cycles over the geometric mean of all its values, with everything else the same. Only where every value was
 * measured; empty if that is nowhere. What a figure follows from changes with it.
 */
function effects(axis, list) {
  const rows = having(axis, list);
  const others = AXES.filter((a) => a.name !== axis.name && !axis.from?.includes(a.name));
  const key = (r) => JSON.stringify([r.run, r.subject, r.label, axis.ofSets ? null : r.capset, r.bytes, ...others.map((a) => a.of(r))]);
  const all = levels(axis, rows);
  const logs = all.map(() => []);
  for (const own of d3.group(rows, key).values()) {
    const at = d3.rollup(own, (same) => d3.mean(same, (r) => Math.log(r.cycles_per_op)), axis.of);
    if (at.size < all.length) continue;
    all.forEach((level, i) => logs[i].push(at.get(level) - d3.mean(at.values())));
  }
  return logs[0]?.length > 0 ? all.map((level, i) => ({ level, effect: Math.exp(d3.mean(logs[i])) })) : [];
}

/** How an axis changes cycles: its values with the fewest and the most of them. */
function span(axis, rows) {
  const all = effects(axis, rows).sort((a, b) => a.effect - b.effect);
  return all.length > 1 ? { axis: axis.name, low: all[0], high: all.at(-1), ratio: all.at(-1).effect / all[0].effect } : null;
}
const spanTitle = (s) => `${s.axis}\n${s.low.level}: ${times(s.low.effect)} the mean of all values\n${s.high.level}: ${times(s.high.effect)}`;

/** A bar for each axis, from its value with the fewest cycles to that with the most. */
function tornado(spans, width) {
  const left = room(spans.map((s) => s.axis), width);
  const margin = roomAfter(spans.flatMap((s) => [String(s.low.level), String(s.high.level)]));
  const level = (end, textAnchor, dx) => Plot.text(spans, { x: (s) => end(s).effect, y: "axis", text: (s) => String(end(s).level), textAnchor, dx, fill: "currentColor" });
  return Plot.plot({
    width, marginLeft: left + margin, marginRight: margin + 8, marginTop: 26, marginBottom: 4, height: 30 + spans.length * 26, style: FONT,
    x: { axis: "top", label: null, grid: true, ticks: Math.max(2, width / 120), tickFormat: (v) => `${v}×` },
    y: { label: null, domain: spans.map((s) => s.axis), padding: 0.3, tickSize: 0, tickPadding: margin, tickFormat: (n) => clipped(n, left - 12) },
    marks: [
      Plot.barX(spans, { x1: (s) => s.low.effect, x2: (s) => s.high.effect, y: "axis", fill: "var(--c1)", ariaLabel: "effect" }),
      Plot.ruleX([1], { stroke: "currentColor", strokeDasharray: "3 3" }),
      level((s) => s.low, "end", -5),
      level((s) => s.high, "start", 5),
      Plot.tip(spans, Plot.pointerY({ x: (s) => s.high.effect, y: "axis", title: spanTitle, fill: "var(--bg)", stroke: "var(--line)" })),
    ],
  });
}

/** A cell for each case and axis: the darker, the more the axis changes the case's cycles. */
function heat(spans, width) {
  const left = room(spans.map((s) => s.case), width);
  const cases = values(spans, (s) => s.case);
  const most = Math.log(Math.max(1.05, ...spans.map((s) => s.ratio)));
  const step = (width - left - 16) / values(spans, (s) => s.axis).length;
  return Plot.plot({
    width, marginLeft: left, marginRight: 16, marginTop: 26, marginBottom: 4, height: 30 + cases.length * 26, style: FONT,
    x: { type: "band", axis: "top", label: null, domain: values(spans, (s) => s.axis), padding: 0.03, tickSize: 0, tickFormat: (n) => clipped(n, step - 6) },
    y: { type: "band", domain: cases, label: null, padding: 0.06, tickSize: 0, tickFormat: (n) => clipped(n, left - 12) },
    marks: [
      Plot.cell(spans, { x: "axis", y: "case", fill: "var(--c1)", fillOpacity: (s) => 0.75 * Math.log(s.ratio) / most, ariaLabel: "effect" }),
      Plot.text(spans, { x: "axis", y: "case", text: (s) => times(s.ratio), fill: "currentColor" }),
      Plot.tip(spans, Plot.pointer({ x: "axis", y: "case", title: (s) => `${s.case}\n${spanTitle(s)}`, fill: "var(--bg)", stroke: "var(--line)" })),
    ],
  });
}

/** A line for each configuration: through its value on each axis, to its cycles. */
function parallel(rows, style, width) {
  const [low, high] = d3.extent(rows, (r) => r.cycles_per_op);
  const place = (v, all) => all.length > 1 ? all.indexOf(v) / (all.length - 1) : 0.5;
  const columns = AXES.map((a) => ({ ...a, all: levels(a, rows) }));
  const ticks = columns.flatMap((a) => a.all.map((v) => ({ x: a.name, y: place(v, a.all), text: String(v) })));
  const cycles = (v) => high > low ? Math.log(v / low) / Math.log(high / low) : 0.5;
  ticks.push(...values([low, high], (v) => v).map((v) => ({ x: CYCLES, y: cycles(v), text: figure(v) })));
  const points = rows.flatMap((r, line) => [
    ...columns.map((a) => ({ row: r, line, x: a.name, y: place(a.of(r), a.all) })),
    { row: r, line, x: CYCLES, y: cycles(r.cycles_per_op) },
  ]);
  const names = [...columns.map((a) => a.name), CYCLES];
  const step = width / names.length;
  const title = ({ row: r }) => `${r.algorithm} ${r.direction}\n${r.capset}\n${columns.map((a) => `${a.name}: ${a.of(r)}`).join("\n")}\n${figure(r.cycles_per_op)} cycles`;
  return Plot.plot({
    width, height: 340, marginLeft: 16, marginRight: 16, marginTop: 34, marginBottom: 14, style: FONT,
    x: { type: "point", domain: names, axis: "top", label: null, padding: 0.5, tickSize: 0, tickFormat: (n) => clipped(n, step - 8) },
    y: { axis: null, domain: [-0.04, 1.04] },
    marks: [
      Plot.ruleX(names, { stroke: "var(--line)" }),
      Plot.line(points, { x: "x", y: "y", z: "line", stroke: (p) => style.get(p.row.capset).colour, strokeOpacity: Math.max(0.06, Math.min(0.55, 60 / rows.length)) }),
      Plot.text(ticks, { x: "x", y: "y", text: "text", textAnchor: "start", dx: 5, fill: "currentColor", stroke: "var(--bg)", strokeWidth: 4 }),
      Plot.tip(points, Plot.pointer({ x: "x", y: "y", title, fill: "var(--bg)", stroke: "var(--line)" })),
    ],
  });
}

/** Whether more of an axis costs cycles, as a latency does. Then the highest values are the cheapest to build. A figure is itself a price. */
const costsCycles = (axis, rows) => {
  if (axis.from) return false;
  const all = effects(axis, rows);
  return all.length > 1 && all.at(-1).effect > all[0].effect;
};

/** The rows that no other one beats: of those with at most as much of `x`, or at least as much where `most` is set, none has as few cycles. */
function front(rows, x, most) {
  let least = Infinity;
  const better = (r) => r.cycles_per_op < least && ((least = r.cycles_per_op), true);
  const price = (a, b) => (most ? d3.descending : d3.ascending)(x(a), x(b)) || d3.ascending(a.cycles_per_op, b.cycles_per_op);
  return d3.sort(rows, price).filter(better);
}

/** Dots of cycles over an axis, and a line through those that no other one beats. */
function pareto(rows, axis, name, style, width) {
  const most = costsCycles(axis, rows);
  const best = front(rows, axis.of, most);
  const of = (f) => (r) => f(style.get(name(r)));
  const title = (r) => `${r.algorithm} ${r.direction}\n${name(r)}\n${described(r)}\n${figure(r.cycles_per_op)} cycles${best.includes(r) ? "\non the front" : ""}`;
  const [low, high] = d3.extent(rows, (r) => r.cycles_per_op);
  const range = [low / 1.15, high * 1.15];
  return Plot.plot({
    width, height: Math.max(280, Math.min(420, width * 0.55)), marginLeft: 56, marginRight: 24, marginBottom: 46, style: FONT,
    x: {
      label: axis.from ? `${axis.name}, given by the user` : axis.name, labelAnchor: "center", labelArrow: "none", labelOffset: 36,
      ticks: axis.from ? Math.max(2, width / 120) : levels(axis, rows), inset: 12,
    },
    y: { type: "log", domain: range, label: CYCLES },
    marks: [
      Plot.gridY(logTicks(range)),
      Plot.axisY(logTicks(range), { text: logName, label: CYCLES, labelArrow: "none" }),
      Plot.line(best, { x: axis.of, y: "cycles_per_op", stroke: "currentColor", curve: "step-after" }),
      Plot.dot(rows, { x: axis.of, y: "cycles_per_op", fill: of((s) => s.colour), symbol: of((s) => s.symbol), r: 4, ariaLabel: "figure" }),
      Plot.tip(rows, Plot.pointer({ x: axis.of, y: "cycles_per_op", title, fill: "var(--bg)", stroke: "var(--line)" })),
    ],
  });
}

/** A table of configurations. */
const spaceLines = (rows) => [
  [...SPACE_COLUMNS, ...ALL_AXES.map((a) => a.name), "cycles_per_op"],
  ...rows.map((r) => [...SPACE_COLUMNS.map((c) => r[c]), ...ALL_AXES.map((a) => a.of(r)), r.cycles_per_op]),
];
const spanLines = (spans) => [
  ["case", "parameter", "fewest cycles at", "over the mean", "most cycles at", "over the mean", "most over fewest"],
  ...spans.map((s) => [s.case, s.axis, s.low.level, s.low.effect, s.high.level, s.high.effect, s.ratio]),
];
const bySet = (changed) => selector("Capability set", (r) => r.capset, changed, { prefer: (list) => list.length - 1 });
const byCase = (changed) => selector("Case", (r) => r.label, changed);
/** What rows are of that axes do not say: their record and the library. */
const byRecord = (changed) => selector("Run", (r) => [...(DATA.runs.length > 1 ? [DATA.runs[r.run]] : []), r.subject].join(", "), changed);

Object.assign(PLOTS, {
  sensitivity(changed) {
    const narrowed = [byCase, bySet, sizeOf, byRecord].map((f) => f(changed));
    return {
      controls: narrowed,
      view() {
        const rows = narrowed.reduce((all, s) => s.narrow(all), SPACE);
        const spans = AXES.map((a) => span(a, rows)).filter(Boolean).map((s) => ({ ...s, case: rows[0].label }));
        spans.sort((a, b) => b.ratio - a.ratio);
        return { count: spans.length, lines: spanLines(spans), draw: (width) => tornado(spans, width) };
      },
    };
  },

  heat(changed) {
    const [set, ...others] = [bySet, sizeOf, byRecord].map((f) => f(changed));
    return {
      controls: AXES.length > 0 ? [set, ...others] : others,
      view() {
        const all = inOrder(others.reduce((rows, s) => s.narrow(rows), SPACE));
        const one = set.narrow(all);
        const of = (label) => (a) => span(a, (a.ofSets ? all : one).filter((r) => r.label === label));
        const own = (label) => ALL_AXES.map(of(label)).filter(Boolean).map((s) => ({ ...s, case: label }));
        const spans = values(all, (r) => r.label).flatMap(own);
        return { count: spans.length, lines: spanLines(spans), draw: (width) => heat(spans, width) };
      },
    };
  },

  parallel(changed) {
    const narrowed = [byCase, sizeOf, byRecord].map((f) => f(changed));
    return {
      controls: narrowed,
      view() {
        const rows = narrowed.reduce((all, s) => s.narrow(all), SPACE);
        return {
          names: values(rows, (r) => r.capset), count: rows.length, lines: spaceLines(rows),
          draw: (width, style, shown) => parallel(rows.filter((r) => shown(r.capset)), style, width),
        };
      },
    };
  },

  front(changed) {
    const numbers = AXES.filter((a) => levels(a, SPACE).every((v) => typeof v === "number"));
    const priced = [...GIVEN, ...numbers];
    const axis = choice("Against", (priced.length > 0 ? priced : AXES).map((a) => ({ ...a, id: a.name, label: a.name })), changed);
    const narrowed = [byCase, sizeOf, byRecord].map((f) => f(changed));
    return {
      controls: [axis, ...narrowed],
      view() {
        const rows = narrowed.reduce((all, s) => s.narrow(all), having(axis.get(), SPACE));
        const series = (r) => AXES.some((a) => a.name === "core") ? `${r.base}, ${r.capset}` : r.capset;
        return {
          names: values(rows, series), count: rows.length, lines: spaceLines(rows),
          draw: (width, style, shown) => pareto(rows.filter((r) => shown(series(r))), axis.get(), series, style, width),
        };
      },
    };
  },
});
