// Puts the page's parts to work.

/** A plot in its figure: choices, series, drawing, and its figures as a table and as CSV. */
function mount(box) {
  const drawing = element("div", { class: "drawing" });
  const legend = element("div");
  const table = element("details", {}, element("summary", {}, "The figures of this plot"));
  const hidden = new Set();
  let known = "";
  let view;
  const draw = () => {
    const width = Math.floor(drawing.clientWidth);
    if (width <= 0) return;
    if (view.count === 0) {
      drawing.replaceChildren(element("p", {}, "Nothing was measured of this choice."));
      return;
    }
    const svg = view.draw(width, view.names && styles(view.names), (n) => !hidden.has(n));
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${box.querySelector("h3").textContent}; its figures follow as a table`);
    drawing.replaceChildren(svg);
  };
  const changed = () => {
    view = spec.view();
    const names = view.names ?? [];
    if (names.join("\n") !== known) {
      known = names.join("\n");
      hidden.clear();
      names.slice(8).forEach((n) => hidden.add(n));
      legend.replaceChildren(...(names.length > 1 ? [keys(names, styles(names), hidden, draw)] : []));
    }
    if (table.open) fill();
    draw();
  };
  const fill = () => {
    const [head, ...lines] = view.lines;
    const row = (cells, name) => element("tr", {}, ...cells.map((c) => element(name, typeof c === "number" ? { class: "n" } : {}, c === null ? "–" : typeof c === "number" ? precise(c) : c)));
    const t = element("table", {}, element("thead", {}, row(head, "th")), element("tbody", {}, ...lines.map((l) => row(l, "td"))));
    table.querySelector(".scroll")?.remove();
    table.append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The figures of this plot" }, t));
  };
  const spec = PLOTS[box.dataset.plot](changed);
  box.append(element("div", { class: "controls" }, ...spec.controls.map((c) => c.shown)), legend, drawing, table, actions(() => view.lines, `plot-${box.dataset.plot}`));
  table.addEventListener("toggle", () => { if (table.open) fill(); });
  changed();
  let last = drawing.clientWidth;
  new ResizeObserver(() => {
    // In the next frame: drawing within the observer would be observed.
    if (drawing.clientWidth !== last) { last = drawing.clientWidth; requestAnimationFrame(draw); }
  }).observe(drawing);
}

themeButton();
document.querySelectorAll(".table").forEach(equip);
document.querySelectorAll(".plot").forEach(mount);
{
  const columns = DATA.columns;
  const lines = () => [["run", ...columns], ...DATA.rows.map((r) => [DATA.runs[r.run], ...columns.map((c) => r[c])])];
  document.getElementById("all-figures")?.append(actions(lines, "figures", `CSV of all ${DATA.rows.length} figures`));
}
