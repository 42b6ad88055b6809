// Keeps what is on the page fresh. Each element with data-live and data-version asks for what is new, and is morphed
// into it: focus, what is unfolded and the place on the page stay. An open hand form asks by its number, and is told
// beside it what was recorded meanwhile: what is being typed is in no part that changes. Whenever the server has
// answered, what waits in the outbox is sent.
/* global connectionSign, htmx, outbox */
{
  const FAST = 2_000;
  const SLOW = 10_000;
  const QUIET = 10 * 60_000;  // nothing new for so long: no hurry
  const WHOLE = 30_000;       // so often without the version: who follows, and what is news for a while only
  const SETTLING = 500;       // so long nothing takes a tap that was aimed at what stood there before
  let timer;
  let asking = false;
  let hurry = false;
  let changed = Date.now();
  let whole = Date.now();
  const settling = new Map();

  const parts = () => document.querySelectorAll("[data-live]:not([data-before], [data-away])");

  // A form that is being saved knows more than the server's last word; what waits for the server cannot be asked about.
  const rests = async (part) =>
    part.matches("form") && (part.matches(".htmx-request") || (await outbox.of(part.dataset.session)).length > 0);

  const address = (part, all) => {
    const url = new URL(part.dataset.live, location);
    if (part.dataset.from) url.searchParams.set("from", part.dataset.from);
    if (part.matches("form")) {
      for (const name of ["number", "meant", "seen"]) url.searchParams.set(name, part.elements[name].value);
    }
    else if (!all) url.searchParams.set("v", part.dataset.version);
    if (part.dataset.saved) url.searchParams.set("saved", part.dataset.saved);
    return url;
  };

  const balances = () => {
    const seats = [...document.querySelectorAll("[data-balance]")];
    return new Map(seats.map((seat) => [seat, seat.dataset.balance]));
  };

  const settle = (part) => {
    part.classList.add("settling");
    clearTimeout(settling.get(part));
    settling.set(part, setTimeout(() => part.classList.remove("settling"), SETTLING));
  };

  const swap = async (part, text) => {
    const before = balances();
    const version = part.dataset.version;
    const isForm = part.matches("form");
    // Who keeps things in their place wants to know where they were.
    document.dispatchEvent(new Event("live:swap"));
    await htmx.swap({ text, sourceElement: part, target: part, swap: isForm ? "none" : "outerMorph" });
    if (isForm) part.dispatchEvent(new Event("form:told", { bubbles: true }));
    document.dispatchEvent(new Event("live:swapped"));
    for (const [seat, was] of before) seat.classList.toggle("changed", seat.dataset.balance !== was);
    if (isForm || part.dataset.version !== version) {
      if ("settles" in part.dataset) settle(part);
      changed = Date.now();
      document.dispatchEvent(new Event("live:changed"));
    }
  };

  // Ask for one part. False when the server does not answer.
  const ask = async (part, all) => {
    if (await rests(part)) return true;
    const { version } = part.dataset;
    const signal = AbortSignal.timeout(outbox.PATIENCE);
    const response = await fetch(address(part, all), { cache: "no-store", signal });
    if (!outbox.isAnswer(response)) return false;
    if (response.status >= 400) turnedAway(part);
    else if (response.status === 200) {
      const text = await response.text();
      // What this phone has done meanwhile is newer than the answer.
      if (part.isConnected && part.dataset.version === version && !(await rests(part))) await swap(part, text);
    }
    return true;
  };

  // The server no longer lets this phone in here: load the page, so that its own word is seen. Not under the hands of
  // who is typing, whom the form tells when it is saved; and not for ever, should the page itself still be given out.
  const turnedAway = (part) => {
    const typing = part.querySelector("[required]:checked:not([name=dealer])");
    const reloaded = performance.getEntriesByType("navigation")[0]?.type === "reload" && performance.now() < WHOLE;
    part.dataset.away = "";
    if (!typing && !reloaded) location.reload();
  };

  const round = async (all) => {
    try {
      for (const part of parts()) if (!(await ask(part, all))) return false;
      // A page of the table of which nothing changes asks all the same whether there is a server: the sign says so.
      return parts().length > 0 || !document.body.dataset.session || (await outbox.whoAmI()) !== null;
    } catch {
      return false;
    }
  };

  // A browser that will not open the outbox now is no reason to stand still.
  const flush = (how) => outbox.flush(how).catch(() => {});

  const turn = async () => {
    if (asking || document.hidden) return;
    asking = true;
    clearTimeout(timer);
    const all = Date.now() - whole > WHOLE;
    if (all) whole = Date.now();
    const answered = await round(all);
    answered ? connectionSign.heard() : connectionSign.silent();
    if (answered) await flush();
    asking = false;
    const calm = !parts().length || Date.now() - changed > QUIET;
    timer = setTimeout(turn, hurry ? 0 : calm ? SLOW : FAST);
    hurry = false;
  };

  outbox.listen(({ sent }) => {
    if (!sent) return;
    hurry = asking;
    turn();
  });
  document.addEventListener("visibilitychange", turn);
  for (const event of ["pageshow", "online"]) {
    window.addEventListener(event, async () => { await flush({ again: true }); turn(); });
  }
  window.addEventListener("offline", connectionSign.silent);
}
