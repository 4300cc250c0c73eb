// Replays by key: an arrow to the next step and back, Home and End to the first and the last.
"use strict";

(() => {
  const rtl = document.documentElement.dir === "rtl";
  const keys = {
    [rtl ? "ArrowLeft" : "ArrowRight"]: "next",
    [rtl ? "ArrowRight" : "ArrowLeft"]: "previous",
    Home: "first",
    End: "last",
  };
  // Where these keys have a meaning of their own: fields, and boxes that scroll.
  const taken = "input, select, textarea, [contenteditable], [tabindex='0']";
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    const way = keys[event.key];
    const link = way && document.querySelector(`[data-walk="${way}"]`);
    if (!link || event.target.closest(taken)) return;
    event.preventDefault();
    link.click();
  });

  // The list of steps shows where the reader is.
  const scroll = () => {
    const list = document.getElementById("steps");
    const now = list?.querySelector("[aria-current]")?.closest("li");
    if (now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 3;
  };
  scroll();
  document.addEventListener("htmx:after:swap", scroll);
})();
