// Talk beside a table: what is new is read out once, and counts as read once it was in view.
"use strict";

(() => {
  const body = () => document.getElementById("talk-body");
  const rooms = () => [...document.querySelectorAll("#talk-body [data-room]")];
  const marks = () => Object.fromEntries(rooms().map((room) => [room.dataset.room, Number(room.dataset.last)]));
  if (!document.getElementById("talk")) return;

  // Aloud, from outside what is swapped. What was there at first, or is folded away, is not read.
  let heard = null;
  const tell = () => {
    const before = heard;
    heard = marks();
    if (!before || !rooms().length) return;
    const lines = rooms().flatMap((room) => [...room.querySelectorAll(".said:not(.said--mine)")]
      .filter((said) => Number(said.dataset.number) > (before[room.dataset.room] ?? Infinity))
      .filter((said) => said.querySelector(":scope > .said__words"))
      .map((said) => `${said.querySelector("bdi").textContent}: ${said.querySelector(".said__words").textContent}`));
    if (lines.length) document.getElementById("say-politely").textContent = lines.join(" ");
  };

  // Read: in a visible tab, for a second, on the screen.
  let inView = false;
  let reading;
  const read = () => {
    const talk = body();
    const token = talk?.querySelector("[name=csrfmiddlewaretoken]");
    if (!inView || document.hidden || !token || !Number(talk.dataset.new)) return;
    talk.dataset.new = "0";
    const badge = document.getElementById("talk-new");
    if (badge) badge.hidden = true;
    const form = new URLSearchParams({ ...marks(), csrfmiddlewaretoken: token.value });
    fetch(talk.dataset.read, { method: "POST", body: form, keepalive: true, headers: { "HX-Request": "true" } }).catch(() => {});
  };
  const look = () => {
    clearTimeout(reading);
    reading = setTimeout(read, 1000);
  };
  const eye = new IntersectionObserver((entries) => {
    inView = entries[entries.length - 1].isIntersecting;
    look();
  });
  let watched = null;
  const watch = () => {
    if (watched === body()) return;
    if (watched) eye.unobserve(watched);
    watched = body();
    if (watched) eye.observe(watched);
  };
  document.addEventListener("htmx:after:swap", () => {
    watch();
    tell();
    look();
  });
  document.addEventListener("visibilitychange", look);
  watch();
})();
