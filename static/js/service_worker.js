// The service worker's code; sw.js says VERSION, SHELL and OFFLINE, and has read outbox.js and form_refill.js before.
//
// It keeps two things on the phone. The shell, which is nobody's: styles, scripts and the page for no network, by names
// that change with what is in them. And the two pages of the running session that was visited last, the sheet and the
// hand form, in one cache whose name says whose they are: pages:<who is signed in>:<session>. Both are shown only when
// the server does not answer. A page says itself, on its body, who it was made for (data-phone), which session it is of
// (data-session), and what may be kept of it (data-keep). And the pages of rules that were opened, which are nobody's.
/* global formRefill, OFFLINE, outbox, SHELL, VERSION */
{
  const PATIENCE = 3000;
  const SHELL_CACHE = `shell:${VERSION}`;
  const RULES_CACHE = `rules:${VERSION}`;
  const MOST_RULES = 6;  // a page of each game, and of a few house rules
  let last = null;  // the page that was loaded last, {path, page}: in memory only, and gone with the worker

  const pageCaches = async () => (await caches.keys()).filter((name) => name.startsWith("pages:"));

  const forget = async (unless) => {
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
    // The pages kept before are drawn with the shell before; those that are open ask to be kept again.
    if (old.length) await forget(() => false);
    const rules = (await caches.keys()).filter((name) => name.startsWith("rules:") && name !== RULES_CACHE);
    await Promise.all([...old, ...rules].map((name) => caches.delete(name)));
    await clients.claim();
  })()));

  addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    if (url.origin !== location.origin) return;
    if (isRules(event.request, url)) event.respondWith(rulesPage(event));
    else if (event.request.mode === "navigate") event.respondWith(navigate(event, url));
    else if (event.request.method === "GET" && SHELL.includes(url.pathname)) event.respondWith(asset(event.request));
  });

  // A page that was on its way when the worker became active is not its client yet.
  addEventListener("message", (event) => event.waitUntil(Promise.all([
    clients.claim(),
    ...event.data.keep.map(fetchAndKeep),
  ])));

  addEventListener("sync", (event) => {
    if (event.tag === "outbox") event.waitUntil(sendOutbox());
  });

  // --- Answering ---

  const asset = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

  // The server's page; if it does not come, or not soon, the one that is kept; if none is, the page for no network.
  // (The scripts send a form by themselves, and the page stays: here it was sent without them.)
  const navigate = async (event, url) => {
    const { request } = event;
    if (request.method !== "GET") return sendForm(event, url);
    const kept = await keptPage(url);
    const coming = fetch(request);
    event.waitUntil(coming.then((response) => look(request, url, response.clone())).catch(() => {}));
    try {
      const response = await (kept ? soon(coming) : coming);
      return kept && [502, 503, 504].includes(response.status) ? kept : response;
    } catch {
      return kept ?? caches.match(OFFLINE);
    }
  };

  const isRules = ({ method }, { pathname }) => method === "GET" && /^\/games\/[^/]+\/rules\/$/.test(pathname);

  // The server's page of rules, asked for by the browser or by a page that lays it over itself; else the one that was
  // opened here before, by the same house rules if there is one.
  const rulesPage = async (event) => {
    const { request } = event;
    const cache = await caches.open(RULES_CACHE);
    const kept = await cache.match(request, LIKE_IT) ?? await cache.match(request, { ...LIKE_IT, ignoreSearch: true });
    const coming = fetch(request);
    event.waitUntil(coming.then((response) => keepRules(cache, request, response.clone())).catch(() => {}));
    try {
      const response = await (kept ? soon(coming) : coming);
      return kept && [502, 503, 504].includes(response.status) ? kept : response;
    } catch (error) {
      if (kept) return kept;
      if (request.mode !== "navigate") throw error;
      return caches.match(OFFLINE);
    }
  };

  const LIKE_IT = { ignoreVary: true };

  // Without its foot, whose form bears one person's token.
  const keepRules = async (cache, request, response) => {
    if (!response.ok || !response.headers.has("X-Scorekeeper")) return;
    await cache.put(request.url, copyOf(response, (await response.text()).replace(/<footer\b[^]*?<\/footer>/, "")));
    const [oldest, ...others] = await cache.keys();
    if (others.length >= MOST_RULES) await cache.delete(oldest, LIKE_IT);
  };

  // The server's answer to a form; if there is none, the form as it was filled in.
  const sendForm = async (event, url) => {
    const { request } = event;
    const body = request.clone();
    try {
      const response = await fetch(request);
      event.waitUntil(look(request, url, response.clone()).catch(() => {}));
      return response.status < 500 || response.headers.has("X-Scorekeeper") ? response : await formAgain(url, body);
    } catch {
      return formAgain(url, body);
    }
  };

  const formAgain = async (url, request) => {
    const fields = [...new URLSearchParams(await request.text())];
    const from = new URL(request.referrer || url);
    for (const page of [await keptPage(url), await keptPage(from), lastPage(url), lastPage(from)]) {
      const html = page && formRefill.putBack(await page.clone().text(), url.pathname, fields);
      if (html) return copyOf(page, html);
    }
    const page = await caches.match(OFFLINE);
    return copyOf(page, formRefill.sendAgain(await page.text(), url.pathname + url.search, fields));
  };

  const lastPage = (url) => (last?.path === url.pathname ? last.page : undefined);

  const keptPage = async (url) => {
    for (const name of await pageCaches()) {
      const page = await (await caches.open(name)).match(url.pathname);
      if (page) return page;
    }
    return undefined;
  };

  const soon = (coming) => Promise.race([
    coming,
    new Promise((_resolve, reject) => setTimeout(reject, PATIENCE)),
  ]);

  // --- Keeping and forgetting ---

  const on = (html, name) => html.match(new RegExp(`<body[^>]*\\s${name}="([^"]*)"`))?.[1];

  // Learn from a page that the server has given out: whose it is, and what of the kept ones must go.
  const look = async (request, url, response) => {
    if (!response.headers.has("X-Scorekeeper")) return undefined;
    if ([403, 404].includes(response.status)) return turnedAway(url);
    if (!response.ok || !response.headers.get("Content-Type")?.startsWith("text/html")) return undefined;
    const html = await response.text();
    const phone = on(html, "data-phone");
    if (phone === undefined) return undefined;
    await forgetOthers(html, url, phone);
    if (request.method === "GET") last = { path: url.pathname, page: copyOf(response, asKept(html)) };
    const pages = request.method === "GET" ? on(html, "data-keep")?.split(" ") ?? [] : [];
    const itself = url.pathname + url.search;
    return Promise.all(pages.map((page) => (page === itself ? store(page, html, response) : fetchAndKeep(page))));
  };

  // A hand that is not there is no word about the table: its sheet is asked. Where that is closed, the phone has left.
  const turnedAway = async (url) => {
    last = null;
    const [sheet, session] = url.pathname.match(/^\/sessions\/(\d+)\//) ?? [];
    if (!session) return;
    for (const name of await pageCaches()) await (await caches.open(name)).delete(url.pathname);
    const answer = await fetch(sheet, { method: "HEAD", cache: "no-store" }).catch(() => null);
    const isClosed = answer?.headers.has("X-Scorekeeper") && [403, 404].includes(answer.status);
    if (isClosed) await forget((name) => !name.endsWith(`:${session}`));
  };

  // Somebody else's pages go, and another session's; and the session's itself once the first page no longer leads to
  // it: the phone has left the table.
  const forgetOthers = (html, url, phone) => {
    const session = on(html, "data-session");
    return forget((name) => {
      const [, whose, which] = name.split(":");
      if (whose !== phone || (session && which !== session)) return false;
      return url.pathname !== "/" || html.includes(`"/sessions/${which}/"`);
    });
  };

  const fetchAndKeep = async (page) => {
    const response = await fetch(page, { cache: "no-store" }).catch(() => null);
    if (response?.ok) await store(page, await response.text(), response);
  };

  // The server says no-store of every page, and means it: a page in an ordinary cache would outlive a sign-in or a
  // membership, and nobody could take it back. Here it is kept by choice, because losing the network must not lose the
  // evening; and it is let go as soon as the server says anything that speaks against it (look, forgetOthers).
  const store = async (page, html, response) => {
    const phone = on(html, "data-phone");
    const session = on(html, "data-session");
    if (!phone || !session) return;
    const name = `pages:${phone}:${session}`;
    await forget((one) => one === name);
    const cache = await caches.open(name);
    await cache.put(page, copyOf(response, asKept(html)));
  };

  const asKept = (html) => html.replace(/<body(?=\s)/, "<body data-kept");

  const copyOf = ({ headers }, html) => {
    const kept = new Headers(headers);
    for (const header of ["Content-Encoding", "Content-Length", "Vary"]) kept.delete(header);
    return new Response(html, { headers: kept });
  };

  // --- Sending ---

  const sendOutbox = async () => {
    await outbox.flush();
    // The browser tries again later when this fails.
    if ((await outbox.all()).some((entry) => entry.state === "waiting")) throw new Error("the server did not answer");
  };
}
