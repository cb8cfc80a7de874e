// The choices of a plot, and its legend.
const COLOURS = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `var(--c${i})`);
const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"];

/** A drop-down; with one choice only it is not shown. */
function choice(label, options, changed, first = 0) {
  const select = element("select", { "aria-label": label });
  for (const o of options) select.append(new Option(o.label, o.id));
  select.selectedIndex = first;
  select.addEventListener("change", changed);
  const shown = element("label", {}, label, select);
  shown.hidden = options.length < 2;
  return { shown, get: () => options[Math.max(0, select.selectedIndex)] };
}
const plain = (list, unit = "") => list.map((v) => ({ id: String(v), label: `${v}${unit}`, value: v }));

/**
 * A drop-down of the distinct values of `f`. Each time it is given rows, it offers their values, keeps the chosen one if it
 * is among them (else takes the one that `prefer` picks), and returns the rows with that value.
 */
function selector(label, f, changed, { name = String, prefer = () => 0 } = {}) {
  const select = element("select", { "aria-label": label });
  select.addEventListener("change", changed);
  const shown = element("label", {}, label, select);
  let list = [];
  const narrow = (rows) => {
    const next = values(rows, f);
    if (typeof next[0] === "number") next.sort((a, b) => a - b);
    if (next.length !== list.length || next.some((v, i) => v !== list[i])) {
      const kept = next.indexOf(list[select.selectedIndex]);
      list = next;
      select.replaceChildren(...list.map((v) => new Option(name(v), String(v))));
      select.selectedIndex = kept >= 0 ? kept : prefer(list, rows);
    }
    shown.hidden = list.length < 2;
    return rows.filter((r) => f(r) === list[select.selectedIndex]);
  };
  return { shown, narrow };
}

/** A colour and a shape for each name; scalar is grey everywhere. */
function styles(names) {
  let next = 0;
  const scalar = names.filter((n) => /^scalar($| )/.test(n));
  return new Map(names.map((n) => {
    if (scalar.length === 1 && n === scalar[0]) return [n, { colour: "var(--c0)", symbol: "circle" }];
    const i = next++;
    return [n, { colour: COLOURS[i % 8], symbol: SYMBOLS[i % 7] }];
  }));
}

/** Buttons that show and hide series; the first eight are shown at first. */
function keys(names, style, hidden, changed) {
  const box = element("div", { class: "keys", role: "group", "aria-label": "Series" });
  for (const n of names) {
    const { colour, symbol } = style.get(n);
    const sample = d3.create("svg:svg").attr("width", 14).attr("height", 14).attr("viewBox", "-7 -7 14 14").attr("aria-hidden", "true");
    sample.append("path").attr("d", d3.symbol(d3[`symbol${symbol[0].toUpperCase()}${symbol.slice(1)}`], 55)()).attr("fill", colour);
    const b = element("button", { type: "button", "aria-pressed": String(!hidden.has(n)) }, sample.node(), n);
    b.addEventListener("click", () => {
      if (!hidden.delete(n)) hidden.add(n);
      b.setAttribute("aria-pressed", String(!hidden.has(n)));
      changed();
    });
    box.append(b);
  }
  return box;
}
