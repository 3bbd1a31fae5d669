// @ts-nocheck - what is global in a service worker, TypeScript knows in place of what is on a page, not beside it.
// Keeps the whole page of one version, so that it works without a network: `VERSION` and `FILES` are written before
// this.

const NAME = `entropeg ${VERSION}`;

addEventListener("install", (event) => {
  // Past the browser's own store: files of two versions would not go together.
  event.waitUntil((async () => {
    const cache = await caches.open(NAME);
    await cache.addAll(FILES.map((name) => new Request(name, { cache: "reload" })));
    await self.skipWaiting();
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("entropeg ") && name !== NAME)
      await caches.delete(name);
    await self.clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith((async () => (await (await caches.open(NAME)).match(request, { ignoreSearch: true }))
    ?? fetch(request))());
});
