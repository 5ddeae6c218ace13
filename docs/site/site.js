// Colours, the menu of a narrow window, and the search. Pages may be opened as files, which may not read others: the
// search's index is a script, which is added when the search is first used.
"use strict";

const root = document.documentElement;
const base = document.currentScript.dataset.base;
const dark = matchMedia("(prefers-color-scheme: dark)");
const useTheme = () => {
  root.dataset.theme = localStorage.getItem("kiln-theme") || (dark.matches ? "dark" : "light");
};
useTheme();
dark.addEventListener("change", useTheme);

let index = null;
function kilnSearch(entries) {
  index = entries.map(([place, title, text]) =>
    ({place, title, text, lower: text.toLowerCase(), lowerTitle: title.toLowerCase()}));
  showResults();
}

// Parts that have all words; a word counts more in a title.
function found(words) {
  const rank = (entry) => {
    let sum = 0;
    for (const word of words) {
      const inTitle = entry.lowerTitle.includes(word);
      if (!inTitle && !entry.lower.includes(word)) return 0;
      if (inTitle) sum += entry.lowerTitle.split(/\W+/).includes(word) ? 20 : 10;
      else sum += Math.min(5, entry.lower.split(word).length - 1);
    }
    return sum;
  };
  return index.map((entry) => ({entry, sum: rank(entry)})).filter((each) => each.sum > 0)
    .sort((a, b) => b.sum - a.sum || a.entry.title.length - b.entry.title.length)
    .slice(0, 20).map((each) => each.entry);
}

function element(name, text, parent, options = {}) {
  return parent.appendChild(Object.assign(document.createElement(name), {textContent: text}, options));
}

function showResults() {
  const results = document.getElementById("results");
  const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  results.textContent = "";
  results.hidden = words.length === 0;
  if (!words.length || !index) return;
  for (const entry of found(words)) {
    const link = element("a", "", element("li", "", results), {href: base + entry.place});
    element("b", entry.title, link);
    const at = Math.max(0, entry.lower.indexOf(words[0]) - 50);
    element("span", (at ? "\u2026" : "") + entry.text.slice(at, at + 140), link);
  }
  if (!results.childElementCount) element("li", "Nothing found", results);
}

function loadIndex() {
  if (document.getElementById("search-index")) return;
  element("script", "", document.head, {id: "search-index", src: base + "search.js"});
}

addEventListener("DOMContentLoaded", () => {
  const search = document.getElementById("search"), menu = document.getElementById("menu");
  search.addEventListener("focus", loadIndex);
  search.addEventListener("input", showResults);
  document.getElementById("theme").addEventListener("click", () => {
    localStorage.setItem("kiln-theme", root.dataset.theme === "dark" ? "light" : "dark");
    useTheme();
  });
  menu.addEventListener("click", () => {
    menu.setAttribute("aria-expanded", document.body.classList.toggle("menu"));
  });
  document.querySelector("nav [aria-current]")?.scrollIntoView({block: "nearest"});
  addEventListener("keydown", (event) => {
    const links = [...document.querySelectorAll("#results a")], here = links.indexOf(document.activeElement);
    if (event.key === "/" && document.activeElement !== search) search.focus();
    else if (event.key === "Escape") search.value = "", showResults(), search.blur();
    else if (event.key === "Enter" && document.activeElement === search && links.length) links[0].click();
    else if (event.key === "ArrowDown" && links.length && (here >= 0 || document.activeElement === search))
      links[Math.min(here + 1, links.length - 1)].focus();
    else if (event.key === "ArrowUp" && here >= 0) (links[here - 1] || search).focus();
    else return;
    event.preventDefault();
  });
});
