// Saves a hand from its form by way of the outbox, where it stays until the server has recorded it. Without an answer
// the form is made ready for the next hand; when the server refuses the hand, the form comes back filled in.
/* global entryWords, formBar, halfFilled, network, outbox, provisional, refusalReason, uuid, words */
{
  const { ANSWERS } = outbox;

  const theForm = () => document.querySelector("#hand-form[data-live]");
  const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked:enabled`);

  // --- The entry of the outbox ---

  const isSave = (form, request) =>
    form?.matches("#hand-form[data-live]") && request.action === form.getAttribute("action") &&
    ["", "redeal", ...ANSWERS].includes(request.submitter?.name ?? "");

  // Return the redeal of a thrown-in deal, from its button or from the answer to a question about it; else undefined.
  const throwInOf = (submitter) => {
    if (submitter?.name === "redeal") return submitter.value;
    return ANSWERS.includes(submitter?.name) ? submitter.value.match(/[a-z]+$/)?.[0] : undefined;
  };

  const isComplete = (form, submitter) => Boolean(throwInOf(submitter)) || form.checkValidity();

  const label = (form, submitter) => {
    const said = (name) => chosen(form, name)?.dataset.said ?? "";
    if (throwInOf(submitter)) return `${said("dealer")} · ${form.querySelector("[name=redeal]").dataset.said}`;
    const line = form.elements.line.value.trim();
    // A typed line may have no declarer.
    if (line) return [isAgreed(form) ? words("agreed") : declarer(form), line].filter(Boolean).join(" · ");
    return rowsInOrder(form).reduce(withRow, "");
  };

  const declarer = (form) => (chosen(form, "declarer")?.value ? chosen(form, "declarer").dataset.said : "");

  // Return whether the typed line is an agreed entry, not a hand.
  const isAgreed = (form) => {
    const { staysWith } = form.dataset;
    return Boolean(staysWith) && form.elements.line.value.trim().startsWith(staysWith);
  };

  // Return the rows in speaking order: a row with data-glued stands behind the one that it names.
  const rowsInOrder = (form) => {
    const rows = [...form.querySelectorAll("fieldset.choices:not(#field-dealer)")];
    const glued = rows.filter(({ dataset }) => dataset.glued);
    return rows.filter((row) => !glued.includes(row)).flatMap((row) =>
      [row, ...glued.filter(({ dataset }) => `field-${dataset.glued}` === row.id)]);
  };

  // Return the text with the words of one more row. An optional row is left out: its answer does not count.
  const withRow = (text, row) => {
    const input = row.querySelector("input:checked:enabled");
    const legend = row.querySelector("legend");
    const whose = "named" in row.dataset ? `${(legend.querySelector("small") ?? legend).textContent.trim()} ` : "";
    const silent = !input?.dataset.said || (row.dataset.requiredAt && !input.required);
    const said = silent ? "" : whose + input.dataset.said;
    return said && text ? `${text}${"glued" in row.dataset ? " " : " · "}${said}` : said || text;
  };

  // Return the token, and make one if the form has none: the outbox would overwrite one hand with the next.
  const tokenOf = (body) => {
    if (!body.get("token")) body.set("token", uuid());
    return body.get("token");
  };

  const entryOf = (form, request) => {
    const own = ["csrfmiddlewaretoken", "token", "number", ...ANSWERS];
    const entry = {
      token: tokenOf(request.body),
      session: form.dataset.session,
      url: form.getAttribute("action"),
      fields: [...request.body].filter(([name]) => !own.includes(name)),
      number: Number(request.body.get("number")),
      label: label(form, request.submitter),
      agreed: !throwInOf(request.submitter) && isAgreed(form),
      ...provisional.countHand(form, new Map([...request.body, ["redeal", throwInOf(request.submitter)]])),
    };
    const { name, value } = request.submitter ?? {};
    return ANSWERS.includes(name) ? outbox.withAnswer(entry, name, value) : entry;
  };

  network.onRequest((ctx) => {
    const form = ctx.sourceElement;
    if (!isSave(form, ctx.request)) return;
    const entry = entryOf(form, ctx.request);
    const sendPlainly = ctx.fetch;
    ctx.fetch = isComplete(form, ctx.request.submitter)
      ? (url, request) => save(form, entry, url, request, sendPlainly)
      : (url, request) => sendUnfinished(form, url, request);
  });

  // --- Sending ---

  // Return to htmx the server's answer, or an empty one when there is none to show.
  const save = async (form, entry, url, request, sendPlainly) => {
    try {
      entry = await outbox.put(entry);
    } catch {
      return sendPlainly(url, request);  // no IndexedDB, as in some private windows
    }
    halfFilled.forget(form);
    const [first] = await outbox.inLine(entry.session);
    // If others wait before it, all are sent in order.
    const answer = first?.token === entry.token ? await send(entry, url, request) : await outbox.flush();
    if (answer) return answer;
    const left = await outbox.find(entry.token);
    if (!left) return openSheet(form, entry);
    await reportUnsent(form, left);
    return new Response(null, { status: 204 });
  };

  // Ask the server what is missing in an unfinished form; if it does not answer, the form says it.
  const sendUnfinished = async (form, url, request) => {
    try {
      const response = await network.fetchWithToken(url, request);
      if (outbox.isFromServer(response)) return response;
      throw new Error("somebody else has answered");
    } catch {
      form.dispatchEvent(new Event("form:lead", { bubbles: true }));
      return new Response(null, { status: 204 });
    }
  };

  // Send it as the form's own request, so that the server answers with a page that keeps what was typed. Null without
  // such an answer, or when the outbox has sent it meanwhile.
  const send = (entry, url, request) => outbox.oneAtATime(async () => {
    if (!(await outbox.find(entry.token))) return null;
    const patience = setTimeout(() => request.abort("timeout"), outbox.TIMEOUT);
    try {
      const response = await network.fetchWithToken(url, request);
      const text = await response.text();
      outbox.noteNotDone(response);
      if (!outbox.isFromServer(response)) return null;
      return (await noteAnswer(entry, response, text)) ? new Response(text, response) : null;
    } catch {
      return null;
    } finally {
      clearTimeout(patience);
    }
  });

  // Return an answer that makes htmx open the sheet, after the outbox has sent the hand.
  const openSheet = async (form, { token, session }) => {
    navigator.vibrate?.(30);
    const sent = (await outbox.ahead(session)).find((one) => one.token === token);
    const redirect = form.dataset.sheet + (sent ? `?saved=${sent.number}` : "");
    return new Response("", { headers: { "HX-Redirect": redirect } });
  };

  // Bring the outbox up to the server's answer. False if its page must not replace the form, which would lose the hand.
  const noteAnswer = async (entry, response, text) => {
    const sheet = response.headers.get("HX-Redirect");
    if (response.ok && sheet) {
      navigator.vibrate?.(30);
      await outbox.markSent(entry, Number(new URL(sheet, location).searchParams.get("saved")));
      return true;
    }
    const again = new DOMParser().parseFromString(text, "text/html").getElementById("hand-form");
    if (again) {
      // Keep the hand in the outbox until it is saved again: the page with the form may be closed.
      const token = again.elements.token.value;
      const { refused: sentence, told } = again.dataset;
      const question = again.querySelector("#hand-question .panel")?.innerHTML.trim() ?? "";
      await outbox.refuse(entry, { sentence, token, question, next_number: told && Number(told) });
      return true;
    }
    if (response.ok) return false;
    await outbox.refuse(entry, { reason: await outbox.denialOf(response) });
    return false;
  };

  // --- When the hand could not be sent ---

  const reportUnsent = async (form, entry) => {
    outbox.requestPersistence();
    const unsent = await outbox.inLine(entry.session);
    const last = await outbox.lastInLine(entry.session);
    // pages.js may have shown another page meanwhile.
    if (!form.isConnected) return;
    // The page of a question has no form for the next hand.
    if (entry.state === "waiting" && !form.querySelector(".save")) location.assign(form.dataset.sheet);
    else if (entry.state === "waiting") {
      navigator.vibrate?.(30);
      prepareNext(form, last);
      const stuck = unsent.some((one) => one.state === "refused");
      if (stuck) notify(entryWords("behind", entry), "", form.dataset.sheet);
      else notify(entryWords(outbox.isServerBusy() ? "waits-busy" : "waits", entry));
    } else {
      notify(entryWords("refused", entry), refusalReason(entry), form.dataset.sheet);
    }
  };

  // Make the form ready for the hand after `entry`, as the server would render it.
  const prepareNext = (form, entry) => {
    clear(form);
    formBar.clear();
    formBar.makeInert();  // a double tap on Save must not reach the next hand
    form.dispatchEvent(new Event("form:cleared"));
    for (const fold of form.querySelectorAll("details")) fold.open = false;
    form.querySelector("#count").replaceChildren();
    for (const stale of form.querySelectorAll(".error, form > .notice")) stale.remove();
    setNextHand(form, entry);
    refresh(form);
    scrollTo({ top: 0 });
  };

  // Reset all fields to the presets, but for those that were tapped while the outbox was being read.
  const clear = (form) => {
    const presets = new Map(form.dataset.presets.trim().split(/\s+/).map((preset) => preset.split("=")));
    const others = (kind) => [...form.querySelectorAll(kind)].filter(({ name }) => !tappedEarly.has(name));
    for (const radio of others("[type=radio]:not([name=dealer])")) {
      radio.checked = presets.get(radio.name) === radio.value;
    }
    for (const box of others("[type=checkbox]")) box.checked = false;
    for (const text of others("[type=text], [type=number]")) text.value = "";
    const kept = "[name=csrfmiddlewaretoken], [name=seating]";
    for (const hidden of form.querySelectorAll(`[type=hidden]:not(${kept})`)) hidden.value = "";
  };

  // Set number, token and dealer for the hand after `entry`. If its dealer has left, the server's choice stays.
  const setNextHand = (form, entry) => {
    const fields = new Map(entry.fields);
    const dealt = form.querySelector(`[name=dealer][value="${fields.get("dealer")}"]`);
    form.elements.number.value = entry.number + 1;
    form.elements.meant.value = entry.number + 1;
    form.elements.token.value = uuid();
    if (dealt && !tappedEarly.has("dealer")) {
      form.elements.dealer.value = provisional.dealerStays(form, fields) ? dealt.value : dealt.dataset.next;
    }
    form.elements.offered.value = form.elements.dealer.value;
    delete form.dataset.told;
  };

  const refresh = (form) => form.dispatchEvent(new Event("form:renewed", { bubbles: true }));

  // --- Opening the form ---

  // The fields that were tapped while the outbox was still being read.
  const tappedEarly = new Set();
  const noteEarlyTap = ({ isTrusted, target }) => {
    if (isTrusted && target.form === theForm()) tappedEarly.add(target.name);
  };

  // Fill an entry of the outbox into the form, for correction.
  const fill = (form, entry) => {
    for (const [name, value] of entry.fields) {
      const field = form.elements[name];
      // Answers to the server's questions are not reused.
      if (ANSWERS.includes(name) || tappedEarly.has(name)) continue;
      if (field?.type === "checkbox") field.checked = true;
      else if (field) field.value = value;
    }
    form.elements.token.value = entry.token;
    form.dispatchEvent(new CustomEvent("form:filled", { detail: entry.fields.map(([name]) => name) }));
    if (entry.state === "waiting") form.elements.number.value = entry.number;
    else notify(entryWords("refused", entry), refusalReason(entry));
    recount(form);
  };

  const recount = (form) => form.elements.declarer[0].dispatchEvent(new Event("change", { bubbles: true }));

  const initialise = async () => {
    const form = theForm();
    if (!form) return;
    const asked = new URLSearchParams(location.search).get("outbox");
    // Before the outbox is read: this page and others may be about to send the hand.
    if (asked) outbox.lockForCorrection(asked);
    const unsent = await outbox.ofSession(form.dataset.session);
    const corrected = unsent.find((entry) => entry.token === asked);
    if (corrected) return fill(form, corrected);
    if (asked) outbox.releaseLock(asked);
    // The service worker has filled in the fields of an unanswered request, with their token.
    if ("typed" in document.body.dataset) return recount(form);
    // The token of a page that the service worker kept may have been used.
    if ("kept" in document.body.dataset) form.elements.token.value = uuid();
    // The server does not know the hands that wait on this phone; nor does a kept page.
    const last = await outbox.lastInLine(form.dataset.session);
    if (last && last.number >= Number(form.elements.number.value)) {
      clear(form);
      setNextHand(form, last);
    }
    refresh(form);
  };

  // --- Notices ---

  const { notify } = formBar;

  let lastTold = "";

  // Show in an open form the outcome of the hands that were saved before.
  const tell = async ({ sent }) => {
    const form = theForm();
    if (!form || form.matches(".htmx-request")) return;
    if (sent?.session === form.dataset.session) notify(entryWords("sent", sent));
    const unsent = await outbox.ofSession(form.dataset.session);
    const refused = unsent.find((entry) => entry.state === "refused" && !entry.kept);
    // The form itself already shows the refusal of its own hand.
    if (refused?.token === form.elements.token.value) return;
    const now = refused ? refused.token + refusalReason(refused) : "";
    if (refused && now !== lastTold) notify(entryWords("refused", refused), refusalReason(refused), form.dataset.sheet);
    lastTold = now;
  };

  // The hand in the form was recorded by another phone: drop it.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-drop]");
    if (!link || !theForm()?.contains(link)) return;
    event.preventDefault();
    await outbox.drop(theForm().elements.token.value).catch(() => {});
    location.assign(link.href);
  });

  outbox.listen(tell);
  const start = async () => {
    document.addEventListener("change", noteEarlyTap, true);
    try {
      await initialise();
    } finally {
      document.removeEventListener("change", noteEarlyTap, true);
      tappedEarly.clear();
    }
    theForm()?.dispatchEvent(new Event("form:opened", { bubbles: true }));
  };

  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("page:shown", start);
}
