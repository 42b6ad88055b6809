// Polls for news: each element with data-live is morphed into its newer version, and keeps focus, folds and scroll.
// An open hand form is told beside its fields what was recorded. After each answer the outbox is sent.
/* global connectionSign, htmx, outbox */
{
  const FAST = 2_000;
  const SLOW = 10_000;
  const QUIET = 10 * 60_000;  // after so long without news: poll slowly
  const WHOLE = 30_000;       // so often without the version: for changes without one, such as the followers
  const INERT = 500;          // a renewed part ignores taps that were aimed at what stood there before
  let timer;
  let isPolling = false;
  let hurry = false;
  let isFresh = false;  // the server has just answered with the page itself
  let lastNews = Date.now();
  let lastWhole = Date.now();
  const inertTimers = new Map();

  const parts = () => document.querySelectorAll("[data-live]:not([data-before], [data-away])");

  // True if a part must not be asked for: a form that is being saved, or while hands of its evening wait in the outbox.
  const isPaused = async (part) =>
    part.matches("form") &&
    (part.matches(".htmx-request") || (await outbox.inLine(part.dataset.session)).length > 0);

  const address = (part, all) => {
    const url = new URL(part.dataset.live, location);
    if (part.dataset.from) url.searchParams.set("from", part.dataset.from);
    if (part.matches("form")) {
      for (const name of ["number", "meant", "seen"]) url.searchParams.set(name, part.elements[name].value);
      if (part.dataset.told) url.searchParams.set("number", part.dataset.told);
    }
    else if (!all) url.searchParams.set("v", part.dataset.version);
    for (const name of ["saved", "booked"]) {
      if (part.dataset[name]) url.searchParams.set(name, part.dataset[name]);
    }
    return url;
  };

  const balances = () => {
    const seats = [...document.querySelectorAll("[data-balance]")];
    return new Map(seats.map((seat) => [seat, seat.dataset.balance]));
  };

  const makeInert = (part) => {
    part.classList.add("settling");
    clearTimeout(inertTimers.get(part));
    inertTimers.set(part, setTimeout(() => part.classList.remove("settling"), INERT));
  };

  const swap = async (part, text) => {
    const before = balances();
    const { version, reloads } = part.dataset;
    const isForm = part.matches("form");
    // scroll_anchor.js remembers what is where.
    document.dispatchEvent(new Event("live:swap"));
    await htmx.swap({ text, sourceElement: part, target: part, swap: isForm ? "none" : "outerMorph" });
    if (isForm) part.dispatchEvent(new Event("form:told", { bubbles: true }));
    document.dispatchEvent(new Event("live:swapped"));
    for (const [seat, was] of before) seat.classList.toggle("changed", seat.dataset.balance !== was);
    if (isForm || part.dataset.version !== version) {
      if ("settles" in part.dataset) makeInert(part);
      lastNews = Date.now();
      document.dispatchEvent(new Event("live:changed"));
    }
    // What stands around the part is outdated, too. A page that the service worker kept would be the same again.
    if (part.dataset.reloads !== reloads && !("kept" in document.body.dataset)) location.reload();
  };

  // Ask for one part, and swap it. False when the server does not answer.
  const ask = async (part, all) => {
    if (await isPaused(part)) return true;
    const { version } = part.dataset;
    const signal = AbortSignal.timeout(outbox.TIMEOUT);
    const response = await fetch(address(part, all), { cache: "no-store", signal });
    if (!outbox.isFromServer(response)) return false;
    if (response.status >= 400) reloadDenied(part);
    else if (response.status === 200) {
      const text = await response.text();
      // The answer is outdated if this phone has written meanwhile.
      if (part.isConnected && part.dataset.version === version && !(await isPaused(part))) await swap(part, text);
    }
    return true;
  };

  // The server denies this part to the phone: reload, so that its reason is seen. Not while a form is being filled in,
  // which will say it when it is saved; and only once, should the page itself still be served.
  const reloadDenied = (part) => {
    const typing = document.querySelector("#hand-form [required]:checked:not([name=dealer])");
    const reloaded = performance.getEntriesByType("navigation")[0]?.type === "reload" && performance.now() < WHOLE;
    part.dataset.away = "";
    if (!typing && !reloaded) location.reload();
  };

  const askAll = async (all) => {
    try {
      for (const part of parts()) if (!(await ask(part, all))) return false;
      // A page of an evening without live parts asks for a token, so that the sign in the header is right.
      const isKnown = isFresh || parts().length > 0 || !document.body.dataset.session;
      isFresh = false;
      return isKnown || (await outbox.fetchPhone()) !== null;
    } catch {
      return false;
    }
  };

  // A form of this part was sent.
  const renew = async ({ target: part, detail: { otherwise } }) => {
    const isDone = await ask(part, true).catch(() => false);
    if (!isDone) location.assign(otherwise);
  };

  // Polling goes on if the browser cannot open the outbox.
  const flush = (how) => outbox.flush(how).catch(() => {});

  const poll = async () => {
    if (isPolling || document.hidden) return;
    isPolling = true;
    clearTimeout(timer);
    const all = Date.now() - lastWhole > WHOLE;
    if (all) lastWhole = Date.now();
    const answered = await askAll(all);
    answered ? connectionSign.answered() : connectionSign.unanswered();
    if (answered) await flush();
    isPolling = false;
    const calm = !parts().length || Date.now() - lastNews > QUIET;
    timer = setTimeout(poll, hurry ? 0 : calm ? SLOW : FAST);
    hurry = false;
  };

  outbox.listen(({ sent }) => {
    if (!sent) return;
    hurry = isPolling;
    poll();
  });
  document.addEventListener("live:renew", renew);
  document.addEventListener("visibilitychange", poll);
  window.addEventListener("pageshow", ({ persisted }) => {
    isFresh = !persisted && !("kept" in document.body.dataset);
  });
  for (const event of ["pageshow", "online"]) {
    window.addEventListener(event, async () => { await flush({ again: true }); poll(); });
  }
  window.addEventListener("offline", () => { isFresh = false; connectionSign.unanswered(); });
}
