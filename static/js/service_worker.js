// The service worker: serves kept pages when the server does not answer, and sends the outbox in the background.
// views/service_worker.py sets VERSION, SHELL and OFFLINE before it loads this file.
/* global formRefill, OFFLINE, outbox, SHELL, VERSION */
{
  // Three kinds of caches. `shell:` holds styles, scripts and the offline page, by hashed addresses. `rules:` holds the
  // pages of rules that were opened; both are the same for everybody. `pages:<user>:<evening>` holds the sheet and the
  // hand form of the running evening that was visited last, and the tables that the form names (data-tables). A page
  // says on its body for which user it was made (data-phone), to which evening it belongs (data-session), and which
  // addresses to keep (data-keep).
  const PATIENCE = 3000;
  const SHELL_CACHE = `shell:${VERSION}`;
  const RULES_CACHE = `rules:${VERSION}`;
  const MOST_RULES = 6;  // a page of each game, and some with house rules
  let last = null;  // the page that was loaded last, {path, page}; in memory only

  const pageCaches = async () => (await caches.keys()).filter((name) => name.startsWith("pages:"));

  // Delete the caches of kept pages, but for the names that `unless` accepts.
  const deletePages = async (unless) => {
    const names = await pageCaches();
    await Promise.all(names.filter((name) => !unless(name)).map((name) => caches.delete(name)));
  };

  addEventListener("install", (event) => event.waitUntil((async () => {
    const cache = await caches.open(SHELL_CACHE);
    await cache.addAll([...SHELL, OFFLINE].map((url) => new Request(url, { cache: "reload" })));
    await skipWaiting();
  })()));

  addEventListener("activate", (event) => event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("shell:") && name !== SHELL_CACHE);
    // Kept pages need the former shell. Those that are open ask to be kept again.
    if (old.length) await deletePages(() => false);
    const rules = (await caches.keys()).filter((name) => name.startsWith("rules:") && name !== RULES_CACHE);
    await Promise.all([...old, ...rules].map((name) => caches.delete(name)));
    await clients.claim();
  })()));

  addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    if (url.origin !== location.origin) return;
    if (isRules(event.request, url)) event.respondWith(rulesPage(event));
    else if (event.request.mode === "navigate") event.respondWith(navigate(event, url));
    else if (isShell(event.request, url) || isTables(event.request, url)) event.respondWith(keptFile(event.request));
  });

  // A page that was being loaded when the worker became active is not its client yet.
  addEventListener("message", (event) => event.waitUntil(Promise.all([
    clients.claim(),
    ...event.data.keep.map(fetchAndKeep),
  ])));

  addEventListener("sync", (event) => {
    if (event.tag === "outbox") event.waitUntil(sendOutbox());
  });

  // --- Answering ---

  // What stands at the address of such a file never changes.
  const keptFile = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

  // Return the server's page; if it does not come in time, the kept one; without one, the offline page. Forms come here
  // only from pages whose scripts did not run.
  const navigate = async (event, url) => {
    const { request } = event;
    if (request.method !== "GET") return sendForm(event, url);
    const kept = await keptPage(url);
    const coming = fetch(request);
    event.waitUntil(coming.then((response) => learnFrom(request, url, response.clone())).catch(() => {}));
    try {
      const response = await (kept ? inTime(coming) : coming);
      return kept && [502, 503, 504].includes(response.status) ? kept : response;
    } catch {
      return kept ?? caches.match(OFFLINE);
    }
  };

  const isShell = ({ method }, { pathname }) => method === "GET" && SHELL.includes(pathname);

  const isTables = ({ method }, { pathname }) =>
    method === "GET" && /^\/sessions\/\d+\/count-tables\/$/.test(pathname);

  const isRules = ({ method }, { pathname }) => method === "GET" && /^\/games\/[^/]+\/rules\/$/.test(pathname);

  // Return the server's page of rules, else a kept one of the same game, by the same house rules if there is one.
  const rulesPage = async (event) => {
    const { request } = event;
    const cache = await caches.open(RULES_CACHE);
    const otherHouse = { ...ANY_VARY, ignoreSearch: true };
    const kept = await cache.match(request, ANY_VARY) ?? await cache.match(request, otherHouse);
    const coming = fetch(request);
    event.waitUntil(coming.then((response) => keepRules(cache, request, response.clone())).catch(() => {}));
    try {
      const response = await (kept ? inTime(coming) : coming);
      return kept && [502, 503, 504].includes(response.status) ? kept : response;
    } catch (error) {
      if (kept) return kept;
      if (request.mode !== "navigate") throw error;
      return caches.match(OFFLINE);
    }
  };

  const ANY_VARY = { ignoreVary: true };

  // Keep a page of rules without its footer, whose form contains a CSRF token.
  const keepRules = async (cache, request, response) => {
    if (!response.ok || !response.headers.has("X-Scorekeeper")) return;
    await cache.put(request.url, copyOf(response, (await response.text()).replace(/<footer\b[^]*?<\/footer>/, "")));
    const [oldest, ...others] = await cache.keys();
    if (others.length >= MOST_RULES) await cache.delete(oldest, ANY_VARY);
  };

  // Return the server's answer to a form; if there is none, the form as it was filled in.
  const sendForm = async (event, url) => {
    const { request } = event;
    const body = request.clone();
    try {
      const response = await fetch(request);
      event.waitUntil(learnFrom(request, url, response.clone()).catch(() => {}));
      return response.status < 500 || response.headers.has("X-Scorekeeper") ? response : await refilledForm(url, body);
    } catch {
      return refilledForm(url, body);
    }
  };

  const refilledForm = async (url, request) => {
    const fields = [...new URLSearchParams(await request.text())];
    const from = new URL(request.referrer || url);
    for (const page of [await keptPage(url), await keptPage(from), lastPage(url), lastPage(from)]) {
      const html = page && formRefill.refill(await page.clone().text(), url.pathname, fields);
      if (html) return copyOf(page, html);
    }
    const page = await caches.match(OFFLINE);
    return copyOf(page, formRefill.resendPage(await page.text(), url.pathname + url.search, fields));
  };

  const lastPage = (url) => (last?.path === url.pathname ? last.page : undefined);

  const keptPage = async (url) => {
    for (const name of await pageCaches()) {
      const page = await (await caches.open(name)).match(url.pathname);
      if (page) return page;
    }
    return undefined;
  };

  const inTime = (coming) => Promise.race([
    coming,
    new Promise((_resolve, reject) => setTimeout(reject, PATIENCE)),
  ]);

  // --- Keeping and forgetting ---

  const bodyAttribute = (html, name) => html.match(new RegExp(`<body[^>]*\\s${name}="([^"]*)"`))?.[1];

  // Learn from a page of the server for which user it is; delete kept pages of others, and keep what it names.
  const learnFrom = async (request, url, response) => {
    if (!response.headers.has("X-Scorekeeper")) return undefined;
    if ([403, 404].includes(response.status)) return onDenied(url);
    if (!response.ok || !response.headers.get("Content-Type")?.startsWith("text/html")) return undefined;
    const html = await response.text();
    const phone = bodyAttribute(html, "data-phone");
    if (phone === undefined) return undefined;
    await deleteOthers(html, url, phone);
    if (request.method === "GET") last = { path: url.pathname, page: copyOf(response, markKept(html)) };
    const pages = request.method === "GET" ? bodyAttribute(html, "data-keep")?.split(" ") ?? [] : [];
    const itself = url.pathname + url.search;
    return Promise.all(pages.map((page) => (page === itself ? store(page, html, response) : fetchAndKeep(page))));
  };

  // After a 403 or 404, ask for the evening's sheet: if that is denied too, the phone has left the circle.
  const onDenied = async (url) => {
    last = null;
    const [sheet, session] = url.pathname.match(/^\/sessions\/(\d+)\//) ?? [];
    if (!session) return;
    for (const name of await pageCaches()) await (await caches.open(name)).delete(url.pathname);
    const answer = await fetch(sheet, { method: "HEAD", cache: "no-store" }).catch(() => null);
    const isClosed = answer?.headers.has("X-Scorekeeper") && [403, 404].includes(answer.status);
    if (isClosed) await deletePages((name) => !name.endsWith(`:${session}`));
  };

  // Delete the pages of another user and of another evening; and those of this evening once the home page no longer
  // links to it: the phone has left the circle.
  const deleteOthers = (html, url, phone) => {
    const session = bodyAttribute(html, "data-session");
    return deletePages((name) => {
      const [, whose, which] = name.split(":");
      if (whose !== phone || (session && which !== session)) return false;
      return url.pathname !== "/" || html.includes(`"/sessions/${which}/"`);
    });
  };

  const fetchAndKeep = async (page) => {
    const response = await fetch(page, { cache: "no-store" }).catch(() => null);
    if (response?.ok) await store(page, await response.text(), response);
  };

  // The server sends no-store with every page: in an HTTP cache a page would outlive a sign-in or a membership. It is
  // kept here all the same, because a lost network must not lose the evening, and deleted as soon as an answer of the
  // server speaks against it (learnFrom, deleteOthers).
  const store = async (page, html, response) => {
    const phone = bodyAttribute(html, "data-phone");
    const session = bodyAttribute(html, "data-session");
    if (!phone || !session) return;
    const name = `pages:${phone}:${session}`;
    await deletePages((one) => one === name);
    const cache = await caches.open(name);
    await cache.put(page, copyOf(response, markKept(html)));
    await storeTables(cache, html);
  };

  // Keep the tables by which a hand form counts without network (provisional.js). The server's answer to an address
  // that is no longer theirs is not `immutable`.
  const storeTables = async (cache, html) => {
    const address = html.match(/<form[^>]*\sdata-tables="([^"]+)"/)?.[1];
    if (!address || (await cache.match(address))) return;
    const response = await fetch(address).catch(() => null);
    if (!response?.headers.get("Cache-Control")?.includes("immutable")) return;
    await cache.put(address, copyOf(response, await response.text()));
  };

  const markKept = (html) => html.replace(/<body(?=\s)/, "<body data-kept");

  const copyOf = ({ headers }, html) => {
    const kept = new Headers(headers);
    for (const header of ["Content-Encoding", "Content-Length", "Vary"]) kept.delete(header);
    return new Response(html, { headers: kept });
  };

  // --- Sending ---

  const sendOutbox = async () => {
    await outbox.flush();
    // If this rejects, the browser tries again later.
    if ((await outbox.all()).some((entry) => entry.state === "waiting")) throw new Error("the server did not answer");
  };
}
