// Pages that are shown without being loaded: one in which the server answers a form; and, where there is no service
// worker (plain http), the evening's sheet and its hand form. These two are kept in this page's memory and nowhere
// else, and a way between them is gone without the server when it does not answer.
/* global connectionSign, htmx, outbox */
/* exported pages */
const pages = (() => {
  const PATIENCE = 3000;
  const alone = !navigator.serviceWorker;
  const kept = new Map();
  let current = history.state?.page ?? 0;
  let last = current;

  const read = (html) => new DOMParser().parseFromString(html, "text/html");

  // Scripts of a page are run when it is kept: without network they would not come. They ask for their form when they
  // need it, and here there is none yet.
  const runScripts = (doc) => {
    const here = new Set([...document.scripts].map(({ src }) => src));
    for (const { src } of doc.scripts) {
      if (!src || here.has(src)) continue;
      document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
    }
  };

  // The page takes the place of this one. `href`: its address, a new entry of the history; `isKept`: it is an old one.
  const show = (html, { href, isKept = false }) => {
    const doc = read(html);
    if (href) {
      last = current = last + 1;
      history.pushState({ page: current }, "", href);
    }
    runScripts(doc);
    // What the page of a broken server lacks, the scripts still need.
    const lacking = ["no-network", "words"].filter((id) => !doc.getElementById(id));
    const stays = lacking.map((id) => document.getElementById(id));
    for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
    for (const { name, value } of doc.body.attributes) document.body.setAttribute(name, value);
    document.body.toggleAttribute("data-kept", isKept);
    document.title = doc.title;
    document.body.replaceChildren(...doc.body.childNodes, ...stays);
    htmx.process(document.body);
    outbox.release();
    if (isKept) connectionSign.silent();
    scrollTo(0, 0);
    // A screen reader goes on at the new page's beginning.
    Object.assign(document.getElementById("main"), { tabIndex: -1 }).focus({ preventScroll: true });
    document.dispatchEvent(new Event("page:shown"));
    window.dispatchEvent(new PageTransitionEvent("pageshow"));
  };

  // --- By plain http ---

  const fetchAndKeep = async (page) => {
    const path = new URL(page, location).pathname;
    const response = await fetch(path, { cache: "no-store" }).catch(() => null);
    if (!response || !outbox.isAnswer(response)) return;
    if (!response.ok || response.redirected) {
      kept.delete(path);
      return;
    }
    const html = await response.text();
    runScripts(read(html));
    kept.set(path, html);
  };

  const keep = () => {
    const { keep: named } = document.body.dataset;
    if (!alone || !named || "kept" in document.body.dataset) return;
    const sheet = document.getElementById("hand-form")?.dataset.sheet;
    new Set([...named.split(" "), ...(sheet ? [sheet] : [])]).forEach(fetchAndKeep);
  };

  const isThere = () => Promise.race([
    outbox.whoAmI(),
    new Promise((resolve) => setTimeout(resolve, PATIENCE, null)),
  ]);

  const follow = (event) => {
    const link = event.target.closest?.("a[href]");
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented || link.target || !kept.has(link.pathname)) return;
    if (link.origin !== location.origin || link.hash) return;
    event.preventDefault();
    go(link.href);
  };

  const go = async (href) => {
    if (await isThere()) location.assign(href);
    else show(kept.get(new URL(href).pathname), { href, isKept: true });
  };

  const back = async ({ state }) => {
    const page = state?.page ?? 0;
    if (page === current) return;
    current = page;
    const html = kept.get(location.pathname);
    if (html && !(await isThere())) show(html, { isKept: true });
    else location.reload();
  };

  document.addEventListener("DOMContentLoaded", keep);
  document.addEventListener("live:changed", keep);
  outbox.listen(({ sent }) => { if (sent) keep(); });
  // On the window: what the page itself makes of a click comes first.
  window.addEventListener("click", follow);
  window.addEventListener("popstate", back);

  return { show, keeps: (path) => kept.has(path) };
})();
