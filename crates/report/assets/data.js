// The records' rows, as objects.
const DATA = (() => {
  const raw = JSON.parse(document.getElementById("data").textContent);
  const rows = raw.rows.map((cells) => {
    const row = { run: cells[0] };
    raw.columns.forEach((c, i) => {
      const v = cells[i + 1];
      row[c] = raw.text[i] && v !== null ? raw.texts[v] : v;
    });
    return row;
  });
  for (const i of raw.best) rows[i].best = true;
  for (const [i, mix] of raw.mixes) rows[i].mix = mix;
  for (const r of rows) {
    // The driver's rows have counts; those of a stock program its own speed only.
    r.shown = r.bytes === 0 || r.direction === "enc";
    r.driver = r.subject !== "openssl speed";
    r.label = r.bytes > 0 && r.direction === "enc" ? r.case : `${r.case} ${r.direction}`;
  }
  return { ...raw, rows };
})();

/** Different values of a field, in their order. */
const values = (rows, f) => [...new Set(rows.map(f))];
/** What tells runs and subjects of these rows apart: nothing if there is one only. */
function context(rows) {
  const fields = [["subject", (r) => r.subject], ["core", (r) => r.core], ["target", (r) => r.target], ["version", (r) => r.version]];
  const differing = fields.filter(([, f]) => values(rows, f).length > 1).map(([, f]) => f);
  const name = (r) => differing.map((f) => f(r)).join(" · ");
  // Two records of the same thing differ in nothing but their run.
  const names = new Map();
  for (const r of rows) names.set(name(r), (names.get(name(r)) ?? new Set()).add(r.run));
  const same = [...names.values()].some((runs) => runs.size > 1) && values(rows, (r) => r.run).length > 1;
  return (r) => [name(r), same ? `run ${r.run + 1}` : ""].filter(Boolean).join(" · ");
}
const figure = (v) => v === null || v === undefined ? "–" : Number(v.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 });

/** The unit of all speeds: one with at most six digits before the point. */
const SPEED = DATA.rows.some((r) => r.kBps >= 1e6)
  ? { name: "MB/s", of: (kBps) => kBps / 1e3 }
  : { name: "kB/s", of: (kBps) => kBps };

/** Figures over sizes and VLENs, of which every row of a kind of target has some. */
const MEASURES = [
  { id: "kBps", label: `Speed, ${SPEED.name}`, of: (r) => r.kBps === null ? null : SPEED.of(r.kBps) },
  { id: "cycles_per_byte", label: "Cycles per byte", of: (r) => r.cycles_per_byte },
  { id: "insns_per_byte", label: "Instructions per byte", of: (r) => r.insns_per_byte },
];
/** Figures of operations, whether they have a message or not. */
const OPERATIONS = [
  { id: "ops_per_s", label: "Operations per second", of: (r) => r.ops_per_s },
  { id: "insns_per_op", label: "Instructions of an operation", of: (r) => r.insns_per_op },
  { id: "speedup", label: "Over scalar", of: (r) => r.speedup },
];
const measured = (rows) => MEASURES.filter((m) => rows.some((r) => m.of(r) > 0));
