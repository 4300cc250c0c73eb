// Small conveniences. Every page works without this file.
"use strict";

// Tables: a poll behind the socket, seldom while it is open and often while it is not. A hidden
// tab polls once a minute.
(() => {
  const poll = document.getElementById("poll");
  const live = document.getElementById("live");
  if (!poll || !live) return;
  let open = false;
  let last = Date.now();
  live.addEventListener("htmx:ws:after:connection", () => { open = true; });
  live.addEventListener("htmx:ws:close", () => { open = false; });
  const due = () => (open || document.hidden ? 60000 : 3000);
  const ask = () => {
    last = Date.now();
    htmx.trigger(poll, "poll");
  };
  setInterval(() => { if (Date.now() - last >= due()) ask(); }, 1000);
  // A closed lid, another network, a page from the cache: what was missed is fetched at once.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  window.addEventListener("online", ask);
  window.addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
})();

// Clocks: elements with data-due count down between two fetches of the page.
(() => {
  const parts = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const language = document.documentElement.lang || undefined;
  const say = (seconds) => {
    const at = parts.findIndex(([, size]) => seconds >= size);
    const from = at < 0 ? parts.length - 1 : at;
    let left = seconds;
    return parts.slice(from, from + 2).map(([unit, size]) => {
      const amount = Math.floor(left / size);
      left -= amount * size;
      return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(amount);
    }).join(" ");
  };
  const tick = () => {
    for (const element of document.querySelectorAll("[data-due]")) {
      const text = say(Math.max(0, Math.round((Date.parse(element.dataset.due) - Date.now()) / 1000)));
      if (element.textContent !== text) element.textContent = text;
    }
  };
  if (document.querySelector("[data-due], #poll")) setInterval(tick, 1000);
})();
