// The outbox: hands that the server has not answered for yet, kept on this phone (outbox_store.js) until it has. Pages
// and the service worker both load this file, so it must not need a document.
//
// An entry is a hand as the form would post it: {token, session, url, fields: [[name, value] …], number, label,
// made_at, state, sentence, reason, next_number, kept}, `agreed` if it is no hand but an entry that the table has
// agreed on, with what it comes to where the form could tell (provisional.js). Its state is
// - "waiting": it is sent by itself, though not while a form corrects it;
// - "refused": the server's sentence, or a reason in a word, says why; the user decides what becomes of it, and those
//   made after it wait;
// - "sent": the server has it, and no page has shown it yet.
// Entries are sent one at a time in the order in which they were made. A token that the server knows is answered with
// the hand it made, so a hand whose answer was lost is sent again without harm.
/* global shelf */
/* exported outbox */
const outbox = (() => {
  const PATIENCE = 8000;
  const DAY = 24 * 3600 * 1000;
  const TOKEN = self.TOKEN ?? document.body.dataset.token;  // sw.js tells the worker
  const listeners = new Set();
  const holds = new Map();  // what lets go of the hands that this page corrects, by token
  const channel = "BroadcastChannel" in self ? new BroadcastChannel("outbox") : null;
  let running = null;
  let line = Promise.resolve();
  let restsUntil = 0;  // the server has said that it cannot write before

  // What the server has not answered for.
  const all = async () => (await shelf.everything()).filter((entry) => entry.state !== "sent");

  const find = async (token) => (await all()).find((entry) => entry.token === token);

  const of = async (session) => (await all()).filter((entry) => entry.session === session);

  // The same of one session, with those that were sent and that no page of the server has shown yet.
  const ahead = async (session) => (await shelf.everything()).filter((entry) => entry.session === session);

  // A page of the server has shown the hands up to this number.
  const seen = async (session, number) => {
    const shown = (await ahead(session)).filter((one) => one.state === "sent" && one.number <= number);
    if (shown.length) await shelf.update(() => ({ remove: shown.map((one) => one.token) }));
  };

  // Keep a hand, to be sent. One that is there already, corrected meanwhile, keeps its place.
  const put = async (entry) => {
    try {
      await shelf.update((entries) => {
        const known = entries.find((one) => one.token === entry.token);
        const last = entries.at(-1)?.made_at ?? 0;
        const made_at = known?.made_at ?? Math.max(Date.now(), last + 1);
        return { write: [{ ...entry, made_at, state: "waiting", sentence: "", reason: "", kept: false }] };
      });
    } finally {
      // Not before it is written: in between it would be sent as it was.
      holds.get(entry.token)?.();
      holds.delete(entry.token);
    }
    tell({});
  };

  const change = async (token, changes) => {
    await shelf.update((entries) => ({
      write: entries.filter((one) => one.token === token).map((one) => ({ ...one, ...changes })),
    }));
    tell({});
  };

  // `why` is {sentence} or {reason}, with the number that is next by now where the server has said it. With a `token`
  // in it the entry goes on under that one: its own has served.
  const refuse = async (entry, why) => {
    await shelf.update((entries) => {
      const known = entries.filter((one) => one.token === entry.token);
      const unsaid = { sentence: "", reason: "", next_number: undefined, another: undefined };
      const refused = { state: "refused", ...unsaid, ...why };
      return { remove: known.map((one) => one.token), write: known.map((one) => ({ ...one, ...refused })) };
    });
    tell({});
  };

  const drop = async (token) => {
    await shelf.update((entries) => {
      const gone = entries.find((one) => one.token === token);
      const behind = entries.filter((one) => one.session === gone?.session && one.made_at > gone.made_at);
      // Its number is free again, unless the server said whose it is.
      const write = gone?.next_number
        ? []
        : behind.filter((one) => one.state === "waiting").map((one, step) => ({ ...one, number: gone.number + step }));
      return { write, remove: [token] };
    });
    tell({});
  };

  // The server has the hand as `number`: it only stays until a page shows it, since the network may go before the sheet
  // comes. Those made after it are the hands that follow.
  const sent = async (token, number) => {
    let session;
    let agreed;
    await shelf.update((entries) => {
      const done = entries.find((one) => one.token === token);
      ({ session, agreed } = done ?? {});
      const old = entries.filter((one) => one.state === "sent" && one.made_at < Date.now() - DAY);
      const remove = [token, ...old.map((one) => one.token)];
      if (!done || !number) return { remove };
      const behind = entries.filter((one) => one.session === session && one.made_at > done.made_at);
      const waiting = behind.filter((one) => one.state === "waiting");
      const write = waiting.map((one, step) => ({ ...one, number: number + 1 + step }));
      return { remove, write: [{ ...done, state: "sent", number }, ...write] };
    });
    tell({ sent: { token, number, session, agreed } });
  };

  // A hand that a form corrects is not sent until it is put back, or the form's page is left: then its lock goes too.
  // Without locks (plain http) the other tabs know nothing of it.
  const hold = (token) => {
    const held = new Promise((resolve) => holds.set(token, resolve));
    navigator.locks?.request(`correcting ${token}`, () => held);
  };

  // The form's page has gone without being unloaded.
  const release = () => {
    for (const letGo of holds.values()) letGo();
    holds.clear();
  };

  const heldTokens = async () => {
    const locks = (await navigator.locks?.query())?.held ?? [];
    return new Set([...holds.keys(), ...locks.map(({ name }) => name.replace(/^correcting /, ""))]);
  };

  // One at a time on this phone, in whichever tab: two of them would only ask the server the same thing twice.
  const inTurn = (work) => {
    if (navigator.locks) return navigator.locks.request("outbox", work);
    line = line.then(work, work);
    return line;
  };

  // Send what waits, until all is sent or one gets no answer. With `again`, what was refused and may have been kept for
  // better times is tried once more.
  const flush = ({ again = false } = {}) => {
    running ??= inTurn(() => sendAll(again)).finally(() => { running = null; });
    return running;
  };

  const sendAll = async (again) => {
    if (isResting() && !again) return;
    const tried = new Set();
    let phone = null;
    for (;;) {
      // Which are held is asked first: what is let go of after that is read as it is by then.
      const held = await heldTokens();
      const entry = next(await all(), held, again, tried);
      if (!entry) return;
      tried.add(entry.token);
      phone ??= await whoAmI();
      if (!phone) return;
      const answer = phone.signed_in ? await send(entry, phone) : { reason: "signed-out" };
      if (!answer) return;
      if (answer.number) await sent(entry.token, answer.number);
      else await refuse(entry, answer);
    }
  };

  // The oldest entry that may go: nothing passes an entry of its own session that is stuck.
  const next = (entries, held, again, tried) => {
    const stuck = new Set();
    return entries.find((entry) => {
      if (stuck.has(entry.session)) return false;
      const mayGo = !held.has(entry.token) && (entry.state === "waiting" || (again && (entry.kept || entry.reason)));
      if (mayGo && !tried.has(entry.token)) return true;
      stuck.add(entry.session);
      return false;
    });
  };

  // The server's answer to one hand: {number} it has, {sentence} or {reason} why not, null: none, to be asked again.
  const send = async (entry, phone) => {
    let response = await post(entry, phone);
    if (response?.status === 403) {
      // A cookie may have been lost since the token was made; who may not write is told so twice.
      Object.assign(phone, await whoAmI());
      response = await post(entry, phone);
    }
    if (!response) return null;
    if (response.ok || response.status === 409 || response.status === 422) {
      const said = await json(response);
      return said?.number || said?.sentence ? said : null;
    }
    return { reason: { 403: "not-allowed", 404: "not-found" }[response.status] ?? "odd" };
  };

  const post = (entry, phone) => {
    const body = new URLSearchParams([...entry.fields, ["token", entry.token], ["number", entry.number]]);
    const headers = { Accept: "application/json", "X-CSRFToken": phone.token };
    return ask(entry.url, { method: "POST", body, headers });
  };

  // {token, signed_in}, or null when the server does not say.
  const whoAmI = async () => json(await ask(TOKEN));

  // Whether the server itself has answered: not a proxy before it, nor a hotel's network, nor a server that breaks.
  const isAnswer = (response) =>
    response.headers.has("X-Scorekeeper") && response.status < 500 && response.status !== 429;

  // A server that cannot write says when it is worth coming again; what it was sent it has certainly not done.
  const heed = ({ headers }) => {
    const isNotDone = headers.has("X-Scorekeeper") && headers.has("X-Not-Done");
    if (isNotDone) restsUntil = Date.now() + 1000 * Number(headers.get("Retry-After"));
    return isNotDone;
  };

  const isResting = () => Date.now() < restsUntil;

  // What waits here is the only one there is: the browser is asked not to clear it away when the phone runs short of
  // room. Once, since some browsers ask the user.
  const persist = async () => {
    try {
      if (localStorage.getItem("persist")) return;
      localStorage.setItem("persist", "asked");
      await navigator.storage.persist();
    } catch {
      // A browser that knows nothing of it, or keeps nothing.
    }
  };

  // An answer of the server itself; null when there is none in time, or only somebody's on the way to it.
  const ask = async (url, options) => {
    try {
      const response = await fetch(url, { cache: "no-store", ...options, signal: AbortSignal.timeout(PATIENCE) });
      heed(response);
      return isAnswer(response) ? response : null;
    } catch {
      return null;
    }
  };

  // What a page that a hotel's network puts in between cannot give.
  const json = async (response) => {
    try {
      return response && (await response.json());
    } catch {
      return null;
    }
  };

  const hear = (news) => {
    for (const listener of listeners) listener(news);
  };

  const tell = (news) => {
    hear(news);
    channel?.postMessage(news);
  };

  channel?.addEventListener("message", ({ data }) => hear(data));
  addEventListener("outbox:readable", () => hear({}));

  return {
    PATIENCE, all, find, of, ahead, seen, hold, release, put, change, refuse, drop, sent, inTurn, flush, whoAmI,
    isAnswer, heed, isResting, persist,
    // `listener` is called after every change, in whichever tab, after a sending with {sent: {token, number, session,
    // agreed}}; and when what is here can be read again.
    listen: (listener) => listeners.add(listener),
  };
})();
