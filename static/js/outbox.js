// The outbox: hands that the server has not answered for yet, kept on this phone (IndexedDB) until it has. The pages and
// the service worker read this file alike, so nothing in it touches a page.
//
// An entry is a hand as the form would post it: {token, session, url, fields: [[name, value] …], number, label, made_at,
// state, sentence, reason, kept}. Its state is "waiting" (it is sent by itself) or "refused" (the server's sentence, or
// a reason in a word, says why; the user decides what becomes of it, and those made after it wait). Entries are sent one
// at a time in the order in which they were made. A token that the server knows is answered with the hand it made, so a
// hand whose answer was lost is sent again without harm.
const outbox = (() => {
  const PATIENCE = 8000;
  const TOKEN = self.TOKEN ?? document.body.dataset.token;  // sw.js tells the worker
  const listeners = new Set();
  const channel = "BroadcastChannel" in self ? new BroadcastChannel("outbox") : null;
  let running = null;
  let line = Promise.resolve();

  const database = new Promise((resolve) => {
    try {
      const opening = indexedDB.open("outbox", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore("entries", { keyPath: "token" });
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });

  // One transaction: `change` is given all entries, the oldest first, and says which to write and which to take out.
  // It is over when that is on the disk. Rejects where the browser keeps nothing (some private windows).
  const update = async (change) => {
    const db = await database;
    if (!db) throw new Error("there is no IndexedDB here");
    return new Promise((resolve, reject) => {
      const transaction = db.transaction("entries", "readwrite", { durability: "strict" });
      const store = transaction.objectStore("entries");
      store.getAll().onsuccess = ({ target }) => {
        const { write = [], remove = [] } = change(inOrder(target.result));
        for (const entry of write) store.put(entry);
        for (const token of remove) store.delete(token);
      };
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  };

  const inOrder = (entries) => entries.sort((one, other) => one.made_at - other.made_at);

  const all = async () => {
    const db = await database;
    if (!db) return [];
    return new Promise((resolve, reject) => {
      const reading = db.transaction("entries").objectStore("entries").getAll();
      reading.onsuccess = () => resolve(inOrder(reading.result));
      reading.onerror = () => reject(reading.error);
    });
  };

  const find = async (token) => (await all()).find((entry) => entry.token === token);

  const of = async (session) => (await all()).filter((entry) => entry.session === session);

  // Keep a hand, to be sent. One that is there already, corrected meanwhile, keeps its place.
  const put = async (entry) => {
    await update((entries) => {
      const known = entries.find((one) => one.token === entry.token);
      const last = entries.at(-1)?.made_at ?? 0;
      const made_at = known?.made_at ?? entry.made_at ?? Math.max(Date.now(), last + 1);
      return { write: [{ ...entry, made_at, state: "waiting", sentence: "", reason: "", kept: false }] };
    });
    tell({});
  };

  const change = async (token, changes) => {
    await update((entries) => ({
      write: entries.filter((one) => one.token === token).map((one) => ({ ...one, ...changes })),
    }));
    tell({});
  };

  const refuse = (entry, why) => change(entry.token, { state: "refused", sentence: "", reason: "", ...why });

  const drop = async (token) => {
    await update(() => ({ remove: [token] }));
    tell({});
  };

  // The server has the hand as `number`: it leaves the outbox, and those made after it are the hands that follow.
  const sent = async (token, number) => {
    let session;
    await update((entries) => {
      const done = entries.find((one) => one.token === token);
      session = done?.session;
      const behind = entries.filter((one) => one.session === session && one.made_at > done?.made_at);
      const write = number
        ? behind.filter((one) => one.state === "waiting").map((one, step) => ({ ...one, number: number + 1 + step }))
        : [];
      return { write, remove: [token] };
    });
    tell({ sent: { token, number, session } });
  };

  // One at a time on this phone, in whichever tab: two of them would only ask the server the same thing twice.
  const inTurn = (work) => {
    if (navigator.locks) return navigator.locks.request("outbox", work);
    line = line.then(work, work);
    return line;
  };

  // Send what waits, until all is sent or one gets no answer. With `again`, what was refused and may have been kept for
  // better times is tried once more. Resolves with the numbers under which hands were recorded, by token.
  const flush = ({ again = false } = {}) => {
    running ??= inTurn(() => sendAll(again)).finally(() => { running = null; });
    return running;
  };

  const sendAll = async (again) => {
    const numbers = new Map();
    const tried = new Set();
    let phone = null;
    for (;;) {
      const entry = next(await all(), again, tried);
      if (!entry) return numbers;
      tried.add(entry.token);
      phone ??= await whoAmI();
      if (!phone) return numbers;
      const answer = phone.signed_in ? await send(entry, phone) : { reason: "signed-out" };
      if (!answer) return numbers;
      if (answer.number) {
        numbers.set(entry.token, answer.number);
        await sent(entry.token, answer.number);
      } else {
        await refuse(entry, answer);
      }
    }
  };

  // The oldest entry that may go: nothing passes an entry of its own session that is stuck.
  const next = (entries, again, tried) => {
    const stuck = new Set();
    return entries.find((entry) => {
      if (stuck.has(entry.session)) return false;
      const mayGo = entry.state === "waiting" || (again && (entry.kept || entry.reason === "signed-out"));
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
    return ask(entry.url, { method: "POST", body, headers: { Accept: "application/json", "X-CSRFToken": phone.token } });
  };

  // {token, signed_in}, or null when the server does not say.
  const whoAmI = async () => json(await ask(TOKEN));

  // An answer of the server itself; null when there is none in time, or only somebody's on the way to it.
  const ask = async (url, options) => {
    try {
      const response = await fetch(url, { cache: "no-store", ...options, signal: AbortSignal.timeout(PATIENCE) });
      return response.status >= 500 || response.status === 429 ? null : response;
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

  const tell = (news) => {
    for (const listener of listeners) listener(news);
    channel?.postMessage(news);
  };

  channel?.addEventListener("message", ({ data }) => {
    for (const listener of listeners) listener(data);
  });

  return {
    PATIENCE, all, find, of, put, change, refuse, drop, sent, inTurn, flush, whoAmI,
    // `listener` is called after every change, in whichever tab, with {sent: {token, number, session}} after a sending.
    listen: (listener) => listeners.add(listener),
  };
})();
