// The switch for pushes: includes/push.html.
"use strict";
(() => {
  const possible = navigator.serviceWorker && window.PushManager && window.Notification;
  const worker = () => navigator.serviceWorker.getRegistration();

  const ready = (part) => {
    const { url } = part.dataset;
    const button = part.querySelector("[data-push-on]");
    const say = (what, why = "") => {
      for (const words of part.querySelectorAll("[data-push-says]")) words.hidden = words.dataset.pushSays !== what;
      part.querySelector("[data-push-why]").textContent = why;
    };

    // What the browser holds and what the site knows may have come apart.
    const look = async () => {
      if (!possible) {
        say(/iPhone|iPad|Macintosh.*Mobile/.test(navigator.userAgent) ? "home" : "unsupported");
        return;
      }
      const held = await (await worker())?.pushManager.getSubscription();
      if (part.hasAttribute("data-here") && held) return;
      await held?.unsubscribe();
      const denied = Notification.permission === "denied";
      say(denied ? "denied" : part.hasAttribute("data-here") ? "lost" : "");
      button.hidden = denied;
    };

    const turnOn = async () => {
      const permission = await Notification.requestPermission();
      if (permission !== "granted") {
        say(permission === "denied" ? "denied" : "undecided");
        button.hidden = permission === "denied";
        return;
      }
      await navigator.serviceWorker.register("/sw.js");
      const { pushManager } = await navigator.serviceWorker.ready;
      const { key, token } = await (await fetch(url)).json();
      const held = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      const answer = await fetch(url, { method: "POST", body: JSON.stringify(held), headers: { "X-CSRFToken": token } });
      if (answer.status !== 204) {
        await held.unsubscribe();
        say("failed", answer.status === 400 ? await answer.text() : "");
        return;
      }
      // The rest of the page may hold something half written: it stays.
      const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
      const changed = page.getElementById("push");
      part.replaceWith(changed);
      ready(changed);
      changed.querySelector("button").focus();
    };

    button.addEventListener("click", async () => {
      button.disabled = true;
      await turnOn().catch(() => say("failed"));
      button.disabled = false;
    });
    look().catch(() => say("unsupported"));
  };

  const part = document.getElementById("push");
  if (part) ready(part);
})();
