// At a table on a small screen: the log, opened, is read; only what comes after it counts as new.
"use strict";

(() => {
  let seen = 0;
  const count = () => {
    const numbers = [...document.querySelectorAll("#log-lines [data-number]")].map((line) => Number(line.dataset.number));
    if (location.hash === "#log" && !document.hidden) seen = Math.max(seen, ...numbers);
    const badge = document.getElementById("log-new");
    if (!badge || !seen) return;
    const fresh = Math.min(Number(badge.textContent), numbers.filter((number) => number > seen).length);
    badge.textContent = fresh;
    badge.hidden = !fresh;
  };
  for (const name of ["hashchange", "htmx:after:swap", "visibilitychange"]) {
    (name === "hashchange" ? window : document).addEventListener(name, count);
  }
  count();
})();
