(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("capvec-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch { /* a file may have no storage */ }
})();
