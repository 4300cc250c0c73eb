// At a table, before its start too.
"use strict";

// The log, opened on a small screen, is read; only what comes after it counts as new.
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

// Links to send are copied by a button. Where a browser does not let a page do that, the link is
// marked, for its reader to copy.
(() => {
  document.documentElement.classList.add("js");
  const copy = async (field) => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      return document.execCommand("copy");
    }
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button || !(await copy(document.getElementById(button.dataset.copy)))) return;
    const aloud = document.getElementById("say-politely");
    const words = button.textContent;
    aloud.textContent = "";
    button.textContent = aloud.textContent = button.dataset.copied;
    if (words !== button.dataset.copied) setTimeout(() => { button.textContent = words; }, 3000);
  });
})();
