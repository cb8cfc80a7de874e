// The plots. Each is a function of the rows: its choices, and a view of them (series, columns for the CSV, drawing).

const ROWS = DATA.rows.filter((r) => r.driver);
/** Cases in the order of the records, whatever set came first. */
const PLACES = new Map(values(ROWS, (r) => r.label).map((l, i) => [l, i]));
const inOrder = (rows) => [...rows].sort((a, b) => PLACES.get(a.label) - PLACES.get(b.label));
const sizeName = (n) => n > 0 ? DATA.sizes[n] : "no message";

// Choices that several plots have.
/** The largest size of which every record has rows, or the largest of all. */
const common = (list, rows) => {
  const runs = values(rows, (r) => r.run).length;
  const all = list.findLastIndex((n) => values(rows.filter((r) => r.bytes === n), (r) => r.run).length === runs);
  return all >= 0 ? all : list.length - 1;
};
const sizeOf = (changed) => selector("Size", (r) => r.bytes, changed, { name: sizeName, prefer: common });
const vlenName = (n) => n > 0 ? String(n) : "not known";
const vlenOf = (changed) => selector("VLEN", (r) => r.vlen, changed, { name: vlenName });
const runOf = (changed, more = {}) => selector("Run", (r) => r.where, changed, more);

/** Rows from which other rows differ in `f` alone: together they can form a line. */
function spread(rows, f, other) {
  const key = (r) => JSON.stringify([r.run, r.target, r.subject, r.core, r.case, r.direction, r.capset, other(r)]);
  return [...d3.group(rows, key).values()].filter((own) => values(own, f).length > 1).flat();
}

/** What the row's ratio compares: speed where there is one, else instructions. */
function figureOf(r) {
  if (r.kBps !== null) return `${figure(SPEED.of(r.kBps))} ${SPEED.name}`;
  if (r.ops_per_s !== null) return `${figure(r.ops_per_s)} operations/s`;
  return r.insns_per_byte !== null ? `${figure(r.insns_per_byte)} instructions/byte` : `${figure(r.insns_per_op)} instructions`;
}
const spedUp = (r) => r.over > 0;
const bar = (name, r) => ({
  name, value: r.over, colour: r.capset === "scalar" ? "var(--c0)" : "var(--c1)",
  title: `${r.algorithm} ${r.direction}\n${r.capset}\n${r.speedup === null ? `scalar takes ${figure(r.insns_ratio)}× as many instructions` : `${figure(r.speedup)}× the speed of scalar`}\n${figureOf(r)}`,
});
const RATIOS = ["speedup", "insns_ratio"];
const BAR_COLUMNS = ["case", "direction", "bytes", "vlen", "capset", ...RATIOS.filter((c) => ROWS.some((r) => r[c] !== null)), "kBps", "ops_per_s", "cycles_per_op", "insns_per_op"];

/** Lines of gains over `x`: one for each case and addition. */
function gainsOver(changed, wanted, x) {
  const rows = DATA.explored.filter(wanted);
  const runs = runOf(changed);
  const gain = { id: "gain", label: "Gain", of: (g) => g.gain };
  const name = (g) => `${g.label} · ${g.capset}`;
  return { controls: [runs], view: () => curves(runs.narrow(rows), name, x, gain) };
}

const PLOTS = {
  cases(changed) {
    const rows = ROWS.filter((r) => spedUp(r) && r.shown);
    // A library without kernels gains nothing from any set: another run says more.
    const gains = (where) => d3.max(rows.filter((r) => r.where === where), (r) => r.over);
    const runs = runOf(changed, { prefer: (list) => d3.maxIndex(list, gains) });
    const [vlens, sizes] = [vlenOf(changed), sizeOf(changed)];
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
      view: () => stacked(sizes.narrow(vlens.narrow(cases.narrow(runs.narrow(rows)))), MIX, scale.get().id === "share"),
    };
  },

  parts(changed) {
    const rows = ROWS.filter((r) => r.parts);
    const cases = selector("Case", (r) => r.label, changed);
    const [vlens, sizes] = [vlenOf(changed), sizeOf(changed)];
    const scale = choice("Scale", [{ id: "cycles", label: "cycles" }, { id: "share", label: "shares" }], changed);
    return {
      controls: [cases, vlens, sizes, scale],
      view: () => stacked(sizes.narrow(vlens.narrow(cases.narrow(rows))), PARTS, scale.get().id === "share"),
    };
  },

  gains(changed) {
    const rows = DATA.explored.filter((g) => g.vlen === g.own && typeof g.price === "string");
    const runs = runOf(changed);
    return {
      controls: [runs],
      view() {
        const here = runs.narrow(rows);
        const series = (g) => g.price === "free" ? `${g.capset}, limit` : g.capset;
        const names = values(here, series);
        const points = here.map((g) => ({ name: g.label, series: series(g), value: g.gain, label: "Gain", row: g }));
        return {
          names, count: points.length,
          lines: cells(here, ["case", "direction", "bytes", "core", "subject", "vlen", "capset", "price", "gain"]),
          draw: (width, style, shown) => grouped(points.filter((p) => shown(p.series)), names.filter(shown), style, width),
        };
      },
    };
  },

  latencies(changed) {
    return gainsOver(changed, (g) => typeof g.price === "number", { id: "price", of: (g) => g.price, label: "Cycles of a new instruction", name: String });
  },

  "gains-by-vlen"(changed) {
    return gainsOver(changed, (g) => g.price === "core", { of: (g) => g.vlen, label: "VLEN in bits", name: String });
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
