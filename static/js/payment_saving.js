// Books payments by way of the outbox (forms with data-outbox), where each stays until the server has booked it.
// Without an answer it waits on this phone, and the form is made ready for another one.
/* global entryWords, network, outbox, pages, shelf, uuid, words */
{
  const underWay = new WeakSet();
  let waits = null;  // the payment of which the toast says that it waits

  const theForms = () => document.querySelectorAll("form[data-outbox]");

  // A button with another name does something else: it switches the language.
  const isBooking = (form, button) =>
    form?.matches?.("form[data-outbox]") && (!button?.name || button.name === "meant");

  const isComplete = ({ elements: { payer, payee, amount } }) =>
    [payer, payee, amount].every(({ value }) => value.trim());

  // --- The entry of the outbox ---

  const isFree = (form) => form.elements.amount.type !== "hidden";

  const chosen = (select) => select.selectedOptions[0].textContent.trim();

  // Return 'Béla → Anna 500 HUF'. Each name is isolated, as it may be written from right to left.
  const saidIn = (form) => {
    const { payer, payee, amount, currency } = form.elements;
    const [from, to] = [payer, payee].map((select) => `\u2068${chosen(select)}\u2069`);
    return `${from} → ${to} ${amount.value.trim()} ${chosen(currency)}`;
  };

  const entryOf = (form, body) => ({
    token: body.get("token"),
    circle: form.dataset.circle,
    kind: body.get("kind") ?? "payment",
    url: form.getAttribute("action"),
    fields: [...body].filter(([name]) => !["csrfmiddlewaretoken", "token"].includes(name)),
    label: form.dataset.said ?? saidIn(form),
    free: isFree(form),
  });

  // --- Sending ---

  // Store the payment and send it; if others wait before it, all are sent in order. Return the server's page or
  // redirect, null if there is none to show.
  const book = async (form, url, request) => {
    const { body } = request;
    if (!body.get("token")) body.set("token", uuid());
    const entry = isComplete(form) ? entryOf(form, body) : null;
    // There may be no IndexedDB, as in some private windows.
    const isStored = entry && (await outbox.put(entry).then(() => true, () => false));
    if (!isStored) return sendOnce(url, request);
    const isNext = (one) => one.circle === entry.circle && one.state === "waiting";
    const first = (await outbox.all()).find(isNext);
    const answer = first?.token === entry.token ? await send(entry, url, request) : await outbox.flush();
    return answer ?? report(form, entry);
  };

  // Send it as the form's own request, so that the server answers with a page that keeps what was typed. Null without
  // such an answer, or when the outbox has sent it meanwhile.
  const send = (entry, url, request) => outbox.oneAtATime(async () => {
    if (entry && !(await outbox.find(entry.token))) return null;
    try {
      const signal = AbortSignal.timeout(outbox.TIMEOUT);
      const response = await network.fetchWithToken(url, { ...request, signal });
      outbox.noteNotDone(response);
      if (!outbox.isFromServer(response)) return null;
      const answer = new Response(await response.text(), response);
      return !entry || (await noteAnswer(entry, answer)) ? answer : null;
    } catch {
      return null;
    }
  });

  // Send what the outbox does not keep, as it is incomplete or cannot be stored; without an answer a toast says so.
  const sendOnce = async (url, request) => {
    const answer = await send(null, url, request);
    if (!answer) network.showToast();
    return answer;
  };

  const redirectOf = ({ headers }) => headers.get("HX-Redirect") ?? headers.get("X-Location");

  // Bring the outbox up to the server's answer. False if its page is not to be shown, since the payment would be lost.
  const noteAnswer = async (entry, answer) => {
    const isForm = (await answer.clone().text()).includes("data-outbox");
    if (redirectOf(answer) || isForm) {
      await outbox.drop(entry.token);
      return true;
    }
    await outbox.refuse(entry, { reason: await outbox.denialOf(answer) });
    return false;
  };

  // Say that it waits, or was refused. Return a redirect if the outbox has sent it meanwhile, else null.
  const report = async (form, { token, url }) => {
    const left = (await shelf.everything()).find((one) => one.token === token);
    if (left?.state === "sent") {
      await outbox.drop(token);
      const next = `${isFree(form) ? url : location.pathname}?booked=${left.number}#open`;
      return new Response("", { headers: { "HX-Redirect": next } });
    }
    // Its page may have been replaced meanwhile, or another tab has dropped it.
    if (!left || !form.isConnected) return null;
    outbox.requestPersistence();
    navigator.vibrate?.(30);
    const isBusy = outbox.isServerBusy();
    waits = left;
    network.showToast(entryWords(left.state === "refused" ? "refused" : isBusy ? "waits-busy" : "waits", left));
    if (left.state === "waiting" && isFree(form)) prepareNext(form);
    return null;
  };

  const prepareNext = ({ elements }) => {
    for (const name of ["amount", "note", "another"]) elements[name].value = "";
    elements.token.value = uuid();
  };

  // --- The forms of the page ---

  // Show the server's answer to a plain form. True if this page is left.
  const show = async (form, answer) => {
    const next = answer && redirectOf(answer);
    if (next) return pages.follow(next, form);
    if (answer) pages.show(await answer.text(), { href: location.href });
    return false;
  };

  const bookPlainly = async (form, button) => {
    if (underWay.has(form)) return;
    underWay.add(form);
    network.hideToast();
    button?.setAttribute("aria-busy", "true");
    const body = new URLSearchParams(new FormData(form));
    const request = { method: "POST", body, cache: "no-store", headers: { "X-Act": "1" } };
    // While another page is loading, the button stays busy.
    if (await show(form, await book(form, form.getAttribute("action"), request))) return;
    underWay.delete(form);
    button?.removeAttribute("aria-busy");
  };

  // Before form_posts.js, which leaves alone what is sent already.
  window.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!isBooking(form, submitter) || form.matches("[hx-post]")) return;
    event.preventDefault();
    bookPlainly(form, submitter ?? form.querySelector("button"));
  }, true);
  // The browser may show the page again from its back/forward cache.
  window.addEventListener("pageshow", () => {
    for (const form of theForms()) underWay.delete(form);
  });

  network.onRequest((ctx) => {
    const { sourceElement: form, request: { submitter } } = ctx;
    if (!isBooking(form, submitter)) return;
    ctx.fetch = async (url, request) => (await book(form, url, request)) ?? new Response(null, { status: 204 });
  });

  // A payment for a session is in its currency.
  document.addEventListener("change", ({ target }) => {
    const currency = target.matches("[data-outbox] [name=for]") && target.selectedOptions[0].dataset.currency;
    if (currency) target.form.elements.currency.value = currency;
  });

  const statesByToken = async () => new Map((await shelf.everything()).map(({ token, state }) => [token, state]));

  // Mark the suggested payments that are in the outbox already.
  const mark = async () => {
    const states = await statesByToken();
    for (const form of theForms()) {
      const state = states.get(form.elements.token.value);
      if (state) form.dataset.waits = words(`is-${state}`);
      else delete form.dataset.waits;
    }
  };

  // Fill a payment of the outbox into the form, for correction.
  const fill = (form, entry) => {
    for (const [name, value] of [...entry.fields, ["token", entry.token]]) {
      // The answer to the server's question is not reused.
      if (name !== "another" && form.elements[name]) form.elements[name].value = value;
    }
  };

  const initialise = async () => {
    const form = [...theForms()].find(isFree);
    if (!form) return;
    const asked = new URLSearchParams(location.search).get("outbox");
    // Before the outbox is read: this page and others may be about to send the payment.
    if (asked) outbox.lockForCorrection(asked);
    const corrected = asked && (await outbox.find(asked));
    if (corrected?.circle === form.dataset.circle) return fill(form, corrected);
    if (asked) outbox.releaseLock(asked);
    // The token of a page that the service worker kept may have been used.
    if ("kept" in document.body.dataset && !("typed" in document.body.dataset)) form.elements.token.value = uuid();
  };

  // True if a toast would lie over the list of the outbox.
  const isListInView = () => {
    const bottomOf = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
    return bottomOf("#waiting") > bottomOf(".toast-place");
  };

  // Let the toast say what became of the payment that waited; a refusal or question stands on its row, too.
  const followUp = async (sent) => {
    const told = waits;
    if (!told) return;
    if (sent?.token === told.token) network.showToast(entryWords("sent", told));
    else if ((await statesByToken()).get(told.token) === "refused") {
      if (isListInView()) network.hideToast();
      else network.showToast(entryWords("refused", told));
      if (waits === told) waits = null;
    }
  };

  outbox.listen(({ sent }) => {
    mark();
    followUp(sent);
  });
  window.addEventListener("pageshow", mark);
  document.addEventListener("live:swapped", mark);
  document.addEventListener("DOMContentLoaded", initialise);
  document.addEventListener("page:shown", initialise);
}
