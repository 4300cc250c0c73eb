// Small conveniences. Every page works without this file.
"use strict";

// Polls behind the socket, seldom while it is open and often while it is not. A hidden tab polls
// once a minute.
(() => {
  const live = document.getElementById("live");
  const polls = document.querySelectorAll("[data-hx-trigger=poll]");
  if (!live || !polls.length) return;
  let open = false;
  let last = Date.now();
  let before = false;
  live.addEventListener("htmx:ws:after:connection", () => {
    open = true;
    if (before) ask();  // what was said while the socket was away
    before = true;
  });
  live.addEventListener("htmx:ws:close", () => { open = false; });
  const due = () => (open || document.hidden ? 60000 : 3000);
  const ask = () => {
    last = Date.now();
    for (const poll of polls) if (poll.isConnected) htmx.trigger(poll, "poll");
  };
  setInterval(() => { if (Date.now() - last >= due()) ask(); }, 1000);
  // A closed lid, another network, a page from the cache: what was missed is fetched at once.
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  window.addEventListener("online", ask);
  window.addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
})();

// A table that is fetched again never goes back in time, and leaves the focus somewhere: where the
// button that had it is gone, on what may be done now.
(() => {
  const age = (tag) => /^(\d+)\.(\d+)\.(\d)\./.exec(tag?.value ?? "")?.slice(1).map(Number);
  const isOlder = (tag, shown) => {
    const [one, other] = [age(tag), age(shown)];
    if (!one || !other) return false;
    // In one version a question can only go, and a player's leaving only come.
    return one[0] < other[0] || (one[0] === other[0] && ((one[1] && !other[1]) || one[2] < other[2]));
  };
  let focused = null;
  document.addEventListener("htmx:before:swap", (event) => {
    const shown = document.getElementById("tag");
    const late = event.detail.tasks.some(({ fragment }) => isOlder(fragment.querySelector?.("#tag"), shown));
    if (late) event.preventDefault();
    focused = document.activeElement?.closest("#table") && document.activeElement;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!focused || focused.isConnected) return;
    const again = focused.id && document.getElementById(focused.id);
    focused = null;
    const place = again || (document.querySelector("#answer [role=alertdialog]") ?? document.getElementById("answer"));
    place?.focus({ preventScroll: true });
  });
})();

// What was asked for as a part may come back as a whole page, which says what is wrong: then it takes
// the place of what this page holds. A table that was merely fetched again is loaded anew.
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx, tasks } = event.detail;
  const main = !ctx.select && tasks.map(({ fragment }) => fragment.querySelector?.("main")).find(Boolean);
  if (!main) return;
  event.preventDefault();
  if (ctx.request.method === "GET") {
    location.reload();
    return;
  }
  document.getElementById("poll")?.remove();
  if (ctx.title) document.title = ctx.title;
  document.getElementById("main").replaceWith(main);
  main.focus();
});

// A player's page tells, of itself and to nobody else, that it is before somebody's eyes (then no
// letter need say what they see), and how much of its log was there to read when it is put away:
// where "since your last visit" begins.
(() => {
  const tell = (name) => {
    const tag = document.getElementById("tag");
    const token = document.querySelector("[name=csrfmiddlewaretoken]");
    const url = tag?.dataset[name];
    if (!url || !token) return;
    const body = new URLSearchParams({ lines: tag.dataset.lines, csrfmiddlewaretoken: token.value });
    fetch(url, { method: "POST", body, keepalive: true }).catch(() => {});
  };
  if (!document.getElementById("tag")) return;
  const beat = () => { if (!document.hidden) tell("beat"); };
  beat();
  setInterval(beat, 30000);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) tell("read");
    else beat();
  });
})();

// Clocks: elements with data-due count down between two fetches of the page.
(() => {
  const parts = [["hour", 3600], ["minute", 60], ["second", 1]];
  const language = document.documentElement.lang || undefined;
  const format = (amount, unit, unitDisplay) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay }).format(amount);
  // From two days on in days and hours, like the page itself: nothing changes under the reader's eyes.
  const say = (seconds) => {
    if (seconds >= 2 * 86400) {
      const days = format(Math.floor(seconds / 86400), "day", "long");
      const hours = Math.floor(seconds / 3600) % 24;
      return hours ? `${days} ${format(hours, "hour", "short")}` : days;
    }
    const at = parts.findIndex(([, size]) => seconds >= size);
    const from = at < 0 ? parts.length - 1 : at;
    let left = seconds;
    return parts.slice(from, from + 2).map(([unit, size]) => {
      const amount = Math.floor(left / size);
      left -= amount * size;
      return format(amount, unit, "short");
    }).join(" ");
  };
  // Where the page does not know the reader's time zone, the browser does.
  const midnight = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
  const local = (date, short) => {
    const days = Math.round((midnight(date) - midnight(new Date())) / 86400000);
    const hour = date.toLocaleTimeString(language, { timeStyle: "short" });
    if (short && days === 0) return hour;
    const day = days === 0 || days === 1
      ? new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(days, "day")
      : date.toLocaleDateString(language, { month: "long", day: "numeric" });
    return `${day}, ${hour}`;
  };
  const tick = () => {
    for (const element of document.querySelectorAll("time[data-utc]")) {
      const text = local(new Date(element.dateTime), element.dataset.utc === "short");
      if (element.textContent !== text) element.textContent = text;
    }
    for (const element of document.querySelectorAll("[data-due]")) {
      const text = say(Math.max(0, Math.round((Date.parse(element.dataset.due) - Date.now()) / 1000)));
      if (element.textContent !== text) element.textContent = text;
    }
  };
  if (document.querySelector("[data-due], #poll")) {
    tick();
    setInterval(tick, 1000);
    document.addEventListener("htmx:after:swap", tick);
  }
})();

