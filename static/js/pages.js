// Shows a page without loading it: the server's answer to a form; and, without a service worker (plain http), the sheet
// and the hand form of the evening, which are kept in this page's memory for when the server does not answer.
/* global connectionSign, htmx, outbox, provisional */
/* exported pages */
const pages = (() => {
  const PATIENCE = 3000;
  const hasNoWorker = !navigator.serviceWorker;
  const kept = new Map();
  let shownPage = history.state?.page ?? 0;
  let latestPage = shownPage;

  const parse = (html) => new DOMParser().parseFromString(html, "text/html");

  // Load the scripts and styles of a page already when it is kept: without network they could not be loaded. Scripts
  // look for their elements when they need them.
  const loadParts = (doc) => {
    const here = new Set([...document.scripts].map(({ src }) => src));
    for (const { src } of doc.scripts) {
      if (!src || here.has(src)) continue;
      document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
    }
    const sheets = new Set([...document.styleSheets].map(({ href }) => href));
    for (const { href } of doc.querySelectorAll("link[rel=stylesheet]")) {
      if (sheets.has(href)) continue;
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    }
  };

  // Replace this page. `href` is the address of a new entry of the history; `isKept` marks a page from memory.
  const show = (html, { href, isKept = false }) => {
    const doc = parse(html);
    if (href) {
      latestPage = shownPage = latestPage + 1;
      history.pushState({ page: shownPage }, "", href);
    }
    loadParts(doc);
    // Keep the element that scripts need where the new page lacks it, as an error page does.
    const stays = doc.getElementById("no-network") ? [] : [document.getElementById("no-network")];
    for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
    for (const { name, value } of doc.body.attributes) document.body.setAttribute(name, value);
    document.body.toggleAttribute("data-kept", isKept);
    document.title = doc.title;
    document.body.replaceChildren(...doc.body.childNodes, ...stays);
    htmx.process(document.body);
    outbox.releaseLocks();
    if (isKept) connectionSign.unanswered();
    scrollTo(0, 0);
    // Move a screen reader to the beginning of the new page.
    Object.assign(document.getElementById("main"), { tabIndex: -1 }).focus({ preventScroll: true });
    document.dispatchEvent(new Event("page:shown"));
    window.dispatchEvent(new PageTransitionEvent("pageshow"));
  };

  // Go to where the server redirects after a form was sent. Where that is this page, the live part with the form is
  // renewed instead: nothing jumps. True if the page is left.
  const follow = (next, form) => {
    const url = new URL(next, location);
    const part = form?.closest("[data-live][data-in-place]");
    if (part && url.pathname === location.pathname) {
      part.dataset.booked = url.searchParams.get("booked") ?? "";
      part.dispatchEvent(new CustomEvent("live:renew", { bubbles: true, detail: { otherwise: next } }));
      return false;
    }
    // To its own fragment a page would only scroll; a reload of any other address would keep the scroll of before.
    if (url.hash && url.href === location.href) location.reload();
    else location.assign(next);
    return true;
  };

  // --- On plain http ---

  const fetchAndKeep = async (page) => {
    const path = new URL(page, location).pathname;
    const response = await fetch(path, { cache: "no-store" }).catch(() => null);
    if (!response || !outbox.isFromServer(response)) return;
    if (!response.ok || response.redirected) {
      kept.delete(path);
      return;
    }
    const html = await response.text();
    const doc = parse(html);
    loadParts(doc);
    kept.set(path, html);
    provisional.fetchTables(doc);
  };

  const keepNamed = () => {
    const { keep: named } = document.body.dataset;
    if (!hasNoWorker || !named || "kept" in document.body.dataset) return;
    const sheet = document.getElementById("hand-form")?.dataset.sheet;
    new Set([...named.split(" "), ...(sheet ? [sheet] : [])]).forEach(fetchAndKeep);
  };

  const isServerThere = () => Promise.race([
    outbox.fetchPhone(),
    new Promise((resolve) => setTimeout(resolve, PATIENCE, null)),
  ]);

  const onClick = (event) => {
    const link = event.target.closest?.("a[href]");
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented || link.target || !kept.has(link.pathname)) return;
    if (link.origin !== location.origin || link.hash) return;
    event.preventDefault();
    go(link.href);
  };

  const go = async (href) => {
    if (await isServerThere()) location.assign(href);
    else show(kept.get(new URL(href).pathname), { href, isKept: true });
  };

  const onPopState = async ({ state }) => {
    const page = state?.page ?? 0;
    if (page === shownPage) return;
    shownPage = page;
    const html = kept.get(location.pathname);
    if (html && !(await isServerThere())) show(html, { isKept: true });
    else location.reload();
  };

  document.addEventListener("DOMContentLoaded", keepNamed);
  document.addEventListener("live:changed", keepNamed);
  outbox.listen(({ sent }) => { if (sent) keepNamed(); });
  // On the window, after all listeners of the document.
  window.addEventListener("click", onClick);
  window.addEventListener("popstate", onPopState);

  return { show, follow, keeps: (path) => kept.has(path) };
})();
