// The plots. Each is a function of the rows: its choices, and a view of them (series, columns for the CSV, drawing).

const FONT = { fontSize: "12px", background: "none", color: "currentColor" };
const ROWS = DATA.rows.filter((r) => r.driver);
/** Cases in the order of the records, whatever set came first. */
const PLACES = new Map(values(ROWS, (r) => r.label).map((l, i) => [l, i]));
const inOrder = (rows) => [...rows].sort((a, b) => PLACES.get(a.label) - PLACES.get(b.label));
const NARROW = 520;
const byNumber = (a, b) => a - b;
/** 100K. A common prefix would make "0k" of zero. */
const COMPACT = new Intl.NumberFormat("en", { notation: "compact" });
const sizeName = (n) => n > 0 ? DATA.sizes[n] : "no message";

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

/** Choices that several plots have. */
/** The largest size of which every record has rows, or the largest of all. */
const common = (list, rows) => {
  const runs = values(rows, (r) => r.run).length;
  const all = list.findLastIndex((n) => values(rows.filter((r) => r.bytes === n), (r) => r.run).length === runs);
  return all >= 0 ? all : list.length - 1;
};
const sizeOf = (changed) => selector("Size", (r) => r.bytes, changed, { name: sizeName, prefer: common });
const vlenName = (n) => n > 0 ? String(n) : "not known";
const vlenOf = (changed) => selector("VLEN", (r) => r.vlen, changed, { name: vlenName });
const runOf = (changed) => selector("Run", (r) => r.where, changed);

/** Rows of which others differ in `f` alone: what can be a line. */
function spread(rows, f, other) {
  const key = (r) => JSON.stringify([r.run, r.target, r.subject, r.core, r.case, r.direction, r.capset, other(r)]);
  return [...d3.group(rows, key).values()].filter((own) => values(own, f).length > 1).flat();
}

