// The records' rows, as objects.
const DATA = (() => {
  const raw = JSON.parse(document.getElementById("data").textContent);
  // As in the page's tables: what controls or reverses the direction of writing is shown, not obeyed.
  const shown = (t) => t.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\uFFFD");
  raw.texts = raw.texts.map(shown);
  raw.runs = raw.runs.map(shown);
  raw.mixes = raw.mixes.map(([i, mix]) => [i, Object.fromEntries(Object.entries(mix).map(([k, v]) => [shown(k), v]))]);
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
    r.over = r.speedup ?? r.insns_ratio;
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

/** The unit of all speeds: kB/s, or GB/s where that would take seven digits. */
const SPEED = DATA.rows.some((r) => r.kBps >= 1e6)
  ? { name: "GB/s", of: (kBps) => kBps / 1e6 }
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
  { id: "speedup", label: "Speed-up over scalar", of: (r) => r.speedup },
  { id: "insns_ratio", label: "Instructions of scalar over those of the set", of: (r) => r.insns_ratio },
];
const measured = (rows) => MEASURES.filter((m) => rows.some((r) => m.of(r) > 0));
