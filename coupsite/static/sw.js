// The worker behind pushes, and behind the installed site when there is no network. It keeps one page,
// which says so, and never anything of a table.
"use strict";

const CACHE = "offline-1";
const OFFLINE = "/offline/";

const keepOffline = async () => {
  const cache = await caches.open(CACHE);
  const page = await fetch(OFFLINE, { cache: "reload" });
  const styles = [...(await page.clone().text()).matchAll(/rel="stylesheet" href="([^"]+)"/g)];
  await cache.put(OFFLINE, page);
  await cache.addAll(styles.map(([, address]) => address));
};

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepOffline());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  })());
});

// A page comes from the network or not at all; forms are none of this worker's business.
const page = async (event) => {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
};

const style = async ({ request }) => {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (request.destination === "style") event.respondWith(style(event));
});

// A push says all that is shown. One about the same question takes the place of the one before.
self.addEventListener("push", (event) => {
  const { title, url, ...rest } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, {
    ...rest,
    data: { url },
    icon: "/static/img/icon-192.png",
    badge: "/static/img/badge.png",
  }));
});

self.addEventListener("notificationclick", (event) => {
  const { url } = event.notification.data;
  event.notification.close();
  event.waitUntil((async () => {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const open = windows.find((client) => new URL(client.url).pathname === url);
    await (open ? open.focus() : self.clients.openWindow(url));
  })());
});

// The push service moved this browser elsewhere, or let it go: the site is told where it is now.
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil((async () => {
    const { key, token } = await (await fetch("/account/push/")).json();
    const held = event.newSubscription
      ?? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    await fetch("/account/push/", { method: "POST", body: JSON.stringify(held), headers: { "X-CSRFToken": token } });
  })());
});