/** Horizontal bars, one for each row, with the figure at the end. */
function bars(points, label, width) {
  const left = room(points.map((p) => p.name), width);
  const most = d3.max(points, (p) => p.value);
  const text = (p) => `${p.value < 10 ? p.value.toFixed(2) : p.value.toFixed(1)}×`;
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
/** What the row's ratio is of: speed where there is one, else instructions. */
function figureOf(r) {
  if (r.kBps !== null) return `${figure(SPEED.of(r.kBps))} ${SPEED.name}`;
  if (r.ops_per_s !== null) return `${figure(r.ops_per_s)} operations/s`;
  return r.insns_per_byte !== null ? `${figure(r.insns_per_byte)} instructions/byte` : `${figure(r.insns_per_op)} instructions`;
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
const spedUp = (r) => r.over > 0;
const bar = (name, r) => ({
  name, value: r.over, colour: r.capset === "scalar" ? "var(--c0)" : "var(--c1)",
  title: `${r.algorithm} ${r.direction}\n${r.capset}\n${r.speedup === null ? `scalar takes ${figure(r.insns_ratio)}× as many instructions` : `${figure(r.speedup)}× the speed of scalar`}\n${figureOf(r)}`,
});
const RATIOS = ["speedup", "insns_ratio"];
const BAR_COLUMNS = ["case", "direction", "bytes", "vlen", "capset", ...RATIOS.filter((c) => ROWS.some((r) => r[c] !== null)), "kBps", "ops_per_s", "cycles_per_op", "insns_per_op"];
const cells = (rows, columns) => [columns, ...rows.map((r) => columns.map((c) => r[c]))];

const PLOTS = {
  cases(changed) {
    const rows = ROWS.filter((r) => spedUp(r) && r.shown);
    const [runs, vlens, sizes] = [runOf(changed), vlenOf(changed), sizeOf(changed)];
    const all = values(rows, (r) => r.capset).filter((s) => s !== "scalar");
    const sets = choice("Capability set", [{ id: "*", label: "the best of each case" }, ...plain(all)], changed);
    return {
      controls: [sets, runs, vlens, sizes],
      view() {
        const set = sets.get();
        const wanted = rows.filter((r) => set.id === "*" ? r.best : r.capset === set.value);
        const here = inOrder(sizes.narrow(vlens.narrow(runs.narrow(wanted))));
        return { lines: cells(here, BAR_COLUMNS), count: here.length, draw: (width) => bars(here.map((r) => bar(r.label, r)), "speed-up", width) };
      },
    };
  },

  runs(changed) {
    const rows = ROWS.filter((r) => r.best && r.shown);
    const place = (r) => r.where || r.target;
    // A record with several VLENs has a series for each.
    const several = values(rows, (r) => `${place(r)} ${r.vlen}`).length > values(rows, place).length;
    const series = (r) => several && r.vlen > 0 ? `${place(r)}, VLEN ${r.vlen}` : place(r);
    const sizes = sizeOf(changed);
    const offered = [...MEASURES, ...OPERATIONS].filter((m) => values(rows.filter((r) => m.of(r) > 0), series).length > 1);
    const measure = choice("Figure", offered, changed);
    return {
      controls: [measure, sizes],
      view() {
        const m = measure.get();
        const here = inOrder(sizes.narrow(rows.filter((r) => m && m.of(r) > 0)));
        const names = values(here, series);
        const points = here.map((r) => ({ name: r.label, series: series(r), value: m.of(r), label: m.label, row: r }));
        return {
          names, count: points.length,
          lines: cells(here, ["case", "direction", "bytes", "target", "core", "subject", "vlen", "capset", ...(m ? [m.id] : [])]),
          draw: (width, style, shown) => grouped(points.filter((p) => shown(p.series)), names.filter(shown), style, width),
        };
      },
    };
  },

  sets(changed) {
    const rows = ROWS.filter(spedUp);
    const most = (list, of) => {
      const counts = d3.rollup(of, (v) => v.length, (r) => r.label);
      return d3.maxIndex(list, (l) => counts.get(l));
    };
    const cases = selector("Case", (r) => r.label, changed, { prefer: most });
    const [runs, vlens, sizes] = [runOf(changed), vlenOf(changed), sizeOf(changed)];
    const order = choice("Order", [{ id: "speed", label: "largest first" }, { id: "record", label: "as measured" }], changed);
    return {
      controls: [runs, cases, vlens, sizes, order],
      view() {
        const found = sizes.narrow(vlens.narrow(cases.narrow(runs.narrow(rows))));
        const here = order.get().id === "speed" ? [...found].sort((a, b) => b.over - a.over) : found;
        return { lines: cells(here, BAR_COLUMNS), count: here.length, draw: (width) => bars(here.map((r) => bar(r.capset, r)), "speed-up", width) };
      },
    };
  },

  sizes(changed) {
    const rows = spread(ROWS.filter((r) => r.bytes > 0), (r) => r.bytes, (r) => r.vlen);
    const cases = selector("Case", (r) => r.label, changed);
    const vlens = vlenOf(changed);
    const measure = choice("Figure", measured(rows), changed);
    return {
      controls: [cases, measure, vlens],
      view() {
        const m = measure.get();
        const here = vlens.narrow(cases.narrow(rows.filter((r) => m.of(r) > 0)));
        const name = (r) => [r.capset, r.where].filter(Boolean).join(" · ");
        return curves(here, name, { of: (r) => r.bytes, label: "Size of a message", name: sizeName }, m);
      },
    };
  },

  vlens(changed) {
    const rows = spread(ROWS.filter((r) => r.vlen > 0 && r.shown), (r) => r.vlen, (r) => r.bytes);
    const cases = choice("Case", [{ id: "*", label: "all, with their best set" }, ...plain(values(rows, (r) => r.label))], changed);
    const sizes = sizeOf(changed);
    const measure = choice("Figure", measured(rows), changed);
    return {
      controls: [cases, measure, sizes],
      view() {
        const [m, one] = [measure.get(), cases.get()];
        const wanted = rows.filter((r) => m.of(r) > 0 && (one.id === "*" ? r.best : r.label === one.value));
        const name = (r) => [one.id === "*" ? r.label : r.capset, r.series].filter(Boolean).join(" · ");
        return curves(sizes.narrow(wanted), name, { of: (r) => r.vlen, label: "VLEN in bits", name: String }, m);
      },
    };
  },

  mix(changed) {
    const rows = ROWS.filter((r) => r.mix);
    const cases = selector("Case", (r) => r.label, changed);
    const [runs, vlens, sizes] = [runOf(changed), vlenOf(changed), sizeOf(changed)];
    const scale = choice("Scale", [{ id: "insns", label: "instructions" }, { id: "share", label: "shares" }], changed);
    return {
      controls: [runs, cases, vlens, sizes, scale],
      view: () => classes(sizes.narrow(vlens.narrow(cases.narrow(runs.narrow(rows)))), scale.get().id === "share"),
    };
  },

  published() {
    const rows = DATA.rows.filter((r) => r.ratio > 0 && r.published_kBps > 0);
    const several = values(rows.filter((r) => r.driver), (r) => r.where).length > 1;
    const name = (r) => (r.capset === "scalar" ? "scalar" : "best published set") + (r.driver ? "" : `, ${r.subject}`) + (several && r.where ? ` · ${r.where}` : "");
    const names = values(rows, name);
    return {
      controls: [],
      view: () => ({
        names, series: name, count: rows.length,
        lines: cells(rows, ["case", "subject", "capset", "published_kBps", "kBps", "ratio"]),
        draw: (width, style, shown) => ratios(rows.filter((r) => shown(name(r))), name, style, width),
      }),
    };
  },
};

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
    lines: cells(all, ["case", "direction", "capset", "core", "subject", "vlen", "bytes", measure.id]),
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
          // Axes of their own: an axis of a logarithmic scale leaves out labels as it thinks right.
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

/** Stacked bars, one for each row: its instructions by class, the largest seven classes of all by name. */
function classes(rows, shares) {
  const sums = d3.rollup(rows.flatMap((r) => Object.entries(r.mix)), (v) => d3.sum(v, (e) => e[1]), (e) => e[0]);
  const order = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
  const named = order.length > 8 ? order.slice(0, 7) : order;
  const names = order.length > 8 ? [...named, "other"] : named;
  const total = (r) => d3.sum(Object.values(r.mix));
  const points = rows.flatMap((r) => {
    const of = d3.rollup(Object.entries(r.mix), (v) => d3.sum(v, (e) => e[1]), (e) => named.includes(e[0]) ? e[0] : "other");
    return names.filter((n) => of.get(n) > 0).map((n) => ({ row: r, set: r.capset, name: n, insns: of.get(n), value: shares ? of.get(n) / total(r) : of.get(n) }));
  });
  return {
    names, count: rows.length,
    lines: [["case", "direction", "bytes", "vlen", "capset", "insns_per_op", ...order], ...rows.map((r) => [r.case, r.direction, r.bytes, r.vlen, r.capset, r.insns_per_op, ...order.map((c) => r.mix[c] ?? 0)])],
    draw(width, style, shown) {
      const here = points.filter((p) => shown(p.name));
      const left = room(rows.map((r) => r.capset), width);
      const title = (p) => `${p.row.algorithm} ${p.row.direction}\n${p.set}\n${p.name}: ${figure(p.insns)} of ${figure(total(p.row))} instructions (${(100 * p.insns / total(p.row)).toFixed(1)} %)`;
      return Plot.plot({
        width, marginLeft: left, marginRight: 16, marginTop: 26, marginBottom: 4, height: 30 + rows.length * 24, style: FONT,
        x: { axis: "top", label: null, grid: true, ticks: Math.max(2, width / 120), tickFormat: shares ? "%" : (v) => COMPACT.format(v) },
        y: { label: null, domain: rows.map((r) => r.capset), padding: 0.25, tickSize: 0, tickFormat: (n) => clipped(n, left - 12) },
        marks: [
          Plot.barX(here, Plot.stackX({ x: "value", y: "set", z: "name", order: names, fill: (p) => style.get(p.name).colour, ariaLabel: "instructions" })),
          Plot.tip(here, Plot.pointer(Plot.stackX({ x: "value", y: "set", z: "name", order: names, title, fill: "var(--bg)", stroke: "var(--line)" }))),
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
  const title = (r) => `${r.algorithm}, ${r.capset}\n${r.subject}\npublished ${figure(SPEED.of(r.published_kBps))} ${SPEED.name}\npredicted ${figure(SPEED.of(r.kBps))} ${SPEED.name}\nratio ${r.ratio.toFixed(3)}`;
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
