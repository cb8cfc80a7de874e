"use strict";
(() => {
  const width = 1200;
  const boxes = [...document.querySelectorAll("#boxes g")].map((g) => ({
    g,
    x: Number(g.dataset.x),
    w: Number(g.dataset.w),
    d: Number(g.dataset.d),
    rect: g.querySelector("rect"),
    text: g.querySelector("text"),
    title: g.querySelector("title").textContent,
  }));
  const detail = document.getElementById("detail");

  const place = (b, x, w) => {
    b.g.classList.toggle("hidden", w < 0.1);
    b.rect.setAttribute("x", x);
    b.rect.setAttribute("width", w);
    b.text.setAttribute("x", x + 3);
    const name = b.title.slice(0, b.title.lastIndexOf(": ", b.title.indexOf(" cycles, ")));
    const room = Math.floor((w - 6) / 6.2);
    b.text.textContent = name.length <= room ? name : room < 4 ? "" : name.slice(0, room - 1) + "…";
  };

  // Shows the box at `x`, `w` and depth `d` at full width, with its callers and what it called.
  const zoom = (x, w, d) => {
    for (const b of boxes) {
      const caller = b.d < d && b.x <= x + 1e-3 && b.x + b.w >= x + w - 1e-3;
      const inside = b.d >= d && b.x >= x - 1e-3 && b.x + b.w <= x + w + 1e-3;
      b.g.classList.toggle("caller", caller);
      if (caller) place(b, 0, width);
      else if (inside) place(b, ((b.x - x) * width) / w, (b.w * width) / w);
      else b.g.classList.add("hidden");
    }
  };

  for (const b of boxes) {
    b.g.addEventListener("click", () => zoom(b.x, b.w, b.d));
    b.g.addEventListener("mouseover", () => (detail.textContent = b.title));
  }
  document.getElementById("reset").addEventListener("click", () => zoom(0, width, 0));
  document.getElementById("search").addEventListener("click", () => {
    const text = prompt("Part of a function's name");
    for (const b of boxes) b.g.classList.toggle("found", Boolean(text) && b.title.split(": ")[0].includes(text));
  });
})();
