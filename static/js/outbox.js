// The outbox: hands and payments that the server has not confirmed, stored on this phone and sent in order, one at a
// time.
// Pages and the service worker both load this file, so it must not need a document.
/* global shelf */
/* exported outbox */

// An entry is a hand as the form would post it: {token, session, url, fields: [[name, value] …], number, label,
// made_at, put_at, state, sentence, reason, next_number, question, kept}; `agreed` marks an agreed entry, which is no
// hand; and what it counts for, where the form could tell (provisional.js). Or it is a payment, which has {circle,
// kind, free} in place of session and number: `free` if it was typed, and not suggested (payment_saving.js). The state
// of an entry is
// - "waiting": it will be sent, but not while a form corrects it;
// - "refused": `sentence` of the server, or the code `reason`, says why; `question` is the HTML of its question, if it
//   asks one about a hand, `answers` are those to one about a payment: {words, label, fields} with the fields that each
//   changes. The user decides, and later entries of the same evening wait for that, unless the entry is put aside
//   (`kept`); payments need no order, and those behind a refused one go on;
// - "sent": the server has recorded it, and no page has shown it yet. A payment may have a `sentence` to be told:
//   another phone has booked it already.
// The server answers a token that it knows with what it made, so an entry whose answer was lost can be sent again.
// docs/architecture.md has the transitions.
const outbox = (() => {
  const TIMEOUT = 8000;
  const DAY = 24 * 3600 * 1000;
  // The buttons that answer the server's questions: keep one of two versions, correct the recorded hand, another hand.
  const ANSWERS = ["take", "mine", "correct", "another"];
  const TOKEN = self.TOKEN ?? document.body.dataset.token;  // views/service_worker.py sets it for the worker
  const listeners = new Set();
  const locks = new Map();  // by token of a hand that this page corrects: the function that releases its lock
  const channel = "BroadcastChannel" in self ? new BroadcastChannel("outbox") : null;
  let running = null;
  let queue = Promise.resolve();
  let busyUntil = 0;  // until then the server cannot write, as it has said

  // Return the entries that the server has not recorded, the oldest first.
  const all = async () => (await shelf.everything()).filter((entry) => entry.state !== "sent");

  const find = async (token) => (await all()).find((entry) => entry.token === token);

  const ofSession = async (session) => (await all()).filter((entry) => entry.session === session);

  // Return those of one evening, with the sent ones that no page has shown yet.
  const ahead = async (session) => (await shelf.everything()).filter((entry) => entry.session === session);

  // Return the entries of one evening that are to be sent in order: those that were put aside are not.
  const inLine = async (session) => (await ofSession(session)).filter((entry) => !entry.kept);

  // Return the last hand that this phone knows of an evening, sent or not; undefined if the server's pages know better.
  const lastInLine = async (session) => (await ahead(session)).filter((entry) => !entry.kept).at(-1);

  // Forget the sent hands up to this number: a page of the server has shown them.
  const markSeen = async (session, number) => {
    const shown = (await ahead(session)).filter((one) => one.state === "sent" && one.number <= number);
    if (shown.length) await shelf.update(() => ({ remove: shown.map((one) => one.token) }));
  };

  // Return all hands and payments, with the sent payments that no page has shown yet. Those that were sent before
  // `time` are forgotten, unless there is something to tell.
  const withSentPayments = async (time) => {
    const entries = (await shelf.everything()).filter((one) => one.circle || one.state !== "sent");
    const isSeen = (one) => one.state === "sent" && !one.sentence && one.sent_at < time;
    const seen = entries.filter(isSeen);
    if (seen.length) await shelf.update(() => ({ remove: seen.map((one) => one.token) })).catch(() => {});
    return entries.filter((one) => !isSeen(one));
  };

  // Return the numbered entries of the same evening behind one: their numbers and dealers follow from its own.
  const behind = (entries, entry) => entries.filter((one) =>
    one.session && one.session === entry?.session && one.made_at > entry.made_at && one.state === "waiting");

  // --- The dealers of hands that wait ---

  const dealerOf = ({ fields }) => new Map(fields).get("dealer");

  // Return the hand as dealt by this player, with what it counts for then, and with the name to be told. A dealer who
  // was chosen by hand stays.
  const dealtBy = (entry, dealer) => {
    const offered = new Map(entry.fields).get("offered");
    if (dealer === undefined || offered !== dealerOf(entry) || offered === dealer) return entry;
    const fields = entry.fields.map(([name, value]) => [name, ["dealer", "offered"].includes(name) ? dealer : value]);
    const deals = entry.turns?.[dealer]?.name;
    return { ...entry, fields, deals, amounts: undefined, after: undefined, ...entry.counts?.[dealer] };
  };

  // Return who deals after a hand; undefined if its form did not say.
  const nextDealer = (entry) => (entry.stays ? dealerOf(entry) : entry.turns?.[dealerOf(entry)]?.next);

  // Return hands with the numbers from this one on, the first dealt by this player, and each other by the next.
  const following = (entries, number, dealer) => entries.map((entry, step) => {
    const follows = dealtBy({ ...entry, number: number + step }, dealer);
    dealer = nextDealer(follows);
    return follows;
  });

  // Return the hands behind one that leaves the line: they move up, unless the server has given its number to another.
  const movedUp = (entries, gone) => {
    if (!gone || gone.kept || gone.next_number > gone.number) return [];
    return following(behind(entries, gone), gone.number, new Map(gone.fields).get("offered"));
  };

  // --- What becomes of an entry ---

  // Store an entry, to be sent, and return it as stored. A corrected one keeps its place, and those behind it follow;
  // so does one that replaces that of another token.
  const put = async (entry, replaced = entry.token) => {
    let stored;
    try {
      await shelf.update((entries) => {
        const known = entries.find((one) => one.token === replaced && !one.kept);
        const last = entries.at(-1)?.made_at ?? 0;
        const made_at = known?.made_at ?? Math.max(Date.now(), last + 1);
        const put_at = Math.max(Date.now(), (known?.put_at ?? 0) + 1);
        const unsaid = { sentence: "", reason: "", question: "", answers: undefined, kept: false };
        stored = { ...entry, made_at, put_at, state: "waiting", ...unsaid };
        const write = [stored, ...following(behind(entries, stored), stored.number + 1, nextDealer(stored))];
        return { write, remove: replaced === entry.token ? [] : [replaced] };
      });
    } finally {
      // Release the lock only now: before, the uncorrected hand could be sent.
      releaseLock(entry.token);
    }
    broadcast({});
    return stored;
  };

  // Return an entry with the answer to its question. Another hand has the number and the dealer that the answer names.
  const withAnswer = (entry, name, value) => {
    const fields = [...entry.fields.filter(([one]) => !ANSWERS.includes(one)), [name, value]];
    if (name !== "another" || !entry.session) return { ...entry, fields };
    const [number, dealer] = value.split(" ");
    return dealtBy({ ...entry, fields, number: Number(number), next_number: undefined }, dealer);
  };

  // Replace a payment with the one that an answer to its question makes of it, under that one's token if it has one.
  const putAnswered = async (entry, { label, fields: { token = entry.token, ...changed } }) => {
    const kept = entry.fields.filter(([name]) => !(name in changed));
    const answered = { ...entry, token, label: label ?? entry.label, fields: [...kept, ...Object.entries(changed)] };
    await put(answered, entry.token);
  };

  // Mark an entry as refused. `why` is {sentence} or {reason}, perhaps with the server's {next_number}, and with the
  // {token} of the form that came back, which replaces the used one.
  const refuse = async (entry, why) => {
    await shelf.update((entries) => {
      const known = entries.filter((one) => one.token === entry.token);
      const unasked = { question: "", answers: undefined, another: undefined };
      const unsaid = { sentence: "", reason: "", next_number: undefined, ...unasked };
      const refused = { state: "refused", ...unsaid, ...why };
      return { remove: known.map((one) => one.token), write: known.map((one) => ({ ...one, ...refused })) };
    });
    broadcast({});
  };

  const drop = async (token) => {
    await shelf.update((entries) => {
      const gone = entries.find((one) => one.token === token);
      return { write: movedUp(entries, gone), remove: [token] };
    });
    broadcast({});
  };

  // Take a refused entry out of the line: it stays on this phone, and holds nothing up.
  const putAside = async (token) => {
    await shelf.update((entries) => {
      const aside = entries.find((one) => one.token === token);
      return { write: aside ? [{ ...aside, kept: true }, ...movedUp(entries, aside)] : [] };
    });
    broadcast({});
  };

  // Give a waiting hand the number and the dealer that the server says it has by now; those behind it follow.
  const follow = async (token, { number, dealer }) => {
    await shelf.update((entries) => {
      const moved = entries.filter((one) => one.token === token);
      return { write: following([...moved, ...behind(entries, moved[0])], number, dealer?.toString()) };
    });
    broadcast({});
  };

  // Mark an entry as recorded under `number`, and renumber the hands behind it. It stays until a page shows it: the
  // network may fail before the sheet is loaded. A `sentence` is to be told about it. What another tab has put in its
  // place while it was sent waits on: the server will ask about it.
  const markSent = async ({ token, put_at }, number, sentence = "") => {
    let session;
    let agreed;
    await shelf.update((entries) => {
      const done = entries.find((one) => one.token === token && one.put_at === put_at);
      ({ session, agreed } = done ?? {});
      const isOld = (one) => one.state === "sent" && !one.sentence && one.made_at < Date.now() - DAY;
      const old = entries.filter(isOld);
      const remove = [...(done ? [done] : []), ...old].map((one) => one.token);
      if (!done || !number) return { remove };
      const write = following(behind(entries, done), number + 1, nextDealer(done));
      return { remove, write: [{ ...done, state: "sent", number, sentence, sent_at: Date.now() }, ...write] };
    });
    broadcast({ sent: { token, number, session, agreed } });
  };

  // Do not send an entry while a form corrects it: until it is put again, or the page is left, which releases the lock.
  // Without navigator.locks (plain http) this holds for one tab only.
  const lockForCorrection = (token) => {
    const held = new Promise((resolve) => locks.set(token, resolve));
    navigator.locks?.request(`correcting ${token}`, () => {
      broadcast({});  // lists in other tabs say so
      return held;
    });
  };

  const releaseLock = (token) => {
    locks.get(token)?.();
    locks.delete(token);
  };

  // Release all locks: pages.js has replaced the form's page without unloading it.
  const releaseLocks = () => {
    for (const token of [...locks.keys()]) releaseLock(token);
  };

  // Return the tokens of the entries that a form corrects, in any tab.
  const lockedTokens = async () => {
    const held = (await navigator.locks?.query())?.held ?? [];
    return new Set([...locks.keys(), ...held.map(({ name }) => name.replace(/^correcting /, ""))]);
  };

  // Run one sender at a time on this phone, across tabs: two would send the same hand twice.
  const oneAtATime = (work) => {
    if (navigator.locks) return navigator.locks.request("outbox", work);
    queue = queue.then(work, work);
    return queue;
  };

  // Send waiting hands until all are sent or one gets no answer. With `again`, also try once more those that were
  // refused for a reason that may have gone, and payments that were put aside.
  const flush = ({ again = false } = {}) => {
    running ??= oneAtATime(() => sendAll(again)).finally(() => { running = null; });
    return running;
  };

  const sendAll = async (again) => {
    if (isServerBusy() && !again) return;
    const tried = new Set();
    const moved = new Set();
    let phone = null;
    for (;;) {
      const entry = await next(again, tried);
      if (!entry) return;
      if (!phone) {
        phone = await fetchPhone();
        if (!phone) return;
        continue;  // that may have taken seconds: the user may be correcting the entry now
      }
      tried.add(entry.token);
      const answer = phone.signed_in ? await send(entry, phone) : { reason: "signed-out" };
      if (!answer) return;
      if (answer.number) await markSent(entry, answer.number, answer.sentence);
      else if (answer.moved && !moved.has(entry.token)) {
        await follow(entry.token, answer.moved);
        moved.add(entry.token);
        tried.delete(entry.token);
      }
      else await refuse(entry, answer);
    }
  };

  // Return the oldest entry that may be sent. A hand that is stuck holds up those of its evening, and a waiting payment
  // those of its circle.
  const next = async (again, tried) => {
    // Read the locks before the entries: a hand whose lock is released after that is read in its corrected form.
    const held = await lockedTokens();
    const stuck = new Set();
    return (await all()).find((entry) => {
      const queue = entry.session ?? `circle ${entry.circle}`;
      if (stuck.has(queue) || (entry.kept && entry.session)) return false;
      const mayGo = !held.has(entry.token) && (entry.state === "waiting" || (again && (entry.kept || entry.reason)));
      if (mayGo && !tried.has(entry.token)) return true;
      if (entry.session || entry.state === "waiting") stuck.add(queue);
      return false;
    });
  };

  // Send one entry. Return {number} if it is recorded, {sentence} or {reason} if refused, null without an answer.
  const send = async (entry, phone) => {
    let response = await post(entry, phone);
    if (response?.status === 403) {
      // The CSRF cookie may have been lost since: try once more with a new token.
      Object.assign(phone, await fetchPhone());
      response = await post(entry, phone);
    }
    if (!response) return null;
    if (response.ok || response.status === 409 || response.status === 422) {
      const said = await json(response);
      return said?.number || said?.sentence ? said : null;
    }
    return { reason: await denialOf(response) };
  };

  const denial = ({ status, headers }) =>
    headers.has("X-Circle-Closed") ? "closed" : { 403: "not-allowed", 404: "not-found" }[status] ?? "odd";

  // Return why the server has answered a form with another page, after asking whether the phone is signed in.
  const denialOf = async (response) => {
    const phone = await fetchPhone();
    return phone && !phone.signed_in ? "signed-out" : denial(response);
  };

  const post = (entry, phone) => {
    const number = entry.session ? [["number", entry.number]] : [];
    const body = new URLSearchParams([...entry.fields, ["token", entry.token], ...number]);
    const headers = { Accept: "application/json", "X-CSRFToken": phone.token };
    return fetchAnswer(entry.url, { method: "POST", body, headers });
  };

  // Return {token, signed_in}: a CSRF token and whether the phone is signed in; null if the server does not answer.
  const fetchPhone = async () => json(await fetchAnswer(TOKEN));

  // Return whether the server itself has answered, and not a proxy, a captive portal, or a failing server.
  const isFromServer = (response) =>
    response.headers.has("X-Scorekeeper") && response.status < 500 && response.status !== 429;

  // Return whether the server says that it did nothing because it cannot write; if so, note when to try again.
  const noteNotDone = ({ headers }) => {
    const isNotDone = headers.has("X-Scorekeeper") && headers.has("X-Not-Done");
    if (isNotDone) busyUntil = Date.now() + 1000 * Number(headers.get("Retry-After"));
    return isNotDone;
  };

  const isServerBusy = () => Date.now() < busyUntil;

  // Ask the browser not to evict the outbox when storage is short: it holds the only copy. Once, since some browsers
  // ask the user.
  const requestPersistence = async () => {
    try {
      if (localStorage.getItem("persist")) return;
      localStorage.setItem("persist", "asked");
      await navigator.storage.persist();
    } catch {
      // Without persistence or storage the outbox works as before.
    }
  };

  // Fetch an answer of the server itself; null if there is none in time.
  const fetchAnswer = async (url, options) => {
    try {
      const response = await fetch(url, { cache: "no-store", ...options, signal: AbortSignal.timeout(TIMEOUT) });
      noteNotDone(response);
      return isFromServer(response) ? response : null;
    } catch {
      return null;
    }
  };

  // Return the parsed JSON; null for anything else, such as the page of a captive portal.
  const json = async (response) => {
    try {
      return response && (await response.json());
    } catch {
      return null;
    }
  };

  const notifyListeners = (news) => {
    for (const listener of listeners) listener(news);
  };

  const broadcast = (news) => {
    notifyListeners(news);
    channel?.postMessage(news);
  };

  channel?.addEventListener("message", ({ data }) => notifyListeners(data));
  addEventListener("outbox:readable", () => notifyListeners({}));

  return {
    ANSWERS, TIMEOUT, all, find, ofSession, inLine, ahead, lastInLine, withSentPayments, markSeen, lockForCorrection,
    lockedTokens, releaseLock, releaseLocks, put, withAnswer, putAnswered, refuse, drop, putAside, markSent, oneAtATime,
    flush, fetchPhone, denialOf, isFromServer, noteNotDone, isServerBusy, requestPersistence,
    // Call `listener` after every change in any tab, with {sent: {token, number, session, agreed}} after an entry was
    // sent; and when the store can be read again.
    listen: (listener) => listeners.add(listener),
  };
})();