// A table whose countdown has come to its end asks the server to look; what came of it is fetched.
(() => {
  let asked = 0;
  const look = () => {
    const tag = document.getElementById("tag");
    const clock = document.querySelector("#table [data-due]");
    const token = document.querySelector("[name=csrfmiddlewaretoken]");
    if (!tag?.dataset.out || !clock || !token || Date.now() - asked < 10000) return;
    if (Date.parse(clock.dataset.due) > Date.now()) return;
    asked = Date.now();
    const body = new URLSearchParams({ csrfmiddlewaretoken: token.value });
    fetch(tag.dataset.out, { method: "POST", body })
      .then(() => htmx.trigger(document.getElementById("poll"), "poll"))
      .catch(() => {});
  };
  if (document.getElementById("tag")) setInterval(look, 1000);
})();

// Time zones: forms that make or admit a person learn where the browser is; the page of
// preferences says so where something else is chosen.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
  for (const field of document.querySelectorAll("[data-time-zone]")) field.value = zone;
  const hint = document.querySelector("[data-zone-hint]");
  const select = document.getElementById("id_time_zone");
  if (!hint || !select) return;
  const known = [...select.options].some((option) => option.value === zone);
  const show = () => { hint.hidden = !known || select.value === zone; };
  hint.querySelector("[data-zone-name]").textContent = zone.replaceAll("_", " ");
  hint.querySelector("[data-zone-use]").addEventListener("click", () => {
    select.value = zone;
    show();
    select.focus();
  });
  select.addEventListener("change", show);
  show();
})();

// Menus close by Escape and by a click elsewhere.
(() => {
  const close = (except) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(except)) menu.open = false;
    }
  };
  document.addEventListener("click", (event) => close(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.activeElement?.closest("details.menu[open]");
    close(null);
    menu?.querySelector("summary").focus();
  });
})();

// What waits for the person: the count stands in the title too, a new question is told once, and
// the key N leads to the next.
(() => {
  const nav = document.getElementById("waiting")?.parentElement;
  const toast = document.getElementById("toast");
  if (!nav || !toast) return;
  const title = () => document.title.replace(/^\(\d+\) /, "");
  const link = () => document.getElementById("waiting");
  const count = () => Number(link()?.dataset.count ?? 0);
  // What waits elsewhere: a table that is open here asks for itself.
  const elsewhere = () => count() - Boolean(document.querySelector("#table [name=prompt]"));
  let known = elsewhere();
  let settling;
  let hiding;
  const tell = () => {
    const now = elsewhere();
    if (now > known) {
      toast.textContent = link().dataset.said;
      toast.href = link().href;
      toast.hidden = false;
      document.getElementById("say-politely").textContent = toast.textContent;
      clearTimeout(hiding);
      hiding = setTimeout(() => { toast.hidden = true; }, 10000);
    } else if (now <= 0) {
      toast.hidden = true;
    }
    known = now;
  };
  // Whatever changes the one, by whichever answer comes last: header and title say the same.
  const entitle = () => {
    const said = count() ? `(${count()}) ${title()}` : title();
    if (document.title !== said) document.title = said;
  };
  new MutationObserver(entitle).observe(document.querySelector("title"), { childList: true });
  new MutationObserver(() => {
    entitle();
    // The table and the count are fetched apart: wait for both before comparing them.
    clearTimeout(settling);
    settling = setTimeout(tell, 600);
  }).observe(nav, { attributes: true, childList: true, subtree: true });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "n" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea")) return;
    location.href = link().href;
  });
})();

// A form is sent once, however often its button is pressed. While its page is on the way nothing else
// may lead elsewhere: a redirect of something fetched would cut the answer off, and with it the
// session of somebody who has just sat down.
(() => {
  let sent = new WeakSet();
  let going = false;
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method !== "post" || event.target.dataset.hxPost) return;
    if (sent.has(event.target)) event.preventDefault();
    sent.add(event.target);
    going = true;
    setTimeout(() => { going = false; }, 15000);  // it may have been called off
  });
  window.addEventListener("pageshow", () => {
    sent = new WeakSet();
    going = false;
  });
  for (const name of ["htmx:before:request", "htmx:before:response", "htmx:after:request"]) {
    document.addEventListener(name, (event) => { if (going) event.preventDefault(); });
  }
})();

// A double click is one answer: its second half must not fall on the next question, which may be
// under the pointer by then.
document.addEventListener("click", (event) => {
  if (event.detail > 1 && event.target.closest("#answer button, .talk button")) event.preventDefault();
}, true);

// The worker behind pushes and the installed site: an ordinary tab has none until somebody turns
// pushes on. Pushes end in a browser where nobody is signed in, and a message goes when its table is
// looked at, or when nothing waits any more.
(async () => {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const installed = matchMedia("(display-mode: standalone)").matches;
  const worker = await (installed ? workers.register("/sw.js") : workers.getRegistration());
  if (!worker) return;
  if (document.querySelector("[data-stranger]")) {
    await (await worker.pushManager?.getSubscription())?.unsubscribe();
  }
  const clear = async () => {
    if (document.hidden) return;
    const nothing = !Number(document.getElementById("waiting")?.dataset.count ?? 0);
    for (const message of await worker.getNotifications()) {
      if (nothing || message.data?.url === location.pathname) message.close();
    }
  };
  clear();
  document.addEventListener("visibilitychange", clear);
  document.addEventListener("htmx:after:swap", clear);
})().catch(() => {});
