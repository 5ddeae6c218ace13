// Runs before the page is drawn, so that a dark page does not start as a white one.
(() => {
  "use strict";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("kiln-profile-theme");
  } catch { /* a page in a sandbox keeps nothing */
  }

  const apply = () => {
    root.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
    const button = document.getElementById("theme");
    if (button) button.textContent = root.dataset.theme === "dark" ? "Light colours" : "Dark colours";
  };
  const toggle = () => {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("kiln-profile-theme", chosen);
    } catch { /* as above */
    }
    apply();
  };
  system.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", toggle);
    apply();
  });
  apply();
})();
