"use strict";
// Tables: sorting, CSV. The theme.
const CSV = {
  /** A field as RFC 4180 has it. */
  field: (v) => {
    const text = v === null || v === undefined ? "" : String(v);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  },
  text: (lines) => lines.map((l) => l.map(CSV.field).join(",") + "\n").join(""),
};

function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) {
    if (k in e && typeof v !== "string") e[k] = v;
    else e.setAttribute(k, v);
  }
  e.append(...children);
  return e;
}

async function copy(text, button) {
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    // Files opened from disk may have no clipboard: the older way, through a selection.
    const area = element("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const before = button.textContent;
  button.textContent = done ? "Copied" : "Not copied: download it";
  setTimeout(() => { button.textContent = before; }, 1500);
}

function download(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Buttons for figures that `lines` returns when they are asked for. */
function actions(lines, name, what = "CSV") {
  const button = (label, act) => {
    const b = element("button", { type: "button" }, label);
    b.addEventListener("click", () => act(CSV.text(lines()), b));
    return b;
  };
  return element("div", { class: "actions" },
    button(`Copy ${what}`, copy),
    button(`Download ${what}`, (text) => download(text, `${name}.csv`, "text/csv")));
}

function tableLines(table) {
  return [...table.rows].map((r) => [...r.cells].map((c) => c.textContent));
}

/** Sorts by a column: as numbers where the column holds numbers, else as text; a second time in the reverse order. */
function sortBy(table, column, th) {
  const down = th.getAttribute("aria-sort") === "ascending" ||
    (th.classList.contains("n") && th.getAttribute("aria-sort") !== "descending");
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  th.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => row.cells[column].textContent;
  const compare = (a, b) => {
    const [x, y] = [parseFloat(key(a)), parseFloat(key(b))];
    if (th.classList.contains("n") && (!isNaN(x) || !isNaN(y))) {
      return (isNaN(x) ? -Infinity : x) - (isNaN(y) ? -Infinity : y);
    }
    return key(a).localeCompare(key(b), "en", { numeric: true });
  };
  const rows = [...table.tBodies[0].rows].sort((a, b) => down ? compare(b, a) : compare(a, b));
  table.tBodies[0].append(...rows);
}

function equip(box) {
  const table = box.querySelector("table");
  [...table.tHead.rows[0].cells].forEach((th, i) => {
    const b = element("button", { type: "button", title: "Sort by this column" }, th.textContent);
    b.addEventListener("click", () => sortBy(table, i, th));
    th.replaceChildren(b);
  });
  box.append(actions(() => tableLines(table), box.dataset.name));
  hint(box);
}

/** Marks a table that is wider than the page: the rest is to the right. */
function hint(box) {
  const scroll = box.querySelector(".scroll");
  const update = () => box.classList.toggle("wide", scroll.scrollWidth > scroll.clientWidth + 1);
  new ResizeObserver(update).observe(scroll);
  update();
}

function themeButton() {
  const root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const b = element("button", { type: "button" });
  const label = () => { b.textContent = dark() ? "Light" : "Dark"; b.setAttribute("aria-label", `Show in ${dark() ? "light" : "dark"} colours`); };
  b.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("capvec-theme", root.dataset.theme); } catch { /* not kept then */ }
    label();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
  document.getElementById("theme").append(b);
}
