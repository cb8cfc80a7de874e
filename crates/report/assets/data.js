// The records' rows, as objects.
const DATA = (() => {
  const raw = JSON.parse(document.getElementById("data").textContent);
  // As in the page's tables: control characters, and those that reverse the direction of writing, are shown, not obeyed.
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
  // What tells a row apart from those of other records: `where`, with its own VLEN if that is one of these facts; `series`, with all
  // VLENs of its record, for lines over VLENs.
  raw.labels.forEach(([own, all], i) => { rows[i].where = raw.texts[own]; rows[i].series = raw.texts[all]; });
  for (const i of raw.best) rows[i].best = true;
  for (const [i, mix] of raw.mixes) rows[i].mix = mix;
  for (const [i, parts] of raw.divided) rows[i].parts = parts;
  const number = (t) => t.trim() !== "" && Number.isFinite(Number(t)) ? Number(t) : shown(t);
  for (const [i, base, set] of raw.settings) {
    rows[i].base = shown(base);
    rows[i].set = Object.fromEntries(Object.entries(set).map(([k, v]) => [shown(k), number(v)]));
  }
  raw.given = raw.given && { ...raw.given, names: raw.given.names.map(shown), by: raw.given.by.map(shown) };
  raw.given?.rows.forEach((line, i) => { rows[i].given = line === null ? null : raw.given.lines[line]; });
  for (const r of rows) {
    // The driver's rows have counts; those of a stock program its own speed only.
    r.shown = r.bytes === 0 || r.direction === "enc";
    r.over = r.speedup ?? r.insns_ratio;
    r.driver = r.subject !== "openssl speed";
    r.label = r.bytes > 0 && r.direction === "enc" ? r.case : `${r.case} ${r.direction}`;
  }
  const visible = (o) => Object.fromEntries(Object.entries(o).map(([k, v]) => [k, typeof v === "string" ? shown(v) : v]));
  raw.explored = raw.explored.map(visible);
  for (const g of raw.explored) {
    const operation = g.direction === "enc" ? g.case : `${g.case} ${g.direction}`;
    g.label = g.bytes > 0 ? `${operation}, ${g.bytes} bytes` : operation;
    g.algorithm = g.case;
    g.run = g.where;
  }
  return { ...raw, rows };
})();

const { times, share, predicted, precise, figure } = formats(DATA.digits);

/** Different values of a field, in their order. */
const values = (rows, f) => [...new Set(rows.map(f))];

/** The unit of all speeds. */
const SPEED = { name: DATA.speed.name, of: (kBps) => kBps / DATA.speed.by };

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
